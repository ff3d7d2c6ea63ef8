"""Best play in small positions, found by trying every move. It checks the exact endgame.

The oracle opens one cell at a time and uses none of the search's shortcuts: no free moves, no
bounds and no division into parts.
"""

from __future__ import annotations

import random

from layout_oracle import Oracle

from mineproof.core.board import Board
from mineproof.core.clues import EXPLODED, UNOPENED, WITHHELD
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.inference.counting import Known


class BestPlay:
    """The number of layouts that best play wins, in total and after each possible next move."""

    def __init__(self, observation: Observation) -> None:
        """Try all ways to play a position with exact clues and a known mine count."""
        assert observation.rules.mines is not None
        self.layouts = frozenset(Oracle(observation, Known(observation.rules.mines)).layouts)
        self._near = [
            sum(1 << other for other in observation.grid.neighbours(index))
            for index in range(len(observation.shown))
        ]
        self._known: dict[tuple[frozenset[int], frozenset[int]], int] = {}
        closed = frozenset(observation.unopened)
        self.won = self._value(self.layouts, closed)
        self.moves = {cell: self._open(self.layouts, closed, cell) for cell in closed}

    def win(self, index: int | None = None) -> float:
        """Return the chance of winning, or that after a given next move."""
        won = self.won if index is None else self.moves[index]
        return won / len(self.layouts)

    def _value(self, layouts: frozenset[int], closed: frozenset[int]) -> int:
        """Return the number of layouts won. A finished game has one layout left."""
        key = layouts, closed
        if key not in self._known:
            done = all(layout >> cell & 1 for layout in layouts for cell in closed)
            moves = () if done else (self._open(layouts, closed, cell) for cell in closed)
            self._known[key] = max(moves, default=len(layouts))
        return self._known[key]

    def _open(self, layouts: frozenset[int], closed: frozenset[int], cell: int) -> int:
        parts: dict[int, set[int]] = {}
        for layout in layouts:
            if not layout >> cell & 1:
                parts.setdefault((layout & self._near[cell]).bit_count(), set()).add(layout)
        return sum(self._value(frozenset(part), closed - {cell}) for part in parts.values())


def divided_position(seed: int) -> Observation:
    """Return a board of few rows with open lanes that divide the rest into parts.

    Some opened cells show no clue, so that the number of mines in each part is not known.
    """
    source = random.Random(seed)
    rows, columns = source.randint(1, 3), 9
    mined = source.sample(range(rows * columns), source.randint(1, rows * 3))
    board = Board.from_mines(rows, columns, mined)
    lanes = source.choice(((2, 3, 6), (3, 4, 5), (2, 4, 6), (1, 3, 5, 7)))
    shown = bytearray([UNOPENED]) * (rows * columns)
    for index in range(rows * columns):
        if index % columns in lanes:
            clue = board.clues[index] if source.random() < 0.6 else WITHHELD
            shown[index] = EXPLODED if board.mined[index] else clue
    return Observation(PublicRules(rows, columns, len(mined)), bytes(shown))
