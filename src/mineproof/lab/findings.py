"""What a figure shows, in sentences made from its points: they cannot disagree with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from mineproof.lab.experiment import Figure, Reported
from mineproof.lab.metrics import METRICS, Metric
from mineproof.lab.statistics import Estimate, share
from mineproof.lab.tables import Point

AXES = {
    "times": "K of given:K",
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


def number(value: float, metric: Metric) -> str:
    """Write a figure in the metric's unit."""
    scaled = value * metric.scale
    digits = 1 if metric.scale > 1 or abs(scaled) >= 10 else 2 if abs(scaled) >= 0.1 else 3
    return f"{scaled:.{digits}f}{' %' if metric.unit == '%' else ''}"


def with_interval(found: Estimate, metric: Metric) -> str:
    """Write a figure with its interval."""
    low, high = number(found.low, metric), number(found.high, metric)
    return f"{number(found.value, metric)} ({low} to {high})"


def finding(figure: Figure, points: Sequence[Point]) -> str:
    """Say in a few sentences what a figure shows."""
    metric = METRICS[figure.metric]
    if not points:
        return "No game has this figure."
    tell = {"lines": _trends, "bars": _ranks, "map": _best, "histogram": _usual}[figure.kind]
    texts = [tell(figure, metric, points), _above(figure, metric, points)]
    texts.append(agreement(figure, points))
    return " ".join(filter(None, texts))


def _grouped(points: Iterable[Point]) -> dict[str, list[Point]]:
    """Give the points by panel and series, in words."""
    found: dict[str, list[Point]] = defaultdict(list)
    for point in points:
        found[", ".join(filter(None, (point.panel, point.series)))].append(point)
    return found


def _trends(figure: Figure, metric: Metric, points: Sequence[Point]) -> str:
    """Say what rises, falls or stays, from the first to the last x."""
    kinds: dict[str, list[str]] = {"falls": [], "rises": [], "hardly changes": []}
    for name, group in _grouped(points).items():
        first, last = group[0].estimate, group[-1].estimate
        kind = "hardly changes"
        if first.differs(last):
            kind = "falls" if last.value < first.value else "rises"
        values = f"{number(first.value, metric)} to {number(last.value, metric)}"
        kinds[kind].append(f"{name or 'all'} ({values})")
    axis = AXES.get(figure.x, figure.x)
    told = [f"{kind} for {'; '.join(names)}" for kind, names in kinds.items() if names]
    return f"From the least to the most {axis}, “{metric.label}” {'; it '.join(told)}."


def _ranks(figure: Figure, metric: Metric, points: Sequence[Point]) -> str:
    """Say who is highest and lowest at each x, and whether the intervals are apart."""
    places: dict[str, list[Point]] = defaultdict(list)
    for point in points:
        places[", ".join(filter(None, (point.panel, str(point.x))))].append(point)
    told = []
    for place, group in places.items():
        best = max(group, key=lambda point: point.estimate.value)
        worst = min(group, key=lambda point: point.estimate.value)
        top = f"{best.series} {with_interval(best.estimate, metric)}"
        bottom = f"{worst.series} {with_interval(worst.estimate, metric)}"
        if best.estimate.differs(worst.estimate):
            told.append(f"at {place}, from {bottom} up to {top}")
        else:
            told.append(f"at {place}, no clear difference: {bottom} to {top}")
    return f"“{_begun(metric.label)}”: {'; '.join(told)}."


def _begun(text: str) -> str:
    """Begin a text with a capital letter; `CPU` stays as it is."""
    return text[:1].upper() + text[1:]


def _best(figure: Figure, metric: Metric, points: Sequence[Point]) -> str:
    told = []
    for name, group in _grouped(points).items():
        best = max(group, key=lambda point: point.estimate.value)
        worst = min(group, key=lambda point: point.estimate.value)
        told.append(
            f"{name}: the best first cell is {best.x} with {with_interval(best.estimate, metric)}, "
            f"the worst {worst.x} with {with_interval(worst.estimate, metric)}"
        )
    return f"{'; '.join(told)}. (The best and the worst of many are partly luck.)"


def _usual(figure: Figure, metric: Metric, points: Sequence[Point]) -> str:
    told = []
    for name, group in _grouped(points).items():
        peak = max(group, key=lambda point: point.estimate.value)
        mean = sum(float(p.x) * p.estimate.value for p in group)
        told.append(f"{name} most often about {float(peak.x):g}, on average {mean:.1f}")
    unit = f" ({metric.unit})" if metric.unit else ""
    return f"“{_begun(metric.label)}”{unit}: {'; '.join(told)}."


def _above(figure: Figure, metric: Metric, points: Sequence[Point]) -> str:
    """Say up to which x values stay above the threshold."""
    if not figure.threshold:
        return ""
    told = []
    for name, group in _grouped(points).items():
        above = [point.x for point in group if point.estimate.value >= figure.threshold]
        told.append(f"{name} up to {above[-1]}" if above else f"{name} never")
    axis = AXES.get(figure.x, figure.x)
    return f"At least {number(figure.threshold, metric)} ({axis}): {'; '.join(told)}."


def reported_interval(point: Reported) -> Estimate | None:
    """Give the interval of a source's number that rests on a known number of games."""
    return None if point.games is None else share(round(point.value * point.games), point.games)


def agreement(figure: Figure, points: Sequence[Point]) -> str:
    """Say how many of the source's numbers agree with ours."""
    judged = [
        not found.estimate.differs(theirs)
        for one in figure.reported
        if (theirs := reported_interval(one)) is not None
        for found in points
        if found.x == one.x and found.panel == one.panel and one.series in ("", found.series)
    ]
    if not judged:
        return ""
    return (
        f"Of {len(judged)} comparisons with the source's small samples, "
        f"{sum(judged)} agree within both intervals."
    )
