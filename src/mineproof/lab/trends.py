"""Judges claims about trends: values that rise, fall, level off or follow a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple

from scipy import stats

from mineproof.core.words import share
from mineproof.lab.figure import AXES, Claim, Figure
from mineproof.lab.metrics import METRICS
from mineproof.lab.names import at_x, with_interval
from mineproof.lab.statistics import clarity
from mineproof.lab.tables import Point
from mineproof.match.certainty import NORMAL_975, Estimate

CLEAR = 2.576
"""The number of standard errors that chance alone exceeds in 1 % of cases.

The level is 1 % instead of 5 % because there are many claims."""
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


def trend_z(group: Sequence[Point]) -> float:
    """Return how clearly values rise, in standard errors; a negative number means they fall."""
    middle = (len(group) - 1) / 2
    rise = sum((i - middle) * one.estimate.value for i, one in enumerate(group))
    noise = math.hypot(*((i - middle) * one.estimate.deviation for i, one in enumerate(group)))
    half = NORMAL_975 * noise
    return clarity(Estimate(rise, rise - half, rise + half, fewest_games(group)), rise)


def turn(group: Sequence[Point], side: int) -> tuple[Point, Point] | None:
    """Return the clearest significant change opposite to a direction (1 for up, -1 for down)."""
    values = [one.estimate.value for one in group]
    slight = SLIGHT * (max(values) - min(values))
    pairs = [*combinations(group, 2)]
    limit = float(stats.norm.isf(0.01 / len(pairs))) if pairs else math.inf

    def back(pair: tuple[Point, Point]) -> float:
        gap = pair[0].estimate.less(pair[1].estimate)
        return clarity(gap, gap.value) * side if gap.value * side > slight else 0.0

    best = max(pairs, key=back, default=None)
    return best if best is not None and back(best) > limit else None


def judge_direction(figure: Figure, claim: Claim, group: Sequence[Point]) -> ClaimEvidence:
    """Judge whether values rise (or fall) along the axis without a clear change of direction."""
    side = 1 if claim.expect == "rises" else -1
    if back := turn(group, side):
        return ClaimEvidence(ClaimVerdict.BROKEN, _numbers(figure, *back))
    z = side * trend_z(group)
    numbers = _numbers(figure, group[0], group[-1])
    if z > CLEAR:
        return ClaimEvidence(ClaimVerdict.KEPT, numbers, p_text(z))
    margin = margin_of(claim, figure, [one.estimate.value for one in group])
    change = group[-1].estimate.less(group[0].estimate)
    games = fewest_games(group)
    found = [end for one in group for end in (one.estimate.low, one.estimate.high)]
    is_none = games >= ENOUGH and max(found) - min(found) < margin
    if z < -CLEAR or is_none:
        return ClaimEvidence(ClaimVerdict.BROKEN, numbers, p_text(z))
    size = (
        0.0 if figure.x in AXES else max(abs(change.value), margin)
    )  # the number of games per point cannot be chosen
    return ClaimEvidence(
        ClaimVerdict.OPEN, numbers, p_text(z), needed(games, size, change.deviation)
    )


def judge_line(figure: Figure, claim: Claim, group: Sequence[Point]) -> ClaimEvidence:
    """Judge whether the values lie on a straight line, within their uncertainty."""
    del claim
    xs, ys = [float(one.x) for one in group], [one.estimate.value for one in group]
    numbers = _numbers(figure, group[0], group[-1])
    if len(group) < FEWEST or len(set(ys)) == 1:
        return ClaimEvidence(ClaimVerdict.OPEN, numbers, "too few different values")
    fit = stats.linregress(xs, ys)
    explained = float(fit.rvalue) ** 2
    noise = sum(one.estimate.deviation**2 for one in group)
    total = sum((y - sum(ys) / len(ys)) ** 2 for y in ys)
    test = f"a straight line explains {share(explained, 0)} of the variance"
    if explained >= LINEAR:
        is_clear = noise < (1 - LINEAR) * total and abs(trend_z(group)) > CLEAR
        verdict = ClaimVerdict.KEPT if is_clear else ClaimVerdict.OPEN
    else:
        residuals = [y - fit.intercept - fit.slope * x for x, y in zip(xs, ys, strict=True)]
        is_noise = _is_noise(residuals, [one.estimate for one in group])
        verdict = ClaimVerdict.OPEN if is_noise else ClaimVerdict.BROKEN
    need = 4 * fewest_games(group) if verdict is ClaimVerdict.OPEN else 0
    return ClaimEvidence(verdict, numbers, test, need)


def _is_noise(residuals: Sequence[float], found: Sequence[Estimate]) -> bool:
    """Return whether chance alone can explain the residuals.

    If all games of a point have the same value, its interval is empty, which is too optimistic for
    few games. The smallest of the other intervals is used instead.
    """
    least = min((one.deviation for one in found if one.deviation > 0), default=0.0)
    if not least:
        return False
    parts = [
        (residual / max(one.deviation, least)) ** 2
        for residual, one in zip(residuals, found, strict=True)
    ]
    return bool(stats.chi2.sf(sum(parts), len(residuals) - 2) > 0.01)


def judge_level(figure: Figure, claim: Claim, group: Sequence[Point]) -> ClaimEvidence:
    """Judge whether values have almost stopped changing at the end of the axis."""
    del claim
    if len(group) < FEWEST:
        numbers = _numbers(figure, group[0], group[-1])
        return ClaimEvidence(ClaimVerdict.OPEN, numbers, "too few points")
    values = [one.estimate.value for one in group]
    slight = SLIGHT * (max(values) - min(values))
    numbers = _numbers(figure, *group[-2:])
    move = group[-1].estimate.less(group[-2].estimate)
    if max(abs(move.low), abs(move.high)) < slight:
        return ClaimEvidence(ClaimVerdict.KEPT, numbers)
    if min(abs(move.low), abs(move.high)) > slight and move.low * move.high > 0:
        return ClaimEvidence(ClaimVerdict.BROKEN, numbers)
    return ClaimEvidence(ClaimVerdict.OPEN, numbers, "", needed(move.games, slight, move.deviation))


TREND_JUDGES = {
    "rises": judge_direction,
    "falls": judge_direction,
    "linear": judge_line,
    "levels-off": judge_level,
}
"""The function that judges each expectation."""
