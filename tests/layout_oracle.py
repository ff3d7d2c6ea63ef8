"""A list of all layouts of a small position, used to check every engine."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction

from mineproof.core.board import Board
from mineproof.core.clues import (
    EXPLODED,
    UNOPENED,
    WITHHELD,
    Cautious,
    ClueRule,
    Exact,
    Optimistic,
    Withheld,
)
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.inference.budget import Budget
from mineproof.inference.counting import Density, Facts, Known, Prior, Range, count

Engine = Callable[..., Facts]
"""The type of `count_with`, which the tests call with each of the engines."""
MODELS = (
    Exact(),
    Withheld(0.7),
    Optimistic(),
    Cautious(),
)


def count_with(
    observation: Observation,
    prior: Prior,
    nodes: int | None = None,
    seconds: float | None = None,
) -> Facts:
    """Count the layouts of a position within limits."""
    return count(observation, prior=prior, budget=Budget(seconds, nodes=nodes))


def expected_mines(facts: Facts) -> float:
    """Return the expected number of mines on the whole board."""
    return facts.observation.hits + math.fsum(x for x in facts.risk if not math.isnan(x))


def clue_weight(model: ClueRule, shown: int, truth: int, degree: int) -> Fraction:
    """Return the weight of a clue under a built-in rule, independently of the program."""
    if shown == WITHHELD:
        return Fraction(1)
    if model.name == "optimistic":
        return Fraction(shown <= truth, truth + 1)
    if model.name == "cautious":
        return Fraction(shown >= truth, degree - truth + 1)
    if model.name in ("exact", "withheld"):
        return Fraction(shown == truth)
    return Fraction(model.chances(truth, degree).get(shown, 0))


def prior_weight(prior: Prior, mines: int, cells: int) -> Fraction:
    """Return the weight of a layout with this many mines."""
    if isinstance(prior, Known):
        return Fraction(mines == prior.mines)
    if isinstance(prior, Range):
        return Fraction(prior.least <= mines <= prior.most, math.comb(cells, mines))
    density = Fraction(str(prior.probability))
    return density**mines * (1 - density) ** (cells - mines)


class Oracle:
    """The weight of every possible layout. A layout is an integer with a bit for each cell."""

    def __init__(self, observation: Observation, prior: Prior) -> None:
        """Try all placements of mines on the unopened cells."""
        self.observation = observation
        self.layouts: dict[int, Fraction] = {}
        shown, grid, model = observation.shown, observation.grid, observation.rules.clues
        cells = len(shown)
        by_count = [prior_weight(prior, mines, cells) for mines in range(cells + 1)]
        factors = []
        for index, code in enumerate(shown):
            if code < UNOPENED:
                near = grid.neighbours(index)
                mask = sum(1 << other for other in near)
                weights = [clue_weight(model, code, t, len(near)) for t in range(len(near) + 1)]
                factors.append((mask, weights))
        for layout in self._placements(shown):
            weight = by_count[layout.bit_count()]
            for mask, weights in factors:
                if not weight:
                    break
                weight *= weights[(layout & mask).bit_count()]
            if weight:
                self.layouts[layout] = weight

    def _placements(self, shown: bytes) -> Iterator[int]:
        fixed = sum(1 << i for i, code in enumerate(shown) if code == EXPLODED)
        free = sum(1 << i for i, code in enumerate(shown) if code == UNOPENED)
        chosen = 0
        while True:  # all subsets of `free`, in increasing order
            yield fixed | chosen
            chosen = (chosen - free) & free
            if not chosen:
                return

    @property
    def total(self) -> Fraction:
        """The weight of all layouts."""
        return sum(self.layouts.values(), Fraction(0))

    def risk(self, index: int) -> Fraction:
        """Return the probability that a cell is a mine."""
        mined = (w for layout, w in self.layouts.items() if layout >> index & 1)
        return sum(mined, Fraction(0)) / self.total

    def values(self, index: int) -> list[Fraction]:
        """Return the probabilities that a cell is safe and has 0 to 8 mines around it."""
        mask = sum(1 << other for other in self.observation.grid.neighbours(index))
        sums = [Fraction(0)] * 9
        for layout, weight in self.layouts.items():
            if not layout >> index & 1:
                sums[(layout & mask).bit_count()] += weight
        return [weight / self.total for weight in sums]

    def proved(self, value: int) -> tuple[int, ...]:
        """Return the unopened cells that have this value in every layout."""
        return tuple(
            index
            for index in self.observation.unopened
            if all(layout >> index & 1 == value for layout in self.layouts)
        )


def random_position(
    seed: int, model: ClueRule, *, most_unopened: int = 10, known: bool = True
) -> Observation:
    """Return a small position that could occur in a game, perhaps with hits."""
    source = random.Random(seed)
    while True:
        rows, columns = source.randint(1, 5), source.randint(1, 6)
        if rows * columns <= 20:
            break
    cells = rows * columns
    mined = source.sample(range(cells), source.randint(0, cells * 2 // 3))
    board = Board.from_mines(rows, columns, mined)
    shown = bytearray([UNOPENED]) * cells
    wanted = source.randint(max(1, cells - most_unopened), max(1, cells))
    for index in source.sample(range(cells), wanted):
        if not board.mined[index]:
            degree = len(board.grid.neighbours(index))
            shown[index] = model.show(seed, index, board.clues[index], degree)
        elif source.random() < 0.3:
            shown[index] = EXPLODED
    rules = PublicRules(rows, columns, len(mined) if known else None, clues=model)
    return Observation(rules, bytes(shown))


def random_prior(seed: int, observation: Observation) -> Prior:
    """Return a random prior for a position."""
    source = random.Random(seed)
    cells = len(observation.shown)
    kind = source.randrange(4)
    if kind == 0:
        return Density(source.choice([0.1, 0.2063, 0.5, 0.9]))
    if kind == 1:
        low = source.randint(0, cells)
        return Range(low, source.randint(low, cells + 2))
    mines = observation.rules.mines
    return Known(mines if mines is not None else source.randint(0, cells))
