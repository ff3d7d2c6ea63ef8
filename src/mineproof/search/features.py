"""What the evaluation of a guess looks at: numbers, and the pattern of cells around it."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.search import lookahead
from mineproof.search.lookahead import PROVED_CAP, Outlook
from mineproof.search.survey import Survey

SCALARS = 35
"""Numbers about a candidate and its position."""
REACH = 4
"""How far the pattern reaches from the candidate."""
SIDE = 2 * REACH + 1
CELLS = SIDE * SIDE
AFTER_SCALARS = 9
"""Numbers about the position after a value."""
AFTER_CELLS = lookahead.SIDE**2
KINDS = 11
"""What a cell of the pattern can be: beside the board, a known mine, a clue with 0 to 6 mines
not yet known, a frontier cell, an interior cell."""
OUTSIDE, MINE, CLUE, FRONTIER, INTERIOR = 0, 1, 2, 9, 10


class ShownValue(NamedTuple):
    """A value that a candidate can show: what the position would be then."""

    value: int
    survival: float
    """Its chance x the safety of the best move after it."""
    scalar: tuple[float, ...]
    risk: tuple[float, ...]


class Features(NamedTuple):
    """What the evaluation gets of one candidate."""

    safety: float
    scalar: tuple[float, ...]
    kind: tuple[int, ...]
    risk: tuple[float, ...]
    shown: tuple[ShownValue, ...]


@dataclass
class ComponentView:
    """What the evaluation sees of a component."""

    cells: int = 0
    doubt: float = 0.0
    """The sum of risk x safety over its cells."""
    best: float = 0.0
    """The safety of its safest cell."""
    border: int = 0
    """Pairs of one of its cells and an interior cell beside it."""

    def add(self, safety: float, border: int) -> None:
        """Add one cell."""
        self.cells += 1
        self.doubt += safety * (1 - safety)
        self.best = max(self.best, safety)
        self.border += border


class Situation:
    """What all candidates of a position share."""

    def __init__(self, survey: Survey, mines: int) -> None:
        """Describe a position with so many mines on the board."""
        self.survey = survey
        self.unknown = len(survey.unknown)
        self.interior = self.unknown - len(survey.component_of)
        self.left = mines - survey.observation.shown.count(EXPLODED)
        self.views: dict[int, ComponentView] = {}
        for index, component in survey.component_of.items():
            inner = sum(not survey.touching[near] for near in survey.unknown_near(index))
            self.views.setdefault(component, ComponentView()).add(survey.safety[index], inner)
        self.doubt = sum(view.doubt for view in self.views.values())
        self.box_size = Counter(survey.touching.values())

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
            min(len(self.views), 20) / 10,
            min(self.unknown - self.interior, 150) / 100,
            len(survey.unknown_near(index)) / 8,
            min(row, grid.rows - 1 - row, 4) / 4,
            min(column, grid.columns - 1 - column, 4) / 4,
            best_survival - survival,
            self.doubt / 10,
            (self.doubt - outlook.doubt) / 2,
            *self._around(index, outlook),
        )
        return Features(safety, scalar, *self._pattern(row, column), self._shown(index, outlook))

    def _view(self, index: int) -> ComponentView:
        """Give the component of a candidate; one of the interior has an empty one."""
        home = self.survey.component_of.get(index)
        return ComponentView(best=self.survey.safety[index]) if home is None else self.views[home]

    def _shown(self, index: int, outlook: Outlook) -> tuple[ShownValue, ...]:
        """Describe what is left after each value that a candidate can show."""
        home_doubt = self._view(index).doubt
        return tuple(
            ShownValue(
                reply.value,
                reply.chance * reply.best,
                (
                    reply.chance,
                    reply.best,
                    reply.second,
                    float(reply.best == 1),
                    min(reply.proved, PROVED_CAP) / PROVED_CAP,
                    (self.doubt - reply.doubt) / 2,
                    reply.local,
                    (home_doubt - reply.local_doubt) / 2,
                    float(reply.is_resolved),
                ),
                reply.risk,
            )
            for reply in outlook.replies
        )

    def _around(self, index: int, outlook: Outlook) -> tuple[float, ...]:
        """Describe the component of a candidate, and how far the rest of the board is."""
        survey = self.survey
        safety, home = survey.safety[index], survey.component_of.get(index)
        view = self._view(index)
        others = [other.best for name, other in self.views.items() if name != home]
        if home is not None and self.interior:
            others.append(1 - self.interior_risk)
        return (
            min(view.cells, 80) / 40,
            view.doubt / 5,
            view.best - safety,
            max(others, default=0.0),
            min(view.border, 40) / 20,
            outlook.local,
            outlook.resolved,
            (view.doubt - outlook.local_doubt) / 2,
            min(self.unknown, 60) / 60,
            min(self.log_layouts, 25) / 25,
            0.0 if home is None else self.box_size[survey.touching[index]] / 8,
        )

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
