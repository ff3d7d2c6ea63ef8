"""Compare the CPU time and the wins of this version's `champion` with another version's.

    python benchmarks/beside.py OTHER [--agent A] [--level L] [--games 4000] [--rounds 5] [--write]

OTHER is the program `mineproof` of another installation. Both play the same fresh boards in turn,
round by round, on one core. `mineproof games` reports the CPU time of each game. `--write` adds the
rows to `results/beside.md`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from result_table import format_table, machine, update

SEED = 6 * 10**12
"""The seed of the first board. No seed from here on was used for training or tuning."""
COLUMNS = (
    *("agent and level", "this", "other", "games", "won here %", "won there %"),
    *("CPU ms per game here", "there", "ratio", "ratio by round"),
)


class Round(NamedTuple):
    """The games of one program in a round."""

    won: int
    milliseconds: float


def main() -> None:
    options = arguments()
    here = [sys.executable, "-m", "mineproof"]
    there = [options.other]
    rounds: list[tuple[Round, Round]] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.rounds):
            boards = Path(folder) / f"{number}.boards"
            deal(here, boards, options, SEED + number * options.games)
            order = (here, there) if number % 2 == 0 else (there, here)
            played = {program[0]: play(program, boards, options.agent) for program in order}
            rounds.append((played[here[0]], played[there[0]]))
            print(
                f"round {number + 1}: {ratio(rounds[-1:]):.2f} of the other's CPU time", flush=True
            )
    table = [row(options, version(here), version(there), rounds)]
    print(format_table(COLUMNS, table))
    if options.write:
        intro = f"`python benchmarks/beside.py OTHER` ({machine()}). CPU time on one core."
        print(update("beside", intro, COLUMNS, table, keys=3))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("other", help="path of the program `mineproof` of another installation")
    parser.add_argument("--agent", default="champion")
    parser.add_argument("--level", default="expert")
    parser.add_argument("--games", type=int, default=4000, help="games per round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="update the result file")
    return parser.parse_args()


def deal(program: list[str], boards: Path, options: argparse.Namespace, seed: int) -> None:
    """Write a board file."""
    what = ["--level", options.level, "--count", str(options.games), "--seed", str(seed)]
    command = [*program, "generate", *what, "--first", "0,0", "--output", str(boards)]
    subprocess.run(command, check=True, capture_output=True)


def play(program: list[str], boards: Path, agent: str) -> Round:
    """Play a board file. Each line ends with the game's CPU time in milliseconds."""
    out = boards.with_suffix(".games")
    what = ["games", str(boards), "--agent", agent, "--jobs", "1", "--output", str(out)]
    subprocess.run([*program, *what], check=True, capture_output=True)
    lines = [line.split() for line in out.read_text("ascii").splitlines()]
    out.unlink()
    return Round(sum(line[1] == "win" for line in lines), sum(float(line[-1]) for line in lines))


def version(program: list[str]) -> str:
    """Return the version number of a program, such as 0.1.0."""
    said = subprocess.run([*program, "--version"], check=True, capture_output=True, text=True)
    return said.stdout.split()[1]


def ratio(rounds: list[tuple[Round, Round]]) -> float:
    """Return the CPU time of this version divided by the CPU time of the other version."""
    return sum(one.milliseconds for one, _ in rounds) / sum(two.milliseconds for _, two in rounds)


def row(
    options: argparse.Namespace, ours: str, theirs: str, rounds: list[tuple[Round, Round]]
) -> list[str]:
    """Return the table row of a comparison."""
    games = options.games * len(rounds)
    here, there = zip(*rounds, strict=True)
    by_round = [ratio([each]) for each in rounds]
    return [
        *(f"{options.agent}, {options.level}", ours, theirs, f"{games:,}"),
        *(f"{100 * sum(one.won for one in side) / games:.2f}" for side in (here, there)),
        *(f"{sum(one.milliseconds for one in side) / games:.3f}" for side in (here, there)),
        *(f"{ratio(rounds):.2f}", f"{min(by_round):.2f} to {max(by_round):.2f}"),
    ]


if __name__ == "__main__":
    main()
