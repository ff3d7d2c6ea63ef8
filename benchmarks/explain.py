"""Measure how long an explanation takes, and describe the explanations.

    python benchmarks/explain.py [--positions 1000] [--seed 0] [--check]

The script plays expert games with the agent `exact` to a move in the middle. In these positions it
explains every proved cell with `mineproof.explain`, finds the easiest proof alone, and finds the
safe cell with the easiest proof, each time from the bare observation. It prints the CPU time of a
call (median, 95th and 99th percentile, worst), the sizes of the sets of clues, the number of steps
and the share of each kind of reasoning. `--check` also confirms every set and every step with a SAT
solver: no layout fits the clues and the negated claim, but some layout does if any clue is omitted.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import mineproof as mw
from mineproof.core.observation import Observation
from mineproof.inference.counting import count
from mineproof.proof.explainer import PositionExplainer
from mineproof.proof.kinds import ReasoningKind

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from midgames import midgames

Answer = TypeVar("Answer")


class Tally:
    """The totals of many explanations."""

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = {"why": [], "easiest proof": [], "hint": []}
        self.sizes: Counter[str] = Counter()
        self.steps: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.hints: Counter[str] = Counter()
        self.cut_short = 0

    def explain(self, position: Observation, index: int) -> mw.Explanation:
        """Explain a cell and measure the time."""
        cell = position.grid.cell(index)
        found = self._timed("why", lambda: mw.explain(position, cell))
        self._timed("easiest proof", lambda: PositionExplainer(position).proof(index))
        self.sizes[_upto(len(found.clues))] += 1
        self.steps[_upto(len(found.steps))] += 1
        self.kinds[_kind(found)] += 1
        self.cut_short += not found.smallest
        return found

    def hint(self, position: Observation) -> None:
        """Find the easiest safe cell and measure the time."""
        found = self._timed("hint", lambda: PositionExplainer(position).easiest())
        self.hints["none" if found is None else _kind(found)] += 1

    def _timed(self, what: str, call: Callable[[], Answer]) -> Answer:
        started = time.process_time()
        answer = call()
        self.times[what].append(time.process_time() - started)
        return answer

    def print(self) -> None:
        """Print the statistics."""
        print(f"{self.kinds.total()} proved cells explained on the {mw.backend()} backend")
        for what, times in self.times.items():
            milliseconds = sorted(1000 * one for one in times)
            last = len(milliseconds) - 1
            print(
                f"ms of CPU for {what}: median {milliseconds[last // 2]:.2f}, "
                f"95th percentile {milliseconds[round(last * 0.95)]:.2f}, "
                f"99th {milliseconds[round(last * 0.99)]:.2f}, worst {milliseconds[-1]:.1f}"
            )
        for what, counts in (("clues", self.sizes), ("steps", self.steps)):
            print(f"{what}:", ", ".join(f"{size}: {n}" for size, n in sorted(counts.items())))
        for what, counts in (("kinds of proofs", self.kinds), ("kinds of hints", self.hints)):
            shares = (f"{kind}: {n / counts.total():.2%}" for kind, n in counts.most_common())
            print(f"{what}:", ", ".join(shares))
        print(f"not proved to be smallest: {self.cut_short}")


def _upto(size: int) -> str:
    return str(size) if size <= 8 else "more"


def _kind(found: mw.Explanation) -> str:
    return str(ReasoningKind(int(found.difficulty)))


def check(position: Observation, found: mw.Explanation) -> None:
    """Confirm a proof with a SAT solver."""
    from sat_proofs import check_by_sat, check_steps_by_sat

    check_by_sat(position, found)
    check_steps_by_sat(position, found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    tally = Tally()
    for position in midgames(options.positions, seed=options.seed):
        facts = count(position)
        tally.hint(position)
        for index in (*facts.safe, *facts.mined):
            found = tally.explain(position, index)
            assert found.proved is not None
            if options.check:
                check(position, found)
    tally.print()


if __name__ == "__main__":
    main()
