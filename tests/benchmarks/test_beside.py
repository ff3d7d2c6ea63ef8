"""The comparison of two versions on the same boards."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_a_version_beside_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A version compared with itself wins the same share of games."""
    program = tmp_path / "mineproof"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mineproof "$@"\n', "utf-8")
    program.chmod(0o755)
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    what = ["--level", "beginner", "--games", "30", "--rounds", "2"]
    monkeypatch.setattr(sys, "argv", ["beside.py", str(program), *what])
    importlib.import_module("beside").main()
    *rounds, _, _, row = [line for line in capsys.readouterr().out.splitlines() if line]
    fields = [field.strip() for field in row.strip("|").split("|")]
    assert len(rounds) == 2
    assert fields[0] == "champion, beginner"
    assert fields[1] == fields[2]
    assert fields[3] == "60"
    assert 0 < float(fields[4]) == float(fields[5]) <= 100
    assert float(fields[8]) > 0


def test_other_work_beside_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A version compared with itself gives equal answers to all kinds of work."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    works = ["analyse", "playouts", "no-guess", "single-champion", "single-exact"]
    program = str(Path(sys.executable).with_name("mineproof"))
    what = ["--work", *works, "--items", "10", "--rounds", "1"]
    monkeypatch.setattr(sys, "argv", ["beside.py", program, *what])
    importlib.import_module("beside").main()
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    rows = [[field.strip() for field in line.strip("|").split("|")] for line in lines[2:]]
    assert [row[0] for row in rows] == works
    assert all(row[3] == row[4] for row in rows)
    assert all(float(row[5]) > 0 and float(row[12]) > 0 for row in rows)
