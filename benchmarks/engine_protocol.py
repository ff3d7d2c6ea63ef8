"""Measure how many moves per second go through the engine protocol.

    python benchmarks/engine_protocol.py [--games 50]

An engine that answers immediately opens the first unopened cell of expert boards on which an
explosion does not end the game. The script prints the moves per second of wall-clock time, and the
CPU time per move of the host and of the engine. The aim is 3,000 moves per second on one core.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time

import mineproof as mw
from mineproof.core.rules import with_options
from mineproof.match.isolated import Isolation
from mineproof.match.play import play

ENGINE = """
import sys
for line in sys.stdin:
    word, _, rest = line.partition(" ")
    if word == "position":
        rows = rest.split("/")
        row = next(i for i, text in enumerate(rows) if "H" in text)
        print(f"open {row} {rows[row].index('H')}")
        print("done", flush=True)
    elif word == "quit\\n":
        break
    else:
        print("ok", flush=True)
"""
RULES = with_options(mw.EXPERT, explosion="continue")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=50)
    games = parser.parse_args().games
    agent = Isolation(f"engine:{shlex.join([sys.executable, '-S', '-c', ENGINE])}").make()
    started, host, engine = time.monotonic(), time.process_time(), agent.cpu_seconds
    moves = sum(len(play(mw.Game(RULES, seed=seed), agent).steps) for seed in range(games))
    seconds = time.monotonic() - started
    host, engine = time.process_time() - host, agent.cpu_seconds - engine
    agent.close()
    print(
        f"{moves:,} moves, {moves / seconds:,.0f} per second; CPU time per move: "
        f"{1e6 * host / moves:.0f} microseconds here, {1e6 * engine / moves:.0f} in the engine"
    )


if __name__ == "__main__":
    main()
