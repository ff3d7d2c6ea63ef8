"""What the Rutgers report measured of its three agents: score, mines hit, clues, chains.

    python benchmarks/rutgers_tables.py score [AGENT ...] [--games 500] [--write]
    python benchmarks/rutgers_tables.py clues [AGENT ...] [--games 500] [--write]
    python benchmarks/rutgers_tables.py chains [AGENT ...] [--games 500] [--write]

`score` plays 10x10 boards with 5 to 30 mines; `clues` plays 10x10 with 15 mines under every clue
model; `chains` follows the chains of influence on 10x10 boards, from an opening in a corner and in
the middle. Play goes on after a mine, as in the report, and the first cell is a 0. Game i has the
seed i; means have a 95 % interval. `--write` brings `results/rutgers_TABLE.md` up to date.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Iterator
from math import sqrt

from result_table import format_table, update

from mineproof.agents.loading import make_agent
from mineproof.core.game import Game, Outcome, Result
from mineproof.core.rules import Rules, with_options
from mineproof.notation.records import Record
from mineproof.play.chains import trace
from mineproof.play.match import play
from mineproof.play.results import wilson

SCORE_AGENTS = (
    "basic",
    "possibility",
    "backtracking",
    "backtracking:mine_count=off",
    "clue-heap",
    "clue-heap:backtracking=off",
    "clue-heap:mine_count=off",
)
MINES = (5, 10, 15, 20, 25, 30)
SCORE_COLUMNS = ("agent", "mines", "games", "score", "mines hit", "moves", "won", "ms a game")

CLUES_AGENTS = (
    "basic",
    "possibility",
    "backtracking",
    "backtracking:clues=model",
    "clue-heap",
    "clue-heap:clues=model",
)
MODELS = ("exact", "withheld:0.5", "optimistic", "cautious")
CLUES_COLUMNS = ("agent", "clues", "games", "score", "mines hit", "false marks", "ms a game")

CHAINS_AGENTS = ("basic", "sentences", "backtracking", "clue-heap")
CHAINS_MINES = (5, 15, 25, 40, 60)
FIRST = {"corner": (0, 0), "middle": (4, 4)}
CHAINS_COLUMNS = ("agent", "mines", "first cell", "games", "longest chain", "reach", "moves")


def rules_of(mines: int, clues: str = "exact") -> Rules:
    """Give the report's rules: the first cell is a 0, and play goes on after a mine."""
    rules = Rules(10, 10, mines)
    return with_options(rules, start="opening", explosion="continue", clues=clues)


def mean(values: list[float], digits: int = 2) -> str:
    """Write a mean with its 95 % interval."""
    half = 1.96 * statistics.stdev(values) / sqrt(len(values))
    return f"{statistics.fmean(values):.{digits}f} ± {half:.{digits}f}"


def play_all(name: str, rules: Rules, games: int) -> Iterator[tuple[Record, Outcome]]:
    """Play games from seed 0 on."""
    for seed in range(games):
        record = play(Game(rules, seed), make_agent(name))
        assert record.outcome is not None
        yield record, record.outcome


def milliseconds(records: list[Record]) -> str:
    """Write the mean CPU time of games."""
    return f"{statistics.fmean(record.milliseconds for record in records):.1f}"


def score_rows(name: str, games: int) -> Iterator[list[str]]:
    """Play boards with more and more mines."""
    for mines in MINES:
        records, outcomes = zip(*play_all(name, rules_of(mines), games), strict=True)
        wins = sum(outcome.result is Result.WIN for outcome in outcomes)
        low, high = wilson(wins, games)
        yield [
            f"`{name}`",
            str(mines),
            str(games),
            mean([outcome.score for outcome in outcomes], 3),
            mean([outcome.hits for outcome in outcomes]),
            mean([len(record.steps) for record in records], 1),
            f"{wins / games:.1%} ({low:.1%} to {high:.1%})",
            milliseconds(list(records)),
        ]


def clues_rows(name: str, games: int) -> Iterator[list[str]]:
    """Play under each clue model."""
    for model in MODELS:
        records, outcomes = zip(*play_all(name, rules_of(15, model), games), strict=True)
        yield [
            f"`{name}`",
            model,
            str(games),
            mean([outcome.score for outcome in outcomes], 3),
            mean([outcome.hits for outcome in outcomes]),
            mean([outcome.false_marks for outcome in outcomes]),
            milliseconds(list(records)),
        ]


def chains_rows(name: str, games: int) -> Iterator[list[str]]:
    """Follow the chains from an opening in a corner, and in the middle."""
    for mines in CHAINS_MINES:
        for where, first in FIRST.items():
            chains = [
                trace(Game(rules_of(mines), seed, first), make_agent(name)) for seed in range(games)
            ]
            yield [
                f"`{name}`",
                str(mines),
                where,
                str(games),
                mean([one.length for one in chains]),
                mean([one.reach for one in chains]),
                mean([len(one.lengths) for one in chains], 1),
            ]


Rows = Callable[[str, int], Iterator[list[str]]]
TABLES: dict[str, tuple[Rows, tuple[str, ...], tuple[str, ...], str]] = {
    "score": (
        score_rows,
        SCORE_AGENTS,
        SCORE_COLUMNS,
        "# Score by number of mines\n\n10x10, the first cell is a 0, play goes on after a mine; "
        "score = mines rightly marked / all mines",
    ),
    "clues": (
        clues_rows,
        CLUES_AGENTS,
        CLUES_COLUMNS,
        "# Unreliable clues\n\n10x10 with 15 mines, play goes on after a mine",
    ),
    "chains": (
        chains_rows,
        CHAINS_AGENTS,
        CHAINS_COLUMNS,
        "# Chains of influence\n\n10x10, the first cell is a 0, play goes on after a mine; length "
        "in conclusions, reach in king's moves",
    ),
}


def main() -> None:
    """Fill one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("table", choices=list(TABLES))
    parser.add_argument("agents", nargs="*", metavar="AGENT")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    make_rows, names, columns, title = TABLES[options.table]
    rows = []
    for name in options.agents or names:
        for row in make_rows(name, options.games):
            rows.append(row)
            print(*row, flush=True)
    print(format_table(columns, rows))
    if options.write:
        command = f"`python benchmarks/rutgers_tables.py {options.table} --write`"
        intro = f"{title} ({command})."
        print(update(f"rutgers_{options.table}", intro, columns, rows, columns.index("games")))


if __name__ == "__main__":
    main()
