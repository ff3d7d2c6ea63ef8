"""How fast many games are reviewed by the coach, and what the time goes into.

    python benchmarks/coach.py [--games 100] [--least 60] [--seed 0] [--keep FOLDER]

makes expert games of a player who errs: it reads single clues without fail but for a slip now
and then, sees harder proofs half of the time, and else guesses what looks safest, with a time for
each move; games that end before `--least` moves are left out. They are written as replays (`.evf`)
where ms_toollib is installed to read them, else as records, then read and reviewed as
`mineproof review FOLDER` does, on one core, and the CPU time of each part is printed.
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
"""How often a clue is overlooked, and how often a harder proof is seen."""
PARTS = ("review", "weigh_move", "drill_at", "shows_by_one_clue", "measure")
"""The functions of the coach whose time is told."""


def play_badly(seed: int) -> Record:
    """Play a game as somebody does who knows single clues well and the rest by half."""
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
    """Give the cell that looks safest, one clue at a time."""
    risks = estimate_risks(seen, {})
    return min(risks, key=lambda index: risks[index])


def games(number: int, least: int, seed: int) -> Iterator[Record]:
    """Give as many games as are wanted that have as many moves at least."""
    while number:
        found, seed = play_badly(seed), seed + 1
        if len(found.steps) >= least:
            number -= 1
            yield found


class Watch:
    """Adds up the CPU time of functions of the coach."""

    def __init__(self) -> None:
        """Begin with none."""
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
    """Read the arguments, make games, and time their review."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--least", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", help="a folder for the games")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(options.keep or folder)
        place.mkdir(parents=True, exist_ok=True)
        played = games(options.games, options.least, options.seed)
        report([write(record, place / f"game-{number:03}") for number, record in enumerate(played)])


def write(record: Record, path: Path) -> Path:
    """Write a game as a replay, or as a record where nothing reads replays."""
    if find_spec("ms_toollib") is None:
        file = path.with_suffix(".json")
        write_records(file, [record])
    else:
        file = path.with_suffix(".evf")
        file.write_bytes(format_evf(record))
    return file


def cpu_seconds() -> float:
    """Give the CPU time of this process and of those that it started and that have ended."""
    return sum(os.times()[:4])


def report(files: list[Path]) -> None:
    """Read and review games, and print what the time went into."""
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
    print(f"  {sums['won']} won, {sums['wins_lost']:.1f} wins of 100 given away; missed: {missed}")


if __name__ == "__main__":
    main()
