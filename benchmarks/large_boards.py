"""The time of `champion`'s decisions on large boards: dense, sparse and scattered.

    python benchmarks/large_boards.py [--games 2] [--seconds 20] [--write]

The script plays games on boards of 100x100 cells. It also uses positions in which single cells are
open all over the board. It measures the CPU time of `decide`, with proofs and reasons. `--write`
updates `results/large_boards.md`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

from result_table import format_table, machine, update

from mineproof.agents.champion import ChampionAgent
from mineproof.core.game import Game
from mineproof.core.rules import Rules, with_options

SIDE = 100
DENSITIES = (0.05, 0.12, 0.2, 0.35, 0.5)
STARTS = ("opening", "given:1", "given:10", "given:30")
COLUMNS = ("board", "start", "flood", "decisions", "median ms", "99 % ms", "worst ms", "its reason")


def decisions(rules: Rules, seed: int, seconds: float) -> Iterator[tuple[float, str]]:
    """Play a game for some seconds. Return the milliseconds and the reason of each decision."""
    game = Game(rules, seed, rules.first_cell)
    agent = ChampionAgent()
    agent.start(rules.public(), seed)
    end = time.process_time() + seconds
    while not game.is_over and time.process_time() < end:
        seen = game.observation
        before = time.process_time()
        decision = agent.decide(seen)
        took = 1000 * (time.process_time() - before)
        if decision is None:
            return
        yield took, decision.reason.text
        game.play(decision.move)


def row(density: float, start: str, flood: str, games: int, seconds: float) -> list[str]:
    """Measure one kind of board. Games continue after a mine, so that they are long."""
    rules = with_options(
        Rules(SIDE, SIDE, round(density * SIDE * SIDE)),
        start=start,
        flood=flood == "on",
        explosion="continue",
    )
    found = sorted(
        each for seed in range(games) for each in decisions(rules, seed, seconds / games)
    )
    if not found:
        return [rules.level, start, flood, "0", "", "", "", ""]
    places = (len(found) // 2, len(found) * 99 // 100, -1)
    times = [f"{found[place][0]:.2f}" for place in places]
    return [rules.level, start, flood, f"{len(found):,}", *times, found[-1][1][:60]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=20, help="seconds per kind of board")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows = []
    for density in DENSITIES:
        for start in STARTS:
            for flood in ("on", "off"):
                rows.append(row(density, start, flood, options.games, options.seconds))
                print(*rows[-1], sep=" | ", flush=True)
    print(format_table(COLUMNS, rows))
    if options.write:
        intro = f"CPU time by `python benchmarks/large_boards.py` ({machine()})."
        update("large_boards", intro, COLUMNS, rows, 3)


if __name__ == "__main__":
    main()
