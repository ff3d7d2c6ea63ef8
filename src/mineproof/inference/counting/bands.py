"""Estimated risks for positions that are too large to count, from exact counts of bands.

At regular intervals, the clues of two adjacent columns are dropped (rows on a tall board), so that
no component crosses them. The bands between these seams are then counted exactly. Fewer clues allow
more layouts, so proved cells are still proved, but the risks are estimates. This is done twice, and
the seams of one count are in the middle of the bands of the other. Each cell gets its risk from the
count whose seams are farther away.

The difference between the two counts gives a bound on the mean error. The work is limited and
repeatable.
"""

from __future__ import annotations

import math
from array import array
from functools import cached_property

from mineproof.core.errors import WorkLimitError
from mineproof.core.observation import Observation
from mineproof.inference import counting
from mineproof.inference.budget import NEVER, Budget
from mineproof.inference.counting.facts import FORGET_CLUES, Facts
from mineproof.inference.counting.prior import Prior

WIDTHS = (24, 16, 10, 6, 4)
"""The distances between seams to try, in columns, until the work limit suffices."""
NODES = 100_000
"""The node limit for each count, per 10,000 cells of the board."""


class BandFacts(Facts):
    """Estimated risks, and the cells that are proved within the bands."""

    exact = False

    def __init__(
        self, observation: Observation, prior: Prior | None = None, budget: Budget | None = None
    ) -> None:
        """Count the widest bands that the limits allow.

        Args:
            observation: the position.
            prior: the prior over the number of mines; by default from the rules.
            budget: limits on time and memory.

        Raises:
            ContradictionError: no layout fits the clues of a band.
            WorkLimitError: even the narrowest bands take too much work.
        """
        self.observation = observation
        rows, columns = observation.grid.rows, observation.grid.columns
        self._upright = columns >= rows
        self._length = max(rows, columns)
        self._halves: list[Facts] = []
        width = self._count_bands(prior, budget or Budget())
        # For each line, choose the count whose seams are farther away.
        self._best = [
            _distance(line, width, width // 2) > _distance(line, width, 0)
            for line in range(self._length)
        ]
        self.prior = self._halves[0].prior
        self.nodes = sum(facts.nodes for facts in self._halves)

    def _count_bands(self, prior: Prior | None, budget: Budget) -> int:
        """Count the bands for both positions of the seams; return the distance between seams.

        If time is limited, narrow bands come first, because they take less of it.
        """
        nodes = NODES * max(1, len(self.observation.shown) // 10_000)
        is_timed, early, found = budget.deadline < NEVER, budget.share(1 / 6), 0
        for width in reversed(WIDTHS) if is_timed else WIDTHS:
            try:
                halves = [
                    self._count_half(begin + width // 2, width, prior, budget.fork(nodes))
                    for begin in (0, width // 2)
                ]
            except WorkLimitError:
                if found or budget.is_late:
                    break
                continue
            found, self._halves = width, halves
            if not is_timed or early.is_late:
                break
        if not found:
            most = "" if is_timed else f"{nodes} nodes and "
            raise WorkLimitError(f"no estimate within {most}{budget.words}")
        return found

    def _count_half(self, first: int, width: int, prior: Prior | None, budget: Budget) -> Facts:
        """Count without the clues at the seams between bands, using a quarter of the free memory.

        Up to four counts are in memory at the same time.
        """
        quarter = budget.reserve(budget.memory - budget.free // 4)
        return counting.count(
            self._forget(range(first, self._length, width)), prior=prior, budget=quarter
        )

    def _forget(self, seams: range) -> Observation:
        """Return the position without the clues of the two lines at each seam."""
        shown = bytearray(self.observation.shown)
        for seam in seams:
            for line in (seam, seam + 1):
                where = self._line(line)
                shown[where] = shown[where].translate(FORGET_CLUES)
        return Observation(self.observation.rules, bytes(shown))

    def _line(self, line: int) -> slice:
        """Return the cells of a column, or of a row on a tall board."""
        grid = self.observation.grid
        return grid.column_cells(line) if self._upright else grid.row_cells(line)

    @cached_property
    def risk(self) -> array[float]:
        """The estimated risk of each unopened cell; NaN for the others."""
        risk = array("d", self._halves[0].risk)
        other = self._halves[1].risk
        for line, half in enumerate(self._best):
            if half:
                risk[self._line(line)] = other[self._line(line)]
        for index, mined in self.proved.items():
            risk[index] = float(mined)
        return risk

    @cached_property
    def error(self) -> float:
        """A bound on the mean error of the risks: the mean difference between the two counts.

        The tests compare it with exact risks.
        """
        both = zip(*(facts.risk for facts in self._halves), strict=True)
        gaps = [abs(one - other) for one, other in both if not math.isnan(one)]
        return math.fsum(gaps) / max(1, len(gaps))

    @cached_property
    def safe(self) -> tuple[int, ...]:
        """Cells that are proved safe. Some provable cells may be missing."""
        return tuple(sorted({index for facts in self._halves for index in facts.safe}))

    @cached_property
    def mined(self) -> tuple[int, ...]:
        """Cells that are proved to be mines. Some provable cells may be missing."""
        return tuple(sorted({index for facts in self._halves for index in facts.mined}))

    def count_layouts(self, budget: Budget) -> None:
        """Return None, because the layouts are not counted."""

    def values(self, index: int, budget: Budget | None = None) -> tuple[float, ...]:
        """Estimate the probabilities that a cell is safe with 0, 1, ... 8 mines around it."""
        self.check_unopened(index)
        cell = self.observation.grid.cell(index)
        line = cell.column if self._upright else cell.row
        return self._halves[self._best[line]].values(index, budget)

    def sample(self, seed: int) -> bytes:
        """Draw a layout that fits the clues of the bands."""
        return self._halves[0].sample(seed)


def _distance(line: int, width: int, begin: int) -> float:
    """Return the distance from a line to the middle of the nearest seam."""
    past = (line - begin - width // 2 - 0.5) % width
    return min(past, width - past)
