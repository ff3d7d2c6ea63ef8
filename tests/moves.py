"""Short names for moves."""

from __future__ import annotations

from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move


def open_cell(row: int, column: int) -> Move:
    return Move(Action.OPEN, Cell(row, column))


def mark_cell(row: int, column: int) -> Move:
    return Move(Action.MARK, Cell(row, column))


def unmark_cell(row: int, column: int) -> Move:
    return Move(Action.UNMARK, Cell(row, column))


def chord_cell(row: int, column: int) -> Move:
    return Move(Action.CHORD, Cell(row, column))
