"""What a figure shows, in sentences made from its points: they cannot disagree with them.

The first of them says whether what a source claims is so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from scipy import stats

from mineproof.lab.figure import SHARES, SIDES, Figure, Reported
from mineproof.lab.looks import label, told_as
from mineproof.lab.metrics import METRICS, Metric
from mineproof.lab.statistics import Estimate, share
from mineproof.lab.tables import Point
from mineproof.proof.phrases import joined

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


AXES = {
    "times": "K, how many times the usual given cells",
    "given": "given cells",
    "given_share": "share of given cells",
    "density": "mine share",
    "mines": "mines",
    "cells": "cells of the board",
    "level": "level",
    "clues": "clue model",
    "first": "first cell (row, column)",
    "agent": "agent",
    "chain": "longest chain (conclusions)",
    "guesses": "guesses a game",
    "bbbv": "3BV",
    "mine_count": "mine count",
    "start": "start",
    "rows": "rows",
    "columns": "columns",
    "goal": "goal",
    "explosion": "explosion",
    "flood": "flood",
}
"""What columns are called beside an axis."""
GROWING = {
    "times": "K",
    "given": "the number of given cells",
    "given_share": "the share of given cells",
    "density": "the mine share",
    "mines": "the number of mines",
    "cells": "the board",
    "chain": "the longest chain",
    "guesses": "the number of guesses",
}
"""What is said to grow along an axis."""


def number(value: float, metric: Metric) -> str:
    """Write a figure in the metric's unit."""
    return f"{_plain(value, metric)}{' %' if metric.unit == '%' else ''}"


def _plain(value: float, metric: Metric, sign: str = "") -> str:
    scaled = value * metric.scale
    digits = 1 if metric.scale > 1 or abs(scaled) >= 10 else 2 if abs(scaled) >= 0.1 else 3
    return f"{scaled:{sign}.{digits}f}"


def with_interval(found: Estimate, metric: Metric) -> str:
    """Write a figure with its interval."""
    low, high = number(found.low, metric), number(found.high, metric)
    return f"{number(found.value, metric)} ({low} to {high})"


def finding(figure: Figure, points: Sequence[Point], gaps: Sequence[Point] = ()) -> str:
    """Say in a few sentences what a figure shows, a paragraph a line.

    Args:
        figure: the figure.
        points: what it draws.
        gaps: what series have more than their baseline, board by board.
    """
    metric = METRICS[figure.metric]
    if not points:
        return "No game has this figure."
    tell = {"lines": _trends, "bars": _ranks, "map": _best, "histogram": _usual}[figure.kind]
    is_compared = figure.kind == "bars" and any(gaps)  # then the comparison says it all
    paragraphs = (
        (verdict(figure, points, gaps), agreement(figure, points)),
        ("" if is_compared else tell(figure, metric, points),),
        (_compared(figure, metric, gaps), _above(figure, metric, points)),
        (figure.note,),
    )
    return "\n".join(filter(None, (" ".join(filter(None, texts)) for texts in paragraphs)))


def _grouped(figure: Figure, points: Iterable[Point]) -> dict[str, list[Point]]:
    """Give the points by panel and series, in words."""
    found: dict[str, list[Point]] = defaultdict(list)
    for point in points:
        name = ", ".join(filter(None, (point.panel, label(figure, point.series))))
        found[name or "all"].append(point)
    return found


def _title(metric: Metric) -> str:
    """Name what is measured, with its unit unless each number has it."""
    return f"“{metric.label if metric.unit == '%' else metric.axis}”"


