"""Boards as plain text: one sign per cell, rows and columns with their numbers.

Every cell takes two characters, so that 30 columns fit into 80. All signs are ASCII.
"""

from __future__ import annotations

import importlib

from mineproof.core.board import Board
from mineproof.core.clues import EXPLODED, UNOPENED, WITHHELD
from mineproof.core.grid import Grid

SIGNS = {UNOPENED: ".", WITHHELD: "-", EXPLODED: "*", 0: " "}
"""The signs of codes that are not written as their number."""


def board_text(
    grid: Grid, shown: bytes | bytearray, marks: bytes | bytearray, board: Board | None = None
) -> str:
    """Draw a board with its row and column numbers; with the truth, its mines too."""
    width = len(str(grid.rows - 1))
    lines = [column_labels(range(grid.columns), width + 1)]
    for row in range(grid.rows):
        cells = range(row * grid.columns, (row + 1) * grid.columns)
        signs = " ".join(sign_of(shown, marks, index, board) for index in cells)
        lines.append(f"{row:>{width}}  {signs}".rstrip())
    return "\n".join(lines)


def sign_of(
    shown: bytes | bytearray, marks: bytes | bytearray, index: int, board: Board | None = None
) -> str:
    """Return the sign of a cell; with the truth, `m` is a mine and `x` a false mark."""
    code = shown[index]
    if code != UNOPENED:
        return SIGNS.get(code) or str(code)
    marked = bool(marks[index])
    if board is not None and marked != bool(board.mined[index]):
        return "x" if marked else "m"
    return "F" if marked else SIGNS[UNOPENED]


def column_labels(columns: range, indent: int, gap: str = "") -> str:
    """Write the numbers of columns from top to bottom, tens only where they change."""
    lines = []
    for exponent in reversed(range(len(str(columns[-1])))):
        digits = "".join(f"{gap} {_digit(column, exponent, columns[0])}" for column in columns)
        lines.append(" " * indent + digits.rstrip())
    return "\n".join(lines)


def _digit(column: int, exponent: int, leftmost: int) -> str:
    """Return one digit of a column's number, blank where it repeats that of its neighbour."""
    unit = 10**exponent
    if column < unit and exponent:
        return " "
    return str(column // unit % 10) if column % unit == 0 or column == leftmost else " "


class HasPicture:
    """Something that `mineproof.draw` has a picture of, which notebooks show."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        """Return the picture for a notebook; None if it is too big, so that the text is shown."""
        # Pictures lie layers above the core, which imports nothing of them: it finds them by
        # name when a notebook asks.
        found: str | None = importlib.import_module("mineproof.draw").picture_of(self)
        return found
