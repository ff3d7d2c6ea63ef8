"""`mineproof play` with typed commands."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import mineproof as mw
from mineproof.cli.main import mineproof_command
from mineproof.cli.play import CHANGES, COMMANDS, MOVES, SHORT, TerminalGame
from mineproof.cli.player_tools import Helper, practice
from mineproof.cli.text import console
from mineproof.notation.records import Record, Step, format_record, make_record, read_records
from mineproof.session import Session


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Return a saved game on a one-row board, with a mine in column 2 and the first cell open."""
    record = Record(mw.Rules(1, 6, 1), 0, mw.Cell(0, 0), (2,), (), None)
    file = tmp_path / "game.json"
    file.write_text(format_record(record) + "\n")
    return file


def invoke(*arguments: str, typed: str) -> Result:
    return CliRunner().invoke(mineproof_command, ["play", *arguments], input=typed)


def play(game: Path, *lines: str) -> list[str]:
    """Continue a saved game. Return the lines after the first picture, with times set to 0."""
    result = invoke("--agent", "basic", "--load", str(game), typed="\n".join(lines) + "\n")
    assert result.exit_code == 0, result.output
    assert "\x1b" not in result.stdout
    shown = re.sub(r", \d+ s\b", ", 0 s", result.stdout).splitlines()
    return shown[shown.index("Type `help` for a list of commands.") + 1 :]


def test_a_game_is_won_in_a_pipe(game: Path) -> None:
    assert play(game, "open 0 5")[-3:] == [
        "   0 1 2 3 4 5",
        "0    1 m 1  [ ]",
        "won after 1 move, 0 s; 3BV 2 of 2, 2 openings, 2 clicks, efficiency 1.00",
    ]


def test_short_forms_and_bare_cells(game: Path) -> None:
    for line in ("o 0 5", "O 0,5", "0 5", "0,5", "  open   0   5  "):
        assert "won after 1 move" in play(game, line)[-1], line


def test_flagging_twice_removes_the_flag(game: Path) -> None:
    assert play(game, "mark 0 2")[-2] == "0    1[F]. . ."
    assert play(game, "m 0 2", "f 0 2")[-2] == "0    1[.]. . ."


def test_chord_opens_around_a_clue(game: Path) -> None:
    assert "expected 1 flag next to it" in play(game, "c 0 1")[-1]
    record = Record(mw.Rules(1, 6, 1), 0, mw.Cell(0, 3), (2,), (), None)
    game.write_text(format_record(record))
    assert play(game, "mark 0 2", "chord 0 3")[-2].startswith("0  . . F[1]")


def test_bad_input_gets_a_message(game: Path) -> None:
    answers = play(
        game, "dance", "open", "open x y", "open 0 99", "open 0 0", "why", "", "  ", "agent nobody",
        "load /nowhere/game", "save", "new nonsense", "redo", "undo 7", "mark 0 0",
    )  # fmt: skip
    assert answers[0] == "Unknown command dance. Type `help` for a list."
    assert answers[1] == "expected a row and a column such as 3,4, got ''"
    assert "expected a cell on the 1x6 board" in answers[3]
    assert "cell (0, 0) is already open" in answers[4]
    assert "expected an agent (" in answers[6]
    assert answers[7].endswith("there is no file '/nowhere/game'")
    assert answers[8] == f"Saved to {game}."
    assert answers[9].startswith("not a game id: ")
    assert answers[10] == "there is no move to redo"


def test_hints_come_step_by_step(game: Path) -> None:
    hints = play(game, "hint", "hint", "h", "ai", "undo")
    assert hints[0] == "Look near row 0, columns 1 to 3. (Type `hint` for more.)"
    assert hints[1] == "Look at the clue at (0, 1) and at the mine count. (Type `hint` for more.)"
    assert hints[2].startswith("Open (0, 3): There is one mine on the board;")


def test_why_and_ai(game: Path) -> None:
    answers = play(game, "why 0 2", "why 0 1", "ai")
    assert answers[0].endswith("(0, 2) is a mine.")
    assert answers[1] == "(0, 1) is open and shows 1."
    assert answers[-1].startswith("   1 open (0, ")


def test_may_i_guess(game: Path) -> None:
    assert play(game, "guess")[0].startswith(("No: (0, ", "Yes: "))


def test_review_of_the_moves_so_far(game: Path) -> None:
    answers = play(game, "ai", "review")
    assert any(line.startswith("moves judged: 1 (") for line in answers)


def test_a_stuck_agent(game: Path) -> None:
    assert play(game, "agent sentences:stuck=stop", "ai")[-1] == (
        "sentences:stuck=stop is stuck: it can prove nothing and does not guess."
    )


def test_knowledge_is_drawn(game: Path) -> None:
    answers = play(game, "knowledge")
    assert answers[2] == "0 [ ]1 ! . . ."
    assert answers[4] == "+ proved safe, ! proved mine"
    assert answers[5].startswith("basic knows ")
    assert play(game, "agent random", "k")[-1] == "random cannot show its knowledge."


def test_undo_after_an_explosion(game: Path) -> None:
    answers = play(game, "open 0 2", "undo", "open 0 5")
    assert any(answer.startswith("lost after 1 move") for answer in answers)
    assert "1 mine left, 0 s, deaths undone: 1" in answers
    assert answers[-1].startswith("won after 1 move, 0 s, deaths undone: 1")


