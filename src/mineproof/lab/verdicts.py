"""Whether what a source claims is so: *as claimed*, *not as claimed*, or *cannot tell*.

A claim is kept or broken only where the games show it beyond chance (1 %); where conditions
played the same boards, board by board. Otherwise the verdict says that it cannot tell, and about
how many games would: four samples of five would then show the difference that is seen.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import takewhile
from operator import add
from typing import TypeVar

from scipy import stats

from mineproof.lab.agreement import judge_numbers
from mineproof.lab.figure import AXES, Claim, Figure
from mineproof.lab.metrics import METRICS
from mineproof.lab.names import (
    JOIN,
    apart,
    at_place,
    counted,
    difference,
    group_name,
    number,
    round_number,
    with_interval,
)
from mineproof.lab.statistics import clarity
from mineproof.lab.store import Store
from mineproof.lab.tables import Gap, Point, compare, summarise
from mineproof.lab.trends import (
    CLEAR,
    ENOUGH,
    TREND_JUDGES,
    ClaimVerdict,
    Shown,
    margin_of,
    needed,
    told_p,
)
from mineproof.match.certainty import NORMAL_975, Estimate, Pairs

KEPT, BROKEN, OPEN = ClaimVerdict.KEPT, ClaimVerdict.BROKEN, ClaimVerdict.OPEN
Placed = TypeVar("Placed", bound=Point)


@dataclass(frozen=True)
class ClaimPart:
    """What one series shows of a claim."""

    name: str
    points: tuple[Point, ...]
    shown: Shown


@dataclass(frozen=True)
class Judgement:
    """A claim, its verdict, and why."""

    figure: Figure
    claim: Claim
    parts: tuple[ClaimPart, ...]
    document: str = ""
    """Who claims it."""

    @property
    def verdict(self) -> ClaimVerdict:
        """One series that breaks a claim is enough; all must keep it."""
        found = {part.shown.verdict for part in self.parts}
        return BROKEN if BROKEN in found else OPEN if OPEN in found else KEPT

    @property
    def decisive(self) -> ClaimPart:
        """The series that the verdict rests on."""
        return next(part for part in self.parts if part.shown.verdict is self.verdict)

    @property
    def games(self) -> int:
        """How many games the figure with the fewest of them rests on."""
        found = [[point.estimate.games for point in part.points] for part in self.parts]
        if self.figure.x in AXES:  # what became of a game decides which point it belongs to
            return min(map(sum, found))
        return min(map(min, found))

    @property
    def needed(self) -> int:
        """About how many games of each condition would tell; 0 where nobody knows."""
        return max(part.shown.needed for part in self.parts if part.shown.verdict is self.verdict)

    @property
    def head(self) -> str:
        """The verdict in words."""
        if self.verdict is OPEN:
            return f"Cannot tell from {counted(self.games, 'game')}"
        return self.verdict.value.capitalize()

    @property
    def text(self) -> str:
        """What came out, in a sentence or two."""
        more = f" About {self.needed:,} games of each condition would tell." if self.needed else ""
        return f"{METRICS[self.figure.metric].title}{self._parts_told()}.{more}"

    def _parts_told(self) -> str:
        """Give what all parts show, what their names share only once."""
        names = [part.name.split(", ") for part in self.parts]
        same = takewhile(lambda words: len({*words}) == 1, zip(*names, strict=False))
        shared = names[0][: len([*same])]
        rests = [", ".join(name[len(shared) :]) for name in names]
        told = "; ".join(
            f"{rest} {part.shown.why}" if rest else part.shown.why
            for rest, part in zip(rests, self.parts, strict=True)
        )
        who = ", ".join(filter(None, shared))
        return f", {who}: {told}" if who else f": {told}"


def judge(store: Store, figure: Figure, claim: Claim) -> Judgement | None:
    """Judge a claim by the games of a store; nothing where what it is about was not played."""
    if claim.expect == "flatter":
        parts = _judge_flatter(store, figure, claim)
    elif claim.than:
        gaps = compare(store, figure, claim.of, claim.than)
        parts = [_side_part(figure, claim, group) for group in _grouped(gaps, claim)]
    else:
        groups = _grouped(_points(store, figure, claim.of), claim)
        parts = [part for group in groups if (part := _value_part(figure, claim, group))]
    document = store.experiment.source
    return Judgement(figure, claim, tuple(parts), document) if parts else None


def _points(store: Store, figure: Figure, of: Mapping[str, tuple[str, ...]]) -> list[Point]:
    return summarise(store, replace(figure, where={**figure.where, **of}))


def _grouped(points: Iterable[Placed], claim: Claim) -> list[list[Placed]]:
    """Give the points of each series, as far as the claim goes."""
    found: dict[tuple[str, str], list[Placed]] = defaultdict(list)
    for point in points:
        if claim.up_to is None or float(point.x) <= claim.up_to:
            found[point.panel, point.series].append(point)
    return list(found.values())


def _name(figure: Figure, point: Point) -> str:
    return group_name(figure, point.panel, point.series)


def _value_part(figure: Figure, claim: Claim, group: Sequence[Point]) -> ClaimPart | None:
    """Judge values as such."""
    if claim.expect == "agrees":
        shown = judge_numbers(figure, group)
        return ClaimPart(_name(figure, group[0]), tuple(group), shown) if shown else None
    judge_group = TREND_JUDGES.get(claim.expect, _judge_range)
    return ClaimPart(_name(figure, group[0]), tuple(group), judge_group(figure, claim, group))


def _judge_range(figure: Figure, claim: Claim, group: Sequence[Point]) -> Shown:
    """Judge whether values, or gaps, lie where a claim puts them."""
    low = -math.inf if claim.low is None else claim.low
    high = math.inf if claim.high is None else claim.high
    inside = [one for one in group if low <= one.estimate.low and one.estimate.high <= high]
    outside = [one for one in group if one.estimate.high < low or one.estimate.low > high]
    unclear = [one for one in group if one not in inside and one not in outside]
    if claim.somewhere:
        verdict = KEPT if inside else OPEN if unclear else BROKEN
    else:
        verdict = BROKEN if outside else OPEN if unclear else KEPT
    chosen = {KEPT: inside, BROKEN: outside, OPEN: unclear}[verdict]
    nearest = min(chosen, key=lambda one: _distance(one.estimate.value, low, high))
    value, bounds = _told_value(figure, claim, nearest), _told_range(figure, claim)
    need = 0
    if verdict is OPEN:
        room = min(abs(nearest.estimate.value - end) for end in (low, high))
        need = needed(nearest.estimate.games, room, nearest.estimate.deviation)
    return Shown(verdict, (value, bounds), f"{value}, claimed {bounds}", need)


def _distance(value: float, low: float, high: float) -> float:
    """Say how far a value is from the nearest end of a range."""
    return min(abs(value - end) for end in (low, high))


def _told_value(figure: Figure, claim: Claim, point: Point) -> str:
    at, metric = at_place(figure, point.x), METRICS[figure.metric]
    if not isinstance(point, Gap):
        return f"{with_interval(point.estimate, metric)} {at}"
    ours, theirs = _apart(figure, claim, point)
    return f"{ours} less {theirs} {difference(point.estimate, metric)} {at}"


def _apart(figure: Figure, claim: Claim, point: Point) -> tuple[str, str]:
    """Name what is compared by what sets it apart."""
    ours = {name: claim.of[name][0] for name in claim.than if len(claim.of.get(name, ())) == 1}
    if not ours and [*claim.than] == list(figure.series):
        ours = dict(zip(figure.series, point.series.split(JOIN), strict=True))
    return apart(ours, claim.than)


def _told_range(figure: Figure, claim: Claim) -> str:
    metric = METRICS[figure.metric]
    ends = ["" if end is None else round_number(end, metric) for end in (claim.low, claim.high)]
    if claim.low is None:
        return f"at most {ends[1]}"
    return f"at least {ends[0]}" if claim.high is None else f"{ends[0]} to {ends[1]}"


def _side_part(figure: Figure, claim: Claim, group: Sequence[Gap]) -> ClaimPart:
    """Judge conditions beside others."""
    judge_group = _judge_range if claim.expect == "within" else _judge_side
    name = group_name(figure, group[0].panel, group[0].series, but=claim.than)
    return ClaimPart(name, tuple(group), judge_group(figure, claim, group))


def _judge_side(figure: Figure, claim: Claim, group: Sequence[Gap]) -> Shown:
    """Judge whether one condition has more, less or as much as another, over all places."""
    whole = _pooled(group)
    side = {"more": 1, "less": -1}.get(claim.expect, 0)
    values = [gap.second.value for gap in group]
    margin = margin_of(claim, figure, values)
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
    return _side_shown(figure, claim, Compared(tuple(group), whole, z, shown), verdict)


@dataclass(frozen=True)
class Compared:
    """Conditions beside others at several places."""

    group: tuple[Gap, ...]
    whole: Estimate
    """The difference over all places."""
    z: float
    """How clear that is, in standard errors."""
    shown: Gap
    """The place that shows it best."""


def _pooled(group: Sequence[Gap]) -> Estimate:
    """Give the difference over all places of the lower axis."""
    if len(group) == 1:
        return group[0].estimate
    value = sum(gap.estimate.value for gap in group) / len(group)
    half = NORMAL_975 * math.hypot(*(gap.estimate.deviation for gap in group)) / len(group)
    games = min(gap.estimate.games for gap in group)
    return Estimate(value, value - half, value + half, games)


def _z(group: Sequence[Gap], whole: Estimate) -> float:
    """Say how clear a difference is: by McNemar's exact test where each board has a winner."""
    pairs = [gap.pairs for gap in group if gap.pairs is not None]
    if len(pairs) == len(group):
        p = reduce(add, pairs, Pairs()).p_value
        return math.copysign(float(stats.norm.isf(p / 2)), whole.value)
    return clarity(whole, whole.value)


