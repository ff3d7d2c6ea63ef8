"""Inputs of commands: ids, records, positions and boards, and how each command uses them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import mineproof as mw
from mineproof.cli.main import mineproof_command
from mineproof.core.board import Board
from mineproof.core.errors import InputError, NotationError
from mineproof.core.observation import Observation
from mineproof.notation.boards import format_board_line, format_mbf
from mineproof.notation.game_id import GameId
from mineproof.notation.inputs import (
    as_game,
    parse_file,
    parse_input,
    parse_inputs,
    position_of,
)
from mineproof.notation.records import Record, Step, format_record

POSITION = "4x2x2\nHHHH\n11HH\n"
BOARD = Board.from_mines(2, 3, [2, 5])
LINE = format_board_line(BOARD, (0, 0))
RECORD = Record(
    mw.Rules(1, 6, 1), 0, mw.Cell(0, 0), (2,),
    (Step(mw.Move.parse("mark 0,2"), True, 1.0, "I know"), Step(mw.Move.parse("open 0,5"))),
    mw.Outcome(mw.Result.WIN, 0, 0, 1.0), "Ann\x1b[31m\x07",
)  # fmt: skip


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(mineproof_command, list(arguments), input=typed)


@pytest.fixture
def record(tmp_path: Path) -> str:
    """Return the path of a file with a record."""
    file = tmp_path / "game.json"
    file.write_text(format_record(RECORD) + "\n")
    return str(file)


def test_the_first_line_tells() -> None:
    """The type is detected even if comments come first, or if there are several inputs."""
    assert isinstance(parse_input("# mine\nbeginner:s7"), GameId)
    assert isinstance(parse_input(POSITION), Observation)
    assert parse_input(format_record(RECORD)) == RECORD
    assert len(parse_inputs(f"# two\n{LINE}\n{LINE} # again\n")) == 2
    assert len(parse_inputs("beginner:s7\nexpert:s8\n")) == 2
    assert len(parse_inputs(POSITION + "\n" + POSITION)) == 2
    found = parse_file("x.mbf", format_mbf(BOARD))
    assert isinstance(found, GameId)
    assert found.board == BOARD


def test_what_is_expected_is_said() -> None:
    """For input of an unknown type, the message lists the types. Otherwise it names the mistake."""
    for text in ("", "hello", "#"):
        with pytest.raises(NotationError, match="expected a game id, a record, a position"):
            parse_input(text)
    with pytest.raises(NotationError, match="line 2: expected a record"):
        parse_inputs(format_record(RECORD) + "\n{")
    with pytest.raises(NotationError, match="not a game id"):
        parse_input("beginner:7")


def test_a_game_gives_its_positions() -> None:
    """A record has a position before each move and a final position. An id has only the first."""
    assert position_of(RECORD) == RECORD.positions()[-1]
    assert position_of(RECORD, 1) == RECORD.positions()[0]
    assert (
        position_of(parse_input("beginner:s7:f0,0")) == mw.Game("beginner", 7, (0, 0)).observation
    )
    with pytest.raises(InputError, match="expected move from 1 to 3, got 4"):
        position_of(RECORD, 4)
    with pytest.raises(InputError, match="move needs a game"):
        position_of(parse_input(POSITION), 1)
    with pytest.raises(NotationError, match="cannot be played"):
        as_game(parse_input(POSITION))


# ---- the commands


def test_watch_plays_a_game_by_its_id(tmp_path: Path) -> None:
    """`watch` accepts the id that another command prints, and a board file."""
    first = run("watch", "--agent", "basic", "--level", "beginner", "--seed", "7").stdout
    name = first.split()[1].rstrip(",")
    again = run("watch", name, "--agent", "basic").stdout
    assert first.splitlines()[:-1] == again.splitlines()[:-1]
    boards = tmp_path / "x.boards"
    boards.write_text(LINE + "\n")
    assert run("watch", str(boards), "--agent", "basic").stdout.startswith("game 2x3/2:s0:f0,0:m")


def test_watch_replays_a_record(record: str) -> None:
    """`watch` shows the recorded reasons, without their control characters."""
    result = run("watch", record)
    lines = result.stdout.splitlines()
    assert "\x1b" not in result.stdout
    assert lines[0].endswith("agent Ann [31m , replayed")
    assert lines[1:3] == ["   1 mark (0, 2) proved: I know", "   2 open (0, 5)"]
    assert "won after 2 moves" in result.stdout
    printed = [json.loads(line) for line in run("watch", record, "--json").stdout.splitlines()]
    assert [one["proved"] for one in printed[1:3]] == [True, None]
    assert printed[-1]["result"] == "win"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["beginner:s7", "--level", "expert"], "--level cannot be combined with a game id"),
        (["beginner:s7", "--first", "1,1"], "--first cannot be combined with a game id"),
        (["RECORD", "--agent", "basic"], "only replayed"),
        (["nothing"], "expected a game id, a record, a position in .mine text or a board file"),
        (["beginner:x7"], "not a game id"),
    ],
)
def test_watch_says_what_does_not_go_together(
    record: str, arguments: list[str], message: str
) -> None:
    result = run("watch", *(record if one == "RECORD" else one for one in arguments))
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_watch_does_not_overwrite_unasked(record: str) -> None:
    """An existing --record file is kept, unless --force is set."""
    game = ["watch", "--agent", "basic", "--level", "3x3/1", "--record", record]
    result = run(*game)
    assert result.exit_code == 2
    assert "Use --force" in result.stderr
    assert Path(record).read_text() == format_record(RECORD) + "\n"
    assert run(*game, "--force").exit_code == 0
    assert "Ann" not in Path(record).read_text()


def test_analyse_and_why_take_games(record: str) -> None:
    """`analyse` and `why` use a record's last position or that before --move, or an id's first."""
    found = json.loads(run("analyse", "--json", record, "--move", "1").stdout)
    assert (found["rows"], found["columns"], found["mined"]) == (1, 6, [[0, 2]])
    assert json.loads(run("analyse", "--json", record).stdout)["layouts"] == "1"
    assert json.loads(run("analyse", "--json", "beginner:s7:f0,0").stdout)["mines"] == 10
    assert "(0, 2): proved a mine" in run("why", record, "0", "2", "--move", "1").stdout
    assert "is open" in run("why", "beginner:s7:f0,0", "0", "0").stdout
    assert run("analyse", record, "--move", "9").exit_code == 2
    assert run("analyse", "-", "--move", "1", typed=POSITION).exit_code == 2


def test_games_take_an_id() -> None:
    """`games` plays the same game that `watch` shows."""
    result = run("games", "beginner:s7", "--agent", "basic", "--jobs", "1")
    record = mw.play(mw.Game("beginner", 7), mw.make_agent("basic"))
    assert record.outcome is not None
    assert result.stdout.startswith(f"0 {record.outcome.result} {record.guesses} ")
    assert run("games", "beginner:s7", "--seed", "3").exit_code == 2


def test_review_wants_moves(record: str, tmp_path: Path) -> None:
    """An id has no moves to review. A player's name is printed without control characters."""
    result = run("review", record)
    assert result.stdout.startswith("1x6/1 by Ann [31m , win")
    for other in ("beginner:s7", str(tmp_path / "position.mine")):
        (tmp_path / "position.mine").write_text(POSITION)
        result = run("review", other)
        assert result.exit_code == 2
        assert "expected records" in result.stderr


def test_draw_takes_a_board_file(tmp_path: Path) -> None:
    boards, out = tmp_path / "x.boards", tmp_path / "x.svg"
    boards.write_text(LINE + "\n")
    assert run("draw", str(boards), "--agent", "basic", "--out", str(out)).exit_code == 0
    assert out.read_text().startswith("<svg")
