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
from typing import TypeVar

from scipy import stats

from mineproof.core.words import counted
from mineproof.lab.differences import distance, judge_side, side_names
from mineproof.lab.figure import AXES, Claim, Figure
from mineproof.lab.metrics import METRICS
from mineproof.lab.names import at_x, difference, group_name, round_number
from mineproof.lab.statistics import clarity
from mineproof.lab.store import Store
from mineproof.lab.tables import Gap, Point, compare, is_about, reported_interval, summarise
from mineproof.lab.trends import (
    CLEAR,
    ENOUGH,
    RARE,
    TREND_JUDGES,
    ClaimEvidence,
    ClaimVerdict,
    margin_of,
    needed,
    point_text,
)
from mineproof.match.certainty import Estimate

KEPT, BROKEN, OPEN = ClaimVerdict.KEPT, ClaimVerdict.BROKEN, ClaimVerdict.OPEN
UNCLEAR = 0.05
"""A source's number agrees with the games if its p-value is above this value, divided by the
number of tests."""
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
        """The evidence as one line of text."""
        parts = [f"{part.name}: {part.evidence.text}".removeprefix(": ") for part in self.parts]
        more = f" About {self.needed:,} games per condition would settle it." if self.needed else ""
        return f"{METRICS[self.figure.metric].title}. {'; '.join(parts)}.{more}"


def judge(store: Store, figure: Figure, claim: Claim) -> Judgement | None:
    """Judge a claim by the games of a store; None if its conditions were not played."""
    if claim.expect == "flatter":
        parts = _judge_flatter(store, figure, claim)
    elif claim.than:
        judge_gaps = _judge_range if claim.expect == "within" else judge_side
        gaps = _grouped(compare(store, figure, claim.of, claim.than), claim)
        level = RARE / max(1, len(gaps))  # one series alone can refute a claim
        parts = [
            _part(figure, claim, group, judge_gaps(figure, claim, group, level)) for group in gaps
        ]
    else:
        groups = _grouped(_points(store, figure, claim.of), claim)
        level = RARE / max(1, len(groups))
        judge_one = VALUE_JUDGES[claim.expect]
        found = [(group, judge_one(figure, claim, group, level)) for group in groups]
        parts = [_part(figure, claim, group, one) for group, one in found if one]
    document = claim.document or store.experiment.source
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


def _judge_range(
    figure: Figure, claim: Claim, group: Sequence[Point], level: float = RARE
) -> ClaimEvidence:
    """Judge whether values or differences are in the range of a claim.

    If one point alone decides a verdict, its test is corrected for the number of points.
    """
    is_share = METRICS[figure.metric].is_share and not claim.than
    low = -math.inf if claim.low is None or (is_share and claim.low <= 0) else claim.low
    high = math.inf if claim.high is None or (is_share and claim.high >= 1) else claim.high
    many = len(group)
    limits = (RARE / many, level) if claim.somewhere else (RARE, level / many)
    tails = [_tails(point, low, high, is_share) for point in group]
    inside = [point for point, p in zip(group, tails, strict=True) if p[0] <= limits[0]]
    outside = [point for point, p in zip(group, tails, strict=True) if p[1] <= limits[1]]
    unclear = [point for point in group if point not in inside and point not in outside]
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


def _tails(point: Point, low: float, high: float, is_share: bool) -> tuple[float, float]:
    """Return the p-values against "the value is outside the range" and "it is inside"."""
    below, above = _tail(point, low, is_share), _tail(point, high, is_share)
    sides = 1 if math.isinf(low) or math.isinf(high) else 2  # each end alone can refute
    return max(below[1], above[0]), sides * min(below[0], above[1])


def _tail(point: Point, bound: float, is_share: bool) -> tuple[float, float]:
    """Return the chances of a value this low or lower, and this high or higher, at the bound."""
    found = point.estimate
    if math.isinf(bound):
        return (0.0, 1.0) if bound > 0 else (1.0, 0.0)
    if is_share:  # the exact binomial test
        won, games = _won(found)[0], found.games
        return float(stats.binom.cdf(won, games, bound)), float(
            stats.binom.sf(won - 1, games, bound)
        )
    if found.games < ENOUGH and not found.deviation > 0:
        return 1.0, 1.0  # equal values of a few games say little
    z = distance(point, bound)
    return float(stats.norm.cdf(z)), float(stats.norm.sf(z))


