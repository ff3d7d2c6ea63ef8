"""Sequential halving: the better half goes on, and doubt draws estimates to what was expected."""

from __future__ import annotations

import math
import random

import pytest

from mineproof.search.choice import GuessOption
from mineproof.search.contest import Contest, estimate


def option(index: int, survival: float = 0.5, win: float | None = None) -> GuessOption:
    """Give a candidate of which only survival and the expected win matter."""
    return GuessOption(index, 0.8, survival / 0.8, survival, win)


def test_estimate_is_mean_and_standard_error() -> None:
    """The error is the sample's standard deviation over the root of its size."""
    mean, error = estimate([0.0, 1.0, 1.0, 0.0])
    assert mean == 0.5
    assert error == pytest.approx(math.sqrt(1 / 3 / 4))
    assert estimate([0.3]) == (0.3, 0.0)
    assert estimate([]) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("size", "rounds", "lefts"),
    [(1, 1, [1]), (2, 1, [2]), (3, 2, [3, 2]), (8, 3, [8, 4, 2]), (12, 4, [12, 6, 3, 2])],
)
def test_rounds_come_down_to_two(size: int, rounds: int, lefts: list[int]) -> None:
    """Each round keeps half, rounded up, and never less than two."""
    contest = Contest([option(i) for i in range(size)], 0.05)
    assert contest.rounds == rounds
    seen = [contest.left]
    for _ in range(rounds - 1):
        contest.halve()
        seen.append(contest.left)
    assert seen == lefts


def test_the_fast_choice_is_never_dropped() -> None:
    """However badly it plays, it is compared with the best to the end."""
    contest = Contest([option(i) for i in range(8)], 1.0)
    while contest.left > 2:
        contest.add([[0.1 if i == 0 else 0.5 + i / 100 for i in contest.playing]] * 5)
        contest.halve()
    assert contest.playing == [7, 0]


def test_the_best_comes_first_given_enough_playouts() -> None:
    """A cell that wins two points more is found among noise that the layouts share."""
    dice = random.Random(5)
    contest = Contest([option(i) for i in range(4)], 0.1)
    for _ in range(2):
        playing = contest.playing
        rows = []
        for _ in range(2000):
            luck = dice.random()
            rows.append([0.3 + 0.3 * luck + 0.1 * dice.random() + 0.02 * (i == 2) for i in playing])
        contest.add(rows)
        contest.halve()
    assert contest.playing[0] == 2


def test_few_playouts_do_not_overrule_what_was_expected() -> None:
    """A lucky difference with a large error does not displace a clearly better expectation."""
    dice = random.Random(1)
    rows = [[dice.random(), min(1.0, dice.random() + 0.1)] for _ in range(10)]
    cautious = Contest([option(0, win=0.5), option(1, win=0.46)], 0.02)
    cautious.add(rows)
    assert cautious.playing[0] == 0
    daring = Contest([option(0, win=0.5), option(1, win=0.46)], 10.0)
    daring.add(rows)
    assert daring.playing[0] == 1


def test_expectation_is_survival_where_nothing_was_evaluated() -> None:
    """Without a trained value a cell that survives less often is expected to win less."""
    rows = [[0.0, 1.0], [1.0, 0.0]]
    for survival, best in ((0.4, 0), (0.6, 1)):
        contest = Contest([option(0, 0.5), option(1, survival)], 0.01)
        contest.add(rows)
        assert contest.playing[0] == best


def test_nothing_played_changes_nothing() -> None:
    """A round that the time cut off leaves the order alone."""
    contest = Contest([option(i) for i in range(3)], 0.05)
    contest.add([])
    assert contest.playing == [0, 1, 2]
