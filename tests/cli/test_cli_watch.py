"""The command `mineproof watch`: plain lines, JSON, records, and drawn boards."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import mineproof as mw
from mineproof.cli.main import mineproof_command
from mineproof.cli.moves import move_text, wrapped
from mineproof.cli.text import Sign, draw, fit
from mineproof.core.board import Board
from mineproof.core.grid import grid
from mineproof.core.rules import Rules, with_options
from mineproof.notation.records import read_records

EXPECTED = """\
game 2x5/2:s3:f0,0, seed 3, agent basic
   1 open (1, 3) guess: no single clue proves a cell, so this is a random guess
   2 open (1, 4) guess: no single clue proves a cell, so this is a random guess
   0 1 2 3 4
0      1 m .
1      1 2[*]
F flagged, m mine, x wrong flag, * exploded
lost after 2 moves, 2 guesses
""".splitlines()

OPENING = with_options(mw.BEGINNER, start="opening")


def watch(*arguments: str) -> str:
    result = CliRunner().invoke(mineproof_command, ["watch", "--agent", "basic", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_one_line_per_move_then_the_board() -> None:
    lines = watch("--level", "2x5/2", "--start", "safe", "--seed", "3").splitlines()
    assert lines[:-1] == EXPECTED
    assert lines[-1].startswith("3BV ")


def test_moves_are_numbered_and_explained() -> None:
    lines = watch("--level", "beginner", "--seed", "9").splitlines()
    record = mw.play(mw.Game(OPENING, 9), mw.make_agent("basic"))
    for number, (line, step) in enumerate(zip(lines[1:], record.steps, strict=False), 1):
        cell = step.move.cell
        claim = "proved" if step.proved else "guess"
        assert line == f"{number:4} {step.move.action} {cell} {claim}: {step.reason}"
    assert f"won after {len(record.steps)} moves" in lines[-2]


def test_a_person_gets_an_opening() -> None:
    """Without --start, the first cell opens an area.

    Ids, levels with given cells and --start keep their own start rules.
    """
    for words, kind in (
        (["--level", "expert"], ":opening:"),
        (["--level", "9x9/10", "--start", "safe"], "9x9/10:s7:"),
        (["--level", "easy"], ":given-1:"),
        (["beginner:s7"], "9x9/10:s7:"),
    ):
        seed = [] if ":" in words[0] else ["--seed", "7"]
        assert kind in watch(*words, *seed).splitlines()[0], words
        typed = CliRunner().invoke(mineproof_command, ["play", *words, *seed], input="").stdout
        assert kind.rstrip(":") in typed.splitlines()[0], words


def test_lines_are_short_and_proofs_are_wrapped() -> None:
    """A long reason is on separate lines, and no line breaks inside a cell."""
    lines = watch("--agent", "champion", "--level", "expert", "--seed", "7").splitlines()
    assert max(map(len, lines[1:-1])) <= 80
    guess = [line for line in lines if " guess " in line][-1]
    assert re.match(r" {0,3}\d+ open \(\d+, \d+\) guess 50\.0\s%$", guess)
    assert lines[lines.index(guess) + 1].startswith("     2 layouts are left")
    assert not any(re.search(r"\(\d+,$", line) for line in lines)


def test_no_line_breaks_inside_a_cell_or_before_a_percent_sign() -> None:
    text = "Opening (7, 12) has a risk of 12.5\u00a0%, and (3, 4) has 30.0\u00a0% (of 80)."
    for width in range(12, 60):
        lines = [line.plain for line in wrapped([text], width, 3)]
        assert max(map(len, lines)) <= width
        assert " ".join(line.removeprefix("   ") for line in lines) == text
        assert not any(re.search(r"\(\d+,\s*$|\d\s*$", line) for line in lines)
        assert all(line.startswith("   ") for line in lines[1:])


def test_no_colour_in_pipes() -> None:
    assert "\x1b" not in watch("--level", "beginner", "--seed", "7")


def test_the_seed_is_printed() -> None:
    first = watch("--level", "beginner").splitlines()
    seed = first[0].partition("seed ")[2].partition(",")[0]
    again = watch("--level", "beginner", "--seed", seed).splitlines()
    assert again[:-1] == first[:-1]


def test_json_lines() -> None:
    lines = [
        json.loads(line)
        for line in watch("--level", "beginner", "--seed", "9", "--json").splitlines()
    ]
    record = mw.play(mw.Game(OPENING, 9), mw.make_agent("basic"))
    assert lines[0] == {"game": "9x9/10:opening:s9:f2,2", "seed": 9, "agent": "basic"}
    assert [line["move"] for line in lines[1:-1]] == list(range(1, len(record.steps) + 1))
    assert [tuple(line["cell"]) for line in lines[1:-1]] == [
        step.move.cell for step in record.steps
    ]
    assert lines[-1]["result"] == "win"
    assert lines[-1]["guesses"] == record.guesses


KNOWING = {
    "sentences": ["sentences"],
    "resolution": [
        "new in KB since the last move",
        "KB",
        "KB0",
        "subsumed since the last move",
    ],
    "possibility": ["play ground"],
    "clue-heap": ["easy heap, in reading order", "hard heap"],
}


@pytest.mark.parametrize("agent", KNOWING)
def test_knowledge_after_each_move(agent: str) -> None:
    """`--knowledge` does not change the game."""
    words = ("--agent", agent, "--level", "easy", "--seed", "5", "--json")
    lines = [json.loads(line) for line in watch(*words, "--knowledge").splitlines()]
    shown = [line for line in lines if "knowledge" in line]
    assert [line["after"] for line in shown[:3]] == [0, 1, 2]
    assert all(list(line["groups"]) == KNOWING[agent] for line in shown)
    without = [json.loads(line) for line in watch(*words).splitlines()]
    assert [line for line in lines if "knowledge" not in line] == without
    text = watch(*words[:-1], "--knowledge")
    assert f"       {KNOWING[agent][0]}: " in text


def test_knowledge_of_graph_and_components() -> None:
    words = ("--level", "easy", "--seed", "3", "--json", "--knowledge")
    lines = [json.loads(line) for line in watch("--agent", "backtracking", *words).splitlines()]
    assert any(name.startswith("clues of component 1, ") for name in lines[1]["groups"])
    lines = [json.loads(line) for line in watch("--agent", "exact", *words).splitlines()]
    counted = [line for line in lines if "layouts" in line.get("knowledge", "")]
    assert counted
    assert counted[0]["risks"]


def test_a_stuck_game_has_a_type() -> None:
    words = ("--agent", "sentences:stuck=stop", "--level", "easy", "--start", "given:0.5")
    text = watch(*words, "--seed", "3")
    assert "stuck: the mine count would prove something, for example that (0, 8) is safe" in text
    end = json.loads(watch(*words, "--seed", "3", "--json").splitlines()[-1])
    assert (end["stuck"]["type"], end["stuck"]["lack"]) == (None, "mine-count")
    assert json.loads(watch(*words, "--seed", "1", "--json").splitlines()[-1])["stuck"] is None


def test_the_record_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    watch("--level", "easy", "--seed", "7", "--record", str(file))
    (record,) = read_records(file)
    assert (record.player, record.seed) == ("basic", 7)
    assert record.replay().outcome == record.outcome


@pytest.mark.parametrize("cell", [["4,5"], ["4", "5"], ["4 5"]])
def test_the_first_cell_can_be_chosen(cell: list[str]) -> None:
    words = watch("--first", *cell, "--level", "beginner", "--seed", "3").splitlines()
    assert words[0].startswith("game 9x9/10:opening:s3:f4,5, ")


@pytest.mark.parametrize(
    "flags",
    [
        ["--start", "any"],
        ["--start", "opening"],
        ["--goal", "mark"],
        ["--explosion", "continue"],
        ["--clues", "withheld:0.8"],
        ["--clues", "optimistic"],
        ["--clues", "cautious"],
        ["--mine-count", "unknown"],
        ["--no-flood"],
        ["--level", "1x1/0"],
        ["--level", "1x1/0", "--start", "any"],
        ["--level", "2x2/3"],
        ["--level", "medium", "--goal", "mark", "--explosion", "continue"],
    ],
)
def test_all_rules_can_be_watched(flags: list[str]) -> None:
    level = [] if "--level" in flags else ["--level", "6x6/6"]
    assert watch(*level, *flags, "--seed", "3").startswith("game ")


def test_a_stuck_agent(tmp_path: Path) -> None:
    file = tmp_path / "lazy.py"
    file.write_text(
        "class Lazy:\n    def start(self, rules, seed): pass\n"
        "    def decide(self, observation): return None\n"
    )
    lines = watch("--level", "beginner", "--seed", "7", "--agent", f"{file}:Lazy").splitlines()
    assert "stuck after 0 moves, 0 guesses" in lines[-3]
    assert lines[-1].startswith("stuck: ")


# ---- drawing


def picture(*args: object, **given_: object) -> list[str]:
    return draw(*args, **given_).plain.splitlines()  # type: ignore[arg-type]


def test_every_kind_of_cell() -> None:
    game = mw.Game(Rules(2, 6, 2), 0, (0, 0), Board.from_mines(2, 6, [3, 9]))
    game.play(mw.Move.parse("mark 0,3"))
    assert picture(game.observation, last=mw.Cell(0, 2)) == [
        "   0 1 2 3 4 5",
        "0     [2]F . .",
        "1      2 . . .",
    ]
    assert picture(game.observation, last=mw.Cell(1, 5))[2] == "1      2 . .[.]"
    assert picture(game.observation, notes={9: Sign("!")})[2] == "1      2 ! . ."


def test_the_end_shows_mines_and_wrong_flags() -> None:
    game = mw.Game(Rules(1, 7, 3), 0, (0, 0), Board.from_mines(1, 7, [2, 4, 6]))
    for move in ("mark 0,3", "mark 0,4", "open 0,2"):
        game.play(mw.Move.parse(move))
    assert picture(game.observation, board=game.board)[1] == "0    1 * x F . m"


def test_withheld_clues_are_dashes() -> None:
    setting = with_options(Rules(1, 4, 1), clues="withheld:0")
    assert picture(mw.Game(setting, 1, (0, 0)).observation)[1].startswith("0  -")


def test_thirty_columns_fit_into_eighty() -> None:
    lines = picture(mw.Game(mw.EXPERT, 7, (0, 0)).observation)
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["1", "2"]
    assert lines[1].replace(" ", "") == "0123456789" * 3
    assert lines[2].startswith(" 0 ")
    assert lines[17].startswith("15 ")


@pytest.mark.parametrize("focus", [(0, 0), (499, 999), (250, 500), (499, 0)])
def test_large_boards_are_cut_around_the_cell(focus: tuple[int, int]) -> None:
    board = grid(500, 1000)
    part = fit(board, 80, 20, mw.Cell(*focus))
    assert focus[0] in part.rows
    assert focus[1] in part.columns
    seen = mw.Game(Rules(500, 1000, 100), 1).observation
    lines = picture(seen, viewport=part, last=mw.Cell(*focus))
    assert len(lines) <= 20
    assert max(map(len, lines)) <= 80
    assert sum(line.count("[.]") for line in lines) == 1


def test_small_boards_are_not_cut() -> None:
    part = fit(grid(16, 30), 80, 24, mw.Cell(15, 29))
    assert (part.rows, part.columns) == (range(16), range(30))


def test_huge_boards_are_never_drawn_as_a_whole() -> None:
    """Even in a pipe, only the part of a huge board around the last move is drawn."""
    seen = mw.Game(Rules(1000, 1000, 100), 1).observation
    lines = picture(seen, last=mw.Cell(700, 300))
    assert len(lines) <= 100
    assert max(map(len, lines)) <= 200
    assert sum(line.count("[.]") for line in lines) == 1


def test_column_numbers_are_above_their_columns() -> None:
    seen = mw.Game(Rules(2, 200, 3), 1).observation
    part = fit(grid(2, 200), 60, 20, mw.Cell(0, 105))
    lines = picture(seen, viewport=part)
    row = lines[3]
    for place, column in enumerate(part.columns):
        position = 2 * place + len("0  ")
        assert row[position] == "."
        assert lines[2][position] == str(column % 10)
    assert lines[0].split() == ["1"]


def test_a_guess_shows_its_risk() -> None:
    move = mw.Move.parse("open 1,2")
    assert move_text(3, mw.Decision(move, False, mw.Reason("so"), 0.125)).plain == (
        "   3 open (1, 2) guess 12.5\u00a0%: so"
    )
    assert move_text(3, mw.Decision(move, False, mw.Reason("so"))).plain == (
        "   3 open (1, 2) guess: so"
    )


@pytest.mark.parametrize(
    ("flag", "value", "message"),
    [
        ("--level", "", "expected a level (easy"),
        ("--agent", "", "expected an agent (random"),
        ("--first", "", "expected a row and a column such as 3,4, got ''"),
        ("--first", "00000000099,0", "got (99, 0)"),
        ("--delay", "long", "expected a number from 0 to 60, got 'long'"),
        ("--seed", "-1", "expected a whole number from 0 to 18446744073709551615, got '-1'"),
        ("--seed", "1.5", "expected a whole number from 0 to 18446744073709551615, got '1.5'"),
        ("--delay", "nan", "expected a number from 0 to 60, got 'nan'"),
    ],
)
def test_empty_and_odd_values_are_rejected(flag: str, value: str, message: str) -> None:
    result = CliRunner().invoke(mineproof_command, ["watch", flag, value])
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_closed_output_pipe() -> None:
    command = [sys.executable, "-m", "mineproof", "watch", "--agent", "basic", "--seed", "3"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141
