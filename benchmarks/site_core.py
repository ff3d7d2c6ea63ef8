"""The core as WebAssembly in node, beside the native one in the same run.

    python benchmarks/site_core.py

times the exact risks of the 500 positions of `positions/expert-stuck.mine` inside the core, the
same from Python (where Pyodide is on the other side), and decisions of `champion` in Python.
Needs what the tests of the WebAssembly core need: see CONTRIBUTING.
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
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
GAMES = 6
WHAT = ("exact risks inside the core", "exact risks from Python", "champion decision in Python")


def measure() -> dict[str, list[float]]:
    """Time the core that runs: (median, worst) microseconds of each."""
    from mineproof.backend import native
    from mineproof.inference.counting import count_text
    from mineproof.inference.counting.work import NODES
    from mineproof.lab.speed import positions

    core: Any = native
    texts = positions(str(ROOT / "positions" / "expert-stuck.mine"), None)
    inside = [core.time_text(text, NODES, 100) for text in texts]
    outside = [took(lambda text=text: count_text(text).risk) for text in texts]  # type: ignore[misc]
    found = zip(WHAT, (inside, outside, list(decisions())), strict=True)
    return {name: [1e6 * statistics.median(times), 1e6 * max(times)] for name, times in found}


def took(work: Callable[[], object], repeats: int = 5) -> float:
    """Give the least seconds of some repeats."""
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def decisions() -> Iterable[float]:
    """Give the seconds of all decisions of some expert games."""
    import mineproof as mw

    for seed in range(GAMES):
        game, agent = mw.Game(mw.EXPERT, seed, mw.EXPERT.first_cell), mw.make_agent("champion")
        agent.start(game.rules.public(), seed)
        while not game.is_over:
            started = time.perf_counter()
            decision = agent.decide(game.observation)
            yield time.perf_counter() - started
            if decision is None:
                break
            game.play(decision.move)


def measure_in_node() -> dict[str, list[float]]:
    """Measure in Pyodide, on the core as WebAssembly."""
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
    """Measure both, and print them side by side."""
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
