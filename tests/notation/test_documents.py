"""The text grids of the source documents: letters and numbers, read and written."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moves import mark_cell
from strategies import attempt, boards, drawn_positions

from mineproof.core.board import Board
from mineproof.core.clues import EXPLODED, WITHHELD
from mineproof.core.errors import NotationError
from mineproof.core.game import Game
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules, Rules
from mineproof.notation.documents import (
    format_board_numbers,
    format_letters,
    format_numbers,
    format_play_ground,
    parse_board_numbers,
    parse_letters,
    parse_numbers,
    parse_play_ground,
    play_ground,
)

BOARD = Board.from_mines(3, 4, [(0, 0), (2, 3)])


def _position() -> Observation:
    game = Game(Rules(3, 4, 2), first=(0, 2), board=BOARD)
    game.play(mark_cell(0, 0))
    return game.observation


def test_letters() -> None:
    """X is a mine, a digit a revealed cell, M a flagged cell and U an unknown one."""
    assert format_letters(_position()) == "M 1 0 0\nU 1 1 1\nU U U U\n"
    assert format_letters(_position(), BOARD) == "M 1 0 0\nU 1 1 1\nU U U X\n"
    assert parse_letters("M 1 0 0\nU 1 1 1\nU U U U\n", 2) == _position()
    assert parse_letters("X 1").shown == bytes([EXPLODED, 1])


def test_numbers() -> None:
    """-2 is unexplored, -1 flagged and -3 outside the board. The rest are clues."""
    assert format_numbers(_position()) == "-1  1  0  0\n-2  1  1  1\n-2 -2 -2 -2\n"
    assert format_numbers(_position(), frame=True).splitlines()[1] == "-3 -1  1  0  0 -3"
    assert parse_numbers(format_numbers(_position(), frame=True), 2) == _position()


def test_a_shown_mine_becomes_a_flag() -> None:
    """The numbers do not distinguish an exploded mine from a flagged one."""
    assert format_numbers(parse_letters("X 1")) == "-1  1\n"


def test_board_numbers() -> None:
    """-1 is a mine; every other cell shows its clue. The frame is optional."""
    assert format_board_numbers(BOARD) == "-1  1  0  0\n 1  1  1  1\n 0  0  1 -1\n"
    framed = format_board_numbers(BOARD, frame=True)
    assert framed.splitlines()[0] == "-3 -3 -3 -3 -3 -3"
    assert parse_board_numbers(framed) == BOARD


def test_play_ground() -> None:
    """Explored cells are 0 and flagged ones -1. Other cells show their probability, if known."""
    ground = play_ground(_position(), {4: 1 / 7, 8: 0.0, 0: 0.9})
    text = format_play_ground(ground, decimals=3)
    assert text.split() == ["-1", "0", "0", "0", "0.143", "0", "0", "0", "-2", "-2", "-2", "-2"]
    assert parse_play_ground(format_play_ground(ground)) == ground
    assert ground == [[-1, 0, 0, 0], [1 / 7, 0, 0, 0], [-2] * 4]


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (parse_letters, "", "expected a grid, got empty text"),
        (parse_letters, "U\x0cU", "line 1: expected 0-8, X, M or U, got 'U.x0cU' at column 0"),
        (parse_letters, "U U\nU", "line 2: expected 2 values per row, got 1"),
        (parse_letters, "U U\nU u", "line 2: expected 0-8, X, M or U, got 'u' at column 1"),
        (parse_letters, "U 2", r"expected a clue up to 1 at row 0, column 1 .*, got 2"),
        (parse_letters, "U " * 1001, "line 1: expected 1 to 1000 columns, got 1001"),
        (parse_numbers, "-2 9", "line 1: expected -2, -1 or 0 to 8, got '9' at column 1"),
        (parse_numbers, "-2 -3", "line 1: expected -2, -1 or 0 to 8, got '-3' at column 1"),
        (parse_numbers, "-3 -3\n-3 -3", "expected cells inside the frame"),
        (parse_numbers, "-3 -3 -3\n-3 0 -2\n-3 -3 -3", "line 2: the frame of -3 has a gap"),
        (parse_numbers, "-3", "expected cells inside the frame"),
        (parse_board_numbers, "-1 0", r"expected the clue 1 at row 0, column 1 .*, got 0"),
        (parse_board_numbers, "-1 -2", "line 1: expected -1 or 0 to 8, got '-2' at column 1"),
        (parse_play_ground, "0 1.5", "expected -2, -1 or a number from 0 to 1, got '1.5'"),
        (parse_play_ground, "0 1.2.3", "expected -2, -1 or a number from 0 to 1, got '1.2.3'"),
        (parse_play_ground, "0 nan", "expected -2, -1 or a number from 0 to 1, got 'nan'"),
    ],
)
def test_what_is_wrong_is_said(read: Callable[[str], object], text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        read(text)


@pytest.mark.parametrize("mines", [0, 4])
def test_impossible_mine_counts_are_refused(mines: int) -> None:
    """The number of mines must fit the shown mines and the unopened cells."""
    with pytest.raises(NotationError, match=rf"expected 1 to 3 mines \(.*\), got {mines}"):
        parse_letters("X U U", mines)


def test_a_withheld_clue_has_no_letter() -> None:
    position = Observation(PublicRules(1, 2, 0), bytes([0, WITHHELD]))
    for write in (format_letters, format_numbers):
        with pytest.raises(NotationError, match=r"expected a clue .*, but \(0, 1\) has none"):
            write(position)


@given(drawn_positions(special=(EXPLODED,)))
def test_letters_survive(position: Observation) -> None:
    assert parse_letters(format_letters(position), position.rules.mines) == position


@given(drawn_positions(special=()), st.booleans())
def test_numbers_survive(position: Observation, frame: bool) -> None:
    assert parse_numbers(format_numbers(position, frame), position.rules.mines) == position


@given(boards(), st.booleans())
def test_board_numbers_survive(board: Board, frame: bool) -> None:
    assert parse_board_numbers(format_board_numbers(board, frame)) == board


@given(drawn_positions(), st.dictionaries(st.integers(0, 48), st.floats(0, 1)))
def test_play_grounds_survive(position: Observation, risks: dict[int, float]) -> None:
    size = position.grid.size
    ground = play_ground(position, {cell: risk for cell, risk in risks.items() if cell < size})
    assert parse_play_ground(format_play_ground(ground)) == ground


@given(st.text() | st.text("0123456789-XMU.e \n"))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (parse_letters, parse_numbers, parse_board_numbers, parse_play_ground):
        attempt(read, text)
