"""Tables of results: a row per agent and set, and a comparison of each pair of agents."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from html import escape
from itertools import combinations
from typing import Any, Literal, get_args

from mineproof.arena.grids import format_grid, html_page
from mineproof.arena.plot import strength_plot
from mineproof.arena.results import ArenaResult
from mineproof.core.errors import InputError
from mineproof.core.words import counted, share
from mineproof.match.certainty import Pairs, holm, p_text, wilson

Format = Literal["text", "markdown", "latex", "csv", "html"]
FORMATS: tuple[str, ...] = get_args(Format)
LEVEL = 0.05
"""The family-wise error rate below which a corrected p-value is called significant."""
HEADS = ("set", "agent", "games", "won", "95 % interval", "guesses", "false proofs", "CPU ms")
DIFFERENCE = "points, 95 % interval"
_NO_CPU_TIMES = "<p>No CPU times are known.</p>"
_ALL = " (all)"
"""Ends the name of a set in the row that adds up its parts."""
_PAIR_HEADS = ("set", "agents", "boards", DIFFERENCE, "only first", "only second", "p (Holm)")

_STATISTICS = (
    "Intervals are 95 % Wilson intervals for win rates. Differences are in percentage points, with "
    "95 % paired Agresti\u2013Min intervals. P-values are McNemar's exact test, corrected for the "
    "number of pairs (Holm)."
)


@dataclass(frozen=True)
class Row:
    """The results of an agent on a set, or on a part of a set."""

    set: str
    agent: str
    games: int
    """The number of games; refused games do not count."""
    wins: int
    guesses: float | None = None
    """Guesses per game, over the whole result file."""
    false_proofs: float | None = None
    cpu_ms: float | None = None

    @classmethod
    def of(cls, name: str, agent: str, letters: str, *totals: float | None) -> Row:
        """Return the row of results, given as letters, and of guesses and the like in all games."""
        games = len(letters) - letters.count("R")
        per_game = (None if total is None else total / max(1, games) for total in totals)
        return cls(name, agent, games, letters.count("W"), *per_game)

    @property
    def rate(self) -> float:
        """The share of games won."""
        return self.wins / self.games if self.games else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the win rate."""
        return wilson(self.wins, self.games)

    def plain(self) -> dict[str, Any]:
        """Return the row as plain values by name."""
        low, high = self.interval
        return {**asdict(self), "rate": self.rate, "low": low, "high": high}

    def cells(self) -> tuple[str, ...]:
        """Return the row as text."""
        numbers = ((self.guesses, 2), (self.false_proofs, 4), (self.cpu_ms, 3))
        texts = ("" if value is None else f"{value:.{decimals}f}" for value, decimals in numbers)
        interval = " to ".join(map(share, self.interval))
        return self.set, self.agent, f"{self.games:,}", share(self.rate), interval, *texts


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

    def plain(self) -> dict[str, Any]:
        """Return the pair as plain values by name."""
        found, gap = self.pairs, self.pairs.difference
        names = {"set": self.set, "first": self.first, "second": self.second, "games": found.games}
        interval = {"difference": gap.value, "low": gap.low, "high": gap.high}
        counts = {"only_first": found.only_first, "only_second": found.only_second}
        return {**names, **interval, **counts, "p": found.p_value, "p_corrected": self.corrected}

    def cells(self) -> tuple[str, ...]:
        """Return the pair as text. The second agent is named first, as in the difference."""
        found, gap = self.pairs, self.pairs.difference
        return (
            *(self.set, f"{self.second} - {self.first}", f"{found.games:,}"),
            f"{100 * gap.value:+.2f} ({100 * gap.low:+.2f} to {100 * gap.high:+.2f})",
            *(f"{found.only_second:,}", f"{found.only_first:,}"),
            p_text(self.corrected).removeprefix("= "),
        )


