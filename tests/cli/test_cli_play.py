"""`mineproof play`: every command a person types, good and bad."""

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
from mineproof.match.play import make_record
from mineproof.notation.records import Record, Step, format_record, read_records
from mineproof.session import Session


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Give a saved game of one row with a mine at column 2, whose first cell is open."""
    record = Record(mw.Rules(1, 6, 1), 0, mw.Cell(0, 0), (2,), (), None)
    file = tmp_path / "game.json"
    file.write_text(format_record(record) + "\n")
    return file


def invoke(*arguments: str, typed: str) -> Result:
    """Run the command with lines typed into it."""
    return CliRunner().invoke(mineproof_command, ["play", *arguments], input=typed)


def play(game: Path, *lines: str) -> list[str]:
    """Go on with a saved game; give the lines after the first picture, with no time passed."""
    result = invoke("--agent", "basic", "--load", str(game), typed="\n".join(lines) + "\n")
    assert result.exit_code == 0, result.output
    assert "\x1b" not in result.stdout
    shown = re.sub(r", \d+ s\b", ", 0 s", result.stdout).splitlines()
    return shown[shown.index("type `help` for the commands") + 1 :]


def test_a_game_is_won_in_a_pipe(game: Path) -> None:
    """Commands come from a pipe; after each move the board and the state are shown."""
    assert play(game, "open 0 5")[-3:] == [
        "   0 1 2 3 4 5",
        "0    1 m 1  [ ]",
        "won after 1 move, 0 s; 3BV 2 of 2, 2 openings, 2 clicks, efficiency 1.00",
    ]


def test_short_forms_and_bare_cells(game: Path) -> None:
    """`o`, `O`, and a cell alone open; commas are as good as blanks."""
    for line in ("o 0 5", "O 0,5", "0 5", "0,5", "  open   0   5  "):
        assert "won after 1 move" in play(game, line)[-1], line


def test_marking_twice_takes_the_mark_away(game: Path) -> None:
    """`mark`, `m` and `f` put a mark or take it away."""
    assert play(game, "mark 0 2")[-2] == "0    1[F]. . ."
    assert play(game, "m 0 2", "f 0 2")[-2] == "0    1[.]. . ."


def test_chord_opens_around_a_clue(game: Path) -> None:
    """A clue with its marks opens the rest around it; without them it says why not."""
    assert "expected 1 flag next to it" in play(game, "c 0 1")[-1]
    record = Record(mw.Rules(1, 6, 1), 0, mw.Cell(0, 3), (2,), (), None)
    game.write_text(format_record(record))
    assert play(game, "mark 0 2", "chord 0 3")[-2].startswith("0  . . F[1]")


def test_bad_input_is_answered_and_play_goes_on(game: Path) -> None:
    """Nothing that is typed ends the game or raises."""
    answers = play(
        game, "dance", "open", "open x y", "open 0 99", "open 0 0", "why", "", "  ", "agent nobody",
        "load /nowhere/game", "save", "new nonsense", "redo", "undo 7", "mark 0 0",
    )  # fmt: skip
    assert answers[0] == "there is no command 'dance'; `help` lists them"
    assert answers[1] == "expected a row and a column such as 3,4, got ''"
    assert "expected a cell on the 1x6 board" in answers[3]
    assert "cell (0, 0) is already open" in answers[4]
    assert "expected an agent (" in answers[6]
    assert answers[7].endswith("got '/nowhere/game': there is no such file")
    assert answers[8] == f"saved to {game}"
    assert answers[9].startswith("not a game id: ")
    assert answers[10] == "there is no move to redo"


def test_hints_come_step_by_step(game: Path) -> None:
    """Each further `hint` says more; a move starts afresh."""
    hints = play(game, "hint", "hint", "h", "ai", "undo")
    assert hints[0] == "Look near row 0, columns 1 to 3. (`hint` says more)"
    assert hints[1] == "Look at the clue at (0, 1) and at the mine count. (`hint` says more)"
    assert hints[2].startswith("Open (0, 3): There is one mine on the board;")


def test_why_and_ai(game: Path) -> None:
    """The agent says why, and moves when asked."""
    answers = play(game, "why 0 2", "why 0 1", "ai")
    assert answers[0].endswith("has only one unopened neighbour: (0, 2) is a mine.")
    assert answers[1] == "(0, 1) is open and shows 1."
    assert answers[-1].startswith("   1 open (0, ")


def test_may_i_guess(game: Path) -> None:
    """The answer is yes, or no with a proof."""
    assert play(game, "guess")[0].startswith(("No: (0, ", "Yes: "))


def test_review_of_the_moves_so_far(game: Path) -> None:
    """Guesses are listed with their verdicts, then the totals."""
    answers = play(game, "ai", "review")
    assert any(line.startswith("moves judged: 1 (") for line in answers)


def test_an_agent_that_is_stuck_says_so(game: Path) -> None:
    """An agent that does not guess leaves the move to the person."""
    assert play(game, "agent sentences:stuck=stop", "ai")[-1] == (
        "sentences:stuck=stop is stuck: it proves nothing and does not guess"
    )


def test_knowledge_is_drawn(game: Path) -> None:
    """What the agent has proved stands on the board, its lines below."""
    answers = play(game, "knowledge")
    assert answers[2] == "0 [ ]1 ! . . ."
    assert answers[4] == "+ proved safe, ! proved mined"
    assert answers[5].startswith("basic knows ")
    assert play(game, "agent random", "k")[-1] == "random cannot show what it knows"


def test_undo_after_an_explosion(game: Path) -> None:
    """A lost game can be taken back; the death stays on the record."""
    answers = play(game, "open 0 2", "undo", "open 0 5")
    assert any(answer.startswith("lost after 1 move") for answer in answers)
    assert "1 mine left, 0 s, deaths undone: 1" in answers
    assert answers[-1].startswith("won after 1 move, 0 s, deaths undone: 1")


def test_save_and_load(game: Path, tmp_path: Path) -> None:
    """A game goes on after it was saved and loaded."""
    other = tmp_path / "other.json"
    play(game, "mark 0 2", f"save {other}")
    (record,) = read_records(other)
    assert [str(step.move) for step in record.steps] == ["mark 0,2"]
    assert "loaded" in play(game, f"load {other}")[-1]
    assert play(game, f"load {other}", "show")[-2] == "0    1[F]. . ."


def test_new_restart_and_stop(game: Path) -> None:
    """Another game, the same board again, a game by its id, and giving up."""
    assert "open a cell to begin" in play(game, "new")[-1]
    assert play(game, "new 9x9/10:s7")[0] == "9x9/10:s7, agent basic"
    assert play(game, "mark 0 2", "restart")[-2] == "0 [ ]1 . . . ."
    assert play(game, "stop")[-1].startswith("given up after 0 moves")


def test_help_names_every_command(game: Path) -> None:
    """Help lists all commands and signs, and each listed command exists."""
    answers = play(game, "?")
    for name in COMMANDS:
        assert any(answer.startswith(f"{name} ") for answer in answers)
        known = name in {*MOVES, *CHANGES, "quit"}
        assert known or hasattr(TerminalGame, f"_do_{name}")
    assert set(SHORT.values()) <= set(COMMANDS)


def test_quit_and_the_end_of_input(game: Path) -> None:
    """Both leave with status 0; after `quit` nothing is read."""
    assert play(game, "quit", "open 0 5") == []
    assert play(game, "q") == []
    assert invoke("--level", "beginner", typed="").exit_code == 0


def test_bad_files_and_rules_end_the_command(tmp_path: Path) -> None:
    """What is wrong on the command line itself is an error with status 2."""
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    for arguments in (["--load", str(bad)], ["--load", "/nowhere"], ["--level", "9x9/99"]):
        result = invoke(*arguments, typed="")
        assert result.exit_code == 2
        assert result.stderr.startswith("mineproof: error: ")


def test_saved_games_hold_what_was_said(game: Path, tmp_path: Path) -> None:
    """The agent's moves are saved with their reasons, a person's without."""
    other = tmp_path / "other.json"
    play(game, "mark 0 2", "ai", f"save {other}")
    steps = json.loads(other.read_text())["steps"]
    assert "proved" not in steps[0]
    assert steps[1]["proved"] is False
    assert steps[1]["reason"]


def test_a_table_can_be_used_by_programs() -> None:
    """`do` says whether to go on."""
    table = TerminalGame(Session(mw.BEGINNER, 7), Helper("basic"), console())
    assert table.do("o 0 0")
    assert not table.do("quit")


def test_bytes_that_are_no_text_are_answered(game: Path) -> None:
    """A line that is not UTF-8 is no command; play goes on after it."""
    arguments = ["play", "--load", str(game)]
    result = CliRunner().invoke(mineproof_command, arguments, input=b"\xff\xfe\nopen 0 5\n")
    assert result.exit_code == 0
    assert "there is no command" in result.stdout
    assert "won after 1 move" in result.stdout


def test_a_bad_file_is_named(tmp_path: Path) -> None:
    """What is wrong with a saved game is said with the name of its file."""
    file = tmp_path / "game.json"
    file.write_bytes(b"\xff")
    result = invoke("--load", str(file), typed="")
    assert result.exit_code == 2
    assert f"{file}: line 1: expected UTF-8 text, got the byte 0xff" in result.stderr


def test_several_moves_are_undone_at_once(game: Path) -> None:
    """`undo 3` takes back three; a number that is none is refused."""
    marks = ("mark 0 2", "mark 0 3", "mark 0 4")
    assert play(game, *marks, "undo 3")[-2] == "0 [ ]1 . . . ."
    assert play(game, *marks, "undo 2")[-2] == "0    1[F]. . ."
    assert play(game, *marks, "undo 3", "redo 2")[-2] == "0    1 F[F]. ."
    more = play(game, *marks, "undo 5")
    assert more[-1] == "undo 4 of 5: there were no more"
    assert more[-3] == "0  . . . . . ."
    assert play(game, "undo x")[-1] == "expected how many moves, from 1 to 1000000, got 'x'"


def test_risks_are_typed_too(game: Path) -> None:
    """The risk of every cell, with what its letters mean."""
    assert play(game, "risks")[1] == "0      1 ** ++ ++ ++"


def test_a_game_by_its_id_or_from_a_file(game: Path, tmp_path: Path) -> None:
    """The argument is an id, a record or a board file; a position cannot be played."""
    assert invoke("easy:s3", typed="").stdout.startswith("9x9/10:given-1:s3, agent")
    assert "1 mine left" in invoke(str(game), typed="").stdout
    position = tmp_path / "x.mine"
    position.write_text("2x1x1\n1H\n")
    result = invoke(str(position), typed="")
    assert result.exit_code == 2
    assert "does not say where its mines are" in result.stderr
    assert invoke("easy:s3", "--level", "expert", typed="").exit_code == 2
    assert invoke("easy:s3", "--load", str(game), typed="").exit_code == 2


def test_a_game_goes_on_from_any_move(tmp_path: Path) -> None:
    """On the same board, or on one drawn anew that shows the same; the file stays as it is."""
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
    # Of 8 layouts drawn 500 times none is missed, but in one run of 10 ** 28.
    drawn = {practice(session, 1, fresh=True).record().mines for _ in range(500)}
    others = [mines for mines in combinations((0, *range(2, 7)), 2) if len({0, 2} & {*mines}) == 1]
    assert drawn == set(others)  # the 1 at (0, 1) has one mine beside it
    assert practice(session, 1, fresh=False).record().mines == (2, 4)
