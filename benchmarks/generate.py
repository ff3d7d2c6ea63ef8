"""Measure how fast no-guess boards and their proofs are found.

    python benchmarks/generate.py [--boards 5000] [--proofs 200] [--seed 0]

The script deals expert no-guess boards from an opening at (3, 3) on one core. It prints the boards
per second of CPU time, the time of one board as the page deals it (median, 99th percentile, worst),
the time of its proof, and the reasoning that the boards need. If ms_toollib is installed, its
no-guess boards are timed for comparison.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable

import mineproof as mw
from mineproof.core.rules import with_options
from mineproof.generate import no_guess
from mineproof.generate.solvability import Solvability, solvability

FIRST = mw.Cell(3, 3)
EXPERT = with_options(mw.EXPERT, start="no-guess")


def timed(work: Callable[[], object]) -> float:
    """Return the CPU milliseconds that a function takes."""
    before = time.process_time()
    work()
    return (time.process_time() - before) * 1e3


def spread(times: Iterable[float]) -> str:
    """Return the spread of times as text."""
    ordered = sorted(times)
    late = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
    middle = statistics.median(ordered)
    return f"median {middle:.2f} ms, 99 % within {late:.2f} ms, worst {ordered[-1]:.2f} ms"


def deal_boards(count: int, seed: int) -> None:
    """Print how fast boards are found."""
    tries: list[int] = []

    def one(number: int) -> None:
        tries.append(no_guess.find(EXPERT, number, FIRST)[1])

    one(seed)
    tries.clear()
    times = [timed(lambda number=number: one(number)) for number in range(seed, seed + count)]  # type: ignore[misc]
    total = sum(times) / 1e3
    share = count / sum(tries)
    print(f"{count} boards: {count / total:,.0f} per second of CPU time on one core")
    print(f"  {share:.1%} of the openings, {total / sum(tries) * 1e6:.0f} microseconds per try")
    print(f"  one board: {spread(times)}")


def prove_boards(count: int, seed: int) -> None:
    """Print how long proofs take and which reasoning they need."""
    found: list[Solvability] = []
    boards = [no_guess.find(EXPERT, number, FIRST)[0] for number in range(seed, seed + count)]
    times = [timed(lambda board=board: found.append(solvability(board, FIRST))) for board in boards]  # type: ignore[misc]
    kinds = Counter(str(one.hardest) for one in found)
    print(f"proof of one board: {spread(times)}")
    print(f"  hardest reasoning of {count} boards: {dict(kinds.most_common())}")


def time_peer(count: int) -> None:
    """Print how fast ms_toollib makes such boards, if it is installed."""
    try:
        peer = importlib.import_module("ms_toollib")
    except ImportError:
        print("ms_toollib is not installed")
        return
    times = [timed(lambda: peer.laymine_solvable(16, 30, 99, *FIRST, 10**6)) for _ in range(count)]
    print(f"ms_toollib: {count / sum(times) * 1e3:,.0f} per second of CPU time, {spread(times)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=5000)
    parser.add_argument("--proofs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    deal_boards(options.boards, options.seed)
    prove_boards(options.proofs, options.seed)
    time_peer(100)


if __name__ == "__main__":
    main()
