"""Verdicts on the claims of a source: *as claimed*, *not as claimed* or *cannot tell*.

A claim is confirmed or refuted only if the games show it at the 1 % level. Conditions that played
the same boards are compared board by board. If the verdict is *cannot tell*, it includes an
estimate of how many games would settle the claim. With that many, the observed difference would be
found with a power of 80 %.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import TypeVar

from scipy import stats

from mineproof.core.words import counted
from mineproof.lab.figure import AXES, Claim, Figure
from mineproof.lab.metrics import METRICS
from mineproof.lab.names import (
    JOIN,
    at_x,
    condition_text,
    difference,
    group_name,
    number,
    round_number,
)
from mineproof.lab.statistics import clarity
from mineproof.lab.store import Store
from mineproof.lab.tables import Gap, Point, compare, is_about, reported_interval, summarise
from mineproof.lab.trends import (
    CLEAR,
    ENOUGH,
    TREND_JUDGES,
    ClaimEvidence,
    ClaimVerdict,
    margin_of,
    needed,
    p_text,
    point_text,
)
from mineproof.match.certainty import NORMAL_975, Estimate, Pairs

KEPT, BROKEN, OPEN = ClaimVerdict.KEPT, ClaimVerdict.BROKEN, ClaimVerdict.OPEN
RARE, UNCLEAR = 0.01, 0.05
"""A source's number disagrees with the games if the p-value is below the first limit, and agrees if
it is above the second."""
MANY_MORE = 5
"""Agreement needs at least this many times as many games as the source played."""
Placed = TypeVar("Placed", bound=Point)


def _worst(verdicts: Iterable[ClaimVerdict]) -> ClaimVerdict:
    """Combine verdicts: one *not as claimed* is enough, but all must be *as claimed*."""
    found = set(verdicts)
    return BROKEN if BROKEN in found else OPEN if OPEN in found else KEPT


@dataclass(frozen=True)
class ClaimPart:
    """The evidence from one series about a claim."""

    name: str
    points: tuple[Point, ...]
    evidence: ClaimEvidence


@dataclass(frozen=True)
class Judgement:
    """A claim with its verdict and the evidence."""

    figure: Figure
    claim: Claim
    parts: tuple[ClaimPart, ...]
    document: str = ""
    """The document that makes the claim."""

    @property
    def verdict(self) -> ClaimVerdict:
        """The verdict of all series together."""
        return _worst(part.evidence.verdict for part in self.parts)

    @property
    def decisive(self) -> ClaimPart:
        """The first series that decides the verdict."""
        return next(part for part in self.parts if part.evidence.verdict is self.verdict)

    @property
    def games(self) -> int:
        """The smallest number of games behind any value."""
        found = [[point.estimate.games for point in part.points] for part in self.parts]
        if self.figure.x in AXES:  # the result of a game decides its point
            return min(map(sum, found))
        return min(map(min, found))

    @property
    def needed(self) -> int:
        """The rough number of games per condition that would settle the claim; 0 if unknown."""
        return max(
            part.evidence.needed for part in self.parts if part.evidence.verdict is self.verdict
        )

    @property
    def head(self) -> str:
        """The verdict as a headline."""
        if self.verdict is OPEN:
            return f"Cannot tell from {counted(self.games, 'game')}"
        return self.verdict.value.capitalize()

    @property
    def text(self) -> str:
        """The evidence on one line."""
        parts = [f"{part.name}: {part.evidence.text}".removeprefix(": ") for part in self.parts]
        more = f" About {self.needed:,} games per condition would settle it." if self.needed else ""
        return f"{METRICS[self.figure.metric].title}. {'; '.join(parts)}.{more}"


def judge(store: Store, figure: Figure, claim: Claim) -> Judgement | None:
    """Judge a claim by the games of a store; None if its conditions were not played."""
    if claim.expect == "flatter":
        parts = _judge_flatter(store, figure, claim)
    elif claim.than:
        judge_gaps = _judge_range if claim.expect == "within" else _judge_side
        gaps = _grouped(compare(store, figure, claim.of, claim.than), claim)
        parts = [_part(figure, claim, group, judge_gaps(figure, claim, group)) for group in gaps]
    else:
        groups = _grouped(_points(store, figure, claim.of), claim)
        found = [(group, VALUE_JUDGES[claim.expect](figure, claim, group)) for group in groups]
        parts = [_part(figure, claim, group, one) for group, one in found if one]
    document = store.experiment.source
    return Judgement(figure, claim, tuple(parts), document) if parts else None


def _part(
    figure: Figure, claim: Claim, group: Sequence[Point], evidence: ClaimEvidence
) -> ClaimPart:
    name = group_name(figure, group[0].panel, group[0].series, but=claim.than)
    return ClaimPart(name, tuple(group), evidence)


def _points(store: Store, figure: Figure, of: Mapping[str, tuple[str, ...]]) -> list[Point]:
    return summarise(store, replace(figure, where={**figure.where, **of}))


def _grouped(points: Iterable[Placed], claim: Claim) -> list[list[Placed]]:
    """Group points by series, up to the last x value that the claim is about."""
    found: dict[tuple[str, str], list[Placed]] = defaultdict(list)
    for point in points:
        if claim.up_to is None or float(point.x) <= claim.up_to:
            found[point.panel, point.series].append(point)
    return list(found.values())


def _judge_range(figure: Figure, claim: Claim, group: Sequence[Point]) -> ClaimEvidence:
    """Judge whether values or differences are in the range of a claim."""
    low = -math.inf if claim.low is None else claim.low
    high = math.inf if claim.high is None else claim.high
    inside = [one for one in group if low <= one.estimate.low and one.estimate.high <= high]
    outside = [one for one in group if one.estimate.high < low or one.estimate.low > high]
    unclear = [one for one in group if one not in inside and one not in outside]
    if claim.somewhere:
        verdict = KEPT if inside else OPEN if unclear else BROKEN
    else:
        verdict = BROKEN if outside else OPEN if unclear else KEPT

    def room(one: Point) -> float:
        return min(abs(one.estimate.value - end) for end in (low, high))

    nearest = min({KEPT: inside, BROKEN: outside, OPEN: unclear}[verdict], key=room)
    found = nearest.estimate
    need = needed(found.games, room(nearest), found.deviation) if verdict is OPEN else 0
    return ClaimEvidence(
        verdict, (_value_text(figure, claim, nearest), _range_text(figure, claim)), "", need
    )


def _value_text(figure: Figure, claim: Claim, point: Point) -> str:
    if not isinstance(point, Gap):
        return point_text(figure, point)
    ours, theirs = _sides(figure, claim, point)
    gap = difference(point.estimate, METRICS[figure.metric])
    return f"{ours} minus {theirs}: {gap} {at_x(figure, point.x)}"


def _sides(figure: Figure, claim: Claim, point: Point) -> tuple[str, str]:
    """Return the names of the two sides. They consist of the columns in which the sides differ."""
    ours = {name: claim.of[name][0] for name in claim.than if len(claim.of.get(name, ())) == 1}
    if not ours and [*claim.than] == list(figure.series):
        ours = dict(zip(figure.series, point.series.split(JOIN), strict=True))
    return condition_text(ours), condition_text(claim.than)


def _range_text(figure: Figure, claim: Claim) -> str:
    metric = METRICS[figure.metric]
    ends = ["" if end is None else round_number(end, metric) for end in (claim.low, claim.high)]
    if claim.low is None:
        return f"claimed at most {ends[1]}"
    return f"claimed at least {ends[0]}" if claim.high is None else f"claimed {' to '.join(ends)}"


def _judge_side(figure: Figure, claim: Claim, group: Sequence[Gap]) -> ClaimEvidence:
    """Judge whether one condition has more than, less than or as much as another."""
    whole, metric = _pooled(group), METRICS[figure.metric]
    side = {"more": 1, "less": -1}.get(claim.expect, 0)
    margin = margin_of(claim, figure, [gap.second.value for gap in group])
    is_none = whole.games >= ENOUGH and max(abs(whole.low), abs(whole.high)) < margin
    strong = _strong(claim, figure, group)
    against = [gap for gap in strong if not side or gap.estimate.value * side < 0]
    z = _z(group, whole)
    if claim.expect == "differs":
        verdict = KEPT if strong or abs(z) > CLEAR else BROKEN if is_none else OPEN
    elif claim.expect == "same":
        verdict = BROKEN if against else KEPT if is_none else OPEN
    elif against or z * side < -CLEAR or (is_none and z * side < 1):
        verdict = BROKEN
    else:
        verdict = KEPT if z * side > CLEAR else OPEN
    towards = side if verdict is KEPT else math.copysign(1, whole.value)
    shown = _telling(group, against if verdict is BROKEN else (), towards)
    ours, theirs = _sides(figure, claim, shown)
    at = "" if figure.x in claim.than else f" {at_x(figure, shown.x)}"
    numbers = (
        f"{ours} {number(shown.first.value, metric)}{at}",
        f"{theirs} {number(shown.second.value, metric)}",
    )
    size = max(abs(whole.value), margin)
    need = needed(shown.estimate.games, size, whole.deviation) if verdict is OPEN else 0
    over = "on average " if len(group) > 1 else ""
    return ClaimEvidence(verdict, numbers, f"{over}{difference(whole, metric)}, {p_text(z)}", need)


def _pooled(group: Sequence[Gap]) -> Estimate:
    """Return the mean difference over all points of the axis."""
    if len(group) == 1:
        return group[0].estimate
    value = sum(gap.estimate.value for gap in group) / len(group)
    half = NORMAL_975 * math.hypot(*(gap.estimate.deviation for gap in group)) / len(group)
    games = min(gap.estimate.games for gap in group)
    return Estimate(value, value - half, value + half, games)


def _z(group: Sequence[Gap], whole: Estimate) -> float:
    """Return a difference in standard errors, from McNemar's exact test for shares."""
    pairs = [gap.pairs for gap in group if gap.pairs is not None]
    if len(pairs) == len(group):
        p = reduce(add, pairs, Pairs()).p_value
        return math.copysign(float(stats.norm.isf(p / 2)), whole.value)
    return clarity(whole, whole.value)


