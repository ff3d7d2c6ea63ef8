"""The command `mineproof generate`: board files, drills, --resume, and interrupted runs."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import mineproof as mw
from mineproof.cli.main import mineproof_command
from mineproof.generate import no_guess
from mineproof.notation.boards import parse_boards
from mineproof.notation.inputs import parse_inputs

BEGINNER = ("--level", "beginner", "--start", "no-guess")


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(mineproof_command, ["generate", *map(str, arguments)])


def test_board_i_has_seed_plus_i() -> None:
    done = invoke(*BEGINNER, "--count", "5", "--seed", "8", "--first", "2,4", "--jobs", "1")
    assert done.exit_code == 0, done.output
    rules = mw.core.rules.with_options(mw.BEGINNER, start="no-guess")
    found = parse_boards(done.stdout)
    assert [line.board for line in found] == [mw.deal(rules, 8 + i, (2, 4)) for i in range(5)]
    assert all(line.first == (2, 4) for line in found)


def test_difficulty_3bv_and_proofs() -> None:
    wanted = ("--difficulty", "two-clues..cases", "--3bv", "8..20", "--proof", "--json")
    done = invoke(*BEGINNER, *wanted, "--count", "3", "--jobs", "1")
    assert done.exit_code == 0, done.output
    for line in map(json.loads, done.stdout.splitlines()):
        assert 8 <= line["3bv"] <= 20
        assert line["proof"]["hardest"] in ("two clues", "several clues", "cases")
        assert line["proof"]["solved"]
        assert parse_boards(line["board"])[0].first == (2, 2)


def test_other_start_rules() -> None:
    done = invoke("--level", "9x9/10", "--start", "any", "--first", "4,4", "--seed", "3")
    line = parse_boards(done.stdout)[0]
    rules = mw.core.rules.with_options(mw.BEGINNER, start="any")
    assert line.board == mw.deal(rules, 3)


def test_made_boards_are_labelled_as_not_uniform() -> None:
    done = invoke("--level", "16x30/125", "--start", "no-guess", "--make", "--jobs", "1")
    assert "not uniform" in done.stdout.splitlines()[0]
    line = parse_boards(done.stdout)[0]
    assert no_guess.is_no_guess(line.board, line.first)


def test_resume_adds_missing_boards(tmp_path: Path) -> None:
    """--resume adds the missing boards, and rejects a file that was made with other options."""
    out = tmp_path / "some.boards"
    first = invoke(*BEGINNER, "--count", "12", "--jobs", "1", "--output", out)
    assert first.exit_code == 0, first.output
    whole = out.read_text()
    assert len(parse_boards(whole)) == 12
    out.write_text(whole[: len(whole) // 2])
    again = invoke(*BEGINNER, "--count", "12", "--jobs", "2", "--output", out, "--resume")
    assert again.exit_code == 0, again.output
    assert sorted(out.read_text().splitlines()) == sorted(whole.splitlines())
    more = invoke(*BEGINNER, "--count", "20", "--jobs", "1", "--output", out, "--resume")
    assert more.exit_code == 0
    assert len(parse_boards(out.read_text())) == 20
    other = invoke(*BEGINNER, "--count", "20", "--seed", "1", "--output", out, "--resume")
    assert other.exit_code == 2
    assert "cannot resume" in other.output
    there = invoke(*BEGINNER, "--output", out)
    assert (there.exit_code, "already exists" in there.output) == (2, True)


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_ctrl_c_loses_nothing(tmp_path: Path) -> None:
    out = tmp_path / "many.boards"
    words = ["generate", "--start", "no-guess", "--count", "100000", "--jobs", "1"]
    command = [sys.executable, "-m", "mineproof", *words, "--output", str(out)]
    with subprocess.Popen(command) as running:
        end = time.monotonic() + 60
        while time.monotonic() < end and (not out.exists() or out.stat().st_size < 2000):
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 130
    found = parse_boards(out.read_text())
    assert found
    indices = [int(line.split("# ")[1].split(":")[0]) for line in out.read_text().splitlines()[1:]]
    assert sorted(indices) == list(range(len(found)))


@pytest.mark.parametrize(
    ("words", "message", "status"),
    [
        (["--difficulty", "hard"], "expected a difficulty", 2),
        (["--difficulty", "cases..one-clue"], "expected a difficulty", 2),
        (["--3bv", "x"], "expected a 3BV", 2),
        (["--3bv", "9..3"], "expected a 3BV", 2),
        (["--start", "given:1"], "given:K", 2),
        (["--start", "no-guess:nobody"], "expected no-guess:AGENT with one of", 2),
        (["--first", "99,1"], "expected", 2),
        (["--make", "--start", "opening"], "--make works only with --start no-guess", 2),
        (["--resume"], "need --output", 2),
        (["--json", "--output", "x"], "--json cannot be combined with --output", 2),
    ],
)
def test_bad_input(words: list[str], message: str, status: int) -> None:
    done = invoke(*words)
    assert (done.exit_code, message in done.output) == (status, True), done.output


def test_requests_that_are_too_hard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(no_guess, "MOST_TRIES", 100)
    done = invoke("--level", "16x30/170", "--start", "no-guess", "--jobs", "1")
    assert done.exit_code == 3
    assert "probably fewer than 1 in 33 qualify" in done.output


def test_drills_are_a_file_of_positions_that_resumes(tmp_path: Path) -> None:
    file = tmp_path / "subset.mine"
    order = ("--level", "beginner", "--drill", "subset", "--count", "3", "--jobs", "1")
    done = invoke(*order, "--proof", "--output", file)
    assert done.exit_code == 0, done.output
    text = file.read_text()
    assert len(parse_inputs(text)) == 3
    assert text.count(": subset; safe: ") == text.count(" is safe: ") == 3
    file.write_text(text[:-30])
    again = invoke(*order, "--proof", "--output", file, "--resume")
    assert again.exit_code == 0, again.output
    assert file.read_text() == text
    lines = invoke(*order, "--json").stdout.splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["subset"] * 3
