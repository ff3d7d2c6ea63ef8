"""Board files (`.boards`): one game a line, with its mines.

A line is `rows columns mines first_row first_column m1,m2,...` where a mine is
`row * columns + column`. `#` starts a comment. Games without mines end after the first cell.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from mineproof.core.board import Board
from mineproof.core.errors import NotationError, RulesError
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.rules import Rules
from mineproof.notation.text import quote, read_text, split_lines

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
        RulesError: the size or the number of mines is out of range.
    """
    match = LINE.fullmatch(line)
    if match is None:
        raise NotationError(
            "expected rows columns mines first_row first_column m1,m2,... "
            f"(whole numbers), got {quote(line)}"
        )
    rows, columns, count, first_row, first_column = map(int, match.group(1, 2, 3, 4, 5))
    mines = [*map(int, match[6].split(","))] if match[6] else []
    rules = _rules(rows, columns, count)
    if first_row >= rows or first_column >= columns:
        raise NotationError(
            f"expected a first cell on the {rows}x{columns} board, got {first_row} {first_column}"
        )
    if len(mines) != count:
        raise NotationError(f"expected {count} mines, got a list of {len(mines)}")
    board = _board(rules, mines)
    if board.mined[first_row * columns + first_column]:
        raise NotationError(
            f"expected a first cell without a mine, got {first_row} {first_column}, a mine"
        )
    return BoardLine(rules, board, Cell(first_row, first_column))


@lru_cache(maxsize=64)
def _rules(rows: int, columns: int, mines: int) -> Rules:
    return Rules(rows, columns, mines)


def _board(rules: Rules, mines: list[int]) -> Board:
    """Place the mines; `Board.from_mines` does the same, too slowly for thousands of lines."""
    size = rules.rows * rules.columns
    if mines and max(mines) >= size:
        raise NotationError(f"expected mines from 0 to {size - 1}, got {max(mines)}")
    mined = bytearray(size)
    for mine in mines:
        mined[mine] = 1
    if mined.count(1) != len(mines):
        twice = next(mine for mine in mines if mines.count(mine) > 1)
        raise NotationError(f"expected distinct mines, got {twice} twice")
    return Board(rules.rows, rules.columns, bytes(mined))


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
