"""Compare the CPU time of `arena run` with that of `games` on the same 100,000 boards.

    python benchmarks/arena.py [--boards 100000] [--rounds 2]

Both commands play the boards of `expert-corner-2026` with `champion` in one process, in turn. The
script prints the CPU seconds of each run, and the ratio of the sums. The aim is at most 1.1.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from mineproof.arena import board_set

SET, AGENT = "expert-corner-2026", ("--agent", "champion", "--jobs", "1", "--force")


def cpu_seconds(*arguments: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "mineproof", *arguments, *AGENT]
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--boards", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=2)
    asked = parser.parse_args()
    seed = board_set(SET).deals(1)[0].seed
    dealt = ("--level", "expert", "--seed", str(seed), "--count", str(asked.boards))
    spent = {"games": 0.0, "arena": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        games = ("games", *dealt, "--output", str(Path(folder) / "games.txt"))
        run = ("arena", "run", SET, "--first", str(asked.boards))
        arena = (*run, "--out", str(Path(folder) / "arena.json"))
        for _ in range(asked.rounds):
            for name, command in (("games", games), ("arena", arena)):
                seconds = cpu_seconds(*command)
                spent[name] += seconds
                print(f"{name}: {seconds:.2f} s", flush=True)
    print(f"arena / games: {spent['arena'] / spent['games']:.3f}")


if __name__ == "__main__":
    main()
