"""Measure the speed of a lab run of `exact`, compared with the core alone.

    python benchmarks/lab_speed.py [--games 200000] [--jobs 2] [--write]

The script plays the same expert boards twice, in turn: in the core alone (deal and play, nothing
stored), and in a run of the lab, which stores every game. Both use the same number of processes,
because parallel processes slow each other down. A worker's rate is its games per second of CPU
time, including everything that it does for a chunk. The run's rate also includes the time of the
process that stores the results. `--write` updates `results/lab_speed.md`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from result_table import format_table, machine, update

from mineproof.backend import native
from mineproof.core.rules import EXPERT
from mineproof.lab.chunks import Chunk
from mineproof.lab.experiment import Experiment
from mineproof.lab.running import carry_out, prepare
from mineproof.lab.store import Store
from mineproof.lab.work import ChunkAnswer
from mineproof.workers.batch import Processes

ROUNDS = 3
COLUMNS = ("what", "processes", "games", "games per CPU second", "of the core's")


class Spent(NamedTuple):
    """The CPU seconds of a run, for all workers and for the process that stores the results."""

    workers: float
    keeper: float


def core_seconds(part: range) -> float:
    """Deal and play the boards of these seeds in the core. Return the CPU seconds."""
    core: Any = native
    size = (EXPERT.rows, EXPERT.columns, EXPERT.mines)
    started = time.process_time()
    core.tally_games(*size, "safe", 0, part.start, len(part))
    return time.process_time() - started


def cores_seconds(games: int, jobs: int) -> float:
    """Play in the core in several processes at the same time. Return their total CPU seconds."""
    parts = [range(games * i // jobs, games * (i + 1) // jobs) for i in range(jobs)]
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        return sum(pool.map(core_seconds, parts, chunksize=1))


def run_seconds(games: int, jobs: int, folder: Path) -> Spent:
    """Play the same boards in a run of the lab."""
    rules = {"level": "expert"}
    experiment = Experiment("speed", "Speed", "", agents=("exact",), rules=rules, games=games)
    workers = 0.0

    def take(_chunk: Chunk, answer: ChunkAnswer) -> bool:
        nonlocal workers
        workers += answer.seconds
        return True

    with Processes(jobs) as pool:
        run = prepare(experiment, games, Store(folder))
        started = time.process_time()
        carry_out(run, pool, take)
        return Spent(workers, time.process_time() - started)


def measure(games: int, jobs: int) -> list[list[str]]:
    """Measure both in turn, and keep the fastest round of each."""
    cores, runs = [], []
    for _ in range(ROUNDS):
        cores.append(cores_seconds(games, jobs))
        with TemporaryDirectory() as folder:
            runs.append(run_seconds(games, jobs, Path(folder)))
    core = min(cores)
    spent = min(runs, key=sum)
    named = {
        "the core alone": core,
        "a run's workers": spent.workers,
        "a run, everything included": sum(spent),
    }
    return [
        [name, str(jobs), f"{games:,}", f"{games / seconds:,.0f}", f"{core / seconds:.1%}"]
        for name, seconds in named.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if native is None:
        parser.error("the native core is missing")
    rows = measure(options.games, options.jobs)
    print(format_table(COLUMNS, rows))
    if options.write:
        intro = (
            "# The lab's speed\n\nWhole games of `exact` on expert boards, every game stored "
            f"(`python benchmarks/lab_speed.py --write`; {machine()})."
        )
        print(update("lab_speed", intro, COLUMNS, rows, keys=3))


if __name__ == "__main__":
    main()
