"""Cells, and who neighbours whom on a board of given size."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from mineproof.core.errors import InputError

NEIGHBOUR_STEPS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
TABLE_LIMIT = 10_000
"""Boards up to this many cells keep a table of neighbours: 1 MB, once for each size."""


class Cell(NamedTuple):
    """A place on the board, both coordinates counted from 0."""

    row: int
    column: int

    def __str__(self) -> str:
        """Write the cell as everywhere in text: row, column."""
        return f"({self.row}, {self.column})"


class Grid:
    """The geometry of a board: converts between cells and indices and knows neighbours.

    Hot code uses an index, `row * columns + column`; people see a `Cell`.
    Get one with `grid(rows, columns)`, which shares equal grids.
    """

    __slots__ = ("_steps", "_table", "columns", "rows", "size")

    def __init__(self, rows: int, columns: int) -> None:
        """Prepare the geometry of a board of this size."""
        self.rows = rows
        self.columns = columns
        self.size = rows * columns
        self._steps = tuple(row * columns + column for row, column in NEIGHBOUR_STEPS)
        self._table: tuple[tuple[int, ...], ...] | None = None
        if self.size <= TABLE_LIMIT:
            self._table = tuple(tuple(self._compute(index)) for index in range(self.size))

    def neighbours(self, index: int) -> tuple[int, ...] | list[int]:
        """Give the indices of the up to eight neighbours, in increasing order."""
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

    def cell(self, index: int) -> Cell:
        """Give the cell with this index."""
        return Cell(*divmod(index, self.columns))

    def index(self, cell: tuple[int, int]) -> int:
        """Give the index of a cell.

        Raises:
            InputError: the cell is not on the board.
        """
        row, column = cell
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise InputError(
                f"expected a cell on the {self.rows}x{self.columns} board "
                f"(rows 0 to {self.rows - 1}, columns 0 to {self.columns - 1}), "
                f"got ({row}, {column})",
                code="off-board",
            )
        return row * self.columns + column

    def cells(self) -> list[Cell]:
        """List all cells in row order."""
        return [Cell(row, column) for row in range(self.rows) for column in range(self.columns)]

    def __repr__(self) -> str:
        """Show the call that gives this grid."""
        return f"grid({self.rows}, {self.columns})"


@lru_cache(maxsize=64)
def grid(rows: int, columns: int) -> Grid:
    """Give the grid of this size; equal sizes share one."""
    return Grid(rows, columns)