def test_save_and_load(game: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    play(game, "mark 0 2", f"save {other}")
    (record,) = read_records(other)
    assert [str(step.move) for step in record.steps] == ["mark 0,2"]
    assert "Loaded" in play(game, f"load {other}")[-1]
    assert play(game, f"load {other}", "show")[-2] == "0    1[F]. . ."


def test_new_restart_and_stop(game: Path) -> None:
    assert "open a cell to begin" in play(game, "new")[-1]
    assert play(game, "new 9x9/10:s7")[0] == "9x9/10:s7, agent basic"
    assert play(game, "mark 0 2", "restart")[-2] == "0 [ ]1 . . . ."
    assert play(game, "stop")[-1].startswith("given up after 0 moves")


def test_help_names_every_command(game: Path) -> None:
    answers = play(game, "?")
    for name in COMMANDS:
        assert any(answer.startswith(f"{name} ") for answer in answers)
        known = name in {*MOVES, *CHANGES, "quit"}
        assert known or hasattr(TerminalGame, f"_do_{name}")
    assert set(SHORT.values()) <= set(COMMANDS)


def test_quit_and_the_end_of_input(game: Path) -> None:
    assert play(game, "quit", "open 0 5") == []
    assert play(game, "q") == []
    assert invoke("--level", "beginner", typed="").exit_code == 0


def test_bad_files_and_rules_end_the_command(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    for arguments in (["--load", str(bad)], ["--load", "/nowhere"], ["--level", "9x9/99"]):
        result = invoke(*arguments, typed="")
        assert result.exit_code == 2
        assert result.stderr.startswith("mineproof: error: ")


def test_saved_games_have_reasons(game: Path, tmp_path: Path) -> None:
    """The agent's moves are saved with reasons, and the player's moves without."""
    other = tmp_path / "other.json"
    play(game, "mark 0 2", "ai", f"save {other}")
    steps = json.loads(other.read_text())["steps"]
    assert "proved" not in steps[0]
    assert steps[1]["proved"] is False
    assert steps[1]["reason"]


def test_do_returns_whether_to_continue() -> None:
    table = TerminalGame(Session(mw.BEGINNER, 7), Helper("basic"), console())
    assert table.do("o 0 0")
    assert not table.do("quit")


def test_bytes_that_are_not_text_get_a_message(game: Path) -> None:
    arguments = ["play", "--load", str(game)]
    result = CliRunner().invoke(mineproof_command, arguments, input=b"\xff\xfe\nopen 0 5\n")
    assert result.exit_code == 0
    assert "Unknown command" in result.stdout
    assert "won after 1 move" in result.stdout


def test_a_bad_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(b"\xff")
    result = invoke("--load", str(file), typed="")
    assert result.exit_code == 2
    assert f"{file}: line 1: expected UTF-8 text, got the byte 0xff" in result.stderr


def test_undo_and_redo_several_moves(game: Path) -> None:
    marks = ("mark 0 2", "mark 0 3", "mark 0 4")
    assert play(game, *marks, "undo 3")[-2] == "0 [ ]1 . . . ."
    assert play(game, *marks, "undo 2")[-2] == "0    1[F]. . ."
    assert play(game, *marks, "undo 3", "redo 2")[-2] == "0    1 F[F]. ."
    more = play(game, *marks, "undo 5")
    assert more[-1] == "Undid 4 of 5 moves; there were no more."
    assert more[-3] == "0  . . . . . ."
    assert play(game, "undo x")[-1] == "expected a number of moves from 1 to 1000000, got 'x'"


def test_risks(game: Path) -> None:
    assert play(game, "risks")[1] == "0      1 ** ++ ++ ++"


def test_a_game_by_its_id_or_from_a_file(game: Path, tmp_path: Path) -> None:
    assert invoke("easy:s3", typed="").stdout.startswith("9x9/10:given-1:s3, agent")
    assert "1 mine left" in invoke(str(game), typed="").stdout
    position = tmp_path / "x.mine"
    position.write_text("2x1x1\n1H\n")
    result = invoke(str(position), typed="")
    assert result.exit_code == 2
    assert "its mines are not known" in result.stderr
    assert invoke("easy:s3", "--level", "expert", typed="").exit_code == 2
    assert invoke("easy:s3", "--load", str(game), typed="").exit_code == 2


def test_play_continues_from_any_move(tmp_path: Path) -> None:
    """You can continue on the same board or on another that fits. The file stays unchanged."""
    steps = tuple(Step(mw.Move.parse(move)) for move in ("open 0,3", "open 0,2"))
    lost = mw.Game(mw.Rules(1, 7, 2), 0, mw.Cell(0, 1), mw.Board.from_mines(1, 7, (2, 4)))
    for step in steps:
        lost.play(step.move)
    file = tmp_path / "lost.json"
    file.write_text(format_record(make_record(lost, steps)))
    back = invoke(str(file), "--move", "2", typed="0 0\nquit\n")
    assert "0  . 1 .[2]. . ." in back.stdout
    assert "0 [ ]1 . 2 . . ." in back.stdout
    assert "expected a move from 1 to 2" in invoke(str(file), "--move", "3", typed="").stderr
    for arguments in (("--move", "1"), (str(file), "--fresh")):
        assert invoke(*arguments, typed="").exit_code == 2
    session = Session(lost.rules, 0)
    session.load(file.read_text("utf-8"))
    # All 8 layouts appear in 500 draws. The test fails by chance once in 10 ** 28 runs.
    drawn = {practice(session, 1, fresh=True).record().mines for _ in range(500)}
    others = [mines for mines in combinations((0, *range(2, 7)), 2) if len({0, 2} & {*mines}) == 1]
    assert drawn == set(others)  # the 1 at (0, 1) touches one mine
    assert practice(session, 1, fresh=False).record().mines == (2, 4)
