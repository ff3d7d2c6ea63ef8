"""CPU time and size of the knowledge base of the source documents' agents on their levels.

    python benchmarks/documents_cost.py [AGENT ...] [--games 100] [--write]

The script prints the mean, median and worst time on `easy`, `medium` and `hard` (start `given:1`,
goal `mark`, no flood), the mean as a share of the agent's budget if it has one, and the mean of the
largest number of clauses or sentences in a game.
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
    "resolution:matching=kb": (None, None, 10_000),
    "resolution:matching=both": (None, None, 10_000),
    "resolution:matching=both,mine_count=on": (None, None, 10_000),
    "resolution:rules=as-written": (None, None, None),
}
"""Milliseconds of CPU time per game on easy, medium and hard."""
AGENTS = ("random", "basic", *BUDGETS, "possibility", "backtracking", "clue-heap")
COUNTED = ("clauses", "sentences")
"""What agents count in their knowledge bases."""
DOCUMENTS_LEVELS = ("easy", "medium", "hard")
COLUMNS = (
    *("agent", "level", "games", "mean ms", "median ms", "worst ms", "budget ms", "share"),
    "largest KB",
)


def costs(name: str, level: str, games: int) -> list[tuple[float, int]]:
    """Return the CPU time in milliseconds, and the largest KB, of each game from seed 0 on."""
    rules = with_options(LEVELS[level], goal="mark", flood=False)
    found = []
    for seed in range(games):
        agent = make_agent(name)
        milliseconds = play(Game(rules, seed), agent).milliseconds
        sizes = getattr(agent, "counters", {})
        found.append((milliseconds, max(sizes.get(f"{what} at most", 0) for what in COUNTED)))
    return found


def row(name: str, level: str, games: int) -> list[str]:
    """Measure one agent on one level."""
    found, sizes = zip(*costs(name, level, games), strict=True)
    mean, size = statistics.fmean(found), statistics.fmean(sizes)
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
        f"{size:.0f}" if size else "",
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
            "# Cost of the documents' agents\n\nCPU time per game with `given:1`, goal `mark`, no "
            "flood (`MINEPROOF_BACKEND=python python benchmarks/documents_cost.py --write`).\n"
            f"Measured with {machine()}."
        )
        print(update("documents_cost", intro, COLUMNS, rows, keys=2))


if __name__ == "__main__":
    main()
