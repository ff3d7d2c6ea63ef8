"""What values do along an axis, and whether that is what a claim expects."""

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
"""How many standard errors chance alone exceeds once in a hundred times: claims are many."""
FOUND = CLEAR + 0.84
"""How many standard errors a difference must be for four samples of five to show it."""
ENOUGH = 100
"""With fewer games than this, nothing is said to make no difference."""
LINEAR = 0.95
"""The share of explained variance from which a line counts as about straight."""
SLIGHT = 0.1
"""Moves below this share of the whole range of values are no turn, and no further rise."""
FEWEST = 3
"""Points that a shape needs to be judged."""


class ClaimVerdict(StrEnum):
    """What games say of a claim."""

    KEPT = "as claimed"
    BROKEN = "not as claimed"
    OPEN = "cannot tell"


class Shown(NamedTuple):
    """What one series shows of a claim."""

    verdict: ClaimVerdict
    numbers: tuple[str, str]
    """The two numbers that decide."""
    test: str = ""
    """How clear they are: a difference with its interval, a p-value."""
    needed: int = 0
    """About how many games per condition would tell, if these do not."""

    @property
    def text(self) -> str:
        """The numbers and the test on one line."""
        return ", ".join(self.numbers) + (f" ({self.test})" if self.test else "")


def p_text(z: float) -> str:
    """Write how likely chance alone is to give this many standard errors."""
    p = math.erfc(abs(z) / math.sqrt(2))
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def needed(games: int, effect: float, deviation: float) -> int:
    """Return about how many games would show an effect of this size, in round numbers."""
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
    """Write a value with its interval and where it stands."""
    return f"{with_interval(point.estimate, METRICS[figure.metric])} {at_x(figure, point.x)}"


def _numbers(figure: Figure, first: Point, last: Point) -> tuple[str, str]:
    return point_text(figure, first), point_text(figure, last)


def fewest_games(group: Sequence[Point]) -> int:
    """Return the games of the point that has the fewest."""
    return min(one.estimate.games for one in group)


def trend_z(group: Sequence[Point]) -> float:
    """Return how clearly values rise from point to point, in standard errors; below 0 they fall."""
    middle = (len(group) - 1) / 2
    rise = sum((i - middle) * one.estimate.value for i, one in enumerate(group))
    noise = math.hypot(*((i - middle) * one.estimate.deviation for i, one in enumerate(group)))
    half = NORMAL_975 * noise
    return clarity(Estimate(rise, rise - half, rise + half, fewest_games(group)), rise)


def turn(group: Sequence[Point], side: int) -> tuple[Point, Point] | None:
    """Find the clearest move against a direction (1 up, -1 down) that is no chance."""
    values = [one.estimate.value for one in group]
    slight = SLIGHT * (max(values) - min(values))
    pairs = [*combinations(group, 2)]
    limit = float(stats.norm.isf(0.01 / len(pairs))) if pairs else math.inf

    def back(pair: tuple[Point, Point]) -> float:
        gap = pair[0].estimate.less(pair[1].estimate)
        return clarity(gap, gap.value) * side if gap.value * side > slight else 0.0

    best = max(pairs, key=back, default=None)
    return best if best is not None and back(best) > limit else None


def judge_direction(figure: Figure, claim: Claim, group: Sequence[Point]) -> Shown:
    """Judge whether values rise, or fall, from end to end and without a clear turn."""
    side = 1 if claim.expect == "rises" else -1
    if back := turn(group, side):
        return Shown(ClaimVerdict.BROKEN, _numbers(figure, *back))
    z = side * trend_z(group)
    numbers = _numbers(figure, group[0], group[-1])
    if z > CLEAR:
        return Shown(ClaimVerdict.KEPT, numbers, p_text(z))
    margin = margin_of(claim, figure, [one.estimate.value for one in group])
    change = group[-1].estimate.less(group[0].estimate)
    games = fewest_games(group)
    found = [end for one in group for end in (one.estimate.low, one.estimate.high)]
    is_none = games >= ENOUGH and max(found) - min(found) < margin
    if z < -CLEAR or is_none:
        return Shown(ClaimVerdict.BROKEN, numbers, p_text(z))
    size = 0.0 if figure.x in AXES else max(abs(change.value), margin)  # those nobody can order
    return Shown(ClaimVerdict.OPEN, numbers, p_text(z), needed(games, size, change.deviation))


def judge_line(figure: Figure, claim: Claim, group: Sequence[Point]) -> Shown:
    """Judge whether a straight line goes through the values, as nearly as they are known."""
    del claim
    xs, ys = [float(one.x) for one in group], [one.estimate.value for one in group]
    numbers = _numbers(figure, group[0], group[-1])
    if len(group) < FEWEST or len(set(ys)) == 1:
        return Shown(ClaimVerdict.OPEN, numbers, "too few different values")
    fit = stats.linregress(xs, ys)
    explained = float(fit.rvalue) ** 2
    noise = sum(one.estimate.deviation**2 for one in group)
    total = sum((y - sum(ys) / len(ys)) ** 2 for y in ys)
    test = f"a straight line explains {share(explained, 0)}"
    if explained >= LINEAR:
        is_clear = noise < (1 - LINEAR) * total and abs(trend_z(group)) > CLEAR
        verdict = ClaimVerdict.KEPT if is_clear else ClaimVerdict.OPEN
    else:
        rests = [y - fit.intercept - fit.slope * x for x, y in zip(xs, ys, strict=True)]
        is_noise = _is_noise(rests, [one.estimate for one in group])
        verdict = ClaimVerdict.OPEN if is_noise else ClaimVerdict.BROKEN
    need = 4 * fewest_games(group) if verdict is ClaimVerdict.OPEN else 0
    return Shown(verdict, numbers, test, need)


def _is_noise(rests: Sequence[float], found: Sequence[Estimate]) -> bool:
    """Return whether chance alone would leave this much beside a line.

    If all games of a point have the same value, its interval is empty, which few games cannot
    show: the smallest of the other intervals stands for it.
    """
    least = min((one.deviation for one in found if one.deviation > 0), default=0.0)
    if not least:
        return False
    parts = [
        (rest / max(one.deviation, least)) ** 2 for rest, one in zip(rests, found, strict=True)
    ]
    return bool(stats.chi2.sf(sum(parts), len(rests) - 2) > 0.01)


def judge_level(figure: Figure, claim: Claim, group: Sequence[Point]) -> Shown:
    """Judge whether values have all but stopped moving at the end of the axis."""
    del claim
    if len(group) < FEWEST:
        numbers = _numbers(figure, group[0], group[-1])
        return Shown(ClaimVerdict.OPEN, numbers, "too few points")
    values = [one.estimate.value for one in group]
    slight = SLIGHT * (max(values) - min(values))
    numbers = _numbers(figure, *group[-2:])
    move = group[-1].estimate.less(group[-2].estimate)
    if max(abs(move.low), abs(move.high)) < slight:
        return Shown(ClaimVerdict.KEPT, numbers)
    if min(abs(move.low), abs(move.high)) > slight and move.low * move.high > 0:
        return Shown(ClaimVerdict.BROKEN, numbers)
    return Shown(ClaimVerdict.OPEN, numbers, "", needed(move.games, slight, move.deviation))


TREND_JUDGES = {
    "rises": judge_direction,
    "falls": judge_direction,
    "linear": judge_line,
    "levels-off": judge_level,
}
"""Who judges which expectation."""
