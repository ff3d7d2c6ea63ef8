"""The commands that a report prints can be run and play the same games again."""

from __future__ import annotations

import html
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from mineproof.cli.main import mineproof_command
from mineproof.lab.store import Store

OWN = """
title = "Own"
agents = ["basic", "sentences"]
games = 9
quick = 2
[rules]
level = "5x5/4"
"""
FIRST = (
    ("run", "my folder/own.toml", "--quick"),
    ("run", "my folder/own.toml", "--games", "3", "--agent", "random"),
    ("run", "lab3-levels", "--quick"),
    ("run", "lab3-levels", "--games", "1", "--agent", "sentences:stuck=stop"),
    ("compare", "basic", "sentences", "--level", "5x5/4", "--games", "7", "--seed", "3"),
    (
        *("compare", "basic", "cs50", "--level", "5x5/4", "--games", "5", "--start", "opening"),
        *("--explosion", "continue", "--mine-count", "unknown", "--no-flood"),
    ),
)


def run(*words: str) -> None:
    result = CliRunner().invoke(mineproof_command, list(words))
    assert result.exit_code == 0, result.output


def games(out: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return all games stored in a folder, grouped by experiment."""
    sql = "SELECT agent, level, start, flood, seed, result, steps FROM games ORDER BY ALL"
    return {path.parent.name: Store(path.parent).query(sql) for path in out.glob("*/manifest.json")}


@pytest.mark.parametrize("words", FIRST, ids=" ".join)
def test_printed_commands_run(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "my folder" / "own.toml"
    own.parent.mkdir()
    own.write_text(OWN)
    run("lab", *words, "--jobs", "1", "--out", "first")
    run("lab", "report", "--out", "first")
    text = (tmp_path / "first" / "report.html").read_text()
    (command,) = re.findall(r"Repeat this with <code>(.+?)</code>", text)
    program, *again = shlex.split(html.unescape(command))
    assert program == "mineproof"
    assert ("--quick" in again) == ("--quick" in words)
    run(*again)
    assert games(tmp_path / "lab-results") == games(tmp_path / "first")


def test_a_quick_run_says_so(tmp_path: Path) -> None:
    out = str(tmp_path)
    run("lab", "run", "lab3-levels", "--quick", "--jobs", "1", "--out", out)
    run("lab", "report", "--out", out)
    assert "This is a quick run:" in (tmp_path / "report.html").read_text()
    run("lab", "run", "lab3-levels", "--games", "13", "--jobs", "1", "--out", out)
    run("lab", "report", "--out", out)
    assert "quick run" not in (tmp_path / "report.html").read_text()
