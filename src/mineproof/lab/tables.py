"""The points of a figure, computed from the games of a store, each with its interval.

All agents play the same boards, so a series can be compared with its baseline board by board
(`gaps`). This shows differences that two separate intervals would hide.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mineproof.lab.experiment import Experiment
from mineproof.lab.figure import AXES, COLUMNS, Figure, Reported
from mineproof.lab.metrics import METRICS, Metric
from mineproof.lab.names import JOIN, agent_id
from mineproof.lab.statistics import Sums, paired, ratio
from mineproof.lab.store import Store, quoted
from mineproof.match.certainty import NORMAL_975, Estimate, Pairs, share

MOST_BINS = 25
SUMS = "count(*), sum(v), sum(w), sum(v * v), sum(v * w), sum(w * w)"
"""The sums that an estimate needs, in SQL. `_sums` computes the same sums in Python."""
WIDTHS = (0.05, 0.1, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
LEAST_GAMES = 5
"""The minimum number of games behind a point if the x axis is a measured column."""
SAME_BOARD = ("agent", "goal", "explosion", "clues", "mine_count", "flood", "boards")
"""Columns that do not change the board. Conditions that differ only in these are paired.

`boards` is one of them, because every search starts from the board that is dealt."""
ESTIMATE = ("value", "low", "high", "games")
GAP_COLUMNS = ("difference", "difference low", "difference high", "only baseline", "only this", "p")
"""The columns for an estimate in a table."""


@dataclass(frozen=True)
class Point:
    """A value computed from many games, and its position in a figure."""

    panel: str
    series: str
    x: str | float
    estimate: Estimate


@dataclass(frozen=True)
class Gap(Point):
    """The difference between two conditions; `estimate` is the first minus the second."""

    first: Estimate
    second: Estimate
    pairs: Pairs | None = None
    """The paired counts, for shares on the same boards. Their two conditions are in reverse
    order."""

    @classmethod
    def of_pairs(
        cls, at: tuple[str, str, str | float], metric: Metric, first: Sums, second: Sums
    ) -> Gap:
        """Compare the games of two conditions on the same boards."""
        ends = [_estimate(metric, _sums(*side)) for side in (first, second)]
        if not metric.is_share:
            return cls(*at, paired(first, second), ends[0], ends[1])
        games = zip(first[0], second[0], strict=True)
        pairs = Pairs.count((bool(theirs), bool(ours)) for ours, theirs in games)
        return cls(*at, pairs.difference, ends[0], ends[1], pairs)


def is_about(one: Reported, point: Point) -> bool:
    """Return whether a reported value belongs to a point."""
    return one.x == point.x and one.panel in ("", point.panel) and one.series in ("", point.series)


def reported_interval(figure: Figure, one: Reported, point: Point | None) -> Estimate | None:
    """Return a reported value with its interval; None if its number of games is unknown.

    The interval of a mean is as wide as it would be for the same number of games in the store.
    """
    if one.games is None:
        return None
    if METRICS[figure.metric].is_share:
        return share(round(one.value * one.games), one.games)
    if point is None:
        return None
    half = NORMAL_975 * point.estimate.deviation * math.sqrt(point.estimate.games / one.games)
    return Estimate(one.value, one.value - half, one.value + half, one.games)


def _sums(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Return the number of games and the sums that an estimate needs."""
    squares = zip(
        *((v * v, v * w, w * w) for v, w in zip(values, weights, strict=True)), strict=True
    )
    return [len(values), sum(values), sum(weights), *map(sum, squares)]


def summarise(store: Store, figure: Figure) -> list[Point]:
    """Return the points of a figure, in the order of the experiment's conditions."""
    points = _bins(store, figure) if figure.kind == "histogram" else _points(store, figure)
    return sorted(points, key=order_of(store.experiment, figure))


def _points(store: Store, figure: Figure) -> list[Point]:
    metric = METRICS[figure.metric]
    least = LEAST_GAMES if figure.x in AXES else 1
    sql = (
        f"SELECT at_panel, at_series, at_x, {SUMS} FROM ({_values(figure, metric)}) "
        "WHERE v IS NOT NULL AND w IS NOT NULL AND at_x IS NOT NULL "
        f"GROUP BY ALL HAVING count(*) >= {least}"
    )
    return [
        Point(panel, series, x, _estimate(metric, numbers))
        for panel, series, x, *numbers in store.query(sql)
    ]


