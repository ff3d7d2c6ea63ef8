"""Compare the CPU time and the answers of this version with those of another version.

    python benchmarks/beside.py OTHER [--agent A] [--level L] [--games 4000] [--rounds 5] [--write]
    python benchmarks/beside.py OTHER --work analyse playouts no-guess single-champion single-exact

OTHER is the program `mineproof` of another installation. Both play the same fresh boards in turn,
round by round, on one core. `mineproof games` reports the CPU time of each game. With `--work`,
both do other work instead (`beside_work.py` says what), and the table tells the median CPU time of
an item, how many answers are equal, and the peak memory. `--write` adds the rows to
`results/beside.md` or `results/beside_work.md`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from result_table import format_table, machine, update

SEED = 6 * 10**12
"""The seed of the first board. No seed from here on was used for training or tuning."""
COLUMNS = (
    *("agent and level", "this", "other", "games", "won here %", "won there %"),
    *("CPU ms per game here", "there", "ratio", "ratio by round"),
)
WORK_COLUMNS = (
    *("work", "this", "other", "items", "equal answers"),
    *("median ms here", "there", "ratio", "mean ms here", "there", "ratio", "ratio by round"),
    *("peak MB here", "there"),
)
WORK = Path(__file__).parent / "beside_work.py"


class Round(NamedTuple):
    """One program's games in a round."""

    won: int
    milliseconds: float


def main() -> None:
    options = arguments()
    here = [sys.executable, "-m", "mineproof"]
    there = [options.other]
    if options.work:
        compare_works(options, version(here), version(there))
        return
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
    parser.add_argument("--work", nargs="+", default=[], help="other work (see beside_work.py)")
    parser.add_argument("--items", type=int, default=500, help="items of other work per round")
    parser.add_argument("--write", action="store_true", help="update the result file")
    return parser.parse_args()


def compare_works(options: argparse.Namespace, ours: str, theirs: str) -> None:
    """Let both versions do the same work, and print a table."""
    pythons = (sys.executable, str(Path(options.other).parent / "python"))
    table = []
    for work in options.work:
        rounds = []
        for number in range(options.rounds):
            order = pythons if number % 2 == 0 else pythons[::-1]
            seed = str(SEED + number * options.items)
            done = {each: do(each, work, str(options.items), seed) for each in order}
            rounds.append([done[each] for each in pythons])
            print(f"{work}, round {number + 1}: {mean_ratio(rounds[-1:]):.2f}", flush=True)
        table.append([work, ours, theirs, *work_row(rounds)])
    print(format_table(WORK_COLUMNS, table))
    if options.write:
        intro = (
            f"`python benchmarks/beside.py OTHER --work ..` ({machine()}). CPU time on one core."
        )
        print(update("beside_work", intro, WORK_COLUMNS, table, keys=3))


def do(python: str, work: str, items: str, seed: str) -> dict[str, Any]:
    """Do some work with another Python. Return what it prints."""
    command = [python, str(WORK), work, items, seed]
    done: dict[str, Any] = json.loads(
        subprocess.run(command, check=True, capture_output=True).stdout
    )
    return done


def mean_ratio(rounds: list[list[dict[str, Any]]]) -> float:
    """Return the CPU time of this version divided by the CPU time of the other version."""
    here, there = (sum(sum(one["times"]) for one in side) for side in zip(*rounds, strict=True))
    return here / there


def work_row(rounds: list[list[dict[str, Any]]]) -> list[str]:
    """Return the rest of the row about one kind of work."""
    sides = list(zip(*rounds, strict=True))
    times = [[each for one in side for each in one["times"]] for side in sides]
    middle, mean = map(statistics.median, times), map(statistics.fmean, times)
    peaks = [max(one["peak"] for one in side) for side in sides]
    pairs = [zip(here["answers"], there["answers"], strict=True) for here, there in rounds]
    shown = [len(times[0]), sum(one == other for pair in pairs for one, other in pair)]
    for here, there in (middle, mean):
        shown += [f"{here:.3f}", f"{there:.3f}", f"{here / there:.2f}"]
    by_round = [mean_ratio([each]) for each in rounds]
    shown.append(f"{min(by_round):.2f} to {max(by_round):.2f}")
    return [*map(str, shown), *(f"{peak:.0f}" for peak in peaks)]


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
