"""How long an explanation takes, and what explanations are like.

    python benchmarks/explain.py [--positions 1000] [--seed 0] [--check]

plays expert games with the agent `exact` to some move in their middle and explains every proved
cell of these positions with `mineproof.explain`, each from the bare observation. It prints the
CPU time of a call (median, 99th percentile, worst), the sizes of the sets of clues and the
rules. `--check` also lets a SAT solver confirm every set: these clues and the negation have no
layout, and without any one of them they have one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

import mineproof as mw
from mineproof.core.observation import Observation
from mineproof.inference.counting import count

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from midgames import midgames


class Tally:
    """What the explanations of many cells come to."""

    def __init__(self) -> None:
        """Begin with none."""
        self.times: list[float] = []
        self.sizes: Counter[str] = Counter()
        self.rules: Counter[str] = Counter()
        self.counted = self.cut_short = 0

    def explain(self, position: Observation, index: int) -> mw.Explanation:
        """Explain a cell and take its time."""
        started = time.process_time()
        found = mw.explain(position, position.grid.cell(index))
        self.times.append(time.process_time() - started)
        size = len(found.clues)
        self.sizes[str(size) if size <= 8 else "more"] += 1
        self.rules[found.rule] += 1
        self.counted += found.uses_mine_count
        self.cut_short += not found.smallest
        return found

    def print(self) -> None:
        """Print the figures."""
        times = sorted(1000 * one for one in self.times)
        last = len(times) - 1
        print(f"{len(times)} proved cells explained on the {mw.backend()} backend")
        print(
            f"ms of CPU a call: median {times[last // 2]:.2f}, "
            f"99th percentile {times[round(last * 0.99)]:.2f}, worst {times[-1]:.1f}"
        )
        print("clues:", ", ".join(f"{size}: {n}" for size, n in sorted(self.sizes.items())))
        print("rules:", ", ".join(f"{rule}: {n}" for rule, n in self.rules.most_common()))
        print(f"with the mine count: {self.counted}; not shown to be smallest: {self.cut_short}")


def check(position: Observation, found: mw.Explanation) -> None:
    """Let a SAT solver confirm a proof."""
    from sat_proofs import check_by_sat

    check_by_sat(position, found)


def main() -> None:
    """Explain, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    tally = Tally()
    for position in midgames(options.positions, seed=options.seed):
        facts = count(position)
        for index in (*facts.safe, *facts.mined):
            found = tally.explain(position, index)
            assert found.proved is not None
            if options.check:
                check(position, found)
    tally.print()


if __name__ == "__main__":
    main()
