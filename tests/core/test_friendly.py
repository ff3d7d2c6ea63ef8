"""Convenient forms: levels by name, moves as text, and boards that can be printed."""

from __future__ import annotations

import pydoc
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import import_extra
from moves import open_cell

import mineproof
from mineproof.core.board import Board
from mineproof.core.rules import OPENING, MineCount

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

WRONG: Any = b"wrong"
SIDES: Any = (1, 1)


def test_a_game_takes_the_name_of_a_level() -> None:
    """The name of a level and the size as text give the same rules as the constants."""
    assert mineproof.Game("expert", seed=7).rules is mineproof.EXPERT
    assert mineproof.Game("5x4/3").rules == mineproof.Rules(5, 4, 3)


def test_moves_take_a_cell_or_a_row_and_a_column() -> None:
    game, other = (mineproof.Game("beginner", seed=7, first=(0, 0)) for _ in range(2))
    game.open(mineproof.Cell(2, 0))
    other.open(2, 0)
    for act in (game.mark, game.unmark):
        act((8, 8))
    assert game.observation == other.observation
    for bad in (3, "a", (1, 2, 3)):
        with pytest.raises(TypeError, match=r"expected a cell as \(row, column\), got"):
            game.open(bad)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("exprt", r"expected a level \(easy.*got 'exprt'"),
        (7, r"expected Rules, or a level such as 'expert' or '9x9/10', got int"),
        (None, "got NoneType"),
    ],
)
def test_what_are_no_rules_is_refused(rules: Any, message: str) -> None:
    error = mineproof.RulesError if isinstance(rules, str) else TypeError
    for use in (mineproof.Game, lambda rules: mineproof.deal(rules, 3, (0, 0))):
        with pytest.raises(error, match=message):
            use(rules)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("start", 3, "expected start as words or an object of Start, got int"),
        ("goal", None, "expected goal as words or an object of Goal, got NoneType"),
        ("clues", 3, "expected clues as words or an object of ClueRule, got int"),
        ("mine_count", True, "expected mine_count as words or an object of MineCount, got bool"),
        ("flood", 1, "expected flood as True or False, got int"),
    ],
)
def test_rules_of_another_type_are_refused(name: str, value: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        mineproof.Rules(9, 9, 10, **{name: value})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (partial(mineproof.make_agent, WRONG), "expected the name of an agent, got bytes"),
        (partial(mineproof.parse_position, WRONG), "expected text, got bytes"),
        (partial(mineproof.Observation.from_text, WRONG), "expected text, got bytes"),
        (partial(mineproof.analyse, WRONG), "expected a Game, an Observation, .* got bytes"),
        (
            partial(mineproof.analyse, "2x1x1\nHH", clues=WRONG),
            "expected clues as words or an object of Clue",
        ),
        (
            partial(mineproof.explain, "beginner:s1", (0, 0), move=WRONG),
            "move as a whole number, got bytes",
        ),
        (partial(mineproof.play, mineproof.Game("beginner"), WRONG), "expected an agent: its name"),
        (partial(mineproof.play_games, "exact", count=WRONG), "expected count as a whole number"),
        (partial(mineproof.play_games, "exact", jobs=WRONG), "expected jobs as a whole number"),
        (partial(mineproof.deal, "beginner", WRONG), "expected a seed as a whole number, got byt"),
        (partial(mineproof.Move, WRONG, (0, 0)), "expected one of open, mark, .*, got bytes"),
        (partial(mineproof.Board, 1, 1, SIDES), "expected mined as bytes, got tuple"),
        (partial(mineproof.solvability, WRONG, (0, 0)), "expected a Board, got bytes"),
        (partial(mineproof.Budget, WRONG), "expected seconds as a number, got bytes"),
        (partial(mineproof.analyse, "2x1x1\nHH", budget=WRONG), "seconds as a number, got bytes"),
        (partial(mineproof.draw, "2x1x1\nHH", theme=WRONG), r"expected a theme \(.*, got bytes"),
    ],
)
def test_arguments_of_another_type_are_refused(call: Any, message: str) -> None:
    """The message is one short line that says what is accepted."""
    with pytest.raises(TypeError, match=message) as caught:
        call()
    assert len(str(caught.value)) < 150
    assert isinstance(caught.value, mineproof.InputError)
    assert caught.value.code == "wrong-type"


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
def test_seeds_are_whole_numbers_of_any_type() -> None:
    numpy = import_extra("numpy")
    game = mineproof.Game("beginner", numpy.uint64(2**64 - 1))
    assert type(game.seed) is int
    assert game.seed == 2**64 - 1
    seed: Any
    for seed in (True, 1.0, "1"):
        with pytest.raises(TypeError, match="expected a seed as a whole number, got"):
            mineproof.Game("beginner", seed)


