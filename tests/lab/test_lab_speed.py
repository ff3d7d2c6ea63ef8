"""The engine benchmark measures what it claims to measure. These tests compare no times."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from mineproof.advice.analysis import analyse
from mineproof.backend import native
from mineproof.cli.bench import command
from mineproof.core.errors import InputError
from mineproof.lab import speed

TEXT = "3x3x2\n1HH\n1HH\nHHH\n\n2x1x1\nHH\n"


def test_timings_are_summarised() -> None:
    timing = speed.Timing.of("x", [value * 1e-6 for value in range(100, 0, -1)])
    assert tuple(timing) == ("x", pytest.approx(50.5), pytest.approx(100), pytest.approx(100))


def test_every_engine_solves_the_same_positions() -> None:
    texts = TEXT.split("\n\n")
    found = speed.time_engines(texts, rounds=1)
    assert [timing.name for timing in found] == [engine.name for engine in speed.engines()]
    assert all(0 < timing.median <= timing.late <= timing.worst for timing in found)
    assert len(speed.engines(peers=False)) <= len(speed.engines())


def test_positions_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "some.mine"
    path.write_text(TEXT, "utf-8")
    assert [text.splitlines()[0] for text in speed.positions(str(path))] == ["3x3x2", "2x1x1"]
    assert len(speed.positions(str(path), 1)) == 1
    path.write_text("nothing", "utf-8")
    with pytest.raises(InputError):
        speed.positions(str(path))


def test_positions_are_made_where_there_is_no_source_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speed, "USUAL", tmp_path / "none.mine")
    made = speed.positions(None, 3)
    assert len(made) == 3
    for text in made:
        found = analyse(text, False)
        assert (found.rows, found.columns, found.mines) == (16, 30, 99)
        assert not found.safe


def test_the_rate_of_a_huge_board_counts_the_cells_that_were_opened() -> None:
    if native is None:
        assert not list(speed.rates(1))
        return
    games, huge = speed.rates(1)
    opened = int(re.search(r"([\d,]+) cells opened", huge.name)[1].replace(",", ""))  # type: ignore[index]
    assert 800_000 < opened <= 880_000
    assert huge.amount > 0 < games.amount


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "some.mine"
    path.write_text(TEXT, "utf-8")
    printed = CliRunner().invoke(command, [str(path), "--quick"]).output
    assert printed.startswith("2 positions")
    assert "pure Python" in printed
    plain = json.loads(CliRunner().invoke(command, [str(path), "--quick", "--json"]).output)
    assert plain["positions"] == 2
    assert {"name", "median", "late", "worst"} == set(plain["engines"][0])
