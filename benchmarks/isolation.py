"""Measure what isolation costs: the moves per second of a user agent, here and in its own process.

    python benchmarks/isolation.py [--rounds 6]

The agent takes 0.2 ms per move. Both ways play the same expert boards in turn. The loss is largest
on a busy machine, where other programs use the caches while one of the two processes waits.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from contextlib import closing
from pathlib import Path

import mineproof as mw
from mineproof.agents.loading import make_agent
from mineproof.agents.protocol import SimpleAgent
from mineproof.core.rules import with_options
from mineproof.match.isolated import Isolation

GAMES = 10
AGENT = """
import time
from mineproof import Action, Decision, Move, Reason
class Own:
    def start(self, rules, seed): pass
    def decide(self, observation):
        until = time.perf_counter() + 0.0002
        while time.perf_counter() < until: pass
        cell = observation.grid.cell(observation.unopened[0])
        return Decision(Move(Action.OPEN, cell), proved=False, reason=Reason("first"))
"""


def moves_per_second(agent: SimpleAgent) -> float:
    """Play some games, and return the number of moves per second."""
    rules = with_options(mw.Rules.parse("expert"), explosion="continue")
    began = time.perf_counter()
    records = [mw.play(mw.Game(rules, seed, (0, 0)), agent, seed=1) for seed in range(GAMES)]
    return sum(len(record.steps) for record in records) / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=6)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "own.py"
        file.write_text(AGENT)
        here = make_agent(f"{file}:Own")
        with closing(Isolation(f"{file}:Own").make()) as apart:
            moves_per_second(apart)
            losses = []
            for _ in range(rounds):
                one, other = moves_per_second(here), moves_per_second(apart)
                losses.append(1 - other / one)
                print(f"{one:.0f} and {other:.0f} moves/s: {losses[-1]:.1%} lost", flush=True)
    median = sorted(losses)[len(losses) // 2]
    print(f"median loss {median:.1%}, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
