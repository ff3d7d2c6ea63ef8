"""Risks of a position that is too much work to count, from bands of it.

The clues of two neighbouring columns out of every few are forgotten (rows, on a tall board):
no component reaches across. The bands in between are then counted exactly. Fewer clues allow
more layouts, so whatever is proved is proved; the risks are estimates. It is done twice, with
the forgotten columns of one in the middle of the bands of the other, and a cell has the risk
from where they lie farther away.

This is far quicker than `sampling`, and just as repeatable.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property

from mineproof.core.clues import UNOPENED, WITHHELD
from mineproof.core.errors import WorkLimitError
from mineproof.core.observation import Observation
from mineproof.inference import counting
from mineproof.inference.counting.facts import Facts

WIDTHS = (24, 16, 10, 6, 4)
"""How many columns apart clues are forgotten, until counting is little enough work."""
NODES = 100_000
"""States that counting may take, each time."""


class BandFacts(Facts):
    """Estimated risks, and what is proved within the bands."""

    exact = False
    layouts = None

    def __init__(self, observation: Observation) -> None:
        """Count the widest bands that are little enough work.

        Raises:
            ContradictionError: no layout agrees with the clues of a band.
            WorkLimitError: not even the narrowest are little enough work.
        """
        self.observation = observation
        self._halves = _count_bands(observation)
        self.prior = self._halves[0][1].prior
        self.nodes = sum(facts.nodes for _, facts in self._halves)

    @cached_property
    def risk(self) -> array[float]:
        """The estimated probability of a mine for each cell; NaN where it is not unopened."""
        risk = array("d", self._halves[0][1].risk)
        for index in self.observation.unopened:
            risk[index] = self._best_half(index).risk[index]
        for index in self.safe:
            risk[index] = 0.0
        for index in self.mined:
            risk[index] = 1.0
        return risk

    @cached_property
    def safe(self) -> tuple[int, ...]:
        """Cells that are mined in no layout; not always all of them."""
        return tuple(sorted({index for _, facts in self._halves for index in facts.safe}))

    @cached_property
    def mined(self) -> tuple[int, ...]:
        """Cells that are mined in every layout; not always all of them."""
        return tuple(sorted({index for _, facts in self._halves for index in facts.mined}))

    def values(self, index: int) -> tuple[float, ...]:
        """Estimate the chances that a cell is safe and has 0, 1, ... 8 mined neighbours."""
        return self._best_half(index).values(index)

    def sample(self, seed: int) -> bytes:
        """Draw a layout that agrees with the clues of the bands."""
        return self._halves[0][1].sample(seed)

    def _best_half(self, index: int) -> Facts:
        """Give the facts whose forgotten clues lie farther away from a cell."""
        line = _line(self.observation, index)
        _, facts = max(self._halves, key=lambda half: _distance(line, half[0]))
        return facts


def _count_bands(observation: Observation) -> list[tuple[list[int], Facts]]:
    """Give the two ways to forget clues, each with the lines forgotten and the facts."""
    length = max(observation.grid.rows, observation.grid.columns)
    for width in WIDTHS:
        try:
            return [
                (seams, counting.count(_forget(observation, seams), nodes=NODES))
                for seams in (_seams(length, width, 0), _seams(length, width, width // 2))
            ]
        except WorkLimitError:
            continue
    raise WorkLimitError(f"expected bands of at most {NODES} states to count, got more")


def _seams(length: int, width: int, begin: int) -> list[int]:
    """Give the lines whose clues are forgotten, the first of each two; the ends stay whole."""
    return list(range(begin + width // 2, length, width))


def _forget(observation: Observation, seams: Sequence[int]) -> Observation:
    lines = {line for seam in seams for line in (seam, seam + 1)}
    shown = bytearray(observation.shown)
    for index, code in enumerate(shown):
        if code < UNOPENED and _line(observation, index) in lines:
            shown[index] = WITHHELD
    return Observation(observation.rules, bytes(shown))


def _line(observation: Observation, index: int) -> int:
    """Give the column of a cell, or its row on a tall board."""
    cell, grid = observation.grid.cell(index), observation.grid
    return cell.column if grid.columns >= grid.rows else cell.row


def _distance(line: int, seams: Sequence[int]) -> float:
    return min((abs(line - seam - 0.5) for seam in seams), default=float("inf"))
