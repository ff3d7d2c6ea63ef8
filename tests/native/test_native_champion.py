"""The Python bindings of `champion`: rejected calls, interruptions and simulations."""

from __future__ import annotations

import signal
import struct
from types import FrameType
from typing import Any

import pytest
from conftest import Require
from search_positions import noise

import mineproof as mw
from mineproof.backend import native
from mineproof.search.choice import USUAL
from mineproof.search.guessing import core_settings, load_evaluation

STUCK = b"\x01" + b"\x09" * 8
"""A 3x3 position in which a guess is needed."""


@pytest.fixture(scope="module")
def core(require: Require) -> Any:
    require("native", hasattr(native, "play_games"), "the native core is not built")
    return native


def test_a_simulation_plays_the_boards_that_python_deals(core: Any) -> None:
    """Simulated games equal games played one by one. The last guess of a lost game is described."""
    settings = core.GuessSettings(margin=0.05, evaluation=core.Evaluation(noise()))
    boards = b"".join(mw.deal(mw.INTERMEDIATE, seed, (0, 0)).mined for seed in range(300, 360))
    games = core.play_games(16, 16, 40, boards, 0, settings)
    traces = core.trace_games(16, 16, 40, "safe", 0, 300, 60, settings)
    found = list(struct.iter_unpack("<4I4f", traces))
    names = ("win", "loss", "stuck")
    assert [(names[a], b, c) for a, b, c, *_ in found] == [game[:3] for game in games]
    for result, guesses, _, hidden, layouts, safety, took, slowest in found:
        assert took >= slowest >= 0
        if result == 1:
            assert guesses > 0
            assert 40 < hidden < 256
            assert layouts > 0
            assert 0 < safety < 1


@pytest.mark.parametrize("size", [(9, 9, 10), (5, 5, 5), (16, 30, 99)])
def test_remembered_decisions_are_those_made_anew(core: Any, size: tuple[int, int, int]) -> None:
    """A call reuses decisions from its earlier games.

    A call for a single game has no decisions to reuse.
    """
    settings = core_settings(USUAL, load_evaluation())
    together = core.trace_games(*size, "safe", 0, 4000, 200, settings)
    alone = [core.trace_games(*size, "safe", 0, 4000 + n, 1, settings) for n in range(200)]
    anew, remembered = (struct.iter_unpack("<4I4f", text) for text in (b"".join(alone), together))
    assert [game[:6] for game in remembered] == [game[:6] for game in anew]


def test_too_much_work(core: Any) -> None:
    """If counting exceeds the limit, no game is played and no question is answered."""
    settings = core.GuessSettings()
    board = mw.deal(mw.EXPERT, 1, (0, 0)).mined
    assert core.play_games(16, 30, 99, board, 0, settings, 0) == []
    with pytest.raises(core.WorkLimit):
        core.trace_games(16, 30, 99, "safe", 0, 0, 5, settings, 0)
    unsolved = core.SolvedPosition(3, 3, STUCK, "exact", ("known", 2, 2), core.Limits(0))
    assert unsolved.status == 2
    with pytest.raises(ValueError, match="that has layouts"):
        unsolved.guess(settings, core.Limits())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, 3, STUCK[:-1], "known", 2, 2), "one code"),
        ((3, 3, STUCK[:-1] + b"\x0c", "known", 2, 2), "codes from 0 to 11"),
        ((3, 3, STUCK, "known", 9, 9), "that has layouts"),
        ((3, 3, STUCK, "known", 1, 1), "no cell is proved safe"),
        ((3, 3, STUCK, "density", 1, 1), "density between 0 and 1"),
        ((0, 3, b"", "known", 2, 2), "1 to 1000 rows"),
    ],
)
def test_positions_that_cannot_be_asked(core: Any, arguments: Any, message: str) -> None:
    """Positions without a guess are rejected with a reason."""
    rows, columns, shown, *prior = arguments
    with pytest.raises(ValueError, match=message):
        core.SolvedPosition(rows, columns, shown, "exact", tuple(prior), core.Limits()).guess(
            core.GuessSettings(), core.Limits()
        )


def test_arguments_of_simulations(core: Any) -> None:
    settings = core.GuessSettings()
    with pytest.raises(ValueError, match="0 to 2000000 games"):
        core.trace_games(9, 9, 10, "safe", 0, 0, 2_000_001, settings)
    with pytest.raises(ValueError, match="first cell on the board"):
        core.trace_games(9, 9, 10, "safe", 81, 0, 1, settings)
    with pytest.raises(TypeError):
        core.trace_games(9, 9, 10, "safe", 0, 0, 1, 7)


def test_a_signal_ends_a_simulation(core: Any) -> None:
    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            core.trace_games(16, 30, 99, "safe", 0, 0, 2_000_000, core.GuessSettings())
    finally:
        signal.signal(signal.SIGALRM, before)
