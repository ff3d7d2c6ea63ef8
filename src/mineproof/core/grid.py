"""Cells, and their neighbours on a board of a given size."""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from mineproof.core.errors import InputError, WrongTypeError

NEIGHBOUR_STEPS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
TABLE_LIMIT = 10_000
"""Maximum number of cells for which a board keeps a table of neighbours (at most 1 MB per size)."""


_TEXT = "(%s, %s)"


class Cell(NamedTuple):
    """A cell of the board. Both coordinates are counted from 0."""

    row: int
    column: int

    def __str__(self) -> str:
        """Return `(row, column)`, the form used in all messages."""
        return _TEXT % self


_DIGITS = bytes([48, *[49] * 255])
_BITS = bytes(byte == 49 for byte in range(256))


def _as_bits(cells: bytes | bytearray) -> int:
    """Return a whole number in which bit i is set if byte i is not 0."""
    return int(cells.translate(_DIGITS)[::-1], 2)


class _Shifts:
    """Shifts of whole sets of cells by one step. A set is an integer with fixed bits per cell."""

    def __init__(self, columns: int, width: int, ends: int) -> None:
        """Prepare shifts with `width` bits per cell.

        `ends` is the set of the last cells of all rows.
        """
        self._width, self._row = width, columns * width
        self._not_last, self._not_first = ~ends, ~(ends >> self._row - width)

    def right(self, cells: int) -> int:
        """Return the set shifted to the right."""
        return (cells & self._not_last) << self._width

    def left(self, cells: int) -> int:
        """Return the set shifted to the left."""
        return (cells & self._not_first) >> self._width

    def down(self, cells: int) -> int:
        """Return the set shifted down."""
        return cells << self._row

    def up(self, cells: int) -> int:
        """Return the set shifted up."""
        return cells >> self._row


