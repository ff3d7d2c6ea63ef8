"""Games played in the core equal those that the agent plays in Python."""

from __future__ import annotations

import signal
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest
from conftest import Require

import mineproof as mw
from mineproof.agents.exact import ExactAgent
from mineproof.backend import native
from mineproof.core.rules import ANY, OPENING, Rules

SHAPES = [
    (mw.EXPERT, 25),
    (replace(mw.EXPERT, start=OPENING), 15),
    (replace(mw.INTERMEDIATE, start=ANY), 25),
    (mw.CLASSIC_BEGINNER, 60),
    (Rules(1, 30, 6), 40),
    (Rules(40, 1, 11, ANY), 40),
    (Rules(2, 60, 30), 30),
    (Rules(4, 4, 9), 60),
    (Rules(30, 30, 150), 6),
]


@pytest.fixture(scope="module")
def core(require: Require) -> Any:
    require("native", hasattr(native, "play_games"), "the native core is not built")
    return native


@pytest.mark.parametrize(("rules", "count"), SHAPES, ids=lambda value: str(value)[:60])
def test_the_same_games(core: Any, rules: Rules, count: int) -> None:
    first = rules.first_cell
    assert first is not None
    boards = [mw.deal(rules, seed, first) for seed in range(count)]
    agent = ExactAgent()
    whole = agent.play_whole(rules, boards, first)
    assert len(whole) == count
    for seed, board in enumerate(boards):
        record = mw.play(mw.Game(rules, seed, first, board), agent)
        assert record.outcome is not None
        played = (record.outcome.result, record.guesses, len(record.steps))
        assert (whole[seed].result, whole[seed].guesses, whole[seed].moves) == played


@pytest.mark.parametrize("start", ["any", "safe", "opening"])
def test_simulation_deals_the_same_boards(core: Any, start: str) -> None:
    rules = replace(mw.INTERMEDIATE, start=mw.core.rules.Start.parse(start))
    boards = b"".join(mw.deal(rules, seed, (2, 3)).mined for seed in range(40, 90))
    games = core.play_games(16, 16, 40, boards, 2 * 16 + 3)
    won, lost, stuck, guesses, moves, opened, *_ = core.tally_games(
        16, 16, 40, start, 2 * 16 + 3, 40, 50
    )
    results = [game[0] for game in games]
    assert [won, lost, stuck] == [results.count(name) for name in ("win", "loss", "stuck")]
    assert [guesses, moves] == [sum(game[1] for game in games), sum(game[2] for game in games)]
    assert won * (256 - 40) <= opened <= 50 * (256 - 40)


def test_a_game_that_ends_at_once(core: Any) -> None:
    """A mine in the first cell loses immediately. A board without mines is won immediately."""
    assert core.play_games(2, 2, 1, b"\x01\0\0\0", 0)[0][:3] == ("loss", 0, 0)
    assert core.play_games(2, 2, 0, bytes(4), 0)[0][:3] == ("win", 0, 0)
    assert core.play_games(2, 2, 0, b"", 0) == []


def test_too_much_work_is_left_to_python(core: Any) -> None:
    """If a decision exceeds the limit, no game is played."""
    boards = b"".join(mw.deal(mw.EXPERT, seed, (0, 0)).mined for seed in range(5))
    assert core.play_games(16, 30, 99, boards, 0, None, 0) == []
    with pytest.raises(core.WorkLimit):
        core.tally_games(16, 30, 99, "safe", 0, 0, 5, None, 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((2, 2, 1, bytes(4), 0), "as many mines as stated"),
        ((2, 2, 1, b"\x02\0\0\0", 0), "bytes 0 and 1"),
        ((2, 2, 1, b"\x01\0\0", 0), "whole boards"),
        ((2, 2, 1, b"\x01\0\0\0", 4), "first cell on the board"),
        ((0, 2, 1, b"", 0), "1 to 1000 rows"),
        ((2, 2, 1, b"\x01\0\0\0", 0, None, -1), "nodes"),
    ],
)
def test_boards_that_are_none(core: Any, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        core.play_games(*arguments)


def test_a_signal_ends_a_simulation(core: Any) -> None:
    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            core.tally_games(16, 30, 99, "safe", 0, 0, 10_000_000)
    finally:
        signal.signal(signal.SIGALRM, before)
