"""The tally of simulated games, which adds up the core's reports."""

from __future__ import annotations

import importlib
import math
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_games_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tally lists the wins in order, the losses by progress, and the slowest game."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    tally = importlib.import_module("game_tally")

    games = [
        (0, 2, 9, 0, 0.0, 0.0, 1.0, 0.5),
        (1, 3, 8, 95, math.log(400), 0.5, 2.0, 1.5),
        (1, 1, 2, 30, math.inf, 0.75, 0.5, 0.25),
    ]
    found = tally.Tally.read(b"".join(tally.TRACE.pack(*game) for game in games), 100, 20)
    assert found.won == bytes([1, 0, 0])
    assert (found.games, found.wins, found.losses, found.guesses) == (3, 1, 2, 6)
    assert (found.milliseconds, found.slowest_game, found.slowest_guess) == (3.5, 2.0, 1.5)
    assert found.opened == {"< 10 %": 1, "> 75 %": 1}
    assert found.layouts == {"<= 500": 1, "more": 1}
    assert found.fatal_safety == 1.25
    found.add(found)
    assert (found.games, found.wins, found.losses) == (6, 2, 4)
    assert found.rate == pytest.approx(1 / 3)