@pytest.mark.full
def test_a_move_of_plain_values_is_the_same_move() -> None:
    """`Move` accepts text for the action, and a pair of whole numbers of any type for the cell."""
    numpy = import_extra("numpy")
    move = mineproof.Move("open", (numpy.int64(3), 4))
    assert move == open_cell(3, 4)
    assert type(move.action) is mineproof.Action
    assert type(move.cell) is mineproof.Cell
    assert type(move.cell.row) is int
    assert repr(move) == "Move('open', (3, 4))"


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
    error = mineproof.InputError if action == "jump" else TypeError
    with pytest.raises(error, match=message):
        mineproof.Move(action, cell)


def test_first_cells_and_boards_of_another_type_are_refused() -> None:
    first: Any
    for first in (5, "0,0", (1, 2, 3)):
        for use in (
            partial(mineproof.Game, "beginner", 0),
            partial(mineproof.deal, "beginner", 3),
            mineproof.Game("beginner").observation.clue,
        ):
            with pytest.raises(TypeError, match=r"expected a cell as \(row, column\), got"):
                use(first)
    board: Any = "9x9x10"
    with pytest.raises(TypeError, match="expected a Board, got str"):
        mineproof.Game("beginner", board=board)


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("open 0,0,0", "expected a move such as 'open 3,4'"),
        ((0, 0), r"expected a Move, or text such as 'open 3,4', got tuple"),
        ("open 9,0", r"expected a cell on the 9x9 board"),
    ],
)
def test_a_game_says_what_move_it_expects(move: Any, message: str) -> None:
    """Wrong text raises `InputError`, another type `TypeError`; the game does not change."""
    game = mineproof.Game("beginner")
    error = mineproof.InputError if isinstance(move, str) else TypeError
    with pytest.raises(error, match=message):
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


def test_the_package_lists_its_public_names() -> None:
    """`dir`, which completion uses, has all public names and no helpers; `help` shows them."""
    assert set(dir(mineproof)) == {*mineproof.__all__, "__version__", "arena"}
    assert {"analyse", "play", "Record", "read_replay"} <= set(dir(mineproof))
    assert all(getattr(mineproof, name) is not None for name in dir(mineproof))
    shown = pydoc.plain(pydoc.render_doc(mineproof))
    assert all(f"\n    {name}(" in shown for name in ("analyse", "play", "read_replay", "show"))
    with pytest.raises(AttributeError, match="no attribute 'analyze'") as caught:
        _ = mineproof.analyze
    assert (caught.value.name, caught.value.obj) == ("analyze", mineproof)  # for "Did you mean"


def test_rules_and_boards_are_made_from_words() -> None:
    """`Rules` accepts the words of the command line, and print as the call that makes them."""
    rules = mineproof.Rules(9, 9, 10, start="opening", clues="withheld:0.5", flood=False)
    assert (rules.start, rules.mine_count) == (OPENING, MineCount.KNOWN)
    text = "Rules(9, 9, 10, start='opening', clues='withheld:0.5', flood=False)"
    assert repr(rules) == text
    assert eval(text, {"Rules": mineproof.Rules}) == rules
    with pytest.raises(mineproof.RulesError, match="did you mean opening"):
        mineproof.Rules(9, 9, 10, start="opning")
    board = mineproof.deal("beginner", 3, (0, 0))
    assert board == mineproof.deal(mineproof.BEGINNER, 3, (0, 0))
    assert repr(board) == "<Board 9x9/10>"
    assert str(board).splitlines()[1] == "0      1 m 1"


def test_legal_moves_are_those_that_the_game_accepts() -> None:
    """In many positions, a copy of the game accepts exactly the legal moves."""
    game = mineproof.Game("4x4/4", seed=5)
    for move in ("open 0,0", "mark 3,3", "mark 0,1", "open 2,2", "open 1,1"):
        every = [mineproof.Move(a, c) for c in game.rules.grid.cells() for a in mineproof.Action]
        assert game.legal_moves == [one for one in every if accepts(game, one)]
        if accepts(game, mineproof.Move.parse(move)):
            game.play(move)
    game.stop()
    assert game.legal_moves == []


def accepts(game: mineproof.Game, move: mineproof.Move) -> bool:
    try:
        game.copy().play(move)
    except mineproof.IllegalMoveError:
        return False
    return True


