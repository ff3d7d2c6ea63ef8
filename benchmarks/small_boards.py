"""Best play on small boards: known optima, and random positions up to 6x6.

Run `python benchmarks/small_boards.py [--positions N] [--write]`. The first table lists boards with
nothing opened and mines anywhere. It shows how many layouts best play is known to win, and how many
`champion` wins from its best first cell. The second table covers random positions of any density
with at most 3,000 layouts. It shows how many of them `win_chances` solves within its default
limits, and compares the agents' moves with the best ones.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

from result_table import format_table, machine, update

from mineproof.agents.champion import ChampionAgent
from mineproof.agents.loading import make_agent
from mineproof.agents.protocol import Agent
from mineproof.core.board import Board
from mineproof.core.clues import UNOPENED
from mineproof.core.game import Result
from mineproof.core.observation import Observation
from mineproof.core.rules import ANY, PublicRules, Rules
from mineproof.inference.counting import count
from mineproof.search.choice import GuessSettings
from mineproof.search.winning import NATIVE, WinChances, win_chances

OPTIMA = (
    (3, 3, 2, 24),
    (4, 4, 2, 102),
    (4, 4, 3, 400),
    (4, 4, 4, 961),
    (4, 4, 5, 1461),
    (4, 4, 6, 1584),
    (5, 4, 3, 864),
    (5, 4, 4, 2950),
    (5, 4, 5, 6998),
    (5, 5, 2, 266),
    (5, 5, 3, 1798),
    (5, 5, 4, 8236),
)
"""Rows, columns, mines, and the layouts that best play wins."""
ENOUGH = GuessSettings(layouts=20_000, endgame_work=10**9)
MOST_LAYOUTS = 3_000
BOARDS = ("board", "layouts", "optimum", "ours", "CPU ms", "`champion` at play speed")
POSITIONS = ("player", "positions", "best move %", "win % lost", "worst win % lost")
AGENTS = ("champion", "exact")


def closed_boards() -> Iterator[list[str]]:
    """Solve the boards with a known optimum."""
    for rows, columns, mines, optimum in OPTIMA:
        shown = bytes([UNOPENED] * rows * columns)
        started = time.process_time()
        seen = Observation(PublicRules(rows, columns, mines), shown)
        found = win_chances(count(seen), ENOUGH, moves=False)
        spent = time.process_time() - started
        layouts = math.comb(rows * columns, mines)
        ours = "unsolved" if found.win is None else f"{found.win * layouts:,.0f}"
        yield [
            f"{rows}x{columns}/{mines}",
            f"{layouts:,}",
            f"{optimum:,}",
            ours,
            f"{spent * 1000:,.1f}",
            f"{champion_wins(rows, columns, mines):,}",
        ]


def champion_wins(rows: int, columns: int, mines: int) -> int:
    """Play all layouts of a board. Return the wins of the best first cell."""
    places = combinations(range(rows * columns), mines)
    boards = [Board.from_mines(rows, columns, mined) for mined in places]
    rules = Rules(rows, columns, mines, ANY)
    firsts = product(range((rows + 1) // 2), range((columns + 1) // 2))  # the rest are mirrored
    games = [ChampionAgent().play_whole(rules, boards, first) for first in firsts]
    return max(sum(game.result is Result.WIN for game in played) for played in games)


def random_positions(number: int, seed: int) -> Iterator[Observation]:
    """Open random cells of random boards until few layouts are left."""
    source = random.Random(seed)
    while number:
        rows, columns = source.randint(2, 6), source.randint(2, 6)
        cells = rows * columns
        mined = source.sample(range(cells), source.randint(1, max(1, cells // 2)))
        board = Board.from_mines(rows, columns, mined)
        rules = PublicRules(rows, columns, len(mined))
        shown = bytearray([UNOPENED]) * cells
        order = [index for index in range(cells) if not board.mined[index]]
        source.shuffle(order)
        for index in order:
            seen = Observation(rules, bytes(shown))
            if 1 < (count(seen).layouts or 0) <= MOST_LAYOUTS:
                number -= 1
                yield seen
                break
            shown[index] = board.clues[index]


@dataclass
class Loss:
    """The win chance that a player's moves lose."""

    positions: int = 0
    best: int = 0
    lost: float = 0.0
    worst: float = 0.0

    def add(self, found: WinChances, index: int) -> None:
        """Compare a move with the best one."""
        lost = (found.win or 0.0) - found.moves[index]
        self.positions += 1
        self.best += lost < 1e-9
        self.lost += lost
        self.worst = max(self.worst, lost)

    def row(self, player: str) -> list[str]:
        """Return the fields of the table."""
        share = self.best / self.positions
        mean = self.lost / self.positions
        return [
            player,
            f"{self.positions:,}",
            f"{share:.2%}".rstrip("%"),
            f"{mean:.3%}".rstrip("%"),
            f"{self.worst:.2%}".rstrip("%"),
        ]


def chosen(agent: Agent, seen: Observation) -> int:
    """Return the cell that an agent opens next."""
    agent.start(seen.rules, 0)
    decision = agent.decide(seen)
    assert decision is not None
    return seen.grid.index(decision.move.cell)


def compare(number: int, seed: int) -> tuple[list[list[str]], int]:
    """Solve random positions. Return the players' rows, and the number of unsolved positions."""
    agents = {name: make_agent(name) for name in AGENTS}
    losses = {name: Loss() for name in AGENTS}
    times: list[float] = []
    unsolved = 0
    for seen in random_positions(number, seed):
        started = time.process_time()
        facts = count(seen)
        found = win_chances(facts)
        times.append(time.process_time() - started)
        unsolved += not found.exact
        if not found.exact or len(found.moves) < len(seen.unopened) - len(facts.mined):
            found = win_chances(facts, ENOUGH)
        for name, agent in agents.items():
            losses[name].add(found, chosen(agent, seen))
    times.sort()
    print(
        f"{number:,} positions: {number - unsolved:,} solved ({1 - unsolved / number:.2%}) within "
        f"{NATIVE.endgame_work:,} steps; CPU ms: mean {1000 * sum(times) / number:.2f}, "
        f"99 % {1000 * times[number * 99 // 100]:.1f}, worst {1000 * times[-1]:.1f}\n"
    )
    return [loss.row(name) for name, loss in losses.items()], unsolved


def main() -> int:
    """Print both tables, and write them with --write. The status is 1 if an optimum is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="write the tables to results/")
    options = parser.parse_args()
    boards = list(closed_boards())
    print(format_table(BOARDS, boards))
    players, unsolved = compare(options.positions, options.seed)
    print(format_table(POSITIONS, players))
    if options.write:
        by = f"by `python benchmarks/small_boards.py` ({machine()})."
        update("small_boards", f"Layouts won by best play, any start, {by}", BOARDS, boards, 1)
        update("small_positions", f"Win chance lost by moves, {by}", POSITIONS, players, 1)
    missed = any(row[2] != row[3] for row in boards)
    return int(missed or unsolved > options.positions // 100)


if __name__ == "__main__":
    sys.exit(main())
