"""Make training data for the evaluation of guesses, on all cores and a GPU.

It compiles `states.cpp` with the native core, and `playouts.cu`, and runs them for some time:

    python training/make_states.py tasks --seconds 300 --out states

There are three kinds of data. `tasks` covers all phases; early positions are played out on the GPU
by opening the safest cell. `policy` is the same, but the cores play out everything with look-ahead,
so no GPU is needed. `check` contains early positions that the cores and the GPU play out by opening
the safest cell (see `check_playouts.py`). With `--evaluation FILE`, games follow that evaluation.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORE = HERE.parent / "native"
NOT_NEEDED = ("bindings", "text", "solved_position", "vector_env")
OPTIONS = ("-std=c++20", "-O3", "-DNDEBUG", f"-I{CORE}", f"-I{HERE}")


def build(program: str, folder: Path) -> Path:
    """Compile a program with the core. The compiler is `c++`, or the value of CXX."""
    compiler = os.environ.get("CXX", "c++")
    files = [f for f in sorted(CORE.glob("*.cpp")) if not f.name.startswith(NOT_NEEDED)]
    folder.mkdir(parents=True, exist_ok=True)

    sources = [f for source in (HERE, CORE) for f in source.glob("*.?pp")]
    changed = max(f.stat().st_mtime for f in sources)

    def is_fresh(made: Path) -> bool:
        return made.exists() and made.stat().st_mtime > changed

    def compile_file(file: Path) -> str:
        made = folder / file.with_suffix(".o").name
        if not is_fresh(made):
            subprocess.run([compiler, *OPTIONS, "-c", str(file), "-o", str(made)], check=True)
        return str(made)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compile_file, [HERE / f"{program}.cpp", *files]))
    out = folder / program
    if not is_fresh(out):
        subprocess.run([compiler, *objects, "-o", str(out), "-lpthread"], check=True)
    return out


def build_playouts(folder: Path) -> Path:
    """Compile the playouts for the available GPU."""
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / "playouts"
    options = ["-O3", "-std=c++20", "-arch=native", "-o", str(out)]
    subprocess.run(["nvcc", *options, str(HERE / "playouts.cu")], check=True)
    return out


def main() -> None:
    """Build, then run one process per core, and the playouts, until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("tasks", "check", "policy"))
    parser.add_argument("--evaluation", type=Path, help="follow this evaluation in games")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--layouts", type=int, default=8, help="number of layouts per position")
    parser.add_argument("--repeats", type=int, default=6, help="playouts per layout on the GPU")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=11, help="seed of the first process, below 100")
    parser.add_argument("--out", type=Path, default=Path("states"))
    parser.add_argument("--build", type=Path, default=Path("build/training"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    program = build("states", options.build)
    player = None
    if options.kind != "policy":
        limit = str(options.seconds + 60)
        command = [build_playouts(options.build), options.out, str(options.repeats), limit]
        (options.out / "done").unlink(missing_ok=True)
        player = subprocess.Popen(command)
    last = [] if options.evaluation is None else [options.evaluation]
    runs = []
    for seed in range(options.seed, options.seed + options.jobs):
        name = options.out / f"{options.kind}-{seed}"
        command = [program, options.kind, name, str(seed), str(options.seconds)]
        runs.append(subprocess.Popen([*command, str(options.layouts), *last]))
    failed = [run for run in runs if run.wait() != 0]
    began = time.time()
    (options.out / "done").touch()
    if player is not None and player.wait() != 0:
        failed.append(player)
    print(f"the playouts finished {time.time() - began:.0f} s after the positions", flush=True)
    if failed:
        raise SystemExit(f"{len(failed)} processes failed")


if __name__ == "__main__":
    main()
