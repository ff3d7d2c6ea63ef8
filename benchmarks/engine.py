"""Time the exact engine and its peers on the same positions, and on whole games.

    python benchmarks/engine.py [--quick] [--write]

The script times the 500 positions of `positions/expert-stuck.mine` from text to all risks (see
`mineproof.lab.speed`, which `mineproof bench` uses too), then the other suites, then whole games of
the agent `exact` in the core. The row "inside the core" shows the first row's work without
Python objects and calls. `--write` updates `results/engine.md` and `results/engine_rates.md`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from result_table import format_table, machine, update

from mineproof.lab.speed import ROUNDS, positions, rates, time_engines

POSITIONS = Path(__file__).parents[1] / "positions"
SUITES = ("expert-stuck", "games", "scattered")
COLUMNS = (
    *("suite", "positions", "engine", "median µs", "99 % µs", "worst µs"),
    *("times median", "times 99 %", "times worst"),
)
RATES = ("what", "per second of CPU", "unit")


def rows(suite: str, quick: bool) -> list[list[str]]:
    """Measure a suite. Return one row per engine, with its ratios to the first engine."""
    texts = positions(str(POSITIONS / f"{suite}.mine"), 40 if quick else None)
    # The peer did not finish the suite `scattered` within ten minutes.
    timings = time_engines(texts, 1 if quick else ROUNDS, peers=suite != "scattered")
    ours = timings[0][1:]
    found = []
    for name, *values in timings:
        ratios = [f"{value / own:,.1f}" for value, own in zip(values, ours, strict=True)]
        shown = [f"{value:,.1f}" for value in values]
        found.append([suite, str(len(texts)), name, *shown, *ratios])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="use few positions and one round")
    parser.add_argument("--write", action="store_true", help="update the result files")
    options = parser.parse_args()
    found = [row for suite in SUITES for row in rows(suite, options.quick)]
    print(format_table(COLUMNS, found))
    done = [
        [rate.name, f"{rate.amount:,.0f}", rate.unit]
        for rate in rates(2_000 if options.quick else 50_000)
    ]
    print(format_table(RATES, done))
    if options.write:
        intro = f"CPU time by `python benchmarks/engine.py` ({machine()})."
        update("engine", intro, COLUMNS, found, 3)
        update("engine_rates", intro, RATES, done, 1)


if __name__ == "__main__":
    main()
