"""Tables of results: a row per agent and set, and a comparison of each pair of agents."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations
from typing import Any, Literal

from mineproof.arena.plot import STYLE, strength_plot
from mineproof.arena.results import ArenaResult
from mineproof.core.errors import InputError
from mineproof.core.words import counted, points, share
from mineproof.match.certainty import Pairs, wilson

Format = Literal["text", "markdown", "latex", "csv", "html"]
SMALLEST_P = 1e-300
"""Smaller p-values are printed as `< 1e-300`."""
LEVEL = 0.05
"""The family-wise error rate below which a corrected p-value is called significant."""
_HEADS = ("set", "agent", "games", "won", "95 % interval", "guesses", "false proofs", "CPU ms")
_PAIR_HEADS = ("set", "agents", "boards", "difference", "only first", "only second", "p (Holm)")

_COLUMNS = (
    *("kind", "set", "first", "second", "games", "value", "low", "high"),
    *("guesses", "false_proofs", "cpu_ms", "only_first", "only_second", "p", "p_corrected"),
)


@dataclass(frozen=True)
class Row:
    """The results of an agent on a set, or on a part of a set."""

    set: str
    agent: str
    letters: str
    guesses: float | None
    """Guesses per game, over the whole result file."""
    false_proofs: float | None
    cpu_ms: float | None
    is_sum: bool = False
    """Whether the row sums up other rows. Such a row is not compared with others."""

    @property
    def games(self) -> int:
        """The number of games; refused games do not count."""
        return len(self.letters) - self.letters.count("R")

    @property
    def wins(self) -> int:
        """The number of games won."""
        return self.letters.count("W")

    @property
    def rate(self) -> float:
        """The share of games won."""
        return self.wins / self.games if self.games else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the win rate."""
        return wilson(self.wins, self.games)


@dataclass(frozen=True)
class Pair:
    """The results of two agents on the boards that both played."""

    set: str
    first: str
    second: str
    pairs: Pairs
    corrected: float
    """The p-value of McNemar's exact test after Holm's correction for all pairs of the table."""

    @property
    def is_significant(self) -> bool:
        """Whether the two agents differ significantly, at a family-wise error rate of 5 %."""
        return self.corrected < LEVEL


@dataclass(frozen=True)
class Table:
    """A table of result files: its rows and pairs. `str` formats the table as text."""

    rows: tuple[Row, ...]
    pairs: tuple[Pair, ...]

    def __str__(self) -> str:
        """Return the table as text for a terminal."""
        return self.format("text")

    def _repr_html_(self) -> str:
        return _html_tables(self)

    def format(self, kind: Format) -> str:
        """Return the table in the given format."""
        writers = {
            "text": _text,
            "markdown": _markdown,
            "latex": _latex,
            "csv": _csv,
            "html": _page,
        }
        if kind not in writers:
            raise InputError(f"expected a format of {', '.join(writers)}, got {kind!r}")
        return writers[kind](self)

    def to_pandas(self) -> Any:
        """Return the rows as a pandas DataFrame.

        Raises:
            ImportError: pandas is not installed.
        """
        import pandas

        return pandas.DataFrame(
            {
                "set": row.set,
                "agent": row.agent,
                "games": row.games,
                "wins": row.wins,
                "rate": row.rate,
                "low": row.interval[0],
                "high": row.interval[1],
                "guesses": row.guesses,
                "false_proofs": row.false_proofs,
                "cpu_ms": row.cpu_ms,
            }
            for row in self.rows
        )


def table(results: Iterable[ArenaResult]) -> Table:
    """Return the table of some results.

    Raises:
        InputError: two results are from the same agent on the same boards.
    """
    rows = sorted(
        (row for result in results for row in _rows(result)),
        key=lambda row: (row.set, -row.rate, row.agent),
    )
    for before, after in combinations(rows, 2):
        if (before.set, before.agent) == (after.set, after.agent):
            raise InputError(f"expected one result of {after.agent} on {after.set}, got two")
    return Table(tuple(rows), tuple(_pairs(rows)))


def _rows(result: ArenaResult) -> Iterable[Row]:
    name = f"{result.agent.name} {result.agent.version}".strip()
    played = max(1, result.games - result.results.count("R"))
    per_game = (
        result.guesses / played,
        result.false_proofs / played,
        1000 * result.cpu_seconds / played,
    )
    parts = result.parts()
    if len(parts) == 1:
        yield Row(result.set, name, result.results, *per_game)
        return
    for part, letters in parts.items():  # the totals cannot be divided between parts
        yield Row(part, name, letters, None, None, None)
    yield Row(f"{result.set} (all)", name, result.results, *per_game, is_sum=True)


def _pairs(rows: Sequence[Row]) -> list[Pair]:
    found = [
        (first, second, _shared(first, second))
        for first, second in combinations(rows, 2)
        if first.set == second.set and not first.is_sum
    ]
    found = [(first, second, pairs) for first, second, pairs in found if pairs.games]
    corrected = holm([pairs.p_value for _, _, pairs in found])
    return [
        Pair(first.set, first.agent, second.agent, pairs, p)
        for (first, second, pairs), p in zip(found, corrected, strict=True)
    ]


