"""The strength of `champion`: win rates on fresh boards, compared with the best known ones.

    python benchmarks/strength.py [--games 100000] [--jobs J] [--only NAME ...] [--seed S] [--write]

The script plays the rule set of each record on boards of consecutive seeds that training did not
use. It shows where games are lost. It also compares board by board with a peer's results on 12,000
boards (`data/`), and with `champion` without its evaluation or its endgame. NAME is a rule set,
`peer` or `parts`. `--write` updates `results/strength*.md`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from game_tally import LAYOUTS, OPENED, Tally
from result_table import format_table, machine, update

from mineproof.agents.champion import ChampionAgent
from mineproof.arena.sets import board_set
from mineproof.backend import native
from mineproof.core.game import Result
from mineproof.core.grid import Cell, grid
from mineproof.match.certainty import Pairs, share
from mineproof.search.choice import USUAL
from mineproof.search.guessing import core_settings, load_evaluation

PEER = Path(__file__).parent / "data" / "expert-safe-corner.peer.txt"
SEED = 2 * 10**12
CHUNK = 10_000
"""The number of games that a process plays at a time."""
HILL, TU = "Hill's Java solver", "PSEQ-D256 (Tu et al. 2017)"


@dataclass(frozen=True)
class RuleSet:
    """A board, a start, a first cell, and the best known result."""

    size: tuple[int, int, int]
    start: str
    first: tuple[int, int]
    record: float
    by: str

    def __str__(self) -> str:
        """Return the text for a table."""
        rows, columns, mines = self.size
        return f"{rows}x{columns}/{mines}, {self.start} {self.first}"


RULE_SETS = {
    "expert-safe": RuleSet((16, 30, 99), "safe", (0, 0), 41.132, f"{HILL}, 10 M games"),
    "expert-opening": RuleSet((16, 30, 99), "opening", (3, 3), 54.3, f"{HILL}, a claim"),
    "intermediate-safe": RuleSet((16, 16, 40), "safe", (0, 0), 78.23, TU),
    "intermediate-opening": RuleSet((16, 16, 40), "opening", (2, 2), 89.08, TU),
    "beginner-safe": RuleSet((9, 9, 10), "safe", (0, 0), 91.69, TU),
    "beginner-opening": RuleSet((9, 9, 10), "opening", (2, 2), 97.17, TU),
    "classic-safe": RuleSet((8, 8, 10), "safe", (0, 0), 81.77, TU),
    "classic-opening": RuleSet((8, 8, 10), "opening", (2, 2), 90.34, TU),
}

WHOLE, PLAIN, OPEN_ENDED = "champion", "without evaluation", "without endgame"
VARIANTS = {
    WHOLE: (USUAL, True),
    PLAIN: (USUAL, False),
    OPEN_ENDED: (replace(USUAL, layouts=0), True),
}
"""The settings, and whether the evaluation is used."""

RATES = (
    *("board and start", "games", "won %", "95 % interval", "record %", "by"),
    *("guesses per game", "CPU ms per game", "slowest game ms", "slowest guess ms"),
)
LOSSES = (
    *("board and start", "lost", *(f"open {name}" for name in OPENED)),
    *(*(f"layouts {name}" for name in LAYOUTS), "mean safety of the fatal guess"),
)
PAIRS = (
    *("boards", "first", "second", "games", "first won %", "second won %"),
    *("only first", "only second", "second - first, points", "95 % interval", "McNemar p"),
)

Task = tuple[str, str, int, int]
"""Rule set, variant, first seed, games."""


def play(task: Task) -> Tally:
    """Play some games in the core, in a worker process."""
    name, variant, seed, games = task
    rules = RULE_SETS[name]
    settings, evaluated = VARIANTS[variant]
    evaluation = load_evaluation() if evaluated else None
    rows, columns, mines = rules.size
    core: Any = native
    traces = core.trace_games(
        *(rows, columns, mines, rules.start, grid(rows, columns).index(rules.first)),
        *(seed, games, core_settings(settings, evaluation)),
    )
    return Tally.read(traces, rows * columns, mines)


class Bench:
    """A measurement on all cores, with its tables."""

    def __init__(self, pool: Any, games: int, seed: int) -> None:
        """Set the number of games for each measurement."""
        self._pool = pool
        self._games = games
        self._seed = seed

    def tally(self, name: str, variant: str = WHOLE) -> Tally:
        """Play the games of a rule set, on the same boards for every variant."""
        tasks = list(self._tasks(name, variant))
        whole = Tally()
        for number, part in enumerate(self._pool.imap(play, tasks), 1):
            whole.add(part)
            if number % 50 == 0:
                print(f"{name}, {variant}: {whole.games:,} games, {whole.rate:.3%}", flush=True)
        return whole

    def _tasks(self, name: str, variant: str) -> Iterator[Task]:
        for begin in range(0, self._games, CHUNK):
            yield name, variant, self._seed + begin, min(CHUNK, self._games - begin)


def rate_row(rules: RuleSet, tally: Tally) -> list[str]:
    """Return the row with the win rate of a rule set and its record."""
    won = share(tally.wins, tally.games)
    return [
        *(str(rules), f"{tally.games:,}", f"{won.value:.3%}"[:-1]),
        *(f"{won.low:.3%} to {won.high:.3%}".replace("%", ""), f"{rules.record:g}", rules.by),
        *(f"{tally.guesses / tally.games:.2f}", f"{tally.milliseconds / tally.games:.3f}"),
        *(f"{tally.slowest_game:.1f}", f"{tally.slowest_guess:.1f}"),
    ]


def loss_row(rules: RuleSet, tally: Tally) -> list[str]:
    """Return a row that shows where the lost games of a rule set were lost, in percent."""
    lost = max(1, tally.losses)
    return [
        *(str(rules), f"{tally.losses:,}"),
        *(f"{tally.opened[name] / lost:.1%}" for name in OPENED),
        *(f"{tally.layouts[name] / lost:.1%}" for name in LAYOUTS),
        f"{tally.fatal_safety / lost:.3f}",
    ]


def pair_row(boards: str, names: tuple[str, str], first: bytes, second: bytes) -> list[str]:
    """Return the row that compares two players on the same boards (1 is a win)."""
    pairs = Pairs.count((bool(a), bool(b)) for a, b in zip(first, second, strict=True))
    gain = pairs.difference
    return [
        *(boards, *names, f"{pairs.games:,}"),
        *(f"{pairs.first.value:.3%}"[:-1], f"{pairs.second.value:.3%}"[:-1]),
        *(f"{pairs.only_first:,}", f"{pairs.only_second:,}", f"{100 * gain.value:+.3f}"),
        *(f"{100 * gain.low:+.3f} to {100 * gain.high:+.3f}", f"{pairs.p_value:.2g}"),
    ]


def peer_row() -> list[str]:
    """Play the boards that a peer has played."""
    letters = PEER.read_text("ascii").strip()
    deals = board_set("peer-expert-corner").deals()
    first, rules = Cell(0, 0), deals[0].rules
    games = ChampionAgent().play_whole(rules, [deal.board() for deal in deals], first)
    ours = bytes(game.result is Result.WIN for game in games)
    theirs = bytes(letter == "W" for letter in letters)
    return pair_row("the peer's 12,000, expert-safe", (HILL, WHOLE), theirs, ours)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=100_000, help="games per rule set")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of processes")
    parser.add_argument("--seed", type=int, default=SEED, help="seed of the first board")
    parser.add_argument("--only", nargs="+", choices=[*RULE_SETS, "peer", "parts"], metavar="NAME")
    parser.add_argument("--write", action="store_true", help="update the result files")
    return parser.parse_args()


def measure(bench: Bench, names: list[str]) -> dict[str, list[list[str]]]:
    """Fill the tables."""
    rates, losses, pairs = [], [], []
    tallies = {}
    for name in [name for name in RULE_SETS if name in names]:
        tallies[name] = bench.tally(name)
        rates.append(rate_row(RULE_SETS[name], tallies[name]))
        losses.append(loss_row(RULE_SETS[name], tallies[name]))
    if "peer" in names:
        pairs.append(peer_row())
    if "parts" in names:
        for name in ("expert-safe", "expert-opening"):
            whole = (tallies.get(name) or bench.tally(name)).won
            for variant in (PLAIN, OPEN_ENDED):
                less = bench.tally(name, variant).won
                pairs.append(pair_row(str(RULE_SETS[name]), (variant, WHOLE), less, whole))
    return {"strength": rates, "strength_losses": losses, "strength_pairs": pairs}


def main() -> None:
    options = arguments()
    names = options.only or [*RULE_SETS, "peer", "parts"]
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        tables = measure(Bench(pool, options.games, options.seed), names)
    heads = {"strength": (RATES, 1), "strength_losses": (LOSSES, 1), "strength_pairs": (PAIRS, 3)}
    trained = "with" if load_evaluation() else "without"
    intro = (
        f"`python benchmarks/strength.py --games GAMES --seed {options.seed}` "
        f"({machine()}, {trained} a trained evaluation). CPU time on one core."
    )
    for name, rows in tables.items():
        if not rows:
            continue
        columns, keys = heads[name]
        print(format_table(columns, rows))
        if options.write:
            update(name, intro, columns, rows, keys)


if __name__ == "__main__":
    main()
