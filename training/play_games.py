"""Play evaluations against each other: the same fresh boards, on all cores.

    python training/play_games.py play expert FILE.bin --games 1000000 --out new.games
    python training/play_games.py compare old.games new.games

`play` compiles `play_games.cpp` with the native core. Play an evaluation in an older format with
the core of that version. Seeds must be at least 10^10, because smaller ones are used for training.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from itertools import pairwise
from pathlib import Path

import numpy as np
from make_states import build


def play(options: argparse.Namespace) -> None:
    """Play games, with one process per core, and write one byte per game."""
    program = options.program or build("play_games", options.build)
    jobs = os.cpu_count() or 1
    bounds = [options.games * i // jobs for i in range(jobs + 1)]
    parts, runs = [], []
    for begin, end in pairwise(bounds):
        part = options.out.with_name(f"{options.out.name}.{begin}")
        command = [program, options.level, options.evaluation, str(options.seed + begin)]
        runs.append(subprocess.Popen([*command, str(end - begin), part], stdout=subprocess.PIPE))
        parts.append(part)
    said = [run.communicate()[0].decode() for run in runs]
    options.out.write_bytes(b"".join(part.read_bytes() for part in parts))
    for part in parts:
        part.unlink()
    milliseconds = np.mean([float(line.split(" ms of CPU")[0].split()[-1]) for line in said])
    won = np.fromfile(options.out, np.uint8)
    error = 1.96 * won.std() / len(won) ** 0.5
    print(
        f"{options.level}, {options.evaluation}: {len(won)} games, {won.mean():.3%} won, "
        f"{won.mean() - error:.3%} to {won.mean() + error:.3%}, {milliseconds:.4f} ms per game",
        flush=True,
    )


def compare(options: argparse.Namespace) -> None:
    """Print the paired difference between the games in two files."""
    first, second = (np.fromfile(file, np.uint8).astype(int) for file in options.files)
    count = min(len(first), len(second))
    gain = second[:count] - first[:count]
    error = gain.std() / count**0.5
    print(
        f"{options.files[1]} over {options.files[0]}: {100 * gain.mean():+.3f} points "
        f"(se {100 * error:.3f}, {count} games, {(gain > 0).sum()} won, {(gain < 0).sum()} lost)",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    player = commands.add_parser("play")
    player.set_defaults(run=play)
    player.add_argument("level", choices=("expert", "opening", "intermediate", "beginner"))
    player.add_argument("evaluation", type=Path)
    player.add_argument("--games", type=int, default=1_000_000)
    player.add_argument("--seed", type=int, default=5 * 10**12)
    player.add_argument("--out", type=Path, required=True)
    player.add_argument("--program", type=Path, help="use this compiled program")
    player.add_argument("--build", type=Path, default=Path("build/training"))
    comparer = commands.add_parser("compare")
    comparer.set_defaults(run=compare)
    comparer.add_argument("files", type=Path, nargs=2)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
