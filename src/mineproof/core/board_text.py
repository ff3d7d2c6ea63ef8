"""Boards as plain text: one character per cell, with row and column numbers.

Every cell takes two characters, so that 30 columns fit into 80. All characters are ASCII.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from mineproof.core.clues import EXPLODED, UNOPENED, WITHHELD
from mineproof.core.grid import Grid

if TYPE_CHECKING:
    from mineproof.core.board import Board

SIGNS = {UNOPENED: ".", WITHHELD: "-", EXPLODED: "*", 0: " "}
"""The characters for codes that are not shown as a number."""


def board_text(
    grid: Grid, shown: bytes | bytearray, marks: bytes | bytearray, board: Board | None = None
) -> str:
    """Return a board as text, with row and column numbers. If `board` is passed, show its mines."""
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
    """Return the character of a cell.

    If `board` is passed, mines are `m` and wrong flags are `x`.
    """
    code = shown[index]
    if code != UNOPENED:
        return SIGNS.get(code) or str(code)
    marked = bool(marks[index])
    if board is not None and marked != bool(board.mined[index]):
        return "x" if marked else "m"
    return "F" if marked else SIGNS[UNOPENED]


def column_labels(columns: range, indent: int, gap: str = "") -> str:
    """Return column numbers, written from top to bottom.

    A tens digit is written only where it changes.
    """
    lines = []
    for exponent in reversed(range(len(str(columns[-1])))):
        digits = "".join(f"{gap} {_digit(column, exponent, columns[0])}" for column in columns)
        lines.append(" " * indent + digits.rstrip())
    return "\n".join(lines)


def _digit(column: int, exponent: int, leftmost: int) -> str:
    """Return one digit of a column number, or a blank if it equals the digit to its left."""
    unit = 10**exponent
    if column < unit and exponent:
        return " "
    return str(column // unit % 10) if column % unit == 0 or column == leftmost else " "


class HasPicture:
    """An object that `mineproof.draw` can draw, so that notebooks show a picture of it."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        """Return the picture for a notebook, or None if it would be too big.

        If the result is None, the notebook shows text instead.
        """
        # The core must not import `draw` directly, so it imports `draw` by name when a notebook
        # needs a picture.
        found: str | None = importlib.import_module("mineproof.draw").picture_of(self)
        return found
