"""The exact engine in plain Python: readable, exact, and fast enough to play with.

A position becomes clues over boxes (`inference.constraints`), the boxes of each component
get an order (`order`), the component's layouts are counted in that order (`table`), and the
components are put together under what is known of the mine count (`inference.probability`).
All of it is integer arithmetic; a risk is rounded once, when it becomes a float.

The native core does the same with other means; every test of one runs on both.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from mineproof.core.clues import EXPLODED, WITHHELD
from mineproof.core.observation import Observation
from mineproof.core.random import Purpose, Stream, check_seed
from mineproof.inference.budget import NODES, Budget
from mineproof.inference.constraints import Box, Component, Constraints, read_constraints
from mineproof.inference.counting.facts import Facts, assume, lay
from mineproof.inference.counting.order import find_order
from mineproof.inference.counting.polynomial import dot
from mineproof.inference.counting.prior import Outside, Prior
from mineproof.inference.counting.table import CountTable
from mineproof.inference.probability import Mixture, weigh

LEAST = math.ulp(0.0)
"""The smallest risk of a cell that is not proved safe."""
MOST = 1 - 2.0**-53
"""The largest risk of a cell that is not proved to be a mine."""


class Solution:
    """The layouts of a position, counted."""

    def __init__(
        self,
        observation: Observation,
        prior: Prior,
        budget: Budget,
        watched: int | None = None,
    ) -> None:
        """Count the layouts.

        Args:
            observation: the position.
            prior: what is known of the number of mines.
            budget: how much work it may take.
            watched: an opened cell without a clue; the layouts are told apart by how many
                mines it has around it (see `CountTable.by_count`).

        Raises:
            ImpossibleError: there are none.
            WorkLimitError: the budget is spent.
        """
        seen = observation
        self.constraints = read_constraints(seen.shown, seen.grid, seen.rules.clues, watched)
        self.tables = count_components(
            self.constraints.components, seen.rules.columns, budget, watched
        )
        self.parts = [table.polynomial for table in self.tables]
        outside = _outside(observation, self.constraints)
        self.mixture = Mixture(self.parts, prior, outside, budget)

    def mines(self) -> list[tuple[Box, int]]:
        """Return for each box the sum of its mines over all layouts, by weight."""
        found = []
        arounds = self.mixture.around()
        for table, part, around in zip(self.tables, self.parts, arounds, strict=True):
            found += [(box, weigh(mines, part, around)) for box, mines in table.expected()]
        return found


def count_components(
    components: Sequence[Component], columns: int, budget: Budget, watched: int | None = None
) -> list[CountTable]:
    """Count the layouts of each component."""
    return [
        CountTable(component, find_order(component, columns, budget), budget, watched)
        for component in components
    ]


def _outside(observation: Observation, constraints: Constraints) -> Outside:
    fixed = observation.hits + len(constraints.mined)
    return Outside(len(observation.shown), fixed, len(constraints.interior))


class ReferenceFacts(Facts):
    """The facts of a position, worked out in plain Python when they are asked for."""

    exact = True

    def __init__(self, observation: Observation, prior: Prior, budget: Budget) -> None:
        """Count the layouts of a position.

        Raises:
            ImpossibleError: there are none.
            WorkLimitError: the budget is spent.
        """
        self.observation = observation
        self.prior = prior
        work = budget.counting()
        self._solution = Solution(observation, prior, work)
        self._mines = self._solution.mines()
        self.nodes = work.spent

    def count_layouts(self, budget: Budget) -> int:
        """Count the layouts of positive weight."""
        if self.observation.rules.clues.trusted:
            return self._solution.mixture.layouts
        constraints = self._solution.constraints
        components = [_unweighted(component) for component in constraints.components]
        work = budget.counting(max(self.nodes, NODES))
        tables = count_components(components, self.observation.rules.columns, work)
        parts = [table.polynomial for table in tables]
        outside = _outside(self.observation, constraints)
        return Mixture(parts, self.prior, outside, work).layouts

    @cached_property
    def risk(self) -> array[float]:
        """The probability of a mine for each cell; NaN where it is not unopened."""
        risk = array("d", [math.nan]) * len(self.observation.shown)
        total = self._solution.mixture.total
        for box, mines in self._mines:
            value = _rounded(mines, total * len(box.cells))
            for cell in box.cells:
                risk[cell] = value
        constraints = self._solution.constraints
        if constraints.interior:
            exact = self._solution.mixture.interior_risk
            value = _rounded(exact.numerator, exact.denominator)
            for cell in constraints.interior:
                risk[cell] = value
        for cell in constraints.safe:
            risk[cell] = 0.0
        for cell in constraints.mined:
            risk[cell] = 1.0
        return risk

    @cached_property
    def safe(self) -> tuple[int, ...]:
        """The unopened cells that are mined in no layout, in increasing order."""
        return self._proved(0)

    @cached_property
    def mined(self) -> tuple[int, ...]:
        """The unopened cells that are mined in every layout, in increasing order."""
        return self._proved(1)

    def _proved(self, value: int) -> tuple[int, ...]:
        constraints, total = self._solution.constraints, self._solution.mixture.total
        cells = list(constraints.mined if value else constraints.safe)
        for box, mines in self._mines:
            if mines == value * total * len(box.cells):
                cells += box.cells
        if constraints.interior and self._solution.mixture.interior_risk == value:
            cells += constraints.interior
        return tuple(sorted(cells))

    def exact_risk(self, index: int) -> Fraction:
        """Return the risk of an unopened cell as an exact fraction."""
        self.check_unopened(index)
        constraints = self._solution.constraints
        for box, mines in self._mines:
            if index in box.cells:
                return Fraction(mines, self._solution.mixture.total * len(box.cells))
        if index in constraints.interior:
            return self._solution.mixture.interior_risk
        return Fraction(index in constraints.mined)

    def values(self, index: int, budget: Budget | None = None) -> tuple[float, ...]:
        """Return the chances that a cell is safe and has 0, 1, ... 8 mined neighbours."""
        safety = 1 - self.exact_risk(index)
        if not safety:
            return (0.0,) * 9
        opened = assume(self.observation, index, WITHHELD)
        work = (budget or Budget()).counting(max(self.nodes, NODES))
        solution = Solution(opened, self.prior, work, watched=index)
        weights = _by_value(solution, opened, index)
        return tuple(float(safety * Fraction(weight, sum(weights))) for weight in weights)

    def sample(self, seed: int) -> bytes:
        """Draw a layout by weight: one byte per cell, 1 for a mine."""
        stream = Stream(check_seed(seed), Purpose.SAMPLE)
        constraints = self._solution.constraints
        mines, left = self._solution.mixture.split(stream)
        mined = [*constraints.mined, *stream.choose(list(constraints.interior), left)]
        for table, inside in zip(self._solution.tables, mines, strict=True):
            mined += table.draw(inside, stream)
        return lay(self.observation, mined)


def _rounded(mines: int, whole: int) -> float:
    """Round a risk; only a proved cell has exactly 0 or 1."""
    value = mines / whole
    if 0 < mines < whole:
        return min(max(value, LEAST), MOST)
    return value


def _unweighted(component: Component) -> Component:
    """Set the weight of every possible count to 1: then layouts are counted, not weighed."""
    clues = tuple(
        clue._replace(weights=tuple(int(weight > 0) for weight in clue.weights))
        for clue in component.clues
    )
    return component._replace(clues=clues)


def _by_value(solution: Solution, observation: Observation, index: int) -> list[int]:
    """Return the weight of the layouts by how many mines a watched cell has around it."""
    near = observation.grid.neighbours(index)
    settled = set(solution.constraints.mined)
    found = sum(1 for i in near if observation.shown[i] == EXPLODED or i in settled)
    weights = [0] * 9
    for number, component in enumerate(solution.constraints.components):
        if any(clue.cell == index for clue in component.clues):
            around = solution.mixture.around()[number]
            for count, part in solution.tables[number].by_count().items():
                weights[found + count] = dot(part.counts, around)
            return weights
    weights[found] = 1
    return weights


def count(observation: Observation, prior: Prior, budget: Budget) -> Facts:
    """Work out the facts of a position; see `mineproof.inference.counting.count`."""
    return ReferenceFacts(observation, prior, budget)
