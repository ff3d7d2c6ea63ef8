"""Convenient forms: levels by name, moves as text, and boards that can be printed."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import import_extra
from moves import open_cell

import mineproof
from mineproof.core.board import Board

POSITION = """\
   0 1 2 3 4
0      1 F .
1      2 . .
2  1 1 2 . .
3  . . . . .
5x4, 11 unopened, 2 of 3 mines left"""

LOST = """\
   0 1 2
0  . 2 m
1  x * F
3x2, seed 0, lost"""


def test_a_game_takes_the_name_of_a_level() -> None:
    """The name of a level and the size as text give the same rules as the constants."""
    assert mineproof.Game("expert", seed=7).rules is mineproof.EXPERT
    assert mineproof.Game("5x4/3").rules == mineproof.Rules(5, 4, 3)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("exprt", r"expected a level \(easy.*got 'exprt'"),
        (7, r"expected Rules, or a level such as 'expert' or '9x9/10', got 7"),
        (None, "got None"),
    ],
)
def test_what_are_no_rules_is_refused(rules: Any, message: str) -> None:
    with pytest.raises(mineproof.RulesError, match=message):
        mineproof.Game(rules)


def test_moves_have_methods_and_texts() -> None:
    """The same move can be made with a method, with text or with a `Move`."""
    short, written, made = (mineproof.Game("beginner", seed=7) for _ in range(3))
    for action, row, column in (("open", 0, 0), ("mark", 8, 8), ("unmark", 8, 8), ("mark", 0, 3)):
        getattr(short, action)(row, column)
        written.play(f"{action} {row},{column}")
        made.play(mineproof.Move(action, (row, column)))
    short.chord(0, 2)
    written.play("chord 0 2")
    made.play(mineproof.Move(mineproof.Action.CHORD, mineproof.Cell(0, 2)))
    assert short.moves == written.moves == made.moves
    assert short.observation == written.observation == made.observation
    assert len(short.moves) == 4


@pytest.mark.full
def test_a_move_of_plain_values_is_the_same_move() -> None:
    """`Move` accepts text for the action, and a pair of whole numbers of any type for the cell."""
    numpy = import_extra("numpy")
    move = mineproof.Move("open", (numpy.int64(3), 4))
    assert move == open_cell(3, 4)
    assert type(move.action) is mineproof.Action
    assert type(move.cell) is mineproof.Cell
    assert type(move.cell.row) is int
    assert repr(move) == "Move(action=<Action.OPEN: 'open'>, cell=Cell(row=3, column=4))"


@pytest.mark.parametrize(
    ("action", "cell", "message"),
    [
        ("jump", (0, 0), "expected one of open, mark, unmark, chord, got 'jump'"),
        ("open", 3, r"expected a cell as \(row, column\), got 3"),
        ("open", (1, 2, 3), "expected a cell as"),
        ("open", ("a", 1), "expected a cell as"),
        ("open", (1.5, 1), "expected a cell as"),
    ],
)
def test_what_is_no_move_is_refused(action: Any, cell: Any, message: str) -> None:
    with pytest.raises(mineproof.InputError, match=message):
        mineproof.Move(action, cell)


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("open 0,0,0", "expected a move such as 'open 3,4'"),
        ((0, 0), r"expected a Move, or text such as 'open 3,4', got \(0, 0\)"),
        ("open 9,0", r"expected a cell on the 9x9 board"),
    ],
)
def test_a_game_says_what_move_it_expects(move: Any, message: str) -> None:
    """Wrong text and values of another type raise `InputError` and change nothing."""
    game = mineproof.Game("beginner")
    with pytest.raises(mineproof.InputError, match=message):
        game.play(move)
    assert not game.has_started


def test_a_position_prints_as_a_board() -> None:
    """The text of a position draws the labelled board, and its `repr` is one short line."""
    position = mineproof.parse_position("5x4x3\n001FH\n002HH\n112HH\nHHHHH\n")
    lines = POSITION.replace("5x4,", "4x5,")
    assert str(position) == lines
    assert repr(position) == "<Observation 4x5/3, 11 unopened>"
    unknown = mineproof.parse_position("2x1x?\n-M\n")
    assert str(unknown) == "   0 1\n0  - *\n1x2, 0 unopened, mines unknown"


def test_a_game_prints_its_mines_when_it_has_ended() -> None:
    """During the game, `print` shows what the player sees. Afterwards it also shows the mines."""
    board = Board.from_mines(2, 3, [(0, 2), (1, 1), (1, 2)])
    game = mineproof.Game("2x3/3", first=(0, 1), board=board)
    game.mark(1, 0)
    game.mark(1, 2)
    assert str(game).splitlines()[1] == "0  . 3 ."
    assert repr(game) == "<Game 2x3/3, seed 0, in progress>"
    game.open(1, 1)
    assert str(game) == LOST.replace("3x2", "2x3/3").replace("2 m", "3 m")
    assert repr(mineproof.Game("expert")) == "<Game 16x30/99, seed 0, not started>"
