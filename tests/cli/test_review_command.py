"""`mineproof review` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import mineproof as mw
from mineproof.cli.main import mineproof_command
from mineproof.notation.records import Record, Step, write_records

MOVES = ("open 0,3", "open 0,0")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Give a file with one record."""
    path = tmp_path / "game.json"
    steps = tuple(Step(mw.Move.parse(move)) for move in MOVES)
    write_records(path, [Record(mw.Rules(1, 7, 2), 0, mw.Cell(0, 1), (2, 4), steps, None)])
    return path


def run(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(mineproof_command, ["review", *arguments])


def test_guesses_and_totals_are_listed(file: Path) -> None:
    """Without `--all`, proved moves are counted only."""
    lines = run(str(file)).output.splitlines()
    assert lines[0] == "1x7/2, unfinished"
    assert lines[1].startswith("   1 open 0,3: best guess. It risked 25.0%. ")
    assert lines[2] == "moves judged: 2 (1 proved, 1 best guess, 0 avoidable risk, 0 reckless)"
    assert lines[3].startswith("luck: all guesses survive with a chance of 75.0%")
    assert lines[4] == "difficulty of the proofs: hardest 1.1 (satisfied), mean 1.1"


def test_all_moves_are_listed_on_demand(file: Path) -> None:
    """`--all` lists proved moves with their proofs."""
    assert "2 open 0,0: proved. The 2 at (0, 3) needs two mines" in run("--all", str(file)).output


def test_json_is_one_object_a_game(file: Path) -> None:
    """Programs get everything."""
    result = run("--json", str(file))
    assert result.exit_code == 0
    found = json.loads(result.output)
    assert [move["move"] for move in found["moves"]] == list(MOVES)
    assert sum(found["totals"].values()) == 2


def test_bad_records_have_status_2(tmp_path: Path) -> None:
    """What is wrong is said with its line."""
    path = tmp_path / "bad.json"
    path.write_text("nonsense\n")
    result = run(str(path))
    assert (result.exit_code, "line 1" in result.output) == (2, True)
    path.write_text("\n")
    assert "got an empty file" in run(str(path)).output
    assert run(str(tmp_path / "missing.json")).exit_code == 2


def test_chains_are_written_by_suffix(file: Path, tmp_path: Path) -> None:
    """A picture or data; anything else is refused, and so are several games."""
    picture, data = tmp_path / "chains.svg", tmp_path / "chains.json"
    assert run(str(file), "--chains", str(picture)).exit_code == 0
    assert picture.read_text("utf-8").startswith("<svg")
    assert run(str(file), "--chains", str(data)).exit_code == 0
    assert json.loads(data.read_text("utf-8"))["length"] == 2
    told = run(str(file), "--chains", str(data), "--reader", "basic").output
    assert "chains of influence, as basic reasons: the longest has 2 conclusions" in told
    assert run(str(file), "--chains", str(data), "--reader", "nobody").exit_code == 2
    assert run(str(file), "--chains", "chains.png").exit_code == 2
    file.write_text(file.read_text("utf-8") * 2)
    assert "expected one game" in run(str(file), "--chains", str(picture)).output
