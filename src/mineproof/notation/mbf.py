"""Boards as `.mbf` bytes, the Minesweeper board format of several players' tools.

A byte for the width, one for the height, two for the number of mines (high byte first),
then two for each mine: its column and its row, from 0.
"""

from __future__ import annotations

from mineproof.core.board import Board
from mineproof.core.errors import InputError, NotationError

HEAD = 4
MAX_SIDE = 255
MAX_MINES = 65535


def parse_mbf(data: bytes) -> Board:
    """Read a board.

    Raises:
        NotationError: the bytes are not one board; the message says where.
    """
    if len(data) < HEAD:
        raise NotationError(f"expected at least {HEAD} bytes of .mbf, got {len(data)}")
    columns, rows = data[0], data[1]
    mines = int.from_bytes(data[2:HEAD], "big")
    if len(data) != HEAD + 2 * mines:
        raise NotationError(
            f"expected {HEAD + 2 * mines} bytes for {mines} mines, got {len(data)} bytes"
        )
    cells = zip(data[HEAD + 1 :: 2], data[HEAD::2], strict=True)
    try:
        return Board.from_mines(rows, columns, cells)
    except InputError as error:
        raise NotationError(f"not a board: {error}") from None


def format_mbf(board: Board) -> bytes:
    """Write a board, its mines in row order.

    Raises:
        NotationError: the board is larger than the format can say.
    """
    mines = board.mine_indices
    if max(board.rows, board.columns) > MAX_SIDE or len(mines) > MAX_MINES:
        raise NotationError(
            f"expected at most {MAX_SIDE}x{MAX_SIDE} cells and {MAX_MINES} mines for .mbf, "
            f"got {board.rows}x{board.columns}/{len(mines)}"
        )
    head = bytes((board.columns, board.rows)) + len(mines).to_bytes(2, "big")
    pairs = (divmod(mine, board.columns) for mine in mines)
    return head + bytes(byte for row, column in pairs for byte in (column, row))
