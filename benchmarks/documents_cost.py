"""CPU time per game of the source documents' agents on their levels, with given cells.

    python benchmarks/documents_cost.py [AGENT ...] [--games 100] [--write]

The script prints the mean, median and worst time on `easy`, `medium` and `hard` (start `given:1`,
goal `mark`, games played to the end), and the mean as a share of the agent's budget if it has one.
`--write` updates `benchmarks/results/documents_cost.md`. Run it with MINEPROOF_BACKEND=python,
because the budgets are for pure Python.
"""

from __future__ import annotations

import argparse
import statistics

from result_table import format_table, machine, update

from mineproof.agents.loading import make_agent
from mineproof.core.game import Game
from mineproof.core.rules import LEVELS, with_options
from mineproof.match.play import play

BUDGETS = {
    "sentences": (20, 100, 400),
    "sentences:mine_count=on": (20, 100, 400),
    "resolution": (100, 500, 2000),
    "resolution:matching=both": (None, None, 10_000),
    "resolution:matching=both,mine_count=on": (None, None, 10_000),
}
"""Milliseconds of CPU time per game on easy, medium and hard."""
AGENTS = ("random", "basic", *BUDGETS, "possibility", "backtracking", "clue-heap")
DOCUMENTS_LEVELS = ("easy", "medium", "hard")
COLUMNS = ("agent", "level", "games", "mean ms", "median ms", "worst ms", "budget ms", "share")


def times(name: str, level: str, games: int) -> list[float]:
    """Return the CPU milliseconds of games from seed 0 on."""
    rules = with_options(LEVELS[level], goal="mark")
    return [play(Game(rules, seed), make_agent(name)).milliseconds for seed in range(games)]


def row(name: str, level: str, games: int) -> list[str]:
    """Measure one agent on one level."""
    found = times(name, level, games)
    mean = statistics.fmean(found)
    budget = BUDGETS.get(name, (None,) * 3)[DOCUMENTS_LEVELS.index(level)]
    return [
        f"`{name}`",
        level,
        str(games),
        f"{mean:.2f}",
        f"{statistics.median(found):.2f}",
        f"{max(found):.1f}",
        "" if budget is None else f"{budget:,}",
        "" if budget is None else f"{mean / budget:.1%}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("agents", nargs="*", metavar="AGENT")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows = []
    for name in options.agents or AGENTS:
        for level in DOCUMENTS_LEVELS:
            rows.append(row(name, level, options.games))
            print(*rows[-1], flush=True)
    print(format_table(COLUMNS, rows))
    if options.write:
        intro = (
            "# Cost of the documents' agents\n\nCPU time per game with `given:1`, goal `mark` "
            "(`MINEPROOF_BACKEND=python python benchmarks/documents_cost.py --write`).\n"
            f"Measured with {machine()}."
        )
        print(update("documents_cost", intro, COLUMNS, rows, keys=2))


if __name__ == "__main__":
    main()
