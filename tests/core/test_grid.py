"""Cells, indices and neighbours."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.core.errors import InputError
from mineproof.core.grid import TABLE_LIMIT, Cell, Grid, grid

sides = st.integers(1, 9)


@given(sides, sides)
def test_neighbours_are_the_cells_one_step_away(rows: int, columns: int) -> None:
    """Neighbours differ by at most one in row and column, and come in increasing order."""
    geometry = grid(rows, columns)
    cells = geometry.cells()
    for index, (row, column) in enumerate(cells):
        near = [
            other
            for other, (down, right) in enumerate(cells)
            if other != index and max(abs(down - row), abs(right - column)) == 1
        ]
        assert list(geometry.neighbours(index)) == near


def test_large_boards_have_the_same_neighbours_without_a_table() -> None:
    """A board beyond the table's limit computes what smaller ones look up."""
    large = Grid(3, TABLE_LIMIT)
    assert large.neighbours(0) == [1, TABLE_LIMIT, TABLE_LIMIT + 1]
    inner = TABLE_LIMIT + 5
    assert large.neighbours(inner) == [
        *(4, 5, 6),
        *(inner - 1, inner + 1),
        *(2 * TABLE_LIMIT + 4, 2 * TABLE_LIMIT + 5, 2 * TABLE_LIMIT + 6),
    ]


@given(sides, sides)
def test_cells_and_indices_are_inverses(rows: int, columns: int) -> None:
    """Index to cell and back, in row order."""
    geometry = grid(rows, columns)
    assert [geometry.index(cell) for cell in geometry.cells()] == list(range(geometry.size))
    assert [geometry.cell(index) for index in range(geometry.size)] == geometry.cells()


@pytest.mark.parametrize("cell", [(-1, 0), (0, -1), (2, 0), (0, 3), (2, 3)])
def test_a_cell_off_the_board_has_no_index(cell: tuple[int, int]) -> None:
    """A negative coordinate does not count from the end."""
    with pytest.raises(InputError, match=r"expected a cell on the 2x3 board \(rows 0 to 1"):
        grid(2, 3).index(cell)


def test_equal_sizes_share_a_grid_and_cells_are_shown_row_first() -> None:
    """Grids are shared; text says row, column."""
    assert grid(2, 3) is grid(2, 3)
    assert repr(grid(2, 3)) == "grid(2, 3)"
    assert str(Cell(1, 2)) == "(1, 2)"


@pytest.mark.parametrize("size", [(1, 1), (1, 7), (7, 1), (2, 2), (5, 9), (16, 30)])
def test_neighbours_of_all_cells_are_counted_at_once(size: tuple[int, int]) -> None:
    """As many as one by one."""
    board = Grid(*size)
    cells = Random(3).choices(b"\0\1", k=board.size)
    counts = [sum(cells[other] for other in board.neighbours(i)) for i in range(board.size)]
    assert list(board.count_neighbours(bytes(cells))) == counts
