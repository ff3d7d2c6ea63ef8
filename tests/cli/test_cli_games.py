"""The command `mineproof games`: its output lines, --resume, and interrupted runs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import mineproof as mw
from mineproof.cli.main import mineproof_command
from mineproof.match.batch import Played
from mineproof.notation.boards import BoardLine, format_boards

SLOW = '''
import time

from mineproof.agents.random import RandomAgent


class Slow(RandomAgent):
    """Takes a while for each game."""

    def start(self, rules, seed):
        super().start(rules, seed)
        time.sleep(0.02)


class Quick(RandomAgent):
    """Plays the same games without a delay."""
'''


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    """Return a board file with comments, blank lines and 20 games of two sizes."""
    games = []
    for seed in range(20):
        setting = mw.BEGINNER if seed % 3 else mw.Rules(5, 6, 6)
        dealt = mw.deal(setting, seed, (0, 0))
        games.append(BoardLine(setting, dealt, mw.Cell(0, 0)))
    file = tmp_path / "twenty.boards"
    file.write_text("# twenty games\n\n" + format_boards(games).replace("\n", "  # a game\n", 3))
    return file


def invoke(*arguments: str | Path, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(mineproof_command, ["games", *map(str, arguments)], input=stdin)


def outcomes(text: str) -> list[tuple[object, ...]]:
    """Parse the output lines and leave out the times."""
    games = map(Played.parse, text.splitlines())
    return sorted((game.index, game.result, game.guesses, game.moves) for game in games)


def test_lines_go_to_stdout_and_the_summary_to_stderr(boards: Path) -> None:
    result = invoke(boards, "--agent", "basic", "--jobs", "1")
    assert result.exit_code == 0
    assert [game[0] for game in outcomes(result.stdout)] == list(range(20))
    assert result.stderr.startswith("20 games: ")
    assert "95 % interval" in result.stderr
    wins = sum(game[1] == "win" for game in outcomes(result.stdout))
    assert f" {wins} won " in result.stderr


def test_lines_match_the_games(boards: Path) -> None:
    from mineproof.notation.boards import read_boards

    result = invoke(boards, "--agent", "basic", "--jobs", "1")
    for index, line in enumerate(read_boards(boards)):
        record = mw.play(line.game(index), mw.make_agent("basic"))
        assert record.outcome is not None
        expected = (index, record.outcome.result, record.guesses, len(record.steps))
        assert outcomes(result.stdout)[index] == expected


def test_output_has_only_the_lines(boards: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    result = invoke(boards, "--agent", "basic", "--jobs", "2", "--output", out)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("20 games: ")
    alone = invoke(boards, "--agent", "basic", "--jobs", "1")
    assert outcomes(out.read_text()) == outcomes(alone.stdout)
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "out.txt",
        "out.txt.run",
        "twenty.boards",
    ]


def test_output_is_not_overwritten(boards: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    out.write_text("")
    assert invoke(boards, "--agent", "random", "--jobs", "1", "--output", out).exit_code == 0
    before = out.read_text()
    rejected = invoke(boards, "--agent", "basic", "--jobs", "1", "--output", out)
    assert rejected.exit_code == 2
    assert "already exists" in rejected.stderr
    assert out.read_text() == before
    forced = invoke(boards, "--agent", "basic", "--jobs", "1", "--output", out, "--force")
    assert forced.exit_code == 0
    assert outcomes(out.read_text()) != outcomes(before)


@pytest.mark.parametrize("agent", ["basic:depth=3", ""])
def test_a_bad_agent_leaves_the_output_alone(boards: Path, tmp_path: Path, agent: str) -> None:
    """Even with --force, a wrong agent name or option must not delete finished games."""
    out = tmp_path / "out.txt"
    out.write_text("0 win 0 2 0.1\n")
    result = invoke(boards, "--agent", agent, "--output", out, "--force")
    assert result.exit_code == 2
    assert "games:" not in result.output
    assert out.read_text() == "0 win 0 2 0.1\n"


def test_resume_plays_what_is_missing(boards: Path, tmp_path: Path) -> None:
    """Finished games are kept unchanged. A game whose line is incomplete is played again."""
    out = tmp_path / "out.txt"
    invoke(boards, "--agent", "basic", "--jobs", "1", "--output", out)
    whole = out.read_text()
    kept = whole.splitlines(keepends=True)[:7]
    out.write_text("".join(kept) + "7 wi")
    result = invoke(boards, "--agent", "basic", "--jobs", "2", "--output", out, "--resume")
    assert result.exit_code == 0
    assert result.stdout.startswith("20 games: ")
    assert out.read_text().startswith("".join(kept))
    assert outcomes(out.read_text()) == outcomes(whole)
    again = invoke(boards, "--agent", "basic", "--output", out, "--resume")
    assert again.exit_code == 0
    assert outcomes(out.read_text()) == outcomes(whole)


def test_a_complete_run_is_not_resumed_with_another_agent(tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    begun = ["--count", "10", "--level", "beginner", "--agent", "random", "--output", str(out)]
    assert invoke(*begun).exit_code == 0
    kept = out.read_text()
    other = ["--count", "20", "--level", "expert", "--agent", "champion", "--output", str(out)]
    rejected = invoke(*other, "--resume")
    assert rejected.exit_code == 2
    assert "with agent 'champion': it was started with 'random'" in rejected.stderr
    assert out.read_text() == kept
    assert invoke(*begun, "--resume").stdout.startswith("10 games: ")


def test_dealt_games_are_resumed_with_more(tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    run = ["--level", "beginner", "--agent", "basic", "--output", str(out)]
    assert invoke("--count", "10", *run).exit_code == 0
    assert invoke("--count", "30", *run, "--resume").stdout.startswith("30 games: ")
    alone = tmp_path / "alone.txt"
    invoke("--count", "30", *run[:-1], str(alone))
    assert outcomes(out.read_text()) == outcomes(alone.read_text())
    rejected = invoke("--count", "30", "--seed", "7", *run, "--resume")
    assert rejected.exit_code == 2
    assert "it was started with 'from 9x9/10:s0:f0,0 on'" in rejected.stderr


def test_resume_with_another_agent_is_rejected(boards: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    invoke(boards, "--agent", "basic", "--jobs", "1", "--output", out)
    out.write_text("".join(out.read_text().splitlines(keepends=True)[:7]))
    out.with_name("out.txt.run").write_text(json.dumps({"agent": "basic", "games": "x"}))
    result = invoke(boards, "--agent", "random", "--output", out, "--resume")
    assert result.exit_code == 2
    assert "with agent 'random': it was started with 'basic'" in result.stderr


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("9 9 1 0 0", "expected 1 mines, but 0 are listed"),
        ("9 9 1 0 0 81", "expected mines from 0 to 80, got 81"),
        ("9 9 1 0 0 0", "expected a first cell without a mine"),
        ("9 9 2 0 0 5,5", "expected distinct mines, got 5 twice"),
        ("9 9 1 9 0 5", "expected a first cell on the 9x9 board"),
        ("hello", "expected rows columns mines"),
        ("2000 9 1 0 0 5", "expected 1 to 1000 rows"),
    ],
)
def test_a_bad_line_stops_everything(boards: Path, tmp_path: Path, line: str, message: str) -> None:
    boards.write_text(boards.read_text() + line + "\n")
    out = tmp_path / "out.txt"
    result = invoke(boards, "--agent", "basic", "--output", out)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{boards}: line 23: {message}" in result.stderr
    assert not out.exists()


def test_missing_files_and_bytes_that_are_not_text() -> None:
    assert "there is no file" in invoke("/nowhere.boards").stderr
    result = invoke("-", stdin=b"\xff\xfe")
    assert result.exit_code == 2
    assert "stdin: line 1: expected UTF-8 text" in result.stderr


def test_boards_from_stdin(boards: Path) -> None:
    piped = invoke("-", "--agent", "basic", "--jobs", "1", stdin=boards.read_bytes())
    assert outcomes(piped.stdout) == outcomes(
        invoke(boards, "--agent", "basic", "--jobs", "1").stdout
    )


def test_an_empty_file_has_no_games(tmp_path: Path) -> None:
    file = tmp_path / "none.boards"
    file.write_text("# nothing\n")
    result = invoke(file, "--agent", "basic")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("0 games: 0 won")


def test_dealt_games() -> None:
    result = invoke("--count", "5", "--level", "beginner", "--seed", "7", "--agent", "basic")
    record = mw.play(mw.Game(mw.BEGINNER, 9), mw.make_agent("basic"))
    assert outcomes(result.stdout)[2][2:] == (record.guesses, len(record.steps))
    assert invoke("--count", "2", "--level", "easy", "--agent", "random").exit_code == 0


def test_rules_apply_to_files(boards: Path) -> None:
    """The rules on the command line also apply to boards from a file."""
    plain = outcomes(invoke(boards, "--agent", "basic", "--jobs", "1").stdout)
    marked = invoke(boards, "--agent", "basic", "--jobs", "1", "--goal", "mark")
    assert sum(int(str(game[3])) for game in outcomes(marked.stdout)) > sum(
        int(str(game[3])) for game in plain
    )
    for flags in (["--clues", "cautious", "--seed", "5"], ["--explosion", "continue"]):
        assert invoke(boards, "--agent", "random", "--jobs", "1", *flags).exit_code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["FILE", "--count", "3"],
        ["FILE", "--level", "easy"],
        ["FILE", "--start", "any"],
        ["FILE", "--resume"],
        ["FILE", "--force"],
        ["--count", "0"],
        ["FILE", "--jobs", "0"],
    ],
)
def test_contradictory_options_are_rejected(boards: Path, arguments: list[str]) -> None:
    result = invoke(*(str(boards) if word == "FILE" else word for word in arguments))
    assert (result.exit_code, result.stdout) == (2, "")


def test_json(boards: Path, tmp_path: Path) -> None:
    result = invoke(boards, "--agent", "basic", "--jobs", "1", "--json")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["index"] for line in lines] == list(range(20))
    summary = json.loads(result.stderr)
    assert summary["wins"] == sum(line["result"] == "win" for line in lines)
    out = tmp_path / "out.txt"
    with_file = invoke(boards, "--agent", "basic", "--jobs", "1", "--json", "--output", out)
    assert json.loads(with_file.stdout)["games"] == 20
    assert len(outcomes(out.read_text())) == 20


# ---- interrupted runs


@pytest.fixture
def slow(tmp_path: Path) -> str:
    (tmp_path / "slow.py").write_text(SLOW)
    return f"{tmp_path / 'slow.py'}:Slow"


def begin(out: Path, agent: str, jobs: int, *extra: str, count: int = 400) -> subprocess.Popen[str]:
    """Start slow games in a separate process, and wait for the first output lines."""
    command = [sys.executable, "-m", "mineproof", "games", "--count", str(count), "--agent", agent]
    options = ["--level", "beginner", "--jobs", str(jobs), "--output", str(out), *extra]
    process = subprocess.Popen(
        command + options, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not (out.exists() and out.stat().st_size > 100):
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    return process


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_finished_games(tmp_path: Path, slow: str, jobs: int) -> None:
    out = tmp_path / "out.txt"
    process = begin(out, slow, jobs, count=10_000)  # takes minutes if not interrupted
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert stderr == f"stopped; add --resume to continue {out}\n"
    assert out.read_text().endswith("\n")
    indices = [game[0] for game in outcomes(out.read_text())]
    assert 0 < len(indices) == len(set(indices)) < 10_000
    assert stdout.startswith(f"{len(indices)} games: ")


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_a_kill_loses_nothing(tmp_path: Path, slow: str) -> None:
    """After two kills, --resume leads to the same results as an undisturbed run."""
    out = tmp_path / "out.txt"
    for extra in ((), ("--resume",)):
        process = begin(out, slow, 2, *extra)
        process.kill()
        process.communicate(timeout=60)
    kept = out.read_text()
    arguments = ["--level", "beginner", "--jobs", "2", "--output", str(out), "--resume"]
    result = invoke("--count", "400", "--agent", slow, *arguments)
    assert result.exit_code == 0, result.output
    assert out.read_text().startswith(kept[: kept.rfind("\n") + 1])
    quick = slow.replace(":Slow", ":Quick")
    salt = json.loads((tmp_path / "out.txt.run").read_text())["salt"]
    rest = ("--level", "beginner", "--jobs", "1", "--salt", salt)
    alone = invoke("--count", "400", "--agent", quick, *rest)
    assert outcomes(out.read_text()) == outcomes(alone.stdout)
