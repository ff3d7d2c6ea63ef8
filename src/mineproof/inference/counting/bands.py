"""Risks of a position that is too much work to count, from bands of it.

The clues of two neighbouring columns out of every few are forgotten (rows, on a tall board):
no component reaches across. The bands in between are then counted exactly. Fewer clues allow
more layouts, so whatever is proved is proved; the risks are estimates. It is done twice, with
the forgotten columns of one in the middle of the bands of the other, and a cell has the risk
from where they lie farther away.

How far the two differ says how good they are. The work is bounded, and repeatable.
"""

from __future__ import annotations

import math
from array import array
from functools import cached_property

from mineproof.core.clues import UNOPENED, WITHHELD
from mineproof.core.errors import WorkLimitError
from mineproof.core.observation import Observation
from mineproof.inference import counting
from mineproof.inference.budget import NEVER, Budget
from mineproof.inference.counting.facts import Facts
from mineproof.inference.counting.prior import Prior

WIDTHS = (24, 16, 10, 6, 4)
"""How many columns apart clues are forgotten, until counting is little enough work."""
NODES = 100_000
"""States that counting may take, each time; on large boards so many for each 10,000 cells."""
_FORGET = bytes(WITHHELD if code < UNOPENED else code for code in range(256))


class BandFacts(Facts):
    """Estimated risks, and what is proved within the bands."""

    exact = False

    def __init__(
        self,
        observation: Observation,
        prior: Prior | None = None,
        budget: Budget | None = None,
    ) -> None:
        """Count the widest bands that are little enough work.

        Args:
            observation: the position.
            prior: what is known of the number of mines; by default what the rules state.
            budget: limits on time and memory.

        Raises:
            ContradictionError: no layout agrees with the clues of a band.
            WorkLimitError: not even the narrowest are little enough work.
        """
        self.observation = observation
        rows, columns = observation.grid.rows, observation.grid.columns
        self._upright = columns >= rows
        self._length = max(rows, columns)
        self._halves: list[Facts] = []
        width = self._count_bands(prior, budget or Budget())
        gaps = [
            _distance(line, width, width // 2) - _distance(line, width, 0)
            for line in range(self._length)
        ]
        # By line: which of the two has its forgotten clues farther away; and where both are
        # as far away, and as good.
        self._best = [int(gap > 0) for gap in gaps]
        self._between = [line for line, gap in enumerate(gaps) if abs(gap) <= 1]
        self.prior = self._halves[0].prior
        self.nodes = sum(facts.nodes for facts in self._halves)

    def _count_bands(self, prior: Prior | None, budget: Budget) -> int:
        """Forget clues in two ways and count what is left; return how far apart they lie.

        If time is limited, the narrowest come first, which take the least of it.
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
        """Count without the clues at the seams, in part of the memory: up to four are kept."""
        quarter = budget.reserve(budget.memory - budget.free // 4)
        return counting.count(
            self._forget(range(first, self._length, width)), prior=prior, budget=quarter
        )

    def _forget(self, seams: range) -> Observation:
        """Forget the clues of two lines at each seam."""
        shown = bytearray(self.observation.shown)
        for seam in seams:
            for line in (seam, seam + 1):
                where = self._line(line)
                shown[where] = shown[where].translate(_FORGET)
        return Observation(self.observation.rules, bytes(shown))

    def _line(self, line: int) -> slice:
        """Return the cells of a column, or of a row on a tall board."""
        grid = self.observation.grid
        return grid.column_cells(line) if self._upright else grid.row_cells(line)

    @cached_property
    def risk(self) -> array[float]:
        """The estimated probability of a mine for each cell; NaN where it is not unopened."""
        risk = array("d", self._halves[0].risk)
        other = self._halves[1].risk
        for line, half in enumerate(self._best):
            if half:
                risk[self._line(line)] = other[self._line(line)]
        for index in self.safe:
            risk[index] = 0.0
        for index in self.mined:
            risk[index] = 1.0
        return risk

    @cached_property
    def error(self) -> float:
        """How far the two differ in the risk of a cell, on average, where both are as good."""
        gaps = []
        for line in self._between:
            pairs = zip(*(facts.risk[self._line(line)] for facts in self._halves), strict=True)
            gaps += [abs(one - other) for one, other in pairs if not math.isnan(one)]
        return math.fsum(gaps) / max(1, len(gaps))

    @cached_property
    def safe(self) -> tuple[int, ...]:
        """Cells that are mined in no layout; not always all of them."""
        return tuple(sorted({index for facts in self._halves for index in facts.safe}))

    @cached_property
    def mined(self) -> tuple[int, ...]:
        """Cells that are mined in every layout; not always all of them."""
        return tuple(sorted({index for facts in self._halves for index in facts.mined}))

    def count_layouts(self, budget: Budget) -> None:
        """Leave the layouts uncounted."""

    def values(self, index: int, budget: Budget | None = None) -> tuple[float, ...]:
        """Estimate the chances that a cell is safe and has 0, 1, ... 8 mined neighbours."""
        self.check_unopened(index)
        cell = self.observation.grid.cell(index)
        line = cell.column if self._upright else cell.row
        return self._halves[self._best[line]].values(index, budget)

    def sample(self, seed: int) -> bytes:
        """Draw a layout that agrees with the clues of the bands."""
        return self._halves[0].sample(seed)


def _distance(line: int, width: int, begin: int) -> float:
    """Return how far a line is from the middle of the nearest two that are forgotten."""
    past = (line - begin - width // 2 - 0.5) % width
    return min(past, width - past)
