"""Whether what a source claims is so: of values along an axis, and of its own numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from scipy import stats

from mineproof.lab.experiment import SIDES, Figure, Reported
from mineproof.lab.looks import label
from mineproof.lab.statistics import Estimate, share
from mineproof.lab.tables import Point

LINEAR = 0.95
"""From which share of explained variance on a line counts as about straight."""
FEWEST = 3
"""Points that a line needs to be judged."""


class Trend(NamedTuple):
    """What values do along an axis, and the points that show it."""

    kind: str
    shown: list[Point]


def trend(group: Sequence[Point]) -> Trend:
    """Say what the values of a series do; only what is clear of all intervals counts."""
    first, last = group[0], group[-1]
    for turn, kind in (
        (max(group, key=lambda one: one.estimate.value), "rises and falls again"),
        (min(group, key=lambda one: one.estimate.value), "falls and rises again"),
    ):
        if turn.estimate.differs(first.estimate) and turn.estimate.differs(last.estimate):
            return Trend(kind, [first, turn, last])
    if not first.estimate.differs(last.estimate):
        return Trend("hardly changes", [first, last])
    falls = last.estimate.value < first.estimate.value
    return Trend("falls" if falls else "rises", [first, last])


def verdict(figure: Figure, points: Sequence[Point], gaps: Sequence[Point]) -> str:
    """Say for which series the claim of a figure holds; nothing if it expects nothing."""
    if not figure.expect:
        return ""
    groups: dict[str, list[Point]] = defaultdict(list)
    for point in gaps if figure.expect in SIDES else points:
        name = ", ".join(filter(None, (point.panel, label(figure, point.series))))
        groups[name or "all"].append(point)
    if figure.expect in SIDES:
        return _sides(groups, figure.expect)
    if figure.expect == "linear":
        return _lines(groups)
    kinds = {name: trend(group).kind for name, group in groups.items()}
    if figure.expect not in kinds.values() and len(set(kinds.values())) == 1:
        return f"Not as claimed: it {next(iter(kinds.values()))} for all."
    return _told(f"it {figure.expect}", {name: kinds[name] == figure.expect for name in kinds})


def _told(what: str, holds: dict[str, bool]) -> str:
    """Write for whom a claim holds."""
    kept = [name for name in holds if holds[name]]
    broken = [name for name in holds if not holds[name]]
    if not broken:
        return f"As claimed, {what} for all."
    if not kept:
        return f"Not as claimed: for none {what}, as far as can be seen."
    return f"As claimed, {what} for {'; '.join(kept)}; that is not clear for {'; '.join(broken)}."


def _lines(groups: dict[str, list[Point]]) -> str:
    """Judge by a straight line through the values."""
    fits = {}
    for name, group in groups.items():
        if len(group) < FEWEST:
            continue
        fit = stats.linregress(
            [float(one.x) for one in group], [one.estimate.value for one in group]
        )
        fits[name] = float(fit.rvalue) ** 2
    if not fits:
        return ""
    shown = "; ".join(f"{name} {100 * value:.0f} %" for name, value in fits.items())
    told = _told("it is about linear", {name: value >= LINEAR for name, value in fits.items()})
    return f"{told} A straight line explains this share of the variance: {shown}."


def _sides(groups: dict[str, list[Point]], expected: str) -> str:
    """Judge by how many gaps are clearly on the side that the claim says."""
    side = 1 if expected == "more" else -1
    told = []
    for name, group in groups.items():
        bounds = [sorted((side * one.estimate.low, side * one.estimate.high)) for one in group]
        right = sum(low > 0 for low, _ in bounds)
        wrong = sum(high < 0 for _, high in bounds)
        text = f"{name} at {right} of {len(group)} points"
        told.append(text + (f", clearly the opposite at {wrong}" if wrong else ""))
    return f"It is clearly {expected}, as claimed, for {'; '.join(told)}." if told else ""


def reported_interval(point: Reported) -> Estimate | None:
    """Give the interval of a source's number that rests on a known number of games."""
    return None if point.games is None else share(round(point.value * point.games), point.games)


def is_about(one: Reported, point: Point) -> bool:
    """Say whether a source's number is about a point."""
    return one.x == point.x and one.panel in ("", point.panel) and one.series in ("", point.series)


def agreement(figure: Figure, points: Sequence[Point]) -> str:
    """Say how many of the source's numbers agree with ours."""
    judged = [
        not found.estimate.differs(theirs)
        for one in figure.reported
        if (theirs := reported_interval(one)) is not None
        for found in points
        if is_about(one, found)
    ]
    if not judged:
        return ""
    return (
        f"Of {len(judged)} comparisons with the small samples reported, "
        f"{sum(judged)} agree within both intervals."
    )