def _strong(claim: Claim, figure: Figure, group: Sequence[Gap]) -> list[Gap]:
    """Return the large and significant differences, corrected for multiple comparisons."""
    limit = float(stats.norm.isf(0.005 / len(group)))
    margins = [margin_of(claim, figure, (gap.first.value, gap.second.value)) for gap in group]
    return [
        gap
        for gap, margin in zip(group, margins, strict=True)
        if abs(gap.estimate.value) > margin and abs(_z([gap], gap.estimate)) > limit
    ]


def _telling(group: Sequence[Gap], against: Sequence[Gap], side: float) -> Gap:
    """Return the point with the largest difference, whose numbers are shown."""
    if against:
        return max(against, key=lambda gap: abs(gap.estimate.value))
    return max(group, key=lambda gap: gap.estimate.value * side or abs(gap.estimate.value))


def _judge_flatter(store: Store, figure: Figure, claim: Claim) -> list[ClaimPart]:
    """Judge whether values change less along the axis than those of another condition."""
    others = {**claim.of, **{name: (value,) for name, value in claim.than.items()}}
    sides = [_grouped(_points(store, figure, of), claim) for of in (claim.of, others)]
    if not all(len(side) == 1 for side in sides):
        return []
    ours, theirs = (group[-1].estimate.less(group[0].estimate) for (group,) in sides)
    gap = abs(theirs.value) - abs(ours.value)
    noise = math.hypot(ours.deviation, theirs.deviation)
    margin = margin_of(claim, figure, (ours.value, theirs.value))
    clear = CLEAR * noise
    broken = gap < -clear or (ours.games >= ENOUGH and abs(gap) + clear < margin)
    verdict = KEPT if gap > clear else BROKEN if broken else OPEN
    need = needed(ours.games, max(abs(gap), margin), noise) if verdict is OPEN else 0
    group, metric = sides[0][0], METRICS[figure.metric]
    names = _sides(figure, claim, group[0])
    numbers = (
        f"{names[0]} {difference(ours, metric)}",
        f"{names[1]} {difference(theirs, metric)}",
    )
    return [
        _part(figure, claim, group, ClaimEvidence(verdict, numbers, "change across the axis", need))
    ]


