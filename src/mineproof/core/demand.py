"""The 3BV of a board: the minimum number of clicks needed to open it.

3BV (Bechtel's board benchmark value) is the smallest number of clicks that open all safe cells for
a player who knows the mines: one per opening, and one per safe cell outside all openings. It
depends on the rules: without flood, every safe cell takes a click of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.core.board import Board
from mineproof.core.clues import UNOPENED
from mineproof.core.rules import Rules


@dataclass(frozen=True)
class Demand:
    """The clicks that a board requires: its openings (each given by its zeros) and single cells."""

    openings: tuple[tuple[int, ...], ...]
    singles: tuple[int, ...]

    @property
    def bbbv(self) -> int:
        """The 3BV of the board."""
        return len(self.openings) + len(self.singles)

    def solved(self, shown: bytes) -> int:
        """Return how many of the openings and single cells have been opened."""
        opened = sum(1 for zeros in self.openings if any(shown[i] != UNOPENED for i in zeros))
        return opened + sum(1 for index in self.singles if shown[index] != UNOPENED)


def demand(rules: Rules, board: Board, seed: int = 0) -> Demand:
    """Return the clicks that a board requires. The seed decides which zeros `withheld:P` shows."""
    zeros = _flooding(rules, board, seed)
    neighbours = board.grid.neighbours
    shown = bytearray(zeros)
    for index, floods in enumerate(zeros):
        if floods:
            for other in neighbours(index):
                shown[other] = 1
    singles = (i for i, mine in enumerate(board.mined) if not mine and not shown[i])
    return Demand(tuple(_regions(board, zeros)), tuple(singles))


def _flooding(rules: Rules, board: Board, seed: int) -> bytes:
    """Return, for each cell, whether opening the cell also opens its neighbours."""
    if not (rules.flood and rules.clues.floods):
        return bytes(len(board.mined))
    show, neighbours = rules.clues.show, board.grid.neighbours
    return bytes(
        not mine and not clue and show(seed, index, 0, len(neighbours(index))) == 0
        for index, (mine, clue) in enumerate(zip(board.mined, board.clues, strict=True))
    )


def _regions(board: Board, zeros: bytes) -> list[tuple[int, ...]]:
    """Return the connected regions of zeros."""
    neighbours = board.grid.neighbours
    left = bytearray(zeros)
    regions = []
    start = left.find(1)
    while start >= 0:
        left[start] = 0
        region = [start]
        for index in region:
            for other in neighbours(index):
                if left[other]:
                    left[other] = 0
                    region.append(other)
        regions.append(tuple(region))
        start = left.find(1, start)
    return regions
