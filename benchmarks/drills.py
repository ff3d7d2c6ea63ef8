"""Measure how long it takes to find drills of each kind, on boards of a level.

    python benchmarks/drills.py [--level expert] [--drills 100] [--seed 0] [--kind KIND]

The script finds drills on no-guess boards on one core, like `mineproof generate --drill`. For each
kind it prints the CPU seconds, the average number of boards searched per drill, and the number of
different positions.
"""

from __future__ import annotations

import argparse
import time

from mineproof.core.rules import Rules, with_options
from mineproof.generate import DrillKind, drills
from mineproof.generate.boards import Order, OrderedBoard
from mineproof.generate.drills import Drill, find_drill


def find(order: Order, kind: DrillKind, seed: int, number: int) -> tuple[float, int, list[Drill]]:
    """Find drills. Return the CPU seconds, the number of boards searched, and the drills."""
    looked = 0
    look = drills.drill_of

    def counted(board: OrderedBoard, wanted: DrillKind) -> Drill | None:
        nonlocal looked
        looked += 1
        return look(board, wanted)

    drills.drill_of = counted
    before = time.process_time()
    try:
        found = [find_drill(order, kind, seed, index) for index in range(number)]
    finally:
        drills.drill_of = look
    return time.process_time() - before, looked, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", default="expert")
    parser.add_argument("--drills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=[kind.value for kind in DrillKind])
    options = parser.parse_args()
    rules = with_options(Rules.parse(options.level), start="no-guess")
    assert rules.first_cell is not None
    order = Order(rules, rules.first_cell)
    for kind in [DrillKind(options.kind)] if options.kind else DrillKind:
        seconds, looked, found = find(order, kind, options.seed, options.drills)
        apart = len({drill.position.shown for drill in found})
        print(
            f"{kind}: {len(found)} drills in {seconds:.1f} s of CPU time, "
            f"{looked / len(found):.1f} boards each, {apart} different",
            flush=True,
        )


if __name__ == "__main__":
    main()