def _trends(figure: Figure, metric: Metric, points: Sequence[Point]) -> str:
    """Say what rises, falls or stays along the axis."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for name, group in _grouped(figure, points).items():
        kind, shown = trend(group)
        values = [
            number(one.estimate.value, metric)
            + (f" at {place(figure, one.x)}" if 0 < i < len(shown) - 1 else "")
            for i, one in enumerate(shown)
        ]
        kinds[kind].append(f"{name} ({' to '.join(values)})")
    grows = GROWING.get(figure.x, AXES.get(figure.x, figure.x))
    told = [f"{kind} for {'; '.join(names)}" for kind, names in kinds.items()]
    return f"As {grows} grows, {_title(metric)} {'; it '.join(told)}."


def place(figure: Figure, x: str | float) -> str:
    """Write a value of the lower axis."""
    if isinstance(x, str):
        return x
    return f"{100 * x:.1f} %" if figure.x in SHARES else f"{x:.4g}"


def _ranks(figure: Figure, metric: Metric, points: Sequence[Point]) -> str:
    """Say who is highest and lowest at each x, and whether the intervals are apart."""
    places: dict[str, list[Point]] = defaultdict(list)
    for point in points:
        places[", ".join(filter(None, (point.panel, str(point.x))))].append(point)
    told = [f"at {at}, {_range(figure, metric, group)}" for at, group in places.items()]
    return f"{_begun(_title(metric))}: {'; '.join(told)}."


def _begun(text: str) -> str:
    """Begin what is in quotation marks with a capital letter; `CPU` stays as it is."""
    return text[:1] + text[1:2].upper() + text[2:]


def _range(figure: Figure, metric: Metric, group: Sequence[Point]) -> str:
    """Say from which series to which the values reach."""
    values = [point.estimate.value for point in group]
    top, bottom = (
        [point for point in group if point.estimate.value == end(values)] for end in (max, min)
    )
    high, low = (with_interval(ends[0].estimate, metric) for ends in (top, bottom))
    if len(top) == len(group):
        return f"{high}{' for all' if len(group) > 1 else ''}"
    named = [joined([label(figure, one.series) for one in ends]) for ends in (bottom, top)]
    text = f"from {named[0]} {low} up to {named[1]} {high}"
    apart = top[0].estimate.differs(bottom[0].estimate)
    return text if apart else f"no clear difference {text}"


def _best(figure: Figure, metric: Metric, points: Sequence[Point]) -> str:
    told = []
    for name, group in _grouped(figure, points).items():
        best = max(group, key=lambda point: point.estimate.value)
        worst = min(group, key=lambda point: point.estimate.value)
        told.append(
            f"{name}: the best first cell is {best.x} with {with_interval(best.estimate, metric)}, "
            f"the worst {worst.x} with {with_interval(worst.estimate, metric)}"
        )
    return f"{'; '.join(told)}. (The best and the worst of many are partly luck.)"


def _usual(figure: Figure, metric: Metric, points: Sequence[Point]) -> str:
    told = []
    for name, group in _grouped(figure, points).items():
        peak = max(group, key=lambda point: point.estimate.value)
        mean = sum(float(p.x) * p.estimate.value for p in group)
        told.append(f"{name} most often about {float(peak.x):g}, on average {mean:.1f}")
    return f"{_begun(f'“{metric.axis}”')}: {'; '.join(told)}."


def _compared(figure: Figure, metric: Metric, gaps: Sequence[Point]) -> str:
    """Say how far series are from their baseline, at the ends of the axis or everywhere."""
    if not gaps:
        return ""
    told = []
    for name, group in _grouped(figure, gaps).items():
        if all(one.estimate.low == one.estimate.high == 0 for one in group):
            told.append(f"{name} is the same in every game")
            continue
        shown = trend(group)[1] if figure.kind == "lines" else group
        told.append(f"{name} {', '.join(_gap(figure, metric, one) for one in shown)}")
    names = " or ".join(told_as(figure.series[-1], one) for one in figure.baseline)
    unit = " (points of per cent)" if metric.unit == "%" else ""
    return f"Compared with {names} on the same boards{unit}: {'; '.join(told)}."


def _gap(figure: Figure, metric: Metric, point: Point) -> str:
    found = point.estimate
    if found.low == found.high == 0:
        return f"the same at {place(figure, point.x)}"
    value, low, high = (_plain(one, metric, "+") for one in (found.value, found.low, found.high))
    return f"{value} ({low} to {high}) at {place(figure, point.x)}"


def _above(figure: Figure, metric: Metric, points: Sequence[Point]) -> str:
    """Say where values are above the threshold."""
    if not figure.threshold:
        return ""
    told = [
        f"{name} {_where(figure, [one.estimate.value >= figure.threshold for one in group], group)}"
        for name, group in _grouped(figure, points).items()
    ]
    axis = AXES.get(figure.x, figure.x)
    return f"At least {number(figure.threshold, metric)} ({axis}): {'; '.join(told)}."


def _where(figure: Figure, above: Sequence[bool], group: Sequence[Point]) -> str:
    """Say at which values of the axis something is so."""
    at = [place(figure, one.x) for one, is_above in zip(group, above, strict=True) if is_above]
    if len(at) in (0, len(group)):
        return "everywhere" if at else "never"
    changes = sum(first != second for first, second in pairwise(above))
    if changes > 1:
        return f"at {', '.join(at)}"
    return f"up to {at[-1]}" if above[0] else f"from {at[0]} on"