def _values(figure: Figure, metric: Metric) -> str:
    """Return the query with one row per game: its panel, series, x, value and weight."""
    return f"SELECT {_columns(figure, metric)} FROM games WHERE {where_sql(figure.where)}"


def _columns(figure: Figure, metric: Metric) -> str:
    """Return the SQL for a game's panel, series, x, value and weight."""
    panel = f"{figure.panel}::VARCHAR" if figure.panel else "''"
    return (
        f"{panel} AS at_panel, {series_sql(figure)} AS at_series, {figure.x} AS at_x, "
        f"({metric.value})::DOUBLE AS v, ({metric.weight})::DOUBLE AS w"
    )


def series_sql(figure: Figure) -> str:
    """Return the SQL for a game's series."""
    return f"concat_ws('{JOIN}', {', '.join(figure.series)})" if figure.series else "''"


def where_sql(of: Mapping[str, Sequence[str]]) -> str:
    """Return the SQL condition for games with these values."""
    tests = (f"{name}::VARCHAR IN ({', '.join(map(quoted, one))})" for name, one in of.items())
    return " AND ".join(tests) or "true"


def _estimate(metric: Metric, numbers: Sequence[Any]) -> Estimate:
    games, values, weights, *squares = numbers
    if metric.is_share:
        return share(int(values), int(weights))
    found = ratio(games, values, weights, (squares[0], squares[1], squares[2]))
    if metric.unit == "%":  # a normal interval may exceed the range of a share
        return replace(found, low=max(0.0, found.low), high=min(1.0, found.high))
    return replace(found, low=max(0.0, found.low))


def _bins(store: Store, figure: Figure) -> list[Point]:
    """Return the share of games in each bin; the x of a bin is its middle."""
    metric = METRICS[figure.metric]
    sql = f"SELECT at_panel, at_series, v FROM ({_values(figure, metric)}) WHERE v IS NOT NULL"
    rows = store.query(sql)
    if not rows:
        return []
    values = [value for *_, value in rows]
    span = max(values) - min(values)
    width = next((width for width in WIDTHS if span / width <= MOST_BINS), WIDTHS[-1])
    totals = Counter(row[:2] for row in rows)
    counts = Counter((*row[:2], _bin(row[2], width)) for row in rows)
    first, last = _bin(min(values), width), _bin(max(values), width)
    # Bins of width 1 or more hold whole numbers, so the middle of 10 to 11 is 10.5.
    middle = (width - 1) / 2 if width >= 1 else width / 2
    return [
        Point(
            panel,
            series,
            (number * width + middle) * metric.scale,
            share(counts[panel, series, number], total),
        )
        for (panel, series), total in totals.items()
        for number in range(first, last + 1)
    ]


def _bin(value: float, width: float) -> int:
    """Return the number of a value's bin; 100 % belongs to the last bin."""
    return math.floor(min(value, 1 - 1e-9) / width if width < 1 else value / width)


def order_of(experiment: Experiment, figure: Figure) -> Any:
    """Return a sort key for points: panel, series and x in the order of the experiment."""
    found: dict[tuple[str, str], int] = {}
    for condition in experiment.conditions:
        columns = {name: str(value) for name, value in condition.columns.items()}
        series = JOIN.join(columns[name] for name in figure.series)
        panel, x = columns.get(figure.panel, ""), columns.get(figure.x, "")
        for key in (("panel", panel), ("series", series), ("x", x)):
            found.setdefault(key, len(found))

    def order(point: Point) -> tuple[int, int, float]:
        x = found.get(("x", point.x), 0) if isinstance(point.x, str) else point.x
        panel, series = found.get(("panel", point.panel), 0), found.get(("series", point.series), 0)
        return panel, series, float(x)

    return order


def write_csv(
    path: Path, figure: Figure, points: Sequence[Point], differences: Sequence[Gap] = ()
) -> None:
    """Write the points of a figure as CSV, with shares from 0 to 1.

    If there are differences from a baseline, more columns contain them: the difference with its
    interval, the number of boards won only by the baseline or only by the other, and the p-value.
    """
    compared = {(gap.panel, gap.series, gap.x): gap for gap in differences}
    x = METRICS[figure.metric].label if figure.kind == "histogram" else figure.x
    series = JOIN.join(figure.series) or "series"
    value = "share of games" if figure.kind == "histogram" else figure.metric
    rows = (
        (
            *(one.panel, one.series, one.x, *(getattr(one.estimate, name) for name in ESTIMATE)),
            *_gap_numbers(compared.get((one.panel, one.series, one.x))),
        )
        for one in points
    )
    heads = (figure.panel or "panel", series, x, value, *ESTIMATE[1:])
    write_rows(path, (*heads, *(GAP_COLUMNS if differences else ())), rows)


