"""What the evaluation of a guess looks at: numbers, and the pattern of cells around it."""

from __future__ import annotations

import math
from functools import cached_property
from typing import NamedTuple

from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.search.lookahead import PROVED_CAP, Outlook
from mineproof.search.survey import Survey

SCALARS = 24
"""Numbers about a candidate and its position."""
REACH = 3
"""How far the pattern reaches from the candidate."""
SIDE = 2 * REACH + 1
CELLS = SIDE * SIDE
KINDS = 11
"""What a cell of the pattern can be: beside the board, a known mine, a clue with 0 to 6 mines
not yet known, a frontier cell, an interior cell."""
OUTSIDE, MINE, CLUE, FRONTIER, INTERIOR = 0, 1, 2, 9, 10


class Features(NamedTuple):
    """What the evaluation gets of one candidate."""

    scalar: tuple[float, ...]
    kind: tuple[int, ...]
    risk: tuple[float, ...]

    @property
    def survival(self) -> float:
        """The chance to survive this move and the next."""
        return self.scalar[3]


class Situation:
    """What all candidates of a position share."""

    def __init__(self, survey: Survey, mines: int) -> None:
        """Describe a position with so many mines on the board."""
        boxes = survey.boxes()
        self.survey = survey
        self.interior = len(boxes.pop((), ()))
        self.unknown = len(survey.unknown)
        self.left = mines - survey.observation.shown.count(EXPLODED)
        safeties = [(survey.safety[box[0]], len(box)) for box in boxes.values()]
        self.doubt = sum(cells * safety * (1 - safety) for safety, cells in safeties)
        self.components = len(_joined(list(boxes)))

    @cached_property
    def interior_risk(self) -> float:
        """The risk of any interior cell; 0 if there is none."""
        touching, safety = self.survey.touching, self.survey.safety
        return next((1 - safety[i] for i, clues in touching.items() if not clues), 0.0)

    @cached_property
    def log_layouts(self) -> float:
        """The natural logarithm of the number of layouts."""
        layouts = self.survey.facts.layouts
        return math.inf if layouts is None else math.log(layouts)

    def features(self, index: int, outlook: Outlook, best_survival: float) -> Features:
        """Describe a candidate, given the best survival among all of them."""
        survey = self.survey
        grid, safety = survey.observation.grid, survey.safety[index]
        row, column = grid.cell(index)
        survival = safety * outlook.next
        scalar = (
            safety,
            survey.best - safety,
            outlook.next,
            survival,
            outlook.progress,
            outlook.proved / PROVED_CAP,
            outlook.second,
            outlook.zero,
            outlook.likeliest,
            outlook.entropy,
            outlook.values / 9,
            self.unknown / grid.size,
            self.left / self.unknown,
            self.interior / grid.size,
            self.interior_risk,
            min(self.log_layouts, 250) / 250,
            min(self.components, 20) / 10,
            min(self.unknown - self.interior, 150) / 100,
            len(survey.unknown_near(index)) / 8,
            min(row, grid.rows - 1 - row, 4) / 4,
            min(column, grid.columns - 1 - column, 4) / 4,
            best_survival - survival,
            self.doubt / 10,
            (self.doubt - outlook.doubt) / 2,
        )
        return Features(scalar, *self._pattern(row, column))

    def _pattern(self, row: int, column: int) -> tuple[tuple[int, ...], tuple[float, ...]]:
        """Give kind and risk of the cells around a candidate, row by row."""
        grid, safety = self.survey.observation.grid, self.survey.safety
        kinds, risks = [], []
        for number in range(CELLS):
            down, right = divmod(number, SIDE)
            there = row + down - REACH, column + right - REACH
            inside = 0 <= there[0] < grid.rows and 0 <= there[1] < grid.columns
            index = grid.index(there) if inside else -1
            kinds.append(self._kind(index) if inside else OUTSIDE)
            risks.append(1 - safety[index] if index in safety else 0.0)
        return tuple(kinds), tuple(risks)

    def _kind(self, index: int) -> int:
        seen = self.survey.observation
        code = seen.shown[index]
        if code == UNOPENED:
            return FRONTIER if self.survey.touching[index] else INTERIOR
        if code > UNOPENED:
            return MINE
        known = sum(1 for near in seen.grid.neighbours(index) if seen.shown[near] == EXPLODED)
        return CLUE + min(max(code - known, 0), 6)


def _joined(boxes: list[tuple[int, ...]]) -> set[int]:
    """Give one clue for each component: boxes hang together through shared clues."""
    leader: dict[int, int] = {}

    def find(clue: int) -> int:
        while leader.setdefault(clue, clue) != clue:
            clue = leader[clue]
        return clue

    for first, *others in boxes:
        for other in others:
            leader[find(other)] = find(first)
        find(first)
    return {find(clue) for clue in list(leader)}