def _strong(claim: Claim, figure: Figure, group: Sequence[Gap]) -> list[Gap]:
    """Give the places with a difference that matters and that so many places do not explain."""
    limit = float(stats.norm.isf(0.005 / len(group)))
    margins = [margin_of(claim, figure, (gap.first.value, gap.second.value)) for gap in group]
    return [
        gap
        for gap, margin in zip(group, margins, strict=True)
        if abs(gap.estimate.value) > margin and abs(_z([gap], gap.estimate)) > limit
    ]


def _telling(group: Sequence[Gap], against: Sequence[Gap], side: float) -> Gap:
    """Choose the place whose numbers are shown: where the difference is largest."""
    if against:
        return max(against, key=lambda gap: abs(gap.estimate.value))
    return max(group, key=lambda gap: gap.estimate.value * side or abs(gap.estimate.value))


def _side_shown(figure: Figure, claim: Claim, found: Compared, verdict: ClaimVerdict) -> Shown:
    """Write what a comparison shows."""
    metric, gap = METRICS[figure.metric], found.shown
    names = _apart(figure, claim, gap)
    numbers = (
        f"{names[0]} {number(gap.first.value, metric)}",
        f"{names[1]} {number(gap.second.value, metric)}",
    )
    at = "" if figure.x in claim.than else f" {at_place(figure, gap.x)}"
    test = "" if claim.expect == "same" else f", {told_p(found.z)}"
    over = "on average " if len(found.group) > 1 else ""
    whole = f"{over}{difference(found.whole, metric)}{test}"
    why = f"{numbers[0]} against {numbers[1]}{at}, {whole}"
    need = 0
    if verdict is OPEN:
        margin = margin_of(claim, figure, [one.second.value for one in found.group])
        size = max(abs(found.whole.value), margin)
        need = needed(gap.estimate.games, size, found.whole.deviation)
    return Shown(verdict, numbers, why, need)


