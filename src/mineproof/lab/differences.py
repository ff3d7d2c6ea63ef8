"""Judges claims about the difference between two conditions: more, less, the same, or different."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import add

from mineproof.lab.figure import Claim, Figure
from mineproof.lab.metrics import METRICS
from mineproof.lab.names import JOIN, at_x, condition_text, difference, number
from mineproof.lab.statistics import clarity
from mineproof.lab.tables import Gap, Point
from mineproof.lab.trends import (
    CLEAR,
    ENOUGH,
    RARE,
    ClaimEvidence,
    ClaimVerdict,
    limit_of,
    margin_of,
    needed,
    p_text,
)
from mineproof.match.certainty import NORMAL_975, Estimate

KEPT, BROKEN, OPEN = ClaimVerdict.KEPT, ClaimVerdict.BROKEN, ClaimVerdict.OPEN
SIGNS = {"more": 1, "less": -1}


def judge_side(
    figure: Figure, claim: Claim, group: Sequence[Gap], level: float = RARE
) -> ClaimEvidence:
    """Judge whether one condition has more than, less than or as much as another."""
    whole, metric = _pooled(group), METRICS[figure.metric]
    margin = margin_of(claim, figure, [gap.second.value for gap in group])
    verdict, against = _side_verdict(claim, group, margin, level)
    value, z = whole.estimate.value, distance(whole)
    towards = SIGNS.get(claim.expect, 0) if verdict is KEPT else math.copysign(1, value)
    shown = _telling(group, against if verdict is BROKEN else (), towards)
    ours, theirs = side_names(figure, claim, shown)
    at = "" if figure.x in claim.than else f" {at_x(figure, shown.x)}"
    numbers = (
        f"{ours} {number(shown.first.value, metric)}{at}",
        f"{theirs} {number(shown.second.value, metric)}",
    )
    size, noise = max(abs(value), margin), whole.estimate.deviation
    need = needed(shown.estimate.games, size, noise) if verdict is OPEN else 0
    test = f"{'on average ' if len(group) > 1 else ''}{difference(whole.estimate, metric)}"
    return ClaimEvidence(verdict, numbers, f"{test}, {p_text(z)}", need)


def _side_verdict(
    claim: Claim, group: Sequence[Gap], margin: float, level: float
) -> tuple[ClaimVerdict, list[Gap]]:
    """Return the verdict on a difference, and the points that contradict the claim.

    The tests at single points are corrected for the number of points. If a mean over the points
    can decide as well, each of the two has half of the level.
    """
    whole, side = _pooled(group), SIGNS.get(claim.expect, 0)
    z, parts = distance(whole), 1 if len(group) == 1 else 2
    if claim.expect == "differs":
        strong = _strong(group, 0.0, margin, RARE / parts / 2)
        is_clear = abs(z) > limit_of(RARE / parts / 2)
        none = not strong and _is_within(whole, margin, level / 2)
        return KEPT if strong or is_clear else BROKEN if none else OPEN, []
    if claim.expect == "same":
        against = _strong(group, margin, margin, level / 2)
        return BROKEN if against else KEPT if _is_within(whole, margin, RARE / 2) else OPEN, against
    strong = _strong(group, 0.0, margin, level / 2)
    against = [gap for gap in strong if gap.estimate.value * side < 0]
    none = z * side < 1 and _is_within(whole, margin, level / 2)
    if against or none or z * side < -limit_of(level / 2):
        return BROKEN, against
    return KEPT if z * side > CLEAR else OPEN, []


def _is_within(whole: Gap, margin: float, level: float) -> bool:
    """Return whether the games show that a difference is smaller than a margin."""
    limit = limit_of(level)
    return (
        whole.estimate.games >= ENOUGH
        and distance(whole, margin) < -limit
        and distance(whole, -margin) > limit
    )


def _pooled(group: Sequence[Gap]) -> Gap:
    """Return the mean difference over all boards, or over all points for other values."""
    games = min(gap.estimate.games for gap in group)
    if len(group) == 1:
        return group[0]
    if len(pairs := [gap.pairs for gap in group if gap.pairs is not None]) == len(group):
        whole = reduce(add, pairs)
        return replace(group[0], estimate=replace(whole.difference, games=games), pairs=whole)
    value = sum(gap.estimate.value for gap in group) / len(group)
    half = NORMAL_975 * math.hypot(*(gap.estimate.deviation for gap in group)) / len(group)
    return replace(
        group[0], estimate=Estimate(value, value - half, value + half, games), pairs=None
    )


def distance(point: Point, bound: float = 0.0) -> float:
    """Return how far a value or difference is above a bound, in standard errors."""
    if isinstance(point, Gap) and point.pairs is not None:
        return point.pairs.standardised(bound)
    return clarity(point.estimate, point.estimate.value - bound)


def _strong(group: Sequence[Gap], bound: float, margin: float, level: float) -> list[Gap]:
    """Return the differences above a margin that are also significantly above a bound."""
    limit = limit_of(level / len(group))
    return [
        gap
        for gap in group
        if abs(value := gap.estimate.value) > margin
        and abs(z := distance(gap, math.copysign(bound, value))) > limit
        and z * value > 0
    ]


def _telling(group: Sequence[Gap], against: Sequence[Gap], side: float) -> Gap:
    """Return the point with the largest difference, whose numbers are shown."""
    if against:
        return max(against, key=lambda gap: abs(gap.estimate.value))
    return max(group, key=lambda gap: gap.estimate.value * side or abs(gap.estimate.value))


def side_names(figure: Figure, claim: Claim, point: Point) -> tuple[str, str]:
    """Return the names of the two sides. They consist of the columns in which the sides differ."""
    ours = {name: claim.of[name][0] for name in claim.than if len(claim.of.get(name, ())) == 1}
    if not ours and [*claim.than] == list(figure.series):
        ours = dict(zip(figure.series, point.series.split(JOIN), strict=True))
    return condition_text(ours), condition_text(claim.than)