def test_undo_returns_to_every_earlier_position() -> None:
    """Undo takes back one move at a time, then the first cell, and then raises an error."""
    game = mineproof.Game("beginner", seed=7)
    seen = [game.observation]
    for move in ("open 0,0", "mark 8,8", "open 2,2"):
        game.play(move)
        seen.append(game.observation)
    for wanted in ("open 2,2", "mark 8,8", "open 0,0"):
        assert game.observation == seen.pop()
        assert str(game.undo()) == wanted
    assert game.observation == seen.pop()
    assert not game.has_started
    game.open(4, 4)  # the next first cell is safe again
    assert not game.is_over
    with pytest.raises(mineproof.IllegalMoveError, match="no move to undo"):
        mineproof.Game("beginner").undo()


def test_records_and_positions_are_saved_and_printed(tmp_path: Path) -> None:
    """A record can be saved and loaded, prints as a board, and yields its positions."""
    record = mineproof.play(mineproof.Game("beginner", seed=7), "exact")
    record.save(tmp_path / "game.json")
    assert mineproof.Record.load(tmp_path / "game.json") == record
    assert repr(record) == "<Record 9x9/10, seed 7, exact: won, 23 moves, 1 guess>"
    assert str(record) == f"{record.replay()}\nexact: won, 23 moves, 1 guess"
    positions = list(record)
    assert len(positions) == 24
    third = positions[2]
    assert mineproof.Observation.from_text(third.to_text()) == third
    sources = (tmp_path / "game.json", str(tmp_path / "game.json"), record)
    for source in sources:
        assert mineproof.analyse(source, move=3).safe == mineproof.analyse(third).safe
        assert mineproof.explain(source, (2, 2), move=1).proved == "safe"
    game = mineproof.Game("beginner", 7, (0, 0))
    for same in (game, "beginner:s7:f0,0", game.observation.to_text()):
        assert mineproof.analyse(same).safe == mineproof.analyse(game.observation).safe


def test_everything_that_plays_is_an_agent(tmp_path: Path) -> None:
    """`play` takes a name, a class, an object, a function, and a function in a file."""

    def corner(position: mineproof.Observation) -> mineproof.Cell:
        return position.grid.cell(position.unopened[0])

    class Mover:
        def start(self, rules: mineproof.PublicRules, seed: int) -> None:
            pass

        def decide(self, position: mineproof.Observation) -> mineproof.Move:
            return mineproof.Move("open", corner(position))

    file = tmp_path / "own.py"
    file.write_text("def corner(o):\n    return o.grid.cell(o.unopened[0])\n")
    players: list[Any] = [corner, Mover, Mover(), f"{file}:corner"]
    games = [mineproof.play(mineproof.Game("beginner", seed=7), each) for each in players]
    assert {tuple(step.move for step in game.steps) for game in games} == {
        tuple(step.move for step in games[0].steps)
    }
    assert [game.player for game in games[:3]] == ["corner", "Mover", "Mover"]
    agent = mineproof.make_agent("exact")
    assert mineproof.play(mineproof.Game("beginner", seed=7), agent).player == "exact"
    assert mineproof.play_games(corner, "beginner", count=3).agent == "corner"


def test_wrong_types_are_named_without_their_contents() -> None:
    """The error lists the accepted types, and names only the type of the value passed."""
    board: Any = mineproof.deal("beginner", 3, (0, 0))
    for call in (mineproof.analyse, lambda wrong: mineproof.explain(wrong, (0, 0))):
        with pytest.raises(TypeError, match=r"expected a Game, an Observation, .*, got Board$"):
            call(board)
    with pytest.raises(TypeError, match=r"expected an agent: its name.*, got int$"):
        mineproof.play(mineproof.Game("beginner"), 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"expected a Game, got Board$"):
        mineproof.play(board, "exact")


def test_reprs_are_short() -> None:
    """No value of a whole game prints more than 400 characters in a console."""
    game = mineproof.Game("expert", seed=7, first=(0, 0))
    agent = mineproof.make_agent("champion")
    agent.start(game.rules.public(), 1)
    ordered = mineproof.deal_no_guess("beginner", 3)
    values: list[object] = [game, game.rules, game.observation, game.board, game.observation.rules]
    values += [agent.decide(game.observation), ordered, ordered.solvability]
    values += [
        mineproof.Budget(5),
        mineproof.explain(game, (5, 5)),
        mineproof.play(game, "exact"),
        mineproof.draw(game),
    ]
    assert [type(value) for value in values if len(repr(value)) > 400] == []
    assert repr(agent) == "<Agent champion>"
    best = mineproof.analyse("3x1x1\nH1H").moves[0]
    assert repr(best) == "<Candidate (0, 0), risk 0.5, win 0.5>"
    assert repr(mineproof.Budget(5)) == "<Budget seconds=5, memory=1000000000, 0 nodes spent>"
