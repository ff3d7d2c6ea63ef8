"""The benchmark of `deep`: both agents choose at each guess, and the gains are added up."""

from __future__ import annotations

import importlib
import json
from dataclasses import asdict
from pathlib import Path
from types import ModuleType

import pytest
from conftest import Require, import_extra

from mineproof.backend import native
from mineproof.core.rules import Rules

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("deep")


@pytest.mark.parametrize("follows_deep", [False, True])
def test_a_walk_can_be_repeated(bench: ModuleType, require: Require, follows_deep: bool) -> None:
    """The same seed gives the same guesses.

    A guess has a gain or a loss only if the two agents choose different cells.
    """
    require("native", native is not None, "the native core has no playouts")
    probe = bench.Probe(Rules(10, 10, 24), (40, 400), False, 20, follows_deep)
    walks = [walk for seed in range(6) for walk in probe.walk(seed)]
    assert [walk.budget for walk in walks] == [40, 400] * 6
    assert sum(len(walk.guesses) for walk in walks) > 6
    assert any(guess.differs for walk in walks for guess in walk.guesses)
    for walk in walks:
        worths = [guess.worth for guess in walk.guesses]
        assert worths == sorted(worths, reverse=True)
        assert all(guess.differs or guess.gain == 0 for guess in walk.guesses)
        used = [guess.playouts for guess in walk.guesses]
        assert sum(used) <= walk.budget * len(used)
    again = [walk for seed in range(6) for walk in probe.walk(seed)]
    assert [walk.gain for walk in walks] == [walk.gain for walk in again]


def test_games_are_kept_and_added_up(bench: ModuleType, tmp_path: Path) -> None:
    """Stored games are read again and summarised. An incomplete last line is ignored."""
    gains = ((0.02, True), (0.0, False), (-0.01, True))
    walks = [
        bench.Walk(seed, 1500, [bench.Guess(400, 0.5, differs, False, gain, 0.01)])
        for seed, (gain, differs) in enumerate(gains)
    ]
    path = tmp_path / "games.jsonl"
    lines = [json.dumps({"way": "safe"} | asdict(walk)) for walk in walks]
    path.write_text("\n".join([*lines, lines[0][:20]]))
    assert list(bench.read(path, "safe").values()) == walks
    assert bench.read(path, "opening") == {}
    assert bench.read(tmp_path / "none", "safe") == {}
    mean, error = bench.Summary(walks).gain()
    assert mean == pytest.approx(100 * 0.5 * 0.01 / 3)
    assert error == pytest.approx(100 * 0.5 * 0.01527525 / 3**0.5, rel=1e-5)
    text = "\n".join(bench.Summary(walks).lines())
    assert "3 games: gain +0.167 points" in text
    assert "67% of them with another cell" in text


def test_the_figure_has_a_mark_for_each_number_of_playouts(
    bench: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The figure shows only the matching rows of the results table."""
    import_extra("matplotlib")
    rows = [
        ["expert, safe", f"{count} playouts", "champion", "trained", "9", "9", "1", gain, "0.1"]
        for count, gain in ((600, "+0.100"), (1500, "+0.200"))
    ]
    other = ["expert, opening", "7000 playouts", *rows[0][2:]]
    text = importlib.import_module("result_table").format_table(bench.COLUMNS, [*rows, other])
    (tmp_path / "deep.md").write_text(text)
    monkeypatch.setattr(bench, "RESULTS", tmp_path)
    monkeypatch.setattr(bench, "PICTURE", tmp_path / "deep-budget.svg")
    drawn = bench.draw_figure().read_text("utf-8")
    assert drawn.startswith("<svg")
    assert ">1,500<" in drawn
    assert ">600<" in drawn
    assert "7,000" not in drawn
