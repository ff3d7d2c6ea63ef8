"""Boards as files: `.boards`, a game a line with its mines, and `.mbf`, one board as bytes.

A line is `rows columns mines first_row first_column m1,m2,...` where a mine is
`row * columns + column`. `#` starts a comment. Games without mines end after the first cell.

The bytes are the Minesweeper board format of several players' tools: one for the width, one
for the height, two for the number of mines (high byte first), then two for each mine, its
column and its row from 0.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import NamedTuple

from mineproof.core.board import Board
from mineproof.core.errors import InputError, NotationError, RulesError
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.rules import Rules
from mineproof.notation.text import quote, read_text, split_lines

MAX_SIDE = 255
MAX_MINES = 65535
"""What `.mbf` can say."""
_HEAD = 4
_NUMBER = "([0-9]{1,9})"
_BLANK = r"[ \t]+"
LINE = re.compile(
    _BLANK.join([_NUMBER] * 5) + f"(?:{_BLANK}([0-9]{{1,9}}(?:,[0-9]{{1,9}})*))?", re.ASCII
)


class BoardLine(NamedTuple):
    """One game of a board file: the first cell is opened for the player."""

    rules: Rules
    board: Board
    first: Cell

    def game(self, seed: int = 0) -> Game:
        """Set up the game, with its first cell open; the seed changes nothing under these rules."""
        return Game(self.rules, seed, self.first, self.board)


def read_boards(path: str | os.PathLike[str]) -> list[BoardLine]:
    """Read a board file; all of it is checked before anything is given back.

    Raises:
        NotationError: a line is wrong; the message names it.
        OSError: the file cannot be read.
    """
    return parse_boards(read_text(path))


def parse_boards(text: str) -> list[BoardLine]:
    """Read the text of a board file; see `read_boards`."""
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
    """Read one line of a board file, without a comment.

    Raises:
        NotationError: the line is wrong.
        RulesError: the size or the mines are out of range, or a mine is named twice.
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
        raise NotationError(f"expected {count} mines, got a list of {len(mines)}")
    board = Board.from_mines(rows, columns, mines)
    if board.mined[first_row * columns + first_column]:
        raise NotationError(
            f"expected a first cell without a mine, got {first_row} {first_column}, a mine"
        )
    return BoardLine(rules, board, Cell(first_row, first_column))


def format_board_line(board: Board, first: tuple[int, int]) -> str:
    """Write one line of a board file, without its line end.

    Raises:
        NotationError: the first cell is a mine.
    """
    row, column = first
    if board.mined[board.grid.index(first)]:
        raise NotationError(f"expected a first cell without a mine, got {row} {column}, a mine")
    head = f"{board.rows} {board.columns} {len(board.mine_indices)} {row} {column}"
    return f"{head} {','.join(map(str, board.mine_indices))}".rstrip()


def format_boards(games: Iterable[BoardLine | tuple[Board, tuple[int, int]]]) -> str:
    """Write a board file: of each game its board and first cell."""
    return "".join(f"{format_board_line(*game[-2:])}\n" for game in games)


def parse_mbf(data: bytes) -> Board:
    """Read a board from `.mbf` bytes.

    Raises:
        NotationError: the bytes are not one board; the message says where.
    """
    if len(data) < _HEAD:
        raise NotationError(f"expected at least {_HEAD} bytes of .mbf, got {len(data)}")
    columns, rows = data[0], data[1]
    mines = int.from_bytes(data[2:_HEAD], "big")
    if len(data) != _HEAD + 2 * mines:
        raise NotationError(
            f"expected {_HEAD + 2 * mines} bytes for {mines} mines, got {len(data)} bytes"
        )
    cells = zip(data[_HEAD + 1 :: 2], data[_HEAD::2], strict=True)
    try:
        return Board.from_mines(rows, columns, cells)
    except InputError as error:
        raise NotationError(f"not a board: {error}") from None


def format_mbf(board: Board) -> bytes:
    """Write a board as `.mbf` bytes, its mines in row order.

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