def _value_text(figure: Figure, claim: Claim, point: Point) -> str:
    if not isinstance(point, Gap):
        return point_text(figure, point)
    ours, theirs = side_names(figure, claim, point)
    gap = difference(point.estimate, METRICS[figure.metric])
    return f"{ours} minus {theirs}: {gap} {at_x(figure, point.x)}"


def _range_text(figure: Figure, claim: Claim) -> str:
    metric = METRICS[figure.metric]
    ends = ["" if end is None else round_number(end, metric) for end in (claim.low, claim.high)]
    if claim.low is None:
        return f"claimed at most {ends[1]}"
    return f"claimed at least {ends[0]}" if claim.high is None else f"claimed {' to '.join(ends)}"


def _judge_flatter(store: Store, figure: Figure, claim: Claim) -> list[ClaimPart]:
    """Judge whether values change less along the axis than those of another condition."""
    others = {**claim.of, **{name: (value,) for name, value in claim.than.items()}}
    sides = [_grouped(_points(store, figure, of), claim) for of in (claim.of, others)]
    if not all(len(side) == 1 for side in sides):
        return []
    ours, theirs = (group[-1].estimate.less(group[0].estimate) for (group,) in sides)
    margin = margin_of(claim, figure, (ours.value, theirs.value))
    verdict = flatter_verdict(ours, theirs, margin)
    gap, noise = abs(theirs.value) - abs(ours.value), math.hypot(ours.deviation, theirs.deviation)
    need = needed(ours.games, max(abs(gap), margin), noise) if verdict is OPEN else 0
    group, metric = sides[0][0], METRICS[figure.metric]
    names = side_names(figure, claim, group[0])
    numbers = (f"{names[0]} {difference(ours, metric)}", f"{names[1]} {difference(theirs, metric)}")
    return [
        _part(figure, claim, group, ClaimEvidence(verdict, numbers, "change across the axis", need))
    ]


def flatter_verdict(ours: Estimate, theirs: Estimate, margin: float) -> ClaimVerdict:
    """Judge whether one change is smaller than another; two tests can refute that."""
    gap = abs(theirs.value) - abs(ours.value)
    clear = CLEAR * math.hypot(ours.deviation, theirs.deviation)
    broken = gap < -clear or (ours.games >= ENOUGH and abs(gap) + clear < margin)
    return KEPT if gap > clear else BROKEN if broken else OPEN


def _judge_numbers(
    figure: Figure, claim: Claim, group: Sequence[Point], level: float = RARE
) -> ClaimEvidence | None:
    """Judge whether the source's own numbers agree with the games, given its sample size.

    One number alone can refute the claim, so its test is corrected for how many there are.
    """
    del claim
    found = [
        (point, one, theirs)
        for one in figure.reported
        for point in group
        if is_about(one, point) and (theirs := reported_interval(figure, one, point)) is not None
    ]
    if not found:
        return None
    limits = level / len(found), UNCLEAR / len(found)
    verdicts = [_agreement(figure, point, theirs, limits) for point, _, theirs in found]
    verdict = _worst(verdicts)
    point, one, _ = found[verdicts.index(verdict)]
    need = max(MANY_MORE * theirs.games for *_, theirs in found)
    open_need = need if verdict is OPEN and need > point.estimate.games else 0
    numbers = (point_text(figure, point), f"reported: {one.text}")
    return ClaimEvidence(verdict, numbers, "", open_need)


def _agreement(
    figure: Figure, point: Point, theirs: Estimate, limits: tuple[float, float]
) -> ClaimVerdict:
    """Judge whether a source's number is plausible, given the games played."""
    ours, is_share = point.estimate, METRICS[figure.metric].is_share
    if is_share:
        p = float(stats.fisher_exact([_won(one) for one in (ours, theirs)]).pvalue)
        few = ours.games < MANY_MORE * theirs.games
    else:
        gap = ours.less(theirs)
        p = 2 * float(stats.norm.sf(abs(clarity(gap, gap.value))))
        few = ours.games < ENOUGH  # too few games to know how much they vary
    if p < limits[0] and (is_share or not few):
        return BROKEN
    return KEPT if p > limits[1] and not few else OPEN


def _won(found: Estimate) -> tuple[int, int]:
    won = round(found.value * found.games)
    return won, found.games - won


VALUE_JUDGES: dict[str, Callable[[Figure, Claim, Sequence[Point], float], ClaimEvidence | None]] = {
    **TREND_JUDGES,
    "within": _judge_range,
    "agrees": _judge_numbers,
}
"""The function that judges each expectation about values (not about differences)."""
