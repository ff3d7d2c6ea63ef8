"""`.mbf` boards: reading, writing, and bytes that are not a board."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import attempt, boards

from mineproof.core.board import Board
from mineproof.core.errors import NotationError
from mineproof.notation.boards import format_mbf, parse_mbf

SMALL = bytes([3, 2, 0, 2, 2, 0, 1, 1])
"""Three columns, two rows, mines at row 0, column 2 and row 1, column 1."""


def test_bytes_are_width_height_mines_and_pairs() -> None:
    """The width comes before the height, and a mine's column before its row."""
    board = Board.from_mines(2, 3, [(0, 2), (1, 1)])
    assert parse_mbf(SMALL) == board
    assert format_mbf(board) == SMALL


def test_mines_in_any_order() -> None:
    assert parse_mbf(bytes([3, 2, 0, 2, 1, 1, 2, 0])) == parse_mbf(SMALL)


def test_more_than_255_mines_use_the_high_byte() -> None:
    """The number of mines has two bytes, the high one first."""
    data = format_mbf(Board.from_mines(20, 20, range(300)))
    assert data[:4] == bytes([20, 20, 1, 44])
    assert len(parse_mbf(data).mines) == 300


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "expected at least 4 bytes of .mbf, got 0"),
        (b"\3\2\0", "expected at least 4 bytes of .mbf, got 3"),
        (SMALL[:-1], "expected 8 bytes for 2 mines, got 7"),
        (SMALL + b"\0", "expected 8 bytes for 2 mines, got 9"),
        (b"\0\2\0\0", "not a board: expected 1 to 1000 columns, got 0"),
        (b"\2\0\0\0", "not a board: expected 1 to 1000 rows, got 0"),
        (b"\3\2\0\1\3\0", r"not a board: expected a cell on the 2x3 board .*, got \(0, 3\)"),
        (b"\3\2\0\1\0\2", r"not a board: expected a cell on the 2x3 board .*, got \(2, 0\)"),
        (b"\3\2\0\2\1\1\1\1", "not a board: expected distinct mines, got 4 twice"),
    ],
)
def test_what_is_wrong_is_said(data: bytes, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_mbf(data)


@pytest.mark.parametrize(("rows", "columns"), [(256, 1), (1, 256)])
def test_sides_beyond_a_byte_are_refused(rows: int, columns: int) -> None:
    with pytest.raises(NotationError, match=f"got {rows}x{columns}/0"):
        format_mbf(Board.from_mines(rows, columns, []))


@given(boards())
def test_format_then_parse_gives_the_board_back(board: Board) -> None:
    assert parse_mbf(format_mbf(board)) == board


@given(st.binary(max_size=12) | st.lists(st.integers(0, 3)).map(bytes))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    board = attempt(parse_mbf, data)
    assert board is None or parse_mbf(format_mbf(board)) == board