def _gap_numbers(gap: Gap | None) -> tuple[object, ...]:
    if gap is None:
        return ()
    numbers = (gap.estimate.value, gap.estimate.low, gap.estimate.high)
    pairs = gap.pairs
    return (*numbers, *((pairs.only_first, pairs.only_second, pairs.p_value) if pairs else ()))


def write_rows(path: Path, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(head)
        table.writerows(rows)


def gaps(store: Store, figure: Figure) -> list[Gap]:
    """Return the differences of each series from its baseline, on the same boards.

    A series differs from its baseline only in the last of its columns.
    """
    if not figure.baseline:
        return []
    last = figure.series[-1]
    kinds = {str(kind) for (kind,) in store.query(f"SELECT DISTINCT {last} FROM games")}
    found = [
        gap
        for kind in sorted(kinds.difference(figure.baseline))
        for gap in compare(
            store, figure, {last: (kind,)}, {last: _baseline_of(kind, figure.baseline)}
        )
    ]
    return sorted(found, key=order_of(store.experiment, figure))


def compare(
    store: Store, figure: Figure, of: Mapping[str, Sequence[str]], than: Mapping[str, str]
) -> list[Gap]:
    """Return the differences between conditions that differ only in some columns.

    Conditions that played the same boards are compared board by board.

    Args:
        store: the games.
        figure: the figure, with its metric and columns.
        of: the first conditions, by column.
        than: the values that the second conditions have in the columns that differ.
    """
    others = {name: (value,) for name, value in than.items()}
    sides = f"{where_sql(of)} AND NOT ({where_sql(others)})", where_sql({**of, **others})
    give = _paired if set(than) <= set(SAME_BOARD) else _unpaired
    return sorted(give(store, figure, sides, than), key=order_of(store.experiment, figure))


def _paired(
    store: Store, figure: Figure, sides: tuple[str, str], than: Mapping[str, str]
) -> list[Gap]:
    """Compare two conditions board by board."""
    metric = METRICS[figure.metric]
    games = f"SELECT *, {_columns(figure, metric)} FROM games WHERE {where_sql(figure.where)}"
    same = [name for name in COLUMNS if name not in than]
    match = " AND ".join(f"a.{name} IS NOT DISTINCT FROM b.{name}" for name in (*same, "seed"))
    rows = store.query(
        f"WITH shown AS ({games}), a AS (SELECT * FROM shown WHERE {sides[0]}), "
        f"b AS (SELECT * FROM shown WHERE {sides[1]}) "
        "SELECT a.at_panel, a.at_series, a.at_x, list(a.v), list(a.w), list(b.v), list(b.w) "
        f"FROM a JOIN b ON {match} WHERE a.v IS NOT NULL AND b.v IS NOT NULL "
        "AND a.w IS NOT NULL AND b.w IS NOT NULL GROUP BY ALL"
    )
    return [Gap.of_pairs(tuple(at), metric, (a, b), (c, d)) for *at, a, b, c, d in rows]


def _unpaired(
    store: Store, figure: Figure, sides: tuple[str, str], than: Mapping[str, str]
) -> list[Gap]:
    """Compare the values of games on different boards."""
    metric = METRICS[figure.metric]
    names = [name for name in (figure.panel, *figure.series, figure.x) if name and name not in than]
    key = f"concat_ws('{JOIN}', '', {', '.join(names)})" if names else "''"
    columns, where = _columns(figure, metric), where_sql(figure.where)
    games = f"SELECT *, {key} AS k, {columns} FROM games WHERE {where}"
    ours, theirs = (
        store.query(
            f"SELECT k, {at} {SUMS} FROM ({games}) WHERE v IS NOT NULL AND {side} GROUP BY ALL"
        )
        for side, at in zip(sides, ("at_panel, at_series, at_x,", ""), strict=True)
    )
    others = {k: _estimate(metric, numbers) for k, *numbers in theirs}
    found = []
    for k, panel, series, x, *numbers in ours:
        if k in others:
            first = _estimate(metric, numbers)
            found.append(Gap(panel, series, x, first.less(others[k]), first, others[k]))
    return found


def _baseline_of(kind: str, baselines: Sequence[str]) -> str:
    """Return the baseline with the same agent as a series, if there is one, else the first."""
    same_agent = (one for one in baselines if agent_id(one) == agent_id(kind))
    return next(same_agent, baselines[0])
