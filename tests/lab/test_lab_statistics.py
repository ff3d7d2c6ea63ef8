"""Confidence intervals, paired comparisons and the sequential test."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from scipy import stats

from mineproof.core.errors import InputError
from mineproof.lab.statistics import Sequential, SequentialVerdict, ratio
from mineproof.match.certainty import Pairs, share


@pytest.mark.parametrize(("hits", "games"), [(0, 10), (9, 10), (10, 10), (123, 1000)])
def test_share_is_wilsons_interval(hits: int, games: int) -> None:
    low, high = stats.binomtest(hits, games).proportion_ci(method="wilson")
    found = share(hits, games)
    assert (found.value, found.low, found.high) == pytest.approx((hits / games, low, high))


def test_ratio_of_weight_one_is_the_mean_with_the_t_interval() -> None:
    values = [1.0, 4.0, 2.0, 8.0, 5.5]
    squares = (sum(v * v for v in values), sum(values), float(len(values)))
    found = ratio(len(values), sum(values), len(values), squares)
    low, high = stats.t.interval(0.95, 4, loc=4.1, scale=stats.sem(values))
    assert (found.value, found.low, found.high) == pytest.approx((4.1, low, high))


def test_ratio_covers_the_truth_about_as_often_as_it_says() -> None:
    """In about 95 % of the samples, the interval contains the true ratio."""
    chance = random.Random(1)
    inside = 0
    for _ in range(400):
        pairs = [(chance.random() * w, w) for w in (chance.randint(1, 9) for _ in range(60))]
        values, weights = sum(v for v, _ in pairs), sum(w for _, w in pairs)
        squares = sum(v * v for v, _ in pairs), sum(v * w for v, w in pairs)
        found = ratio(60, values, weights, (*squares, sum(w * w for _, w in pairs)))
        inside += found.low <= 0.5 <= found.high
    assert 360 <= inside <= 396


@pytest.mark.parametrize("sums", [(0, 0.0, 0.0), (3, 0.0, 0.0)])
def test_ratio_of_nothing_is_no_number(sums: tuple[int, float, float]) -> None:
    assert math.isnan(ratio(*sums, (0.0, 0.0, 0.0)).value)


def test_pairs_are_counted_and_compared() -> None:
    pairs = Pairs.count([(True, True)] * 5 + [(True, False)] * 2 + [(False, True)] * 12)
    assert (pairs.both, pairs.only_first, pairs.only_second, pairs.neither) == (5, 2, 12, 0)
    assert pairs.difference.value == pytest.approx(10 / 19)
    assert pairs.difference.low > 0
    assert pairs.p_value == pytest.approx(stats.binomtest(2, 14).pvalue)
    assert Pairs(both=4).p_value == 1.0


def test_difference_is_agrestis_and_mins_interval() -> None:
    """It is Wald's interval for paired shares, with 0.5 added to each of the four counts."""
    pairs = Pairs(both=20, only_first=3, only_second=9, neither=8)
    values = np.repeat([0, -1, 1, 0], [2 * 20 + 1, 2 * 3 + 1, 2 * 9 + 1, 2 * 8 + 1])  # each twice
    half = stats.norm.ppf(0.975) * values.std() / math.sqrt(pairs.games + 2)
    found = pairs.difference
    assert found.value == pytest.approx(6 / 40)
    assert (found.low, found.high) == pytest.approx((values.mean() - half, values.mean() + half))


def test_difference_covers_the_truth_about_as_often_as_it_says() -> None:
    """In about 95 % of the samples, the interval contains the true difference."""
    chance = random.Random(2)
    inside = 0
    for _ in range(400):
        draws = [chance.random() for _ in range(80)]
        gap = Pairs.count((d < 0.5, 0.2 < d < 0.8) for d in draws).difference
        inside += gap.low <= 0.1 <= gap.high
    assert 365 <= inside <= 396


def test_the_sequential_test_errs_as_seldom_as_it_promises() -> None:
    """The test rarely finds a difference between equal agents, and rarely misses a real one."""
    test = Sequential(effect=0.15)
    chance = random.Random(3)

    def ends(probability: float) -> SequentialVerdict:
        counts = [0, 0]
        while (verdict := test.verdict(*counts)) is SequentialVerdict.OPEN:
            counts[chance.random() < probability] += 1
        return verdict

    equal = [ends(0.5) for _ in range(200)]
    assert sum(one is not SequentialVerdict.EQUAL for one in equal) <= 20
    assert sum(ends(0.65) is not SequentialVerdict.SECOND for _ in range(200)) <= 20
    assert sum(ends(0.35) is not SequentialVerdict.FIRST for _ in range(200)) <= 20


@pytest.mark.parametrize("options", [{"effect": 0.5}, {"alpha": 0.0}, {"beta": 1.0}])
def test_the_sequential_test_refuses_what_is_no_chance(options: dict[str, float]) -> None:
    with pytest.raises(InputError, match="expected"):
        Sequential(**options)
