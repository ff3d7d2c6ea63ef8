"""The exact engine in pure Python: CPU time from the text of a position to all its risks.

`python benchmarks/reference.py` times the suites of `positions/`. The budget for `expert-stuck` is
a median of 3 ms and at most 60 ms.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from mineproof.inference.counting import Known, reference
from mineproof.notation.position_text import parse_position

POSITIONS = Path(__file__).parents[1] / "positions"
ROUNDS = 3
"""Timings per position. The fastest time counts, because the machine may be busy."""


def cpu_milliseconds(text: str) -> tuple[float, int]:
    """Solve a position. Return the time and the number of states visited."""
    started = time.process_time_ns()
    seen = parse_position(text)
    assert seen.rules.mines is not None
    facts = reference.count(seen, Known(seen.rules.mines))
    assert facts.risk
    return (time.process_time_ns() - started) / 1e6, facts.nodes


def main() -> None:
    """Print a line for each suite."""
    print(f"{'suite':14} {'positions':>9} {'median':>9} {'99 %':>9} {'worst':>9} {'states':>8}")
    for name in ("expert-stuck", "games", "scattered"):
        texts = (POSITIONS / f"{name}.mine").read_text("utf-8").strip().split("\n\n")
        rounds = [[cpu_milliseconds(text) for text in texts] for _ in range(ROUNDS)]
        times = sorted(min(one)[0] for one in zip(*rounds, strict=True))
        states = max(nodes for _, nodes in rounds[0])
        shown = (statistics.median(times), times[len(times) * 99 // 100], times[-1])
        row = " ".join(f"{value:6.2f} ms" for value in shown)
        print(f"{name:14} {len(texts):9} {row} {states:8}")


if __name__ == "__main__":
    main()
