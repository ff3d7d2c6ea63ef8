"""What a board asks for: how much must be opened by hand, its 3BV.

3BV (Bechtel's board benchmark value) is the least number of cells that somebody who knows
the mines must open himself: one for each opening, one for each safe cell that no opening
shows. It is counted for the rules of the game: a 0 that does not flood opens nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.core.board import Board
from mineproof.core.clues import UNOPENED
from mineproof.core.rules import Rules


@dataclass(frozen=True)
class Demand:
    """What must be opened by hand: openings (their zeros), and single cells."""

    openings: tuple[tuple[int, ...], ...]
    singles: tuple[int, ...]

    @property
    def bbbv(self) -> int:
        """3BV of the board."""
        return len(self.openings) + len(self.singles)

    def solved(self, shown: bytes) -> int:
        """Count how much of it is open in a position."""
        opened = sum(1 for zeros in self.openings if any(shown[i] != UNOPENED for i in zeros))
        return opened + sum(1 for index in self.singles if shown[index] != UNOPENED)


def demand(rules: Rules, board: Board, seed: int = 0) -> Demand:
    """Find what a board asks for; the seed decides which zeros `withheld:P` shows."""
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
    """Return for each cell whether opening it opens its neighbours."""
    if not (rules.flood and rules.clues.floods):
        return bytes(len(board.mined))
    show, neighbours = rules.clues.show, board.grid.neighbours
    return bytes(
        not mine and not clue and show(seed, index, 0, len(neighbours(index))) == 0
        for index, (mine, clue) in enumerate(zip(board.mined, board.clues, strict=True))
    )


def _regions(board: Board, zeros: bytes) -> list[tuple[int, ...]]:
    """Return the connected regions of zeros, each in the order of its search."""
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
