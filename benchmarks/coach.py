"""Measure how fast the coach reviews many games, and where the time goes.

    python benchmarks/coach.py [--games 100] [--least 60] [--seed 0] [--keep FOLDER]

The script plays expert games as an imperfect player, with a time for each move. This player
reads single clues with occasional slips, sees harder proofs half of the time, and otherwise opens
the cell that looks safest. Games with fewer than `--least` moves are left out. The games are
written as replays (`.evf`) if ms_toollib is installed to read them, otherwise as records. Then they
are read and reviewed as in `mineproof review FOLDER`, on one core, and the CPU time of each step is
printed.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import mineproof as mw
from mineproof.cli.coaching import read_games
from mineproof.core.game import Game
from mineproof.core.rules import with_options
from mineproof.inference.counting import count
from mineproof.inference.simple_risks import estimate_risks
from mineproof.match.play import agent_seed, make_record, prepare
from mineproof.notation.records import Record, Step, write_records
from mineproof.review import coach as watched
from mineproof.review.coach import coach
from mineproof.review.coaching import Coaching
from mineproof.review.replay_writing import format_evf
from mineproof.review.replays import ReplayReader

RULES = with_options(mw.EXPERT, start="opening")
SLIP, SEES = 0.01, 0.5
"""The chances of overlooking a clue, and of seeing a harder proof."""
PARTS = ("review", "weigh_move", "drill_at", "shows_by_one_clue", "measure")
"""The functions of the coach whose time is reported."""


def play_badly(seed: int) -> Record:
    """Play a game like someone who reads single clues well and harder proofs half of the time."""
    dice, game, steps, seconds = random.Random(seed), Game(RULES, seed), [], 0.0
    game.play(mw.Move("open", (8, 15)))
    reader = mw.make_agent("basic")
    prepare(reader, RULES.public(), agent_seed(reader, seed))
    while not game.is_over:
        seen = game.observation
        decision = reader.decide(seen)
        assert decision is not None
        move, seconds = decision.move, seconds + dice.expovariate(2.0)
        if not decision.proved or dice.random() < SLIP:
            facts, seconds = count(seen), seconds + dice.expovariate(0.4)
            sees = bool(facts.safe) and dice.random() < SEES
            move = _open(game, facts.safe[0] if sees else _guess(seen))
        game.play(move)
        steps.append(Step(move, seconds=round(seconds, 3)))
    return make_record(game, tuple(steps))


def _open(game: Game, index: int) -> mw.Move:
    return mw.Move("open", game.rules.grid.cell(index))


def _guess(seen: mw.Observation) -> int:
    """Return the cell that looks safest, judged by one clue at a time."""
    risks = estimate_risks(seen, {})
    return min(risks, key=lambda index: risks[index])


def games(number: int, least: int, seed: int) -> Iterator[Record]:
    """Yield `number` games. Each has at least `least` moves."""
    while number:
        found, seed = play_badly(seed), seed + 1
        if len(found.steps) >= least:
            number -= 1
            yield found


class Watch:
    """A stopwatch for the CPU time of the coach's functions."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(PARTS, 0.0)
        self.calls = dict.fromkeys(PARTS, 0)

    def watch(self, name: str) -> None:
        """Time every call of a function of the coach from now on."""
        work: Callable[..., object] = getattr(watched, name)

        def timed(*given: object, **named: object) -> object:
            before = time.process_time()
            try:
                return work(*given, **named)
            finally:
                self.seconds[name] += time.process_time() - before
                self.calls[name] += 1

        setattr(watched, name, timed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--least", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", help="keep the games in this folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(options.keep or folder)
        place.mkdir(parents=True, exist_ok=True)
        played = games(options.games, options.least, options.seed)
        report([write(record, place / f"game-{number:03}") for number, record in enumerate(played)])


def write(record: Record, path: Path) -> Path:
    """Write a game as a replay, or as a record if no library can read replays."""
    if find_spec("ms_toollib") is None:
        file = path.with_suffix(".json")
        write_records(file, [record])
    else:
        file = path.with_suffix(".evf")
        file.write_bytes(format_evf(record))
    return file


def cpu_seconds() -> float:
    """Return the CPU time of this process and of its finished child processes."""
    return sum(os.times()[:4])


def report(files: list[Path]) -> None:
    """Read and review games, and print where the time went."""
    watch = Watch()
    for name in PARTS:
        watch.watch(name)
    before = cpu_seconds()
    with ReplayReader() as reader:
        records = [record for file in files for record in read_games(str(file), reader)]
    read = cpu_seconds() - before
    found = Coaching(tuple(coach(record) for record in records))
    total = cpu_seconds() - before
    moves = sum(len(record.steps) for record in records)
    print(f"{len(records)} expert games, {moves:,} moves: {total:.2f} s of CPU time on one core")
    print(f"  read: {read:.2f} s")
    for name in PARTS:
        print(f"  {name}: {watch.seconds[name]:.2f} s, {watch.calls[name]:,} calls")
    sums = found.to_plain()
    missed = ", ".join(f"{one['words']} {one['times']}" for one in sums["missed"])
    print(f"  {sums['won']} won, {sums['wins_lost']:.1f} wins lost by mistakes; missed: {missed}")


if __name__ == "__main__":
    main()