def _judge_numbers(figure: Figure, claim: Claim, group: Sequence[Point]) -> ClaimEvidence | None:
    """Judge whether the source's own numbers agree with the games, given its sample size."""
    del claim
    judged = [
        (_agreement(figure, point, theirs), point, one)
        for one in figure.reported
        for point in group
        if is_about(one, point) and (theirs := reported_interval(figure, one, point)) is not None
    ]
    if not judged:
        return None
    verdict = _worst(row[0] for row in judged)
    _, point, one = next(row for row in judged if row[0] is verdict)
    need = max(MANY_MORE * (row[2].games or 0) for row in judged)
    open_need = need if verdict is OPEN and need > point.estimate.games else 0
    return ClaimEvidence(verdict, (point_text(figure, point), f"source: {one.text}"), "", open_need)


def _agreement(figure: Figure, point: Point, theirs: Estimate) -> ClaimVerdict:
    """Judge whether a source's number is plausible, given the games played."""
    ours, is_share = point.estimate, METRICS[figure.metric].is_share
    if is_share:
        p = float(stats.fisher_exact([_won(one) for one in (ours, theirs)]).pvalue)
        few = ours.games < MANY_MORE * theirs.games
    else:
        gap = ours.less(theirs)
        p = 2 * float(stats.norm.sf(abs(clarity(gap, gap.value))))
        few = ours.games < ENOUGH  # too few games to know how much they vary
    if p < RARE and (is_share or not few):
        return BROKEN
    return KEPT if p > UNCLEAR and not few else OPEN


def _won(found: Estimate) -> tuple[int, int]:
    won = round(found.value * found.games)
    return won, found.games - won


VALUE_JUDGES: dict[str, Callable[[Figure, Claim, Sequence[Point]], ClaimEvidence | None]] = {
    **TREND_JUDGES,
    "within": _judge_range,
    "agrees": _judge_numbers,
}
"""The function that judges each expectation about values (not about differences)."""
