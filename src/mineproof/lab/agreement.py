"""Whether games give a source's own numbers, within what its small sample allows."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scipy import stats

from mineproof.lab.figure import Figure, Reported
from mineproof.lab.metrics import METRICS
from mineproof.lab.names import at_place, number
from mineproof.lab.statistics import clarity
from mineproof.lab.tables import Point
from mineproof.lab.trends import ENOUGH, ClaimVerdict, Shown
from mineproof.match.certainty import NORMAL_975, Estimate, share

RARE, UNCLEAR = 0.01, 0.05
"""Below which p-value a source's number is none of ours, and above which it may be."""
MANY_MORE = 5
"""How many times its games ours must be, to say that they agree."""


def judge_numbers(figure: Figure, group: Sequence[Point]) -> Shown | None:
    """Judge whether the source's own numbers are what games give, within its small sample."""
    judged = [
        (_agreement(figure, point, theirs), point, one)
        for one in figure.reported
        for point in group
        if is_about(one, point) and (theirs := reported_interval(figure, one, point)) is not None
    ]
    if not judged:
        return None
    found = {verdict for verdict, _, _ in judged}
    verdict = (
        ClaimVerdict.BROKEN
        if ClaimVerdict.BROKEN in found
        else ClaimVerdict.OPEN
        if ClaimVerdict.OPEN in found
        else ClaimVerdict.KEPT
    )
    metric = METRICS[figure.metric]
    told = [
        f"{number(point.estimate.value, metric)} {at_place(figure, point.x)} "
        f"(the source: {one.text})"
        for _, point, one in judged
    ]
    _, point, one = next(row for row in judged if row[0] is verdict)
    numbers = (
        f"{number(point.estimate.value, metric)} {at_place(figure, point.x)}",
        f"source: {one.text}",
    )
    need = max(MANY_MORE * (row[2].games or 0) for row in judged)
    open_need = need if verdict is ClaimVerdict.OPEN and need > point.estimate.games else 0
    return Shown(verdict, numbers, ", ".join(told), open_need)


def _agreement(figure: Figure, point: Point, theirs: Estimate) -> ClaimVerdict:
    """Say whether games like ours could have given a source's number."""
    ours = point.estimate
    if METRICS[figure.metric].is_share:
        counts = [_won(one) for one in (ours, theirs)]
        p = float(stats.fisher_exact(counts).pvalue)
        few = ours.games < MANY_MORE * theirs.games
    else:
        gap = ours.less(theirs)
        p = 2 * float(stats.norm.sf(abs(clarity(gap, gap.value))))
        few = ours.games < ENOUGH  # few games say little of how far games differ
    if few:
        return (
            ClaimVerdict.BROKEN
            if METRICS[figure.metric].is_share and p < RARE
            else ClaimVerdict.OPEN
        )
    return (
        ClaimVerdict.BROKEN if p < RARE else ClaimVerdict.KEPT if p > UNCLEAR else ClaimVerdict.OPEN
    )


def _won(found: Estimate) -> tuple[int, int]:
    won = round(found.value * found.games)
    return won, found.games - won


def reported_interval(figure: Figure, one: Reported, point: Point | None) -> Estimate | None:
    """Give the interval of a source's number that rests on a known number of games.

    That of a mean is as wide as so few of our own games would make it.
    """
    if one.games is None:
        return None
    if METRICS[figure.metric].is_share:
        return share(round(one.value * one.games), one.games)
    if point is None:
        return None
    half = NORMAL_975 * point.estimate.deviation * math.sqrt(point.estimate.games / one.games)
    return Estimate(one.value, one.value - half, one.value + half, one.games)


def is_about(one: Reported, point: Point) -> bool:
    """Say whether a source's number is about a point."""
    return one.x == point.x and one.panel in ("", point.panel) and one.series in ("", point.series)
