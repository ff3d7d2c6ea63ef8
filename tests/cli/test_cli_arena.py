"""`mineproof arena` and `mineproof engine`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mineproof.cli.main import mineproof_command

SPRINT, PEER = "sprint-2026", "peer-expert-corner"
ROOT = Path(__file__).parents[2]
SIMPLE = f"engine:{sys.executable} {ROOT / 'examples' / 'engines' / 'simple.py'}"
BAD = f"engine:{sys.executable} {ROOT / 'tests' / 'bad_engines.py'}"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(mineproof_command, list(arguments))


def test_sets_are_listed_and_written(tmp_path: Path) -> None:
    listed = run("arena", "sets").stdout
    assert SPRINT in listed
    assert PEER in listed
    out = tmp_path / "sprint.boards"
    assert "8,000 boards" in run("arena", "sets", SPRINT, "--out", str(out)).stdout
    assert out.read_bytes().count(b"\n") == 8000
    assert run("arena", "sets", "nothing").exit_code == 2


def test_run_check_and_table(tmp_path: Path) -> None:
    files = [str(tmp_path / f"{number}.json") for number in range(2)]
    for file, agent in zip(files, ("exact", "basic"), strict=True):
        result = run("arena", "run", SPRINT, "--agent", agent, "--first", "5", "--out", file)
        assert result.exit_code == 0, result.output
        assert "20 games" in result.stdout
    assert "no difference" in run("arena", "check", files[0], "--replay", "20").stdout
    assert "exact" in run("arena", "table", *files).stdout
    page = tmp_path / "table.html"
    assert run("arena", "table", *files, "--format", "html", "--out", str(page)).exit_code == 0
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")


def test_a_forged_file_fails_the_check(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    run("arena", "run", SPRINT, "--agent", "random", "--first", "2", "--out", str(file))
    content = json.loads(file.read_text())
    file.write_text(json.dumps(content | {"results": "W" * 8}))
    result = run("arena", "check", str(file), "--replay", "8")
    assert result.exit_code == 2
    assert "W in the file" in result.stdout


def test_games_of_an_engine_fail_without_harm(tmp_path: Path) -> None:
    result = run(
        *("games", "--count", "3", "--level", "beginner", "--jobs", "1"),
        *("--agent", f"{BAD} dies"),
    )
    assert result.exit_code == 0
    assert [line.split()[:2] for line in result.stdout.splitlines()] == [
        [str(number), "failed"] for number in range(3)
    ]
    assert result.stderr.count("exited with status 3") == 3
    assert "3 failed" in result.stderr


def test_ten_failures_in_a_row_stop_a_run() -> None:
    result = run(
        *("games", "--count", "30", "--level", "beginner", "--jobs", "1"),
        *("--agent", f"{BAD} nonsense"),
    )
    assert result.exit_code == 3
    assert "10 games in a row failed" in result.stderr
    assert len(result.stdout.splitlines()) == 10


def test_an_arena_run_that_stops_can_be_resumed(tmp_path: Path) -> None:
    out = tmp_path / "bad.json"
    result = run(
        *("arena", "run", SPRINT, "--first", "5", "--out", str(out), "--jobs", "1"),
        *("--agent", f"{BAD} nonsense"),
    )
    assert result.exit_code == 3
    assert "10 games in a row failed" in result.stderr
    assert f"add --resume to continue {out}" in result.stderr
    kept = (tmp_path / "bad.json.games").read_text().splitlines()
    assert [line.split()[1] for line in kept] == ["failed"] * 10


def test_refused_games_are_no_losses() -> None:
    result = run(
        *("games", "--count", "2", "--level", "beginner", "--goal", "mark"),
        *("--agent", SIMPLE, "--jobs", "1"),
    )
    assert [line.split()[1] for line in result.stdout.splitlines()] == ["refused", "refused"]
    assert "0 lost, 0 stuck, 2 refused" in result.stderr


@pytest.mark.parametrize("agent", ["engine:no-such-program", f"{BAD} no-mep", "engine:"])
def test_a_program_that_is_no_engine_is_rejected_before_the_first_game(agent: str) -> None:
    result = run("games", "--count", "2", "--level", "beginner", "--agent", agent)
    assert result.exit_code == 2
    assert not result.stdout
    assert "engine:" in result.stderr


def test_an_engine_can_be_watched() -> None:
    watched = run("watch", "--level", "beginner", "--seed", "1", "--agent", SIMPLE)
    assert watched.exit_code == 0, watched.output


@pytest.mark.full
def test_an_engine_can_be_checked() -> None:
    """Every fault ends the engine's process, so the check starts hundreds of them."""
    found = run("agents", "--check", f"{BAD} already-open")
    assert found.exit_code == 2
    assert "already open" in found.stdout
    assert "9x9x10" in found.stdout  # the first line of the position


