"""The clock runs from the first click to the end, except while the game is paused."""

from __future__ import annotations

import pytest

import mineproof as mw
from mineproof.core.rules import Rules
from mineproof.session import Session, State


class Time:
    """A clock that a test advances by hand."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def found(time: Time) -> Session:
    """Return a new game on a board of one row. The first click leaves its right end unopened."""
    return Session(Rules(1, 9, 1), 4, now=time)


def test_it_starts_with_the_first_open(found: Session, time: Time) -> None:
    time.now += 5
    assert (found.seconds, found.clock_runs) == (0, False)
    found.open((0, 0))
    time.now += 2
    assert (found.seconds, found.clock_runs) == (2, True)


def test_it_stops_at_the_end_and_goes_on_after_undo(found: Session, time: Time) -> None:
    found.open((0, 0))
    time.now += 2
    found.stop()
    time.now += 100
    assert (found.seconds, found.clock_runs) == (2, False)
    found.undo()
    time.now += 3
    assert found.seconds == 5


def test_a_pause_costs_no_time_and_allows_no_moves(found: Session, time: Time) -> None:
    found.open((0, 0))
    time.now += 2
    found.pause()
    time.now += 100
    assert (found.state, found.seconds) == (State.PAUSED, 2)
    with pytest.raises(mw.IllegalMoveError, match="the game is paused"):
        found.open((0, 8))
    found.pause(False)
    time.now += 1
    assert (found.state, found.seconds) == (State.PLAYING, 3)


def test_only_a_game_in_play_can_be_paused(found: Session) -> None:
    """A game that has not started, or is over, cannot be paused."""
    found.pause()
    assert found.state == State.READY.value
    found.open((0, 0))
    found.stop()
    found.pause()
    assert found.state == State.STUCK.value


def test_new_games_begin_at_zero(found: Session, time: Time) -> None:
    found.open((0, 0))
    time.now += 2
    found.new()
    assert found.seconds == 0
    found.open((0, 0))
    time.now += 2
    found.restart()
    assert found.seconds == 0


def test_a_saved_game_keeps_its_time(found: Session, time: Time) -> None:
    """A loaded game continues from its saved time."""
    found.open((0, 0))
    time.now += 2.5
    text = found.save()
    found.new()
    found.load(text)
    time.now += 1
    assert found.seconds == 3.5
