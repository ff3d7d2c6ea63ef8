"""Simulations of verdicts: their worst error rates, and the effects that they find."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
import pytest

from mineproof.lab.differences import judge_side
from mineproof.lab.figure import Claim, Figure, Reported
from mineproof.lab.statistics import ratio
from mineproof.lab.tables import Gap, Point
from mineproof.lab.trends import ClaimVerdict
from mineproof.lab.verdicts import VALUE_JUDGES, _judge_range, flatter_verdict
from mineproof.match.certainty import Estimate, Pairs, share

KEPT, BROKEN, OPEN = ClaimVerdict.KEPT, ClaimVerdict.BROKEN, ClaimVerdict.OPEN
WON = Figure("f", "F", "won", x="mines")
RUNS = 1_000
FEW = 20
"""1 % of the runs, and three standard errors more."""
POWER = 240
"""80 % of 300 runs."""


def side_verdicts(
    expect: str,
    games: int,
    truth: Sequence[tuple[float, float]],
    margin: float = 0.01,
    runs: int = RUNS,
    *,
    low: float | None = None,
) -> Counter[ClaimVerdict]:
    """Count the verdicts on simulated pairs.

    The truth contains, for each point, the shares of boards that only the first agent wins and
    that only the second agent wins.
    """
    random = np.random.default_rng(5)
    claim = Claim("c", expect, of={"agent": ("a",)}, than={"agent": "b"}, low=low, margin=margin)
    judge = judge_side if low is None else _judge_range
    draws = (
        random.multinomial(games, (0.5 - ours, theirs, ours, 0.5 - theirs), runs)
        for ours, theirs in truth
    )
    return Counter(
        judge(WON, claim, [*map(gap, range(len(truth)), counts)]).verdict
        for counts in zip(*draws, strict=True)
    )


def gap(x: int, counts: Iterable[int]) -> Gap:
    pairs = Pairs(*map(int, counts))
    return Gap("", "a", x, pairs.difference, pairs.second, pairs.first, pairs)


@pytest.mark.full
@pytest.mark.parametrize(
    ("expect", "wrong", "games", "truth"),
    [
        # no difference: chance must not show one
        ("more", KEPT, 100, [(0.2, 0.2)] * 5),
        ("more", BROKEN, 100, [(0.2, 0.2)] * 5),
        ("differs", KEPT, 100, [(0.2, 0.2)]),
        ("differs", KEPT, 100, [(0.2, 0.2)] * 5),
        ("more", KEPT, 300, [(0.2, 0.1), (0.1, 0.2)]),  # the mean difference is 0
        # a difference as large as the margin: with few different results, and with many games
        ("same", KEPT, 300, [(0.01, 0.0)]),
        ("same", BROKEN, 1_000, [(0.01, 0.0)] * 5),
        ("same", KEPT, 10_000, [(0.03, 0.02)]),
        ("same", BROKEN, 10_000, [(0.03, 0.02)]),
        ("differs", BROKEN, 300, [(0.01, 0.0)] * 5),
        ("more", BROKEN, 300, [(0.01, 0.0)]),
    ],
)
def test_differences_keep_their_level(
    expect: str, wrong: ClaimVerdict, games: int, truth: list[tuple[float, float]]
) -> None:
    assert side_verdicts(expect, games, truth)[wrong] <= FEW


def test_differences_are_told_by_enough_games() -> None:
    """500 games show 10 percentage points, and 5,000 that a difference is below 2 points."""
    for expect, verdict in (("more", KEPT), ("less", BROKEN), ("differs", KEPT), ("same", BROKEN)):
        assert side_verdicts(expect, 500, [(0.15, 0.05)], runs=300)[verdict] > POWER
    for expect, verdict in (("same", KEPT), ("differs", BROKEN)):
        found = side_verdicts(expect, 1_000, [(0.05, 0.05)] * 5, margin=0.02, runs=300)
        assert found[verdict] > POWER


def mean(values: np.ndarray) -> Estimate:
    """Return the mean of games with its interval."""
    games, squares = len(values), float(np.dot(values, values))
    total = float(np.sum(values))
    return ratio(games, total, games, (squares, total, games))


def agreement_verdicts(
    ours: float, theirs: float, points: int, games: int, *, metric: str = "won", runs: int = RUNS
) -> Counter[ClaimVerdict]:
    """Count the verdicts on the numbers of a simulated source with 100 games per number.

    Shares are win rates. Other values are exponentially distributed, which is very skewed.
    """
    random, found = np.random.default_rng(5), Counter[ClaimVerdict]()
    for _ in range(runs):
        if metric == "won":
            wins = random.binomial(games, ours, points)
            values = [share(int(won), games) for won in wins]
            reported = random.binomial(100, theirs, points) / 100
        else:
            values = [mean(random.exponential(ours, games)) for _ in range(points)]
            reported = random.exponential(theirs, (points, 100)).mean(axis=1)
        numbers = tuple(Reported(x, float(one), "", games=100) for x, one in enumerate(reported))
        figure = Figure("f", "F", metric, x="mines", reported=numbers)
        group = [Point("", "a", x, value) for x, value in enumerate(values)]
        evidence = VALUE_JUDGES["agrees"](figure, Claim("c", "agrees"), group, 0.01)
        assert evidence is not None
        found[evidence.verdict] += 1
    return found


@pytest.mark.full
@pytest.mark.parametrize(
    ("metric", "rate", "points"), [("won", 0.5, 1), ("won", 0.5, 6), ("won", 0.05, 6), ("ms", 2, 6)]
)
def test_agreements_keep_their_level(metric: str, rate: float, points: int) -> None:
    """A source that measured the same values is refuted in at most 1 % of samples."""
    found = agreement_verdicts(rate, rate, points, 500, metric=metric)
    assert found[BROKEN] <= FEW
    assert found[KEPT] > 0.9 * RUNS


def test_disagreements_are_told() -> None:
    """100 games of a source and 500 of the lab show a difference of 20 percentage points."""
    found = agreement_verdicts(0.5, 0.7, 1, 500, runs=300)
    assert found[BROKEN] > POWER
    assert found[KEPT] < 0.1 * 300
    assert agreement_verdicts(0.5, 0.7, 5, 500, runs=300)[BROKEN] > POWER


def value_verdicts(
    expect: str,
    truth: Sequence[float],
    games: int,
    metric: str = "won",
    *,
    runs: int = RUNS,
    claim: Mapping[str, object] = MappingProxyType({}),
) -> Counter[ClaimVerdict]:
    """Count the verdicts on simulated values along an axis, given the true ones."""
    random = np.random.default_rng(5)
    figure, made = Figure("f", "F", metric, x="mines"), Claim("c", expect, **claim)  # type: ignore[arg-type]
    found = Counter[ClaimVerdict]()
    for _ in range(runs):
        if metric == "won":
            values = [share(int(won), games) for won in random.binomial(games, truth)]
        else:
            values = [mean(random.exponential(value, games)) for value in truth]
        group = [Point("", "a", x, value) for x, value in enumerate(values)]
        evidence = VALUE_JUDGES[expect](figure, made, group, 0.01)
        assert evidence is not None
        found[evidence.verdict] += 1
    return found


def bent(rise: float, points: int, off: float) -> list[float]:
    """Return values around 0.5. A line explains all but a share `off` of their variance."""
    line = np.linspace(-rise / 2, rise / 2, points)
    curve = line**2 - np.mean(line**2)
    curve *= math.sqrt(off / (1 - off)) * np.linalg.norm(line) / np.linalg.norm(curve)
    return [float(value) for value in 0.5 + line + curve]


@pytest.mark.full
@pytest.mark.parametrize(
    ("truth", "claim"),
    [
        *(([0.3] * points, {"low": 0.3}) for points in (1, 5, 10)),
        *(([0.3] * points, {"low": 0.3, "somewhere": True}) for points in (1, 5, 10)),
        ([0.3] * 5, {"low": 0.3, "high": 0.3}),
        # a single point decides
        ([0.3, *[0.9] * 9], {"low": 0.3}),
        ([0.3, *[0.01] * 9], {"low": 0.3, "somewhere": True}),
    ],
)
def test_ranges_keep_their_level(truth: list[float], claim: dict[str, object]) -> None:
    """With rates at the bound, either verdict is wrong in at most 1 % of samples."""
    found = value_verdicts("within", truth, 300, claim=claim)
    assert max(found[KEPT], found[BROKEN]) <= FEW


@pytest.mark.full
def test_ranges_of_skewed_values_nearly_keep_their_level() -> None:
    """With exponentially distributed values, at most 5 % of samples give a wrong verdict."""
    for claim in ({"low": 2.0}, {"high": 2.0}):
        found = value_verdicts("within", [2.0] * 10, 300, "ms", claim=claim)
        assert max(found[KEPT], found[BROKEN]) <= 0.05 * RUNS


def test_ranges_are_told_by_enough_games() -> None:
    """A distance of 10 points from the bound is found with 500 games at each of five points."""
    for truth, verdict, claim in (
        ([0.4] * 5, KEPT, {"low": 0.3, "high": 0.5}),
        ([0.2] * 5, BROKEN, {"low": 0.3}),
        ([*[0.2] * 4, 0.4], KEPT, {"low": 0.3, "somewhere": True}),
        ([0.2] * 5, BROKEN, {"low": 0.3, "somewhere": True}),
    ):
        assert value_verdicts("within", truth, 500, runs=300, claim=claim)[verdict] > POWER


@pytest.mark.full
@pytest.mark.parametrize("points", [1, 10])
@pytest.mark.parametrize("rare", [0.001, 0.2])
def test_ranges_of_differences_keep_their_level(points: int, rare: float) -> None:
    """The same for differences, tested board by board."""
    found = side_verdicts("within", 300, [(0.05 + rare, rare)] * points, low=0.05)
    assert max(found[KEPT], found[BROKEN]) <= FEW


END = 0.8 + 0.07 / 0.9
"""The value after 0.1 and 0.8 that makes the last step a tenth of the range."""


@pytest.mark.full
@pytest.mark.parametrize(
    ("expect", "wrong", "games", "truth"),
    [
        # no change, with many points and near the end of the scale
        ("rises", (KEPT, BROKEN), 300, [0.5] * 2),
        ("rises", (KEPT, BROKEN), 300, [0.5] * 9),
        ("falls", (KEPT, BROKEN), 300, [0.98] * 5),
        ("rises", (KEPT,), 300, [0.3, 0.5, 0.3]),  # there is no trend over all points
        ("rises", (BROKEN,), 10_000, [*[0.5] * 4, 0.51]),  # the change is as large as the margin
        # a straight line explains exactly 95 %
        *(("linear", (KEPT, BROKEN), 1_000, bent(0.4, points, 0.05)) for points in (3, 9)),
        ("linear", (KEPT, BROKEN), 10_000, bent(0.7, 5, 0.05)),
        ("linear", (KEPT,), 300, [0.5] * 5),
        # the last step is a tenth of the range
        ("levels-off", (KEPT, BROKEN), 300, [0.1, 0.8, END]),
        ("levels-off", (KEPT, BROKEN), 10_000, [0.1, 0.4, 0.6, 0.8, END]),
        ("levels-off", (KEPT, BROKEN), 1_000, [0.1, 0.5, 0.9, 0.5, 0.42]),
        ("levels-off", (KEPT, BROKEN), 300, [0.5] * 9),
    ],
)
def test_trends_keep_their_level(
    expect: str, wrong: tuple[ClaimVerdict, ...], games: int, truth: list[float]
) -> None:
    found = value_verdicts(expect, truth, games)
    assert max(found[verdict] for verdict in wrong) <= FEW


@pytest.mark.parametrize(
    ("expect", "verdict", "games", "truth"),
    [
        ("rises", KEPT, 500, [0.5, 0.525, 0.55, 0.575, 0.6]),
        ("falls", BROKEN, 500, [0.5, 0.525, 0.55, 0.575, 0.6]),
        ("rises", BROKEN, 500, [0.2, 0.3, 0.4, 0.5, 0.35]),
        ("linear", KEPT, 1_000, bent(0.5, 5, 0.0)),
        ("linear", BROKEN, 1_000, bent(0.5, 9, 0.2)),
        ("levels-off", KEPT, 1_000, [0.1, 0.5, 0.7, 0.9, 0.9]),
        ("levels-off", BROKEN, 1_000, [0.1, 0.3, 0.5, 0.7, 0.9]),
    ],
)
def test_trends_are_told_by_enough_games(
    expect: str, verdict: ClaimVerdict, games: int, truth: list[float]
) -> None:
    """The default number of games of the built-in experiments shows these trends."""
    assert value_verdicts(expect, truth, games, runs=300)[verdict] > POWER


def test_no_change_is_told_by_enough_games() -> None:
    """1,000 games show that a change is below 10 percentage points."""
    assert (
        value_verdicts("rises", [0.5] * 5, 1_000, runs=300, claim={"margin": 0.1})[BROKEN] > POWER
    )


def flatter_verdicts(
    ours: float, theirs: float, games: int, runs: int = RUNS
) -> Counter[ClaimVerdict]:
    """Count the verdicts on two simulated changes, both from a share of 0.5."""
    random = np.random.default_rng(5)
    wins = random.binomial(games, (0.5, 0.5 + ours, 0.5, 0.5 + theirs), (runs, 4))
    found = ([share(int(won), games) for won in run] for run in wins)
    return Counter(flatter_verdict(b.less(a), d.less(c), 0.01) for a, b, c, d in found)


def test_flatter_keeps_its_level_and_is_told() -> None:
    for change in (0.0, 0.4, -0.4):
        found = flatter_verdicts(change, change, 300)
        assert max(found[KEPT], found[BROKEN]) <= FEW
    assert flatter_verdicts(0.3, 0.31, 100_000)[BROKEN] <= FEW
    assert flatter_verdicts(0.1, 0.3, 500, 300)[KEPT] > POWER
    assert flatter_verdicts(0.3, 0.1, 500, 300)[BROKEN] > POWER
