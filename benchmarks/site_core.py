"""Compare the WebAssembly core in node with the native one.

    python benchmarks/site_core.py

The script times the exact risks of the 500 positions of `positions/expert-stuck.mine` inside the
core, the same from Python (for WebAssembly, in Pyodide), and decisions of `champion` in some of
these positions. It needs what the tests of the WebAssembly core need; see CONTRIBUTING.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
DECISIONS = 200
CALLS = 20
"""Number of short calls between two readings of the clock, because reading it takes time."""
WHAT = ("exact risks inside the core", "exact risks from Python", "champion decision in Python")


def measure() -> dict[str, list[float]]:
    """Time the current core. Return (median, worst) microseconds of each measurement.

    Pyodide has only a wall clock, so the smallest of several repeats counts.
    """
    from mineproof.backend import native
    from mineproof.inference.budget import NODES, Budget
    from mineproof.inference.counting import count_text
    from mineproof.lab.speed import positions

    core: Any = native
    texts = positions(str(ROOT / "positions" / "expert-stuck.mine"), None)
    inside = [min(core.time_text(text, NODES, 5) for _ in range(20)) for text in texts]
    outside = [took(lambda text=text: count_text(text, Budget()).risk, 10, CALLS) for text in texts]  # type: ignore[misc]
    found = zip(WHAT, (inside, outside, list(decisions(texts[:DECISIONS]))), strict=True)
    return {name: [1e6 * statistics.median(times), 1e6 * max(times)] for name, times in found}


def cpu_seconds() -> float:
    """Return the CPU time of this process; in Pyodide, the wall time."""
    if sys.platform != "emscripten":
        return time.process_time()
    import js  # type: ignore[import-not-found]

    return float(js.process.cpuUsage().user) / 1e6


def took(work: Callable[[], object], repeats: int = 5, calls: int = 1) -> float:
    """Return the seconds per call: the minimum of several repeats."""
    times = []
    for _ in range(repeats):
        started = cpu_seconds()
        for _ in range(calls):
            work()
        times.append((cpu_seconds() - started) / calls)
    return min(times)


def decisions(texts: Iterable[str]) -> Iterator[float]:
    """Return how long `champion` takes to decide in each new position, in seconds."""
    import mineproof as mw

    agent = mw.make_agent("champion")
    for text in texts:
        seen = mw.parse_position(text)

        def decide(seen: mw.Observation = seen) -> None:
            agent.start(seen.rules, 0)
            agent.decide(seen)

        yield took(decide, 3)


def measure_in_node() -> dict[str, list[float]]:
    """Measure the WebAssembly core in Pyodide."""
    from mineproof.web.core_build import build_core

    with tempfile.TemporaryDirectory() as folder:
        core = Path(folder, "core.wasm")
        build_core(core)
        places = {
            "CORE": core,
            "ROOT": ROOT,
            "PYODIDE": (ROOT / "node_modules" / "pyodide").resolve(),
            "SITE_PACKAGES": sysconfig.get_path("purelib"),
        }
        printed = subprocess.run(
            ["node", ROOT / "tests" / "wasm" / "run_python.mjs", __file__, "--here"],
            env={**os.environ, **{name: str(place) for name, place in places.items()}},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    found: dict[str, list[float]] = json.loads(printed.stdout.splitlines()[-1])
    return found


def main() -> None:
    if sys.argv[1:] == ["--here"]:
        print(json.dumps(measure()))
        return
    from result_table import format_table

    ours, theirs = measure(), measure_in_node()
    rows = []
    for name in WHAT:
        numbers = *ours[name], *theirs[name]
        times = theirs[name][0] / ours[name][0]
        rows.append([name, *(f"{value:,.1f}" for value in numbers), f"{times:.2f}"])
    heads = ("what", "native median µs", "worst", "wasm median µs", "worst", "times median")
    print(format_table(heads, rows))


if __name__ == "__main__":
    main()
