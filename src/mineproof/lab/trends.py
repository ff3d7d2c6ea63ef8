"""Judges claims about trends: values that rise, fall, level off or follow a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from itertools import combinations, permutations
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from scipy import stats

from mineproof.core.words import share
from mineproof.lab.figure import AXES, Claim, Figure
from mineproof.lab.metrics import METRICS
from mineproof.lab.names import at_x, with_interval
from mineproof.lab.statistics import clarity
from mineproof.lab.tables import Point
from mineproof.match.certainty import NORMAL_975, Estimate

RARE = 0.01
"""The highest chance of a wrong verdict. It is 1 % instead of 5 % because there are many claims."""
CLEAR = 2.576
"""Chance alone deviates by more than this many standard errors, up or down, in 1 % of cases."""
FOUND = CLEAR + 0.84
"""The size in standard errors of a difference that is found with a power of 80 %."""
ENOUGH = 100
"""The minimum number of games to conclude that there is no difference."""
LINEAR = 0.95
"""Values count as roughly linear if a line explains at least this share of their variance."""
SLIGHT = 0.1
"""Changes below this share of the range of values are ignored."""
FEWEST = 3
"""The minimum number of points for judging a shape."""


class ClaimVerdict(StrEnum):
    """The possible verdicts on a claim."""

    KEPT = "as claimed"
    BROKEN = "not as claimed"
    OPEN = "cannot tell"


class ClaimEvidence(NamedTuple):
    """The evidence from one series for or against a claim."""

    verdict: ClaimVerdict
    numbers: tuple[str, str]
    """The two numbers that decide the verdict."""
    test: str = ""
    """The result of the test: a difference with its interval, or a p-value."""
    needed: int = 0
    """The rough number of games per condition that would settle the claim; 0 if unknown."""

    @property
    def text(self) -> str:
        """The numbers and the test on one line."""
        return ", ".join(self.numbers) + (f" ({self.test})" if self.test else "")


def limit_of(level: float) -> float:
    """Return the number of standard errors that chance exceeds this often, in one direction."""
    return NormalDist().inv_cdf(1 - level)


def p_text(z: float) -> str:
    """Return the p-value for this many standard errors as text."""
    p = math.erfc(abs(z) / math.sqrt(2))
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def needed(games: int, effect: float, deviation: float) -> int:
    """Return the approximate number of games that would show an effect of this size, rounded."""
    if not effect or not deviation > 0:
        return 0
    count = games * (FOUND * deviation / effect) ** 2
    digits = 10 ** max(0, math.floor(math.log10(max(count, 1))) - 1)
    return max(games + 1, int(math.ceil(count / digits) * digits))


def margin_of(claim: Claim, figure: Figure, values: Sequence[float]) -> float:
    """Return the threshold below which a difference is negligible."""
    if METRICS[figure.metric].unit == "%":
        return claim.margin
    return claim.margin * max((abs(value) for value in values), default=0.0)


def point_text(figure: Figure, point: Point) -> str:
    """Return a value with its interval and its position on the axis."""
    return f"{with_interval(point.estimate, METRICS[figure.metric])} {at_x(figure, point.x)}"


def _numbers(figure: Figure, first: Point, last: Point) -> tuple[str, str]:
    return point_text(figure, first), point_text(figure, last)


def fewest_games(group: Sequence[Point]) -> int:
    """Return the smallest number of games behind any point."""
    return min(one.estimate.games for one in group)


def contrast(group: Sequence[Point], weights: Sequence[float]) -> Estimate:
    """Return the weighted sum of the values of independent points, with its interval."""
    parts = [*zip(weights, (one.estimate for one in group), strict=True)]
    value = sum(weight * one.value for weight, one in parts)
    half = NORMAL_975 * math.hypot(*(weight * one.deviation for weight, one in parts))
    return Estimate(value, value - half, value + half, fewest_games(group))


def trend_z(group: Sequence[Point]) -> float:
    """Return how clearly values rise, in standard errors; a negative number means they fall."""
    rise = contrast(group, [i - (len(group) - 1) / 2 for i in range(len(group))])
    return clarity(rise, rise.value)


def turn(group: Sequence[Point], side: int, level: float) -> tuple[Point, Point] | None:
    """Return the clearest significant change opposite to a direction (1 for up, -1 for down)."""
    values = [one.estimate.value for one in group]
    slight = SLIGHT * (max(values) - min(values))
    pairs = [*combinations(group, 2)]

    def back(pair: tuple[Point, Point]) -> float:
        gap = pair[0].estimate.less(pair[1].estimate)
        return clarity(gap, gap.value) * side if gap.value * side > slight else 0.0

    best = max(pairs, key=back, default=None)
    return best if best is not None and back(best) > limit_of(level / len(pairs)) else None


def judge_direction(
    figure: Figure, claim: Claim, group: Sequence[Point], level: float = RARE
) -> ClaimEvidence:
    """Judge whether values rise (or fall) along the axis without a clear change of direction.

    Three tests can refute the claim: a step back, the opposite trend, and no relevant change. Each
    has a third of the level.
    """
    side = 1 if claim.expect == "rises" else -1
    if back := turn(group, side, level / 3):
        return ClaimEvidence(ClaimVerdict.BROKEN, _numbers(figure, *back))
    z, limit = side * trend_z(group), limit_of(level / 3)
    numbers = _numbers(figure, group[0], group[-1])
    if z > CLEAR:
        return ClaimEvidence(ClaimVerdict.KEPT, numbers, p_text(z))
    margin = margin_of(claim, figure, [one.estimate.value for one in group])
    change = group[-1].estimate.less(group[0].estimate)
    games = fewest_games(group)
    is_none = games >= ENOUGH and clarity(change, margin - side * change.value) > limit
    if z < -limit or is_none:
        return ClaimEvidence(ClaimVerdict.BROKEN, numbers, p_text(z))
    size = (
        0.0 if figure.x in AXES else max(abs(change.value), margin)
    )  # the number of games per point cannot be chosen
    return ClaimEvidence(
        ClaimVerdict.OPEN, numbers, p_text(z), needed(games, size, change.deviation)
    )


def judge_line(
    figure: Figure, claim: Claim, group: Sequence[Point], level: float = RARE
) -> ClaimEvidence:
    """Judge whether a straight line explains most of the variance of the true values."""
    del claim
    xs = np.array([float(one.x) for one in group])
    ys = np.array([one.estimate.value for one in group])
    numbers = _numbers(figure, group[0], group[-1])
    if len(group) < FEWEST or not np.ptp(ys):
        return ClaimEvidence(ClaimVerdict.OPEN, numbers, "too few different values")
    xs, ys = xs - xs.mean(), ys - ys.mean()
    along = float(abs(xs @ ys) / np.linalg.norm(xs))
    across = math.sqrt(max(0.0, float(ys @ ys) - along**2))
    noise = max(one.estimate.deviation for one in group)
    verdict = _line_verdict(along, across, noise, group, level)
    test = f"a straight line explains {share(along**2 / float(ys @ ys), 0)} of the variance"
    need = 4 * fewest_games(group) if verdict is ClaimVerdict.OPEN else 0
    return ClaimEvidence(verdict, numbers, test, need)


def _line_verdict(
    along: float, across: float, noise: float, group: Sequence[Point], level: float
) -> ClaimVerdict:
    """Judge a line by the lengths of the values along it and across it.

    The claim is shown if it is shown for every direction across, so this test needs no correction.
    To refute it, the length across is compared with the largest plausible one (noncentral
    chi-square), given the largest plausible length along. Each has half of the level.
    """
    games, steep = fewest_games(group), math.sqrt(1 / LINEAR - 1)
    half = NORMAL_975 * noise * math.sqrt(1 / LINEAR)
    room = steep * along - across
    if clarity(Estimate(room, room - half, room + half, games), room) > limit_of(RARE):
        return ClaimVerdict.KEPT
    if games < ENOUGH:
        return ClaimVerdict.OPEN
    most = steep * (along + limit_of(level / 2) * noise)
    if not noise:
        return ClaimVerdict.BROKEN if across > most else ClaimVerdict.OPEN
    p = stats.ncx2.sf((across / noise) ** 2, len(group) - 2, (most / noise) ** 2)
    return ClaimVerdict.BROKEN if p < level / 2 else ClaimVerdict.OPEN


def judge_level(
    figure: Figure, claim: Claim, group: Sequence[Point], level: float = RARE
) -> ClaimEvidence:
    """Judge whether values have almost stopped changing at the end of the axis.

    The last step is compared with the range of the values. To confirm the claim, it must be smaller
    than a tenth of the range. Most of the level goes to the step, because the range matters only by
    a tenth. To refute the claim, the step must be larger than a tenth of every difference.
    """
    del claim
    numbers = _numbers(figure, group[max(0, len(group) - 2)], group[-1])
    if len(group) < FEWEST:
        return ClaimEvidence(ClaimVerdict.OPEN, numbers, "too few points")
    pairs = [*permutations(range(len(group)), 2)]
    span = max((a.estimate.less(b.estimate) for a, b in permutations(group, 2)), key=_value)
    move = group[-1].estimate.less(group[-2].estimate)
    slight = SLIGHT * (span.value - limit_of(0.1 * RARE / len(pairs)) * span.deviation)
    if clarity(move, slight - abs(move.value)) > limit_of(0.9 * RARE):
        return ClaimEvidence(ClaimVerdict.KEPT, numbers)
    side = 1 if move.value > 0 else -1
    if all(_above_slight(group, side, pair) > limit_of(level / 2) for pair in pairs):
        return ClaimEvidence(ClaimVerdict.BROKEN, numbers)
    need = needed(move.games, SLIGHT * span.value, move.deviation)
    return ClaimEvidence(ClaimVerdict.OPEN, numbers, "", need)


def _value(estimate: Estimate) -> float:
    return estimate.value


def _above_slight(group: Sequence[Point], side: int, pair: tuple[int, int]) -> float:
    """Return by how many standard errors the last step exceeds a tenth of a difference."""
    weights = [0.0] * len(group)
    for place, weight in ((pair[0], -SLIGHT), (pair[1], SLIGHT), (-1, side), (-2, -side)):
        weights[place] += weight
    excess = contrast(group, weights)
    return clarity(excess, excess.value)


TREND_JUDGES = {
    "rises": judge_direction,
    "falls": judge_direction,
    "linear": judge_line,
    "levels-off": judge_level,
}
"""The function that judges each expectation."""