def test_engine_options_and_the_log(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    common = ("games", "--count", "1", "--level", "5x5/3", "--jobs", "1")
    agent = ("--agent", f"{BAD} all-at-once")
    run(*common, *agent, "--engine-option", "speed=9", "--log", str(log))
    assert "> set speed 9" in log.read_text()
    assert run(*common, *agent, "--engine-option", "speed").exit_code == 2
    assert run(*common, "--agent", "exact", "--log", str(log)).exit_code == 2
    log.unlink()
    run(
        "watch",
        "--level",
        "5x5/3",
        "--seed",
        "1",
        *agent,
        "--engine-option",
        "speed=8",
        "--log",
        str(log),
    )
    assert "> set speed 8" in log.read_text()
    assert log.read_text().endswith("> quit\n")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_the_memory_of_an_engine_is_limited() -> None:
    common = ("games", "--count", "1", "--level", "5x5/3", "--jobs", "1", "--memory", "200")
    result = run(*common, "--agent", f"{BAD} memory")
    assert "0 failed" in result.stdout
    assert "MB of memory" in result.stderr


def test_an_agent_as_an_engine_plays_the_same_games() -> None:
    command = f"engine:{sys.executable} -m mineproof engine --agent exact"
    lines = []
    for agent in ("exact", command):
        result = run(
            *("games", "--count", "5", "--level", "beginner", "--agent", agent, "--jobs", "1")
        )
        lines.append([line.split()[:4] for line in sorted(result.stdout.splitlines())])
    assert lines[0] == lines[1]
    assert len(lines[0]) == 5


def test_the_salt_repeats_a_run(tmp_path: Path) -> None:
    found = []
    for salt in ("ab", "AB", "cd"):
        result = run(
            *("games", "--count", "10", "--level", "beginner", "--agent", SIMPLE, "--jobs", "1"),
            *("--salt", salt),
        )
        found.append([line.split()[:4] for line in sorted(result.stdout.splitlines())])
    assert found[0] == found[1] != found[2]
    assert run("games", "--count", "1", "--agent", SIMPLE, "--salt", "xyz").exit_code == 2


def test_the_transcript_in_the_docs_is_a_real_game() -> None:
    page = (ROOT / "docs" / "engine-protocol.md").read_text("utf-8")
    (block,) = re.findall(r"```text\n(> mep 1\n.*?)```", page, re.S)
    lines = block.splitlines()
    sent = "".join(f"{line[2:]}\n" for line in lines if line.startswith("> "))
    program = [sys.executable, str(ROOT / "examples" / "engines" / "simple.py")]
    done = subprocess.run(program, input=sent, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [line[2:] for line in lines if line.startswith("< ")]


def test_the_leaderboard_is_made_from_the_result_files(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    result = run("arena", "leaderboard", str(ROOT / "leaderboard"), "--out", str(page))
    assert result.exit_code == 0, result.output
    assert page.read_text("utf-8") == (ROOT / "docs" / "leaderboard.md").read_text("utf-8")
    assert run("arena", "leaderboard", str(tmp_path)).exit_code == 2


def test_a_leaderboard_compares_with_the_best_on_shared_boards(tmp_path: Path) -> None:
    for agent, first in (("exact", "8"), ("random", "5")):
        out = str(tmp_path / f"{agent}.json")
        run("arena", "run", SPRINT, "--agent", agent, "--first", first, "--out", out)
    (tmp_path / "claims.csv").write_text("solver,won\nboaster,99 %\n")
    sections = run("arena", "leaderboard", str(tmp_path)).stdout.split("\n## ")
    names = [section.partition("\n")[0] for section in sections[1:]]
    assert names == [
        *("expert-corner-2026", "expert-opening-2026", "intermediate-corner-2026"),
        *("beginner-corner-2026", SPRINT, "Claims"),
    ]
    *_, exact, bad = [line.split(" | ") for line in sections[4].splitlines() if "|" in line]
    assert [exact[0].split()[1], exact[1], bad[0].split()[1], bad[1]] == [
        "exact",
        "8",
        "random",
        "5",
    ]
    assert exact[-2:] == ["", " |"]
    assert re.match(r"-\d+\.\d\d \(-\d", bad[-2])
    assert "| boaster | 99 % |" in sections[-1]


@pytest.mark.full
@pytest.mark.parametrize(
    "name",
    [
        file.stem
        for file in (ROOT / "leaderboard").glob("*.json")
        if not file.name.startswith(("hill", "deep"))  # recorded, and dependent on the time it gets
    ],
)
def test_committed_results_are_played_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A result of an agent that plays differently now is out of date."""
    if name.startswith("toollib"):
        pytest.importorskip("ms_toollib")
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    result = run("arena", "check", str(ROOT / "leaderboard" / f"{name}.json"), "--replay", "20")
    assert "no difference" in result.stdout, result.output


def test_recorded_results_cannot_be_played_again() -> None:
    file = str(ROOT / "leaderboard" / "hill.peer-expert-corner.json")
    assert "12,000 games of Hill's Java solver" in run("arena", "check", file).stdout
    again = run("arena", "check", file, "--replay", "1")
    assert again.exit_code == 2
    assert "does not name the command" in again.stderr
