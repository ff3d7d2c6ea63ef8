"""Make training data for the evaluation of guesses, one file a core.

Compiles `states.cpp` with the native core and runs it for some minutes:

    python training/make_states.py all --minutes 30 --out states

The kinds of data: `all` (mostly expert games, all phases), `levels` (the other levels),
`opening` (expert games while much is hidden), `policy` (all again). Playouts open the safest
cell, or, with `--evaluation FILE`, what that evaluation finds best.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORE = HERE.parent / "native"
NOT_NEEDED = ("bindings", "text", "exact_terms")


def build(folder: Path) -> Path:
    """Compile the program; the compiler is `c++`, or what CXX says."""
    program = folder / "states"
    core = [str(f) for f in sorted(CORE.glob("*.cpp")) if not f.name.startswith(NOT_NEEDED)]
    compiler = os.environ.get("CXX", "c++")
    options = ["-std=c++20", "-O3", "-DNDEBUG", f"-I{CORE}"]
    subprocess.run([compiler, *options, str(HERE / "states.cpp"), *core, "-o", program], check=True)
    return program


def main() -> None:
    """Build, then run one process a core until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("all", "levels", "opening", "policy"))
    parser.add_argument("--evaluation", type=Path, help="of a first training")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=11, help="of the first file, below 100")
    parser.add_argument("--out", type=Path, default=Path("states"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    program = build(options.out)
    last = [] if options.evaluation is None else [options.evaluation]
    runs = []
    for seed in range(options.seed, options.seed + options.jobs):
        file = options.out / f"{options.kind}-{seed}.states"
        command = [program, options.kind, file, str(seed), str(options.minutes), *last]
        runs.append(subprocess.Popen(command))
    failed = [run for run in runs if run.wait() != 0]
    if failed:
        raise SystemExit(f"expected every process to end well, got {len(failed)} that failed")


if __name__ == "__main__":
    main()