class Grid:
    """The geometry of a board: cells, indices and neighbours.

    Fast code uses an index, `row * columns + column`; people see a `Cell`.
    Call `grid(rows, columns)` to get a grid, so that equal grids are shared.
    """

    __slots__ = ("_steps", "_table", "columns", "rows", "size")

    def __init__(self, rows: int, columns: int) -> None:
        """Prepare the grid of a board."""
        self.rows = rows
        self.columns = columns
        self.size = rows * columns
        self._steps = tuple(row * columns + column for row, column in NEIGHBOUR_STEPS)
        self._table: tuple[tuple[int, ...], ...] | None = None
        if self.size <= TABLE_LIMIT:
            self._table = tuple(tuple(self._compute(index)) for index in range(self.size))

    def neighbours(self, index: int) -> tuple[int, ...] | list[int]:
        """Return the indices of the neighbours, at most eight, in increasing order."""
        if self._table is not None:
            return self._table[index]
        return self._compute(index)

    def _compute(self, index: int) -> list[int]:
        row, column = divmod(index, self.columns)
        if 0 < row < self.rows - 1 and 0 < column < self.columns - 1:
            return [index + step for step in self._steps]
        return [
            (row + down) * self.columns + column + right
            for down, right in NEIGHBOUR_STEPS
            if 0 <= row + down < self.rows and 0 <= column + right < self.columns
        ]

    def window(self, index: int, radius: int) -> list[slice]:
        """Return the cells within `radius` king's moves of a cell, as one index slice per row."""
        row, column = divmod(index, self.columns)
        left, right = max(0, column - radius), min(self.columns, column + radius + 1)
        lines = range(max(0, row - radius), min(self.rows, row + radius + 1))
        return [slice(line * self.columns + left, line * self.columns + right) for line in lines]

    def shares_side(self, one: int, other: int) -> bool:
        """Return whether two cells are next to each other in a row or a column."""
        (row, column), (other_row, other_column) = self.cell(one), self.cell(other)
        return abs(row - other_row) + abs(column - other_column) == 1

    @property
    def corners(self) -> tuple[int, int, int, int]:
        """The indices of the four corners."""
        return 0, self.columns - 1, self.size - self.columns, self.size - 1

    @property
    def border(self) -> list[int]:
        """The indices of the cells at the edge of the board, in increasing order."""
        columns, size = self.columns, self.size
        above, below = range(columns), range(size - columns, size)
        left, right = range(0, size, columns), range(columns - 1, size, columns)
        return sorted({*above, *below, *left, *right})

    def row_cells(self, row: int) -> slice:
        """Return the indices of a row's cells as a slice."""
        return slice(row * self.columns, (row + 1) * self.columns)

    def column_cells(self, column: int) -> slice:
        """Return the indices of a column's cells as a slice."""
        return slice(column, None, self.columns)

    # The next methods store a set of cells in one large whole number, with a fixed number of bits
    # per cell. A shift moves all cells together, so a few operations are enough for a whole board.

    def count_neighbours(self, cells: bytes) -> bytes:
        """Return, for each cell, how many of its neighbours are 1. Every cell must be 0 or 1."""
        ends = (bytes(self.columns - 1) + b"\xff") * self.rows
        moved = _Shifts(self.columns, 8, int.from_bytes(ends, "little"))
        here = int.from_bytes(cells, "little")
        wide = here + moved.right(here) + moved.left(here)
        counts = wide + moved.down(wide) + moved.up(wide) - here
        return counts.to_bytes(self.size + self.columns, "little")[: self.size]

    def flood(self, closed: bytes, zeros: bytes, roots: Iterable[int]) -> bytes:
        """Return 1 for each cell that opens together with the roots, and 0 for all others.

        Args:
            closed: 1 for each cell that may open, 0 for all others.
            zeros: 1 for each cell that opens its neighbours, 0 for all others.
            roots: the indices of the cells to open.
        """
        ends = (bytes(self.columns - 1) + b"\1") * self.rows
        moved = _Shifts(self.columns, 1, _as_bits(ends))
        may_open, floods = _as_bits(closed), _as_bits(zeros)
        wanted = bytearray(self.size)
        for root in roots:
            wanted[root] = 1
        opened = fresh = _as_bits(wanted) & may_open
        while fresh:
            fresh &= floods
            fresh |= moved.right(fresh) | moved.left(fresh)
            fresh = (fresh | moved.down(fresh) | moved.up(fresh)) & may_open & ~opened
            opened |= fresh
        return f"{opened:0{self.size}b}".encode()[::-1].translate(_BITS)

    def distance(self, first: int, second: int) -> int:
        """Return the distance between two cells in king's moves."""
        row, column = divmod(first, self.columns)
        other_row, other_column = divmod(second, self.columns)
        return max(abs(row - other_row), abs(column - other_column))

    def cell(self, index: int) -> Cell:
        """Return the cell with this index."""
        return Cell(*divmod(index, self.columns))

    def text(self, indices: Iterable[int]) -> str:
        """Return cells as text, such as `(0, 1), (0, 2)`."""
        return ", ".join([_TEXT % divmod(index, self.columns) for index in indices])

    def index(self, cell: tuple[int, int]) -> int:
        """Return the index of a cell.

        Raises:
            TypeError: the value is not a row and a column.
            InputError: the cell is not on the board.
        """
        row, column = cell if type(cell) is Cell else as_cell(cell)
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise InputError(
                f"expected a cell on the {self.rows}x{self.columns} board "
                f"(rows 0 to {self.rows - 1}, columns 0 to {self.columns - 1}), "
                f"got ({row}, {column})",
                code="off-board",
            )
        return row * self.columns + column

    def cells(self) -> list[Cell]:
        """Return all cells in row order."""
        return [Cell(row, column) for row in range(self.rows) for column in range(self.columns)]

    def __repr__(self) -> str:
        return f"grid({self.rows}, {self.columns})"


def as_cell(value: Any) -> Cell:
    """Return a row and a column as a cell.

    Raises:
        TypeError: the value is something else.
    """
    try:
        row, column = value
        return Cell(operator.index(row), operator.index(column))
    except (TypeError, ValueError):
        got = reprlib.repr(value)
        raise WrongTypeError(f"expected a cell as (row, column), got {got}") from None


def row_and_column(row: int | tuple[int, int], column: int | None) -> Cell:
    """Return the cell for a row and a column, or for a cell alone."""
    return as_cell(row if column is None else (row, column))


@lru_cache(maxsize=64)
def grid(rows: int, columns: int) -> Grid:
    """Return the grid of this size. Equal sizes share one object."""
    return Grid(rows, columns)


@dataclass(frozen=True)
class BoardSize:
    """The base class for classes that describe a board of a certain size."""

    rows: int
    columns: int

    @property
    def grid(self) -> Grid:
        """The geometry of the board."""
        return grid(self.rows, self.columns)
