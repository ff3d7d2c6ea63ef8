"""The exact engine in plain Python: readable, exact, and fast enough to play with.

A position becomes clues over boxes (`inference.constraints`). The boxes of each component get an
order (`order`), the arrangements of the component are counted in that order (`table`), and the
components are combined with the prior over the mine count (`inference.probability`). Everything is
integer arithmetic. A risk is rounded once, when it becomes a float.

The native core computes the same results, and every test runs with both engines.
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
from mineproof.inference.counting.facts import Facts, assume
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
    """The counted layouts of a position."""

    def __init__(
        self, observation: Observation, prior: Prior, budget: Budget, watched: int | None = None
    ) -> None:
        """Count the layouts.

        Args:
            observation: the position.
            prior: the prior over the number of mines.
            budget: limits on the work.
            watched: an opened cell without a clue. Layouts are counted separately for each number
                of mines around it (see `CountTable.by_count`).

        Raises:
            ImpossibleError: no layout fits the position.
            WorkLimitError: the budget is spent.
        """
        seen = observation
        self.constraints = read_constraints(seen.shown, seen.grid, seen.rules.clues, watched)
        self.tables = count_components(
            self.constraints.components, seen.rules.columns, budget, watched
        )
        self.factors = [table.polynomial for table in self.tables]
        outside = _outside(observation, self.constraints)
        self.mixture = Mixture(self.factors, prior, outside, budget)

    def mines(self) -> list[tuple[Box, int]]:
        """Return, for each box, the weighted sum of its mines over all layouts."""
        found = []
        arounds = self.mixture.around()
        for table, factor, around in zip(self.tables, self.factors, arounds, strict=True):
            found += [(box, weigh(mines, factor, around)) for box, mines in table.expected()]
        return found


def count_components(
    components: Sequence[Component], columns: int, budget: Budget, watched: int | None = None
) -> list[CountTable]:
    """Count the arrangements of each component."""
    return [
        CountTable(component, find_order(component, columns, budget), budget, watched)
        for component in components
    ]


def _outside(observation: Observation, constraints: Constraints) -> Outside:
    fixed = observation.hits + len(constraints.mined)
    return Outside(len(observation.shown), fixed, len(constraints.interior))


class ReferenceFacts(Facts):
    """The facts of a position. They are computed in plain Python when they are first used."""

    exact = True

    def __init__(self, observation: Observation, prior: Prior, budget: Budget) -> None:
        """Count the layouts of a position.

        Raises:
            ImpossibleError: no layout fits the position.
            WorkLimitError: the budget is spent.
        """
        self.observation = observation
        self.prior = prior
        work = budget.counting()
        self._solution = Solution(observation, prior, work)
        self.nodes = work.spent

    @cached_property
    def _risks(self) -> list[tuple[tuple[int, ...], int, int]]:
        """Groups of cells with the same risk, with its numerator and denominator."""
        solution = self._solution
        constraints, total = solution.constraints, solution.mixture.total
        boxes = ((box.cells, mines, total * len(box.cells)) for box, mines in solution.mines())
        risks = [(constraints.safe, 0, 1), (constraints.mined, 1, 1), *boxes]
        if constraints.interior:
            exact = solution.mixture.interior_risk
            risks.append((constraints.interior, exact.numerator, exact.denominator))
        return risks

    def count_layouts(self, budget: Budget) -> int:
        """Return the number of layouts with positive weight."""
        if self.observation.rules.clues.trusted:
            return self._solution.mixture.layouts
        constraints = self._solution.constraints
        components = [_unweighted(component) for component in constraints.components]
        work = budget.counting(max(self.nodes, NODES))
        tables = count_components(components, self.observation.rules.columns, work)
        factors = [table.polynomial for table in tables]
        outside = _outside(self.observation, constraints)
        return Mixture(factors, self.prior, outside, work).layouts

    @cached_property
    def risk(self) -> array[float]:
        """The risk of each unopened cell; NaN for the others."""
        risk = array("d", [math.nan]) * len(self.observation.shown)
        for cells, mines, whole in self._risks:
            value = _rounded(mines, whole)
            for cell in cells:
                risk[cell] = value
        return risk

    @cached_property
    def safe(self) -> tuple[int, ...]:
        """The unopened cells that are proved safe, in increasing order."""
        return self._proved(0)

    @cached_property
    def mined(self) -> tuple[int, ...]:
        """The unopened cells that are proved to be mines, in increasing order."""
        return self._proved(1)

    def _proved(self, value: int) -> tuple[int, ...]:
        proved = [cells for cells, mines, whole in self._risks if mines == value * whole]
        return tuple(sorted(cell for cells in proved for cell in cells))

    def exact_risk(self, index: int) -> Fraction:
        """Return the risk of an unopened cell as an exact fraction."""
        self.check_unopened(index)
        return next(Fraction(mines, whole) for cells, mines, whole in self._risks if index in cells)

    def values(self, index: int, budget: Budget | None = None) -> tuple[float, ...]:
        """Return the probabilities that a cell is safe with 0, 1, ... 8 mines around it."""
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
        layout = bytearray(code == EXPLODED for code in self.observation.shown)
        for cell in mined:
            layout[cell] = 1
        return bytes(layout)


def _rounded(mines: int, whole: int) -> float:
    """Return a risk as a float. It is exactly 0 or 1 only for proved cells."""
    value = mines / whole
    if 0 < mines < whole:
        return min(max(value, LEAST), MOST)
    return value


def _unweighted(component: Component) -> Component:
    """Return a component in which every possible count has weight 1, to count layouts."""
    clues = tuple(
        clue._replace(weights=tuple(int(weight > 0) for weight in clue.weights))
        for clue in component.clues
    )
    return component._replace(clues=clues)


def _by_value(solution: Solution, observation: Observation, index: int) -> list[int]:
    """Return the weight of the layouts for each number of mines around a watched cell."""
    near = observation.grid.neighbours(index)
    settled = set(solution.constraints.mined)
    found = sum(1 for i in near if observation.shown[i] == EXPLODED or i in settled)
    weights = [0] * 9
    for number, component in enumerate(solution.constraints.components):
        if any(clue.cell == index for clue in component.clues):
            around = solution.mixture.around()[number]
            for count, factor in solution.tables[number].by_count().items():
                weights[found + count] = dot(factor.counts, around)
            return weights
    weights[found] = 1
    return weights


def count(observation: Observation, prior: Prior, budget: Budget) -> Facts:
    """Return the facts of a position; see `mineproof.inference.counting.count`."""
    return ReferenceFacts(observation, prior, budget)