@dataclass(frozen=True)
class Table:
    """A table of results: its rows and pairs. `str` formats the table as text."""

    rows: tuple[Row, ...]
    pairs: tuple[Pair, ...] = ()

    def __str__(self) -> str:
        """Return the table as text for a terminal."""
        return self.format("text")

    def _repr_html_(self) -> str:
        """Return the table as HTML, for notebooks."""
        return self._grids("html")

    def format(self, kind: Format) -> str:
        """Return the table in the given format."""
        if kind not in FORMATS:
            raise InputError(f"expected one of the formats {', '.join(FORMATS)}, got {kind!r}")
        if kind == "csv":
            return self._csv()
        return self._page() if kind == "html" else f"{self._grids(kind)}\n"

    def to_pandas(self, *, pairs: bool = False) -> Any:
        """Return the rows, or the pairs of agents, as a pandas `DataFrame`.

        Raises:
            ImportError: if pandas is not installed.
        """
        return pandas().DataFrame(one.plain() for one in (self.pairs if pairs else self.rows))

    def _grids(self, kind: str) -> str:
        grids = [format_grid(kind, HEADS, [row.cells() for row in self.rows])]
        if self.pairs:
            grids.append(format_grid(kind, _PAIR_HEADS, [pair.cells() for pair in self.pairs]))
        return "\n\n".join(grids)

    def _csv(self) -> str:
        """Return one line per agent and per pair, with plain numbers."""
        lines = [{"kind": "agent", **row.plain()} for row in self.rows]
        lines += [{"kind": "pair", **pair.plain()} for pair in self.pairs]
        out = io.StringIO()
        names = dict.fromkeys(name for line in lines for name in line)
        writer = csv.DictWriter(out, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
        return out.getvalue()

    def _page(self) -> str:
        sets: dict[str, list[Row]] = {}
        for row in self.rows:
            sets.setdefault(row.set, []).append(row)
        plots = {name: plot for name, rows in sets.items() if (plot := strength_plot(rows))}
        drawn = "".join(f"<h2>{escape(name)}</h2>{plot}" for name, plot in plots.items())
        games = counted(sum(row.games for row in self.rows if not row.set.endswith(_ALL)), "game")
        tables = f"<div class=scroll>{self._grids('html')}</div>"
        head = f"<h1>Arena results</h1><p>{games}. {_STATISTICS}</p>"
        return html_page("Arena results", f"{head}{drawn or _NO_CPU_TIMES}{tables}")


def pandas() -> Any:
    """Return the module pandas.

    Raises:
        ImportError: if it is not installed.
    """
    try:
        import pandas
    except ImportError:
        raise ImportError(
            "pandas is not installed. Run `pip install pandas`, or use the attribute `rows`"
        ) from None
    return pandas


def table(results: Iterable[ArenaResult]) -> Table:
    """Return the table of some results.

    Raises:
        InputError: two results are from the same agent on the same boards.
    """
    found = [one for result in results for one in _rows(result)]
    found.sort(key=lambda one: (one[0].set, -one[0].rate, one[0].agent))
    names = [(row.set, row.agent) for row, _ in found]
    for name, agent in names:
        if names.count((name, agent)) > 1:
            raise InputError(f"there are two results of {agent} on {name}. Use only one of them")
    return Table(tuple(row for row, _ in found), tuple(_pairs(found)))


def table_of(pairs: Pairs, name: str, agents: tuple[str, str]) -> Table:
    """Return the table of two agents on the same boards."""
    wins = (pairs.both + pairs.only_first, pairs.both + pairs.only_second)
    rows = [Row(name, agent, pairs.games, won) for agent, won in zip(agents, wins, strict=True)]
    return Table(tuple(rows), (Pair(name, *agents, pairs, pairs.p_value),))


def _rows(result: ArenaResult) -> Iterator[tuple[Row, str]]:
    """Yield rows with the letters by which they are compared; a sum of parts is not compared."""
    name, parts, letters = str(result.agent), result.parts(), result.results
    whole = result.set
    if len(parts) > 1:  # the totals cannot be divided between parts
        yield from ((Row.of(part, name, some), some) for part, some in parts.items())
        whole, letters = f"{whole}{_ALL}", ""
    cpu_ms = result.cpu_seconds and 1000 * result.cpu_seconds
    totals = (result.guesses, result.false_proofs, cpu_ms)
    yield Row.of(whole, name, result.results, *totals), letters


def _pairs(found: Sequence[tuple[Row, str]]) -> Iterator[Pair]:
    both = [
        (first, second, shared_boards(letters, others))
        for (first, letters), (second, others) in combinations(found, 2)
        if first.set == second.set
    ]
    both = [one for one in both if one[2].games]
    corrected = holm([pairs.p_value for *_, pairs in both])
    for (first, second, pairs), p in zip(both, corrected, strict=True):
        yield Pair(first.set, first.agent, second.agent, pairs, p)


def shared_boards(first: str, second: str) -> Pairs:
    """Count the boards that both agents played. Boards that an agent refused do not count."""
    both = zip(first, second, strict=False)
    return Pairs.count((a == "W", b == "W") for a, b in both if "R" not in (a, b))
