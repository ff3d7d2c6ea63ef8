"""Makes boards solvable by moving mines, for requirements that dealt boards rarely meet.

A board is dealt as under the start rule `opening`. When the proofs end, a mine next to an open cell
is swapped with an unopened safe cell. The change stays if the proofs then open at least as many
cells. This is repeated until the board is solved.

Such boards are *not* uniform among the no-guess boards. Boards similar to many others are more
likely, and mines move away from places where they are hard to prove.
"""

from __future__ import annotations

from dataclasses import replace

from mineproof.core.board import Board, deal_attempt
from mineproof.core.clues import UNOPENED
from mineproof.core.errors import WorkLimitError
from mineproof.core.grid import Cell
from mineproof.core.random import Purpose, Stream
from mineproof.core.rules import NO_GUESS, Rules
from mineproof.generate.no_guess import NoGuessCheck, plain_rules

MOST_CHANGES = 20_000
"""The maximum number of changes to a board."""
MOST_CELLS = 20_000_000
"""The maximum total number of cells of all boards tried, so that large boards get fewer changes."""


def make_no_guess(rules: Rules, seed: int, first: tuple[int, int]) -> Board:
    """Make a board that can be won from its first cell without a guess.

    Not all such boards are equally likely. The same arguments always make the same board.

    Raises:
        InputError: the first cell is not on the board.
        WorkLimitError: the maximum number of changes did not make the board solvable.
    """
    plain = replace(plain_rules(rules), start=NO_GUESS)
    check, stream = NoGuessCheck(plain, Cell(*first)), Stream(seed, Purpose.MAKE)
    board = deal_attempt(plain, seed, first)
    shown = check.solve(board)
    limit = max(100, min(MOST_CHANGES, MOST_CELLS // plain.grid.size))
    for _ in range(limit):
        if shown.count(UNOPENED) == plain.mines:
            return board
        other = _changed(board, shown, stream)
        further = check.solve(other)
        if further.count(UNOPENED) <= shown.count(UNOPENED):
            board, shown = other, further
    raise WorkLimitError(
        f"could not make a no-guess board of {rules.level} from {Cell(*first)} "
        f"with seed {seed} in {limit:,} changes"
    )


def _changed(board: Board, shown: bytes, stream: Stream) -> Board:
    """Return a board in which one mine next to an open cell is moved to another unopened cell."""
    grid, mined = board.grid, bytearray(board.mined)
    closed = [cell for cell, code in enumerate(shown) if code == UNOPENED]
    free = [cell for cell in closed if not mined[cell]]
    mines = [cell for cell in closed if mined[cell]]
    near = [cell for cell in mines if any(shown[i] < UNOPENED for i in grid.neighbours(cell))]
    source = near or mines
    mine, target = source[stream.below(len(source))], free[stream.below(len(free))]
    mined[mine], mined[target] = 0, 1
    return Board(board.rows, board.columns, bytes(mined))
