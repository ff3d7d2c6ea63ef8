"""Cells, indices and neighbours."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.core.errors import InputError
from mineproof.core.grid import TABLE_LIMIT, Cell, Grid, grid

sides = st.integers(1, 9)


@given(sides, sides)
def test_neighbours_are_the_cells_one_step_away(rows: int, columns: int) -> None:
    """Neighbours are at most one row and one column away, and are listed in increasing order."""
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
    """On large boards, neighbours are computed instead of looked up, with the same result."""
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
    geometry = grid(rows, columns)
    assert [geometry.index(cell) for cell in geometry.cells()] == list(range(geometry.size))
    assert [geometry.cell(index) for index in range(geometry.size)] == geometry.cells()


@pytest.mark.parametrize("cell", [(-1, 0), (0, -1), (2, 0), (0, 3), (2, 3)])
def test_a_cell_off_the_board_has_no_index(cell: tuple[int, int]) -> None:
    """A negative coordinate is an error and does not count from the end."""
    with pytest.raises(InputError, match=r"expected a cell on the 2x3 board \(rows 0 to 1"):
        grid(2, 3).index(cell)


def test_equal_sizes_share_a_grid_and_cells_are_shown_row_first() -> None:
    assert grid(2, 3) is grid(2, 3)
    assert repr(grid(2, 3)) == "grid(2, 3)"
    assert str(Cell(1, 2)) == "(1, 2)"
    assert grid(2, 3).text((1, 5)) == "(0, 1), (1, 2)"


@pytest.mark.parametrize("size", [(1, 1), (1, 7), (7, 1), (2, 2), (5, 9), (16, 30)])
def test_neighbours_of_all_cells_are_counted_at_once(size: tuple[int, int]) -> None:
    """Counting the marked neighbours of all cells at once agrees with counting cell by cell."""
    board = Grid(*size)
    cells = Random(3).choices(b"\0\1", k=board.size)
    counts = [sum(cells[other] for other in board.neighbours(i)) for i in range(board.size)]
    assert list(board.count_neighbours(bytes(cells))) == counts


@pytest.mark.parametrize("size", [(1, 1), (1, 7), (7, 1), (2, 2), (5, 9)])
def test_distances_windows_and_borders_follow_from_neighbours(size: tuple[int, int]) -> None:
    """Cells at distance 1 are neighbours, and border cells have fewer than eight neighbours."""
    board = Grid(*size)
    cells = range(board.size)
    for one in cells:
        near = [other for other in cells if board.distance(one, other) == 1]
        assert near == list(board.neighbours(one))
        sides = [
            other for other in near if 0 in map(int.__sub__, board.cell(one), board.cell(other))
        ]
        assert sides == [other for other in cells if board.shares_side(one, other)]
        for radius in (0, 1, 3):
            window = [i for line in board.window(one, radius) for i in cells[line]]
            assert window == [i for i in cells if board.distance(one, i) <= radius]
        assert one in cells[board.row_cells(board.cell(one).row)]
        assert one in cells[board.column_cells(board.cell(one).column)]
    assert board.border == [i for i in cells if len(board.neighbours(i)) < 8]
    assert set(board.corners) == {
        board.index((row, column))
        for row in (0, board.rows - 1)
        for column in (0, board.columns - 1)
    }


BY_HAND = re.compile(
    r"NEIGHBOUR_STEPS|\(-1, 0, 1\)|\(1, columns\b|\b(row|column|line) - \w+\), min\(|abs\(row - "
)
"""Matches code that computes neighbours itself instead of calling the grid."""


def test_nothing_else_works_out_neighbours() -> None:
    """Only the grid computes neighbours, except in the self-contained CS50 project."""
    source = Path(__file__).parents[2] / "src" / "mineproof"
    found = [
        f"{path.relative_to(source)}:{number}: {line.strip()}"
        for path in sorted(source.rglob("*.py"))
        if path.parent.name != "cs50" and path.name != "grid.py"
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if BY_HAND.search(line)
    ]
    assert found == []
