"""From the games of a store to the points of a figure, each with its interval.

All agents play the same boards, so a series is also compared with its baseline on each board by
itself (`gaps`). That shows differences which two separate intervals would hide.
"""

from __future__ import annotations

import csv
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mineproof.lab.experiment import Experiment
from mineproof.lab.figure import AXES, COLUMNS, Figure
from mineproof.lab.looks import JOIN, agent_id
from mineproof.lab.metrics import METRICS, Metric
from mineproof.lab.statistics import Estimate, ratio, share
from mineproof.lab.store import Store

MOST_BINS = 25
WIDTHS = (0.05, 0.1, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
LEAST_GAMES = 5
"""Games behind each point where what happened in a game is the axis."""
EXTREMES = 10
"""How many games a figure of extremes lists."""


@dataclass(frozen=True)
class Point:
    """One figure of many games, and where it belongs."""

    panel: str
    series: str
    x: str | float
    estimate: Estimate


@dataclass(frozen=True)
class Extreme:
    """A game that stands out, and how to play it again."""

    seed: int
    agent: str
    level: str
    first: str
    start: str
    value: float
    steps: int


def summarise(store: Store, figure: Figure) -> list[Point]:
    """Give the points of a figure, in the order of the experiment's conditions."""
    experiment = store.experiment
    binned = figure.kind == "histogram"
    points = _bins(store, figure) if binned else _points(store, figure)
    return sorted(points, key=order_of(experiment, figure))


def _points(store: Store, figure: Figure) -> list[Point]:
    metric = METRICS[figure.metric]
    sums = "count(*), sum(v), sum(w), sum(v * v), sum(v * w), sum(w * w)"
    least = LEAST_GAMES if figure.x in AXES else 1
    sql = (
        f"SELECT panel, series, x, {sums} FROM ({_values(figure, metric)}) "
        "WHERE v IS NOT NULL AND w IS NOT NULL AND x IS NOT NULL "
        f"GROUP BY ALL HAVING count(*) >= {least}"
    )
    return [
        Point(panel, series, x, _estimate(metric, numbers))
        for panel, series, x, *numbers in store.query(sql)
    ]


def _values(figure: Figure, metric: Metric) -> str:
    """Write the query of one row a game: its panel, series, x, value and weight."""
    panel = f"{figure.panel}::VARCHAR" if figure.panel else "''"
    return (
        f"SELECT {panel} AS panel, {series_sql(figure)} AS series, {figure.x} AS x, "
        f"({metric.value})::DOUBLE AS v, ({metric.weight})::DOUBLE AS w "
        f"FROM games WHERE {where_sql(figure)}"
    )


def series_sql(figure: Figure) -> str:
    """Write what names the series of a game."""
    return f"concat_ws('{JOIN}', {', '.join(figure.series)})" if figure.series else "''"


def where_sql(figure: Figure) -> str:
    """Write which games a figure is about."""
    where = [f"{name}::VARCHAR = {quoted(value)}" for name, value in figure.where.items()]
    return " AND ".join(where) or "true"


def quoted(text: str) -> str:
    """Write text as SQL."""
    return "'" + text.replace("'", "''") + "'"


def _estimate(metric: Metric, numbers: Sequence[Any]) -> Estimate:
    games, values, weights, *squares = numbers
    if metric.is_share:
        return share(int(values), int(weights))
    found = ratio(games, values, weights, (squares[0], squares[1], squares[2]))
    if metric.unit == "%":  # a normal interval may leave the range that a share has
        return replace(found, low=max(0.0, found.low), high=min(1.0, found.high))
    return replace(found, low=max(0.0, found.low))


def _bins(store: Store, figure: Figure) -> list[Point]:
    """Count the games whose value falls into each bin; a bin is named by its middle."""
    metric = METRICS[figure.metric]
    sql = f"SELECT panel, series, v FROM ({_values(figure, metric)}) WHERE v IS NOT NULL"
    rows = store.query(sql)
    if not rows:
        return []
    width = _width([value for *_, value in rows])
    totals = Counter(row[:2] for row in rows)
    counts: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    for panel, series, value in rows:
        counts[panel, series][_bin(value, width)] += 1
    last = max(number for bins in counts.values() for number in bins)
    first = min(number for bins in counts.values() for number in bins)
    # Bins of 1 and more hold whole numbers, so 10 to 11 have their middle at 10.5.
    middle = (width - 1) / 2 if width >= 1 else width / 2
    return [
        Point(*key, (number * width + middle) * metric.scale, share(bins[number], totals[key]))
        for key, bins in counts.items()
        for number in range(first, last + 1)
    ]


def _width(values: Iterable[float]) -> float:
    found = list(values)
    span = max(found) - min(found)
    return next((width for width in WIDTHS if span / width <= MOST_BINS), WIDTHS[-1])


def _bin(value: float, width: float) -> int:
    """Give the number of a value's bin; 100 % belongs to the last one."""
    return math.floor(min(value, 1 - 1e-9) / width if width < 1 else value / width)


def order_of(experiment: Experiment, figure: Figure) -> Any:
    """Give the key that sorts points by panel, series and x as the experiment has them."""
    places: dict[tuple[str, str], int] = {}
    for condition in experiment.conditions:
        columns = {name: str(value) for name, value in condition.columns.items()}
        series = JOIN.join(columns[name] for name in figure.series)
        x = columns.get(figure.x, "")
        panel = columns.get(figure.panel, "")
        for key in (("panel", panel), ("series", series), ("x", x)):
            places.setdefault(key, len(places))

    def order(point: Point) -> tuple[int, int, float]:
        x = point.x if not isinstance(point.x, str) else places.get(("x", point.x), 0)
        return (
            places.get(("panel", point.panel), 0),
            places.get(("series", point.series), 0),
            float(x),
        )

    return order


def extremes(store: Store, figure: Figure) -> list[Extreme]:
    """Give the games with the largest values."""
    metric = METRICS[figure.metric]
    sql = (
        f"SELECT seed, agent, level, coalesce(first, ''), start, ({metric.value})::DOUBLE AS v, "
        f"steps FROM games WHERE v IS NOT NULL ORDER BY v DESC, seed LIMIT {EXTREMES}"
    )
    return [Extreme(*row) for row in store.query(sql)]


def write_csv(path: Path, figure: Figure, points: Sequence[Point]) -> None:
    """Write the points of a figure, values as they are counted (a share from 0 to 1)."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        x = METRICS[figure.metric].label if figure.kind == "histogram" else figure.x
        series = JOIN.join(figure.series) or "series"
        value = "share of games" if figure.kind == "histogram" else figure.metric
        table.writerow([figure.panel or "panel", series, x, value, "low", "high", "games"])
        for point in points:
            found = point.estimate
            row = (point.panel, point.series, point.x, found.value, found.low, found.high)
            table.writerow([*row, found.games])


def write_extremes(path: Path, found: Sequence[Extreme]) -> None:
    """Write games that stand out."""
    names = ["seed", "agent", "level", "first", "start", "value", "steps"]
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(names)
        table.writerows([getattr(one, name) for name in names] for one in found)


def gaps(store: Store, figure: Figure) -> list[Point]:
    """Give what each series has more than its baseline, on the same boards, with intervals.

    A series is told from its baseline by the last of its columns; the others are the same.
    """
    metric = METRICS[figure.metric]
    if not figure.baseline or metric.weight != "1":
        return []
    last = figure.series[-1]
    kinds = [kind for (kind,) in store.query(f"SELECT DISTINCT {last} FROM games")]
    pairs = ", ".join(
        f"({quoted(kind)}, {quoted(base)})" for kind, base in _pairs(kinds, figure.baseline)
    )
    if not pairs:
        return []
    same = [name for name in COLUMNS if name != last]
    match = " AND ".join(f"a.{name} IS NOT DISTINCT FROM b.{name}" for name in (*same, "seed"))
    panel = f"a.{figure.panel}::VARCHAR" if figure.panel else "''"
    sql = (
        f"WITH told AS (SELECT *, {series_sql(figure)} AS series, ({metric.value})::DOUBLE AS v "
        f"FROM games WHERE {where_sql(figure)}) "
        f"SELECT {panel}, a.series, a.{figure.x} AS x, count(*), sum(a.v - b.v), "
        f"sum((a.v - b.v) ** 2) FROM told a JOIN (VALUES {pairs}) AS pair(kind, base) "
        f"ON a.{last}::VARCHAR = pair.kind "
        f"JOIN told b ON b.{last}::VARCHAR = pair.base AND {match} "
        "WHERE a.v IS NOT NULL AND b.v IS NOT NULL GROUP BY ALL"
    )
    points = [
        Point(panel, series, x, ratio(games, total, games, (squares, total, float(games))))
        for panel, series, x, games, total, squares in store.query(sql)
    ]
    return sorted(points, key=order_of(store.experiment, figure))


def baseline_of(kind: str, baselines: Sequence[str]) -> str:
    """Give the baseline of a series: one of the same agent if there is one, else the first."""
    alike = [one for one in baselines if agent_id(one) == agent_id(kind)]
    return (alike or list(baselines))[0]


def _pairs(kinds: Iterable[str], baselines: Sequence[str]) -> list[tuple[str, str]]:
    pairs = ((str(kind), baseline_of(str(kind), baselines)) for kind in sorted(kinds))
    return [pair for pair in pairs if pair[0] not in baselines]