def _shared(first: Row, second: Row) -> Pairs:
    """Count the boards that both agents played. Boards that an agent refused do not count."""
    both = zip(first.letters, second.letters, strict=False)
    return Pairs.count((a == "W", b == "W") for a, b in both if "R" not in (a, b))


def holm(values: Sequence[float]) -> list[float]:
    """Return p-values corrected for multiple comparisons (S. Holm, 1979)."""
    order = sorted(range(len(values)), key=lambda index: values[index])
    corrected, largest = [1.0] * len(values), 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - rank) * values[index]))
        corrected[index] = largest
    return corrected


def p_text(value: float) -> str:
    """Format a p-value. Even the smallest is not shown as 0."""
    return f"< {SMALLEST_P:g}" if value < SMALLEST_P else f"{value:.2g}"


def _cells(table: Table) -> list[tuple[str, ...]]:
    return [
        (
            row.set,
            row.agent,
            f"{row.games:,}",
            share(row.rate),
            " to ".join(map(share, row.interval)),
            _number(row.guesses, 2),
            _number(row.false_proofs, 4),
            _number(row.cpu_ms, 3),
        )
        for row in table.rows
    ]


def _number(value: float | None, decimals: int) -> str:
    return "" if value is None else f"{value:.{decimals}f}"


def _pair_cells(table: Table) -> list[tuple[str, ...]]:
    cells: list[tuple[str, ...]] = []
    for pair in table.pairs:
        gap = pair.pairs.difference
        cells.append(
            (
                pair.set,
                f"{pair.second} - {pair.first}",
                f"{pair.pairs.games:,}",
                points(gap.value, gap.low, gap.high),
                f"{pair.pairs.only_first:,}",
                f"{pair.pairs.only_second:,}",
                p_text(pair.corrected),
            )
        )
    return cells


def _grids(table: Table) -> list[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    grids: list[tuple[tuple[str, ...], list[tuple[str, ...]]]] = [(_HEADS, _cells(table))]
    if table.pairs:
        grids.append((_PAIR_HEADS, _pair_cells(table)))
    return grids


def _text(table: Table) -> str:
    blocks = []
    for heads, rows in _grids(table):
        widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in (heads, *rows)
        ]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _markdown(table: Table) -> str:
    blocks = []
    for heads, rows in _grids(table):
        lines = [heads, tuple("---" for _ in heads), *rows]
        blocks.append("\n".join("| " + " | ".join(line) + " |" for line in lines))
    return "\n\n".join(blocks) + "\n"


def _latex(table: Table) -> str:
    blocks = []
    for heads, rows in _grids(table):
        body = " \\\\\n".join(" & ".join(map(_tex, row)) for row in rows)
        head = " & ".join(map(_tex, heads))
        columns = "ll" + "r" * (len(heads) - 2)
        blocks.append(
            f"\\begin{{tabular}}{{{columns}}}\n\\hline\n{head} \\\\\n\\hline\n"
            f"{body} \\\\\n\\hline\n\\end{{tabular}}"
        )
    return "\n\n".join(blocks) + "\n"


def _tex(text: str) -> str:
    for sign in "&%_#$":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\u00a0", "~").replace("<", "$<$")


def _csv(table: Table) -> str:
    """Return one line per agent and per pair, with plain numbers."""
    out = io.StringIO()
    writer = csv.DictWriter(out, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in table.rows:
        low, high = row.interval
        writer.writerow(
            {
                "kind": "agent",
                "set": row.set,
                "first": row.agent,
                "games": row.games,
                "value": row.rate,
                "low": low,
                "high": high,
                "guesses": row.guesses,
                "false_proofs": row.false_proofs,
                "cpu_ms": row.cpu_ms,
            }
        )
    for pair in table.pairs:
        found, gap = pair.pairs, pair.pairs.difference
        writer.writerow(
            {
                "kind": "pair",
                "set": pair.set,
                "first": pair.first,
                "second": pair.second,
                "games": found.games,
                "value": gap.value,
                "low": gap.low,
                "high": gap.high,
                "only_first": found.only_first,
                "only_second": found.only_second,
                "p": max(found.p_value, SMALLEST_P),
                "p_corrected": max(pair.corrected, SMALLEST_P),
            }
        )
    return out.getvalue()


def _html_tables(table: Table) -> str:
    blocks = []
    for heads, rows in _grids(table):
        head = "".join(f"<th>{escape(name)}</th>" for name in heads)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
        )
        blocks.append(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
    return "\n".join(blocks)


def _page(table: Table) -> str:
    names = sorted({row.set for row in table.rows})
    plots = "\n".join(
        f"<h2>{escape(name)}</h2>{strength_plot([row for row in table.rows if row.set == name])}"
        for name in names
    )
    games = counted(sum(row.games for row in table.rows), "game")
    return (
        "<!doctype html><html lang=en><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width, initial-scale=1">'
        f"<title>Arena results</title><style>{STYLE}</style><h1>Arena results</h1>"
        f"<p>{games}. Intervals are 95 % Wilson intervals for win rates and 95 % paired "
        "Agresti\u2013Min intervals for differences. P-values are McNemar's exact test, corrected "
        f"for the number of pairs (Holm).</p>{plots}{_html_tables(table)}</html>\n"
    )
