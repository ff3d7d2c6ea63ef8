"""Paired differences: how a series differs from the one it is compared with, game by game.

All agents play the same boards, so two series are compared on each board by itself. That shows
differences which two separate intervals would hide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mineproof.lab.experiment import COLUMNS, Figure
from mineproof.lab.looks import agent_id
from mineproof.lab.metrics import METRICS
from mineproof.lab.statistics import ratio
from mineproof.lab.store import Store
from mineproof.lab.tables import Point, order_of, quoted, series_sql, where_sql


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
