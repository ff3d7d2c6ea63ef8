"""Boards made solvable by moving mines: where a demand is too hard for dealing again and again.

A board is dealt as `opening` deals it. Where proofs end, a mine beside what is open changes
places with a safe cell that is not; the change stays if proofs then lead at least as far.
That goes on until they lead to the end.

Such boards are *not* uniform among the boards without guessing: those that are close to many
others come more often, and mines move away from where they are hard to tell.
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
"""Changes that are tried for one board."""
MOST_CELLS = 20_000_000
"""Cells of the boards that are tried together at most: on large boards there are fewer."""


def make_no_guess(rules: Rules, seed: int, first: tuple[int, int]) -> Board:
    """Make a board that is won from its first cell without a guess: a pure function, with a bias.

    Raises:
        InputError: the first cell is not on the board.
        WorkLimitError: as many changes as are tried did not lead there.
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
        f"expected to make a no-guess board of {rules.level} from {Cell(*first)} by {limit:,} "
        f"changes for seed {seed}, got none"
    )


def _changed(board: Board, shown: bytes, stream: Stream) -> Board:
    """Move one mine beside what is open to another unopened cell."""
    grid, mined = board.grid, bytearray(board.mined)
    closed = [cell for cell, code in enumerate(shown) if code == UNOPENED]
    free = [cell for cell in closed if not mined[cell]]
    mines = [cell for cell in closed if mined[cell]]
    beside = [cell for cell in mines if any(shown[i] < UNOPENED for i in grid.neighbours(cell))]
    source = beside or mines
    mine, target = source[stream.below(len(source))], free[stream.below(len(free))]
    mined[mine], mined[target] = 0, 1
    return Board(board.rows, board.columns, bytes(mined))
