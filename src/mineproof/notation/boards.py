"""Board files: `.boards` text with one game per line, and `.mbf` bytes with one board.

A line is `rows columns mines first_row first_column m1,m2,...`. Each mine is the number
`row * columns + column`. `#` starts a comment. If a board has no mines, its line ends after the
first cell.

`.mbf` is the Minesweeper board format used by several tools for players: one byte for the width,
one for the height, two for the number of mines (high byte first), then two for each mine (its
column and its row, counted from 0).
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterable
from typing import NamedTuple

from mineproof.core.board import Board
from mineproof.core.errors import InputError, NotationError, RulesError
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.rules import Rules
from mineproof.notation.files import read_text
from mineproof.notation.text import quote, split_lines

MAX_SIDE = 255
"""Maximum number of rows or columns in `.mbf`."""
MAX_MINES = 65535
"""Maximum number of mines in `.mbf`."""
_MBF_HEADER = struct.Struct(">BBH")
_NUMBER = "([0-9]{1,9})"
_BLANK = r"[ \t]+"
LINE = re.compile(
    _BLANK.join([_NUMBER] * 5) + f"(?:{_BLANK}([0-9]{{1,9}}(?:,[0-9]{{1,9}})*))?", re.ASCII
)


class BoardLine(NamedTuple):
    """One game of a board file. Its first cell is opened for the player."""

    rules: Rules
    board: Board
    first: Cell

    def game(self, seed: int = 0) -> Game:
        """Return the game with its first cell open. Under these rules the seed has no effect."""
        return Game(self.rules, seed, self.first, self.board)


def read_boards(path: str | os.PathLike[str]) -> list[BoardLine]:
    """Return all games in a board file, after checking every line.

    Raises:
        NotationError: if a line is invalid; the message names the line.
        OSError: if the file cannot be read.
    """
    return parse_boards(read_text(path))


def parse_boards(text: str) -> list[BoardLine]:
    """Return the games in the text of a board file; see `read_boards`."""
    games = []
    for number, line in enumerate(split_lines(text), 1):
        content = line.partition("#")[0].rstrip()
        if content:
            try:
                games.append(parse_board_line(content))
            except (NotationError, RulesError) as error:
                raise NotationError(str(error), number) from None
    return games


def parse_board_line(line: str) -> BoardLine:
    """Return the game on one line of a board file. The line must not contain a comment.

    Raises:
        NotationError: if the line is invalid.
        RulesError: if the size or a mine is out of range, or a mine is listed twice.
    """
    match = LINE.fullmatch(line)
    if match is None:
        raise NotationError(
            "expected rows columns mines first_row first_column m1,m2,... "
            f"(whole numbers), got {quote(line)}"
        )
    rows, columns, count, first_row, first_column = map(int, match.group(1, 2, 3, 4, 5))
    mines = [*map(int, match[6].split(","))] if match[6] else []
    rules = Rules(rows, columns, count)
    if first_row >= rows or first_column >= columns:
        raise NotationError(
            f"expected a first cell on the {rows}x{columns} board, got {first_row} {first_column}"
        )
    if len(mines) != count:
        raise NotationError(f"expected {count} mines, but {len(mines)} are listed")
    board = Board.from_mines(rows, columns, mines)
    return BoardLine(rules, board, _safe_first(board, Cell(first_row, first_column)))


def _safe_first(board: Board, first: tuple[int, int]) -> Cell:
    cell = Cell(*first)
    if board.mined[board.grid.index(cell)]:
        raise NotationError(f"expected a first cell without a mine, but {cell} is a mine")
    return cell


def format_board_line(board: Board, first: tuple[int, int]) -> str:
    """Return one line of a board file, without its line end.

    Raises:
        NotationError: if the first cell is a mine.
    """
    row, column = _safe_first(board, first)
    head = f"{board.rows} {board.columns} {len(board.mine_indices)} {row} {column}"
    return f"{head} {','.join(map(str, board.mine_indices))}".rstrip()


def format_boards(games: Iterable[BoardLine | tuple[Board, tuple[int, int]]]) -> str:
    """Return the text of a board file with the board and the first cell of each game."""
    return "".join(f"{format_board_line(*game[-2:])}\n" for game in games)


def parse_mbf(data: bytes) -> Board:
    """Return the board in `.mbf` bytes.

    Raises:
        NotationError: if the bytes are not exactly one board.
    """
    head = _MBF_HEADER.size
    if len(data) < head:
        raise NotationError(f"expected at least {head} bytes of .mbf, got {len(data)}")
    columns, rows, mines = _MBF_HEADER.unpack_from(data)
    if len(data) != head + 2 * mines:
        raise NotationError(f"expected {head + 2 * mines} bytes for {mines} mines, got {len(data)}")
    cells = zip(data[head + 1 :: 2], data[head::2], strict=True)
    try:
        return Board.from_mines(rows, columns, cells)
    except InputError as error:
        raise NotationError(f"not a board: {error}") from None


def format_mbf(board: Board) -> bytes:
    """Return a board as `.mbf` bytes, with its mines in row order.

    Raises:
        NotationError: if the board is too large for the format.
    """
    mines = board.mine_indices
    if max(board.rows, board.columns) > MAX_SIDE or len(mines) > MAX_MINES:
        raise NotationError(
            f"expected at most {MAX_SIDE}x{MAX_SIDE} cells and {MAX_MINES} mines for .mbf, "
            f"got {board.rows}x{board.columns}/{len(mines)}"
        )
    head = _MBF_HEADER.pack(board.columns, board.rows, len(mines))
    pairs = (divmod(mine, board.columns) for mine in mines)
    return head + bytes(byte for row, column in pairs for byte in (column, row))