def _judge_flatter(store: Store, figure: Figure, claim: Claim) -> list[ClaimPart]:
    """Judge whether values move less along the axis than those of another condition do."""
    others = {**claim.of, **{name: (value,) for name, value in claim.than.items()}}
    sides = [_grouped(_points(store, figure, of), claim) for of in (claim.of, others)]
    if not all(len(side) == 1 for side in sides):
        return []
    ours, theirs = (group[-1].estimate.less(group[0].estimate) for (group,) in sides)
    metric = METRICS[figure.metric]
    gap = abs(theirs.value) - abs(ours.value)
    noise = math.hypot(ours.deviation, theirs.deviation)
    margin = margin_of(claim, figure, (ours.value, theirs.value))
    first = sides[0][0][0]
    names = _apart(figure, claim, first)
    numbers = (
        f"{names[0]} {difference(ours, metric)}",
        f"{names[1]} {difference(theirs, metric)}",
    )
    clear = CLEAR * noise
    broken = gap < -clear or (ours.games >= ENOUGH and abs(gap) + clear < margin)
    verdict = KEPT if gap > clear else BROKEN if broken else OPEN
    need = needed(ours.games, max(abs(gap), margin), noise) if verdict is OPEN else 0
    why = f"from end to end {numbers[0]}, {numbers[1]}"
    name = group_name(figure, first.panel, first.series, but=claim.than)
    return [ClaimPart(name, tuple(sides[0][0]), Shown(verdict, numbers, why, need))]
