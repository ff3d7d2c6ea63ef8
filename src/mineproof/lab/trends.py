"""What values do along an axis, and whether that is what a claim expects."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple

from scipy import stats

from mineproof.lab.figure import AXES, Claim, Figure
from mineproof.lab.metrics import METRICS
from mineproof.lab.names import at_place, full_place, number
from mineproof.lab.statistics import clarity
from mineproof.lab.tables import Point
from mineproof.match.certainty import NORMAL_975, Estimate

CLEAR = 2.576
"""How many standard errors chance alone exceeds once in a hundred times: claims are many."""
FOUND = CLEAR + 0.84
"""How many standard errors a difference must be for four samples of five to show it."""
ENOUGH = 100
"""Games below which nothing is said to make no difference."""
LINEAR = 0.95
"""From which share of explained variance on a line counts as about straight."""
SLIGHT = 0.1
"""Moves below this share of the whole range of values are no turn, and no further rise."""
FEWEST = 3
"""Points that a shape needs to be judged."""
STEPS = {"mines": "mine", "cells": "cell", "given": "given cell"}
"""What one step along an axis is."""


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
    why: str
    """What they say, in half a sentence."""
    needed: int = 0
    """About how many games of each condition would tell, where these do not."""


def told_p(z: float) -> str:
    """Write how likely chance alone is to give so much."""
    p = math.erfc(abs(z) / math.sqrt(2))
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def needed(games: int, effect: float, deviation: float) -> int:
    """Say about how many games would show an effect of this size, in round numbers."""
    if not effect or not deviation > 0:
        return 0
    count = games * (FOUND * deviation / effect) ** 2
    digits = 10 ** max(0, math.floor(math.log10(max(count, 1))) - 1)
    return max(games + 1, int(math.ceil(count / digits) * digits))


def margin_of(claim: Claim, figure: Figure, values: Sequence[float]) -> float:
    """Give below what a difference is none."""
    if METRICS[figure.metric].unit == "%":
        return claim.margin
    return claim.margin * max((abs(value) for value in values), default=0.0)


def trend_z(group: Sequence[Point]) -> float:
    """Say how clearly values rise from point to point, in standard errors; below 0 they fall."""
    middle = (len(group) - 1) / 2
    rise = sum((i - middle) * one.estimate.value for i, one in enumerate(group))
    noise = math.hypot(*((i - middle) * one.estimate.deviation for i, one in enumerate(group)))
    half, games = NORMAL_975 * noise, min(one.estimate.games for one in group)
    return clarity(Estimate(rise, rise - half, rise + half, games), rise)


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


def _ends(figure: Figure, group: Sequence[Point]) -> tuple[str, str]:
    """Write the first and the last value."""
    metric = METRICS[figure.metric]
    first, last = (number(one.estimate.value, metric) for one in (group[0], group[-1]))
    return (
        f"{first} {at_place(figure, group[0].x)}",
        f"{last} {at_place(figure, group[-1].x)}",
    )


def judge_direction(figure: Figure, claim: Claim, group: Sequence[Point]) -> Shown:
    """Judge whether values rise, or fall, from end to end and without a clear turn."""
    side = 1 if claim.expect == "rises" else -1
    z = side * trend_z(group)
    numbers = _ends(figure, group)
    ends = f"from {numbers[0]} to {numbers[1]}"
    if back := turn(group, side):
        return _turned(figure, group, back, side)
    if z > CLEAR:
        return Shown(ClaimVerdict.KEPT, numbers, f"{ends} ({told_p(z)})")
    values = [one.estimate.value for one in group]
    margin = margin_of(claim, figure, values)
    change = group[-1].estimate.less(group[0].estimate)
    games = min(one.estimate.games for one in group)
    found = [end for one in group for end in (one.estimate.low, one.estimate.high)]
    is_none = games >= ENOUGH and max(found) - min(found) < margin
    if z < -CLEAR or is_none:
        return Shown(ClaimVerdict.BROKEN, numbers, f"{ends}, which is no {_noun(side)}")
    size = 0.0 if figure.x in AXES else max(abs(change.value), margin)  # those nobody can order
    need = needed(games, size, change.deviation)
    return Shown(ClaimVerdict.OPEN, numbers, f"{ends} could be chance ({told_p(z)})", need)


def _noun(side: int) -> str:
    return "rise" if side > 0 else "fall"


def _turned(figure: Figure, group: Sequence[Point], back: tuple[Point, Point], side: int) -> Shown:
    """Tell of values that go against what is claimed, all the way or from some point on."""
    metric = METRICS[figure.metric]
    first, last = (
        f"{number(one.estimate.value, metric)} {at_place(figure, one.x)}" for one in back
    )
    verb = "falls" if side > 0 else "rises"
    again = " again" if back[0] is not group[0] else ""
    return Shown(ClaimVerdict.BROKEN, (first, last), f"it {verb}{again} from {first} to {last}")


def judge_line(figure: Figure, claim: Claim, group: Sequence[Point]) -> Shown:
    """Judge whether a straight line goes through the values, as nearly as they are known."""
    del claim
    xs, ys = [float(one.x) for one in group], [one.estimate.value for one in group]
    if len(group) < FEWEST or len(set(ys)) == 1:
        return Shown(ClaimVerdict.OPEN, _ends(figure, group), "too few different values")
    numbers, why = _slopes(figure, group)
    fit = stats.linregress(xs, ys)
    explained = float(fit.rvalue) ** 2
    noise = sum(one.estimate.deviation**2 for one in group)
    total = sum((y - sum(ys) / len(ys)) ** 2 for y in ys)
    line = f"a straight line explains {100 * explained:.0f} % of it: {why}"
    games = min(one.estimate.games for one in group)
    if explained >= LINEAR:
        if noise < (1 - LINEAR) * total and abs(trend_z(group)) > CLEAR:
            return Shown(ClaimVerdict.KEPT, numbers, line)
        return Shown(ClaimVerdict.OPEN, numbers, f"{line}, but with much noise", 4 * games)
    rests = [y - fit.intercept - fit.slope * x for x, y in zip(xs, ys, strict=True)]
    if _is_noise(rests, [one.estimate for one in group]):
        return Shown(ClaimVerdict.OPEN, numbers, f"{line}; the rest could be chance", 4 * games)
    return Shown(ClaimVerdict.BROKEN, numbers, line)


def _is_noise(rests: Sequence[float], found: Sequence[Estimate]) -> bool:
    """Say whether chance alone would leave so much beside a line.

    Where all games have the same value their interval is nothing, which few games do not show:
    the least of the other intervals stands for it.
    """
    least = min((one.deviation for one in found if one.deviation > 0), default=0.0)
    if not least:
        return False
    parts = [
        (rest / max(one.deviation, least)) ** 2 for rest, one in zip(rests, found, strict=True)
    ]
    return bool(stats.chi2.sf(sum(parts), len(rests) - 2) > 0.01)


def _slopes(figure: Figure, group: Sequence[Point]) -> tuple[tuple[str, str], str]:
    """Write how steep the first and the second half are."""
    metric, middle = METRICS[figure.metric], group[len(group) // 2]
    step = STEPS.get(figure.x, "step")
    halves = []
    for first, last in ((group[0], middle), (middle, group[-1])):
        rise = (last.estimate.value - first.estimate.value) * metric.scale
        slope = rise / (float(last.x) - float(first.x))
        unit = " points" if metric.unit == "%" else metric.sign
        halves.append(f"{slope:+.2g}{unit} a {step}")
    at = full_place(figure, middle.x)
    return (
        (f"{halves[0]} up to {at}", f"{halves[1]} beyond"),
        f"{halves[0]} up to {at}, {halves[1]} beyond",
    )


def judge_level(figure: Figure, claim: Claim, group: Sequence[Point]) -> Shown:
    """Judge whether values have all but stopped to move at the end of the axis."""
    del claim
    if len(group) < FEWEST:
        return Shown(ClaimVerdict.OPEN, _ends(figure, group), "too few points")
    values = [one.estimate.value for one in group]
    slight = SLIGHT * (max(values) - min(values))
    numbers = _ends(figure, group[-2:])
    move = group[-1].estimate.less(group[-2].estimate)
    why = f"from {_ends(figure, group)[0]} to {numbers[0]} and {numbers[1]}"
    if max(abs(move.low), abs(move.high)) < slight:
        return Shown(ClaimVerdict.KEPT, numbers, f"{why}: the last step is hardly one")
    if min(abs(move.low), abs(move.high)) > slight and move.low * move.high > 0:
        return Shown(ClaimVerdict.BROKEN, numbers, f"{why}: it still moves")
    need = needed(move.games, slight, move.deviation)
    return Shown(ClaimVerdict.OPEN, numbers, f"{why} could be either", need)


TREND_JUDGES = {
    "rises": judge_direction,
    "falls": judge_direction,
    "linear": judge_line,
    "levels-off": judge_level,
}
"""Who judges which expectation."""
