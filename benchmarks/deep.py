"""How much stronger `deep` is than `champion`, from far fewer games than playing them out takes.

    python benchmarks/deep.py [--games 300] [--jobs 2] [--playouts 1500] [--write]

walks through fresh games. At every guess both agents choose; where they differ, playouts on
fresh layouts that both cells share (independent of those that `deep` chose by) estimate by how
much its cell is better if `champion` plays on. The sum over a game, averaged over games, is the
gain in the chance to win. A game is not cut short by a mine: its later guesses count by the
chance to get there, on another layout in which the guess was safe.

`--follow champion` (the default) takes the way that champion takes: the first-order gain.
`--follow deep` takes that of deep: then the sum is the whole gain, since the value of a policy
differs from that of another by what each of its own choices is worth to the other.

Games are kept in a file of JSON lines (`--output`), and those that it has are not played again.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path

from result_table import machine, update

import mineproof as mw
from mineproof.core.board import Board
from mineproof.core.clues import UNOPENED
from mineproof.core.observation import Observation
from mineproof.core.random import Purpose, Stream
from mineproof.core.rules import OPENING, SAFE, Rules
from mineproof.inference.counting import Facts, count
from mineproof.search.choice import USUAL
from mineproof.search.deep import choose_deep
from mineproof.search.evaluation import load_evaluation
from mineproof.search.guessing import choose, core_settings

FIRST_SEED = 3 * 10**12
"""Boards that nothing was trained or tuned on."""
LEAST_WORTH = 0.02
"""A game whose rest counts less is left, or counts this much, such that the mean stays."""
PHASES = ((350, 480), (200, 350), (100, 200), (0, 100))
"""Unopened cells from and up to: where the gain comes from."""


MOST_DRAWS = 1000
"""Layouts drawn to find one with a certain cell safe."""


def estimate(numbers: Sequence[float]) -> tuple[float, float]:
    """Give the mean of numbers, and its standard error (0 for less than two)."""
    error = statistics.stdev(numbers) / math.sqrt(len(numbers)) if len(numbers) > 1 else 0.0
    return statistics.fmean(numbers or (0.0,)), error


def draw_safe(facts: Facts, index: int, stream: Stream) -> bytes | None:
    """Draw a layout that has a cell safe; None if none of many had."""
    draws = (facts.sample(stream.next()) for _ in range(MOST_DRAWS))
    return next((mined for mined in draws if not mined[index]), None)


def settle(observation: Observation, board: Board, shown: bytearray) -> Facts | None:
    """Open all that is proved, again and again; None if every safe cell is open."""
    while any(code == UNOPENED and not board.mined[i] for i, code in enumerate(shown)):
        facts = count(Observation(observation.rules, bytes(shown)))
        if not facts.safe:
            return facts
        for index in facts.safe:
            open_cell(board, shown, index)
    return None


def open_cell(board: Board, shown: bytearray, index: int) -> None:
    """Open a safe cell, and by flood what a 0 makes safe."""
    pending = [index]
    while pending:
        index = pending.pop()
        if shown[index] != UNOPENED:
            continue
        shown[index] = board.clues[index]
        if shown[index] == 0:
            pending.extend(board.grid.neighbours(index))


@dataclass
class Guess:
    """A guess of a game, as both agents see it."""

    hidden: int
    worth: float
    """The chance to get there."""
    differs: bool
    solved: bool
    """`deep` solved the endgame, `champion` did not."""
    gain: float = 0.0
    error: float = 0.0
    seconds: float = 0.0
    """CPU time of `deep`."""


@dataclass
class Walk:
    """What became of one game."""

    seed: int
    guesses: list[Guess] = field(default_factory=list)

    @property
    def gain(self) -> float:
        """By how much the choices of `deep` raise the chance to win this game."""
        return sum(guess.worth * guess.gain for guess in self.guesses)

    @property
    def noise(self) -> float:
        """The variance of the gain that comes from playouts alone."""
        return sum((guess.worth * guess.error) ** 2 for guess in self.guesses)


@dataclass(frozen=True)
class Probe:
    """How to walk."""

    rules: Rules
    playouts: int
    seconds: float | None
    check: int
    follows_deep: bool

    def walk(self, seed: int) -> Walk:
        """Go through one game."""
        walk = Walk(seed)
        first = self.rules.first_cell
        assert first is not None
        board = mw.deal(self.rules, seed, first)
        stream = Stream(seed, Purpose.SAMPLE, 1)
        start = Observation(self.rules.public(), bytes([UNOPENED]) * len(board.mined))
        shown = bytearray(start.shown)
        open_cell(board, shown, self.rules.grid.index(first))
        worth = 1.0
        while (facts := settle(start, board, shown)) is not None:
            index = self._guess(walk, facts, worth)
            if index is None:
                break
            worth *= 1 - facts.risk[index]
            if worth < LEAST_WORTH:
                if stream.fraction() * LEAST_WORTH >= worth:
                    break
                worth = LEAST_WORTH
            if board.mined[index]:
                mined = draw_safe(facts, index, stream)
                assert mined is not None
                board = Board(board.rows, board.columns, mined)
            open_cell(board, shown, index)
        return walk

    def _guess(self, walk: Walk, facts: Facts, worth: float) -> int | None:
        """Let both choose and compare; None where the rest is solved for both."""
        evaluation = load_evaluation()
        fast = choose(facts, USUAL, evaluation)
        if fast is None or fast.exact:
            return None
        key, of = len(walk.guesses), facts.observation.grid.index
        before = time.process_time()
        deep = choose_deep(
            facts,
            playouts=None if self.seconds else self.playouts,
            seconds=self.seconds,
            seed=Stream(walk.seed, Purpose.AGENT, 2 * key).next(),
            evaluation=evaluation,
        )
        seconds = time.process_time() - before
        assert deep is not None
        guess = Guess(len(facts.observation.unopened), worth, deep.cell != fast.cell, deep.exact)
        guess.seconds = seconds
        walk.guesses.append(guess)
        if guess.differs:
            seed = Stream(walk.seed, Purpose.AGENT, 2 * key + 1).next()
            guess.gain, guess.error = self._compare(facts, of(deep.cell), of(fast.cell), seed)
        return of(deep.cell if self.follows_deep else fast.cell)

    def _compare(self, facts: Facts, ours: int, theirs: int, seed: int) -> tuple[float, float]:
        """Estimate by how much the first cell wins more often, with its standard error."""
        policy = core_settings(USUAL, load_evaluation())
        rows = facts.solved.play_layouts([ours, theirs], policy, self.check, math.inf, seed)
        return estimate([mine - other for mine, other in rows])


def read(path: Path) -> dict[int, Walk]:
    """Read the games that were played before; a line that was cut off is left out."""
    found = {}
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        try:
            plain = json.loads(line)
        except json.JSONDecodeError:
            continue
        guesses = [Guess(**guess) for guess in plain["guesses"]]
        found[plain["seed"]] = Walk(plain["seed"], guesses)
    return found


def play(probe: Probe, seeds: list[int], jobs: int) -> Iterator[Walk]:
    """Walk through games, in this process or in several."""
    if jobs == 1:
        yield from map(probe.walk, seeds)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(partial(Probe.walk, probe), seeds)


@dataclass(frozen=True)
class Summary:
    """The figures of many games."""

    walks: list[Walk]

    def gain(self) -> tuple[float, float]:
        """Give the gain in points of win rate and its standard error."""
        mean, error = estimate([100 * walk.gain for walk in self.walks])
        return mean, error

    def lines(self) -> Iterator[str]:
        """Say what was found."""
        mean, error = self.gain()
        guesses = [guess for walk in self.walks for guess in walk.guesses]
        differ = [guess for guess in guesses if guess.differs]
        count = max(len(guesses), 1)
        cpu = sum(guess.seconds for guess in guesses) / count
        yield f"{len(self.walks)} games: gain {mean:+.3f} points, standard error {error:.3f}"
        yield (
            f"{len(guesses)} guesses, {len(differ) / count:.0%} of them another cell; "
            f"{cpu:.3f} s of CPU a guess"
        )
        for low, high in PHASES:
            shares = [
                100 * sum(g.worth * g.gain for g in walk.guesses if low <= g.hidden < high)
                for walk in self.walks
            ]
            part, spread = estimate(shares)
            yield f"  {low:3d} to {high:3d} unopened: {part:+.3f} (se {spread:.3f})"
        solved = [100 * sum(g.worth * g.gain for g in w.guesses if g.solved) for w in self.walks]
        part, spread = estimate(solved)
        yield f"  of it where deep solved the endgame: {part:+.3f} (se {spread:.3f})"


def write(options: argparse.Namespace, summary: Summary) -> Path:
    """Put the figures into the table of results."""
    mean, error = summary.gain()
    guesses = sum(len(walk.guesses) for walk in summary.walks)
    row = [
        f"expert, {options.start}",
        f"{options.budget:g} s" if options.budget else f"{options.playouts} playouts",
        options.follow,
        "none" if load_evaluation() is None else "trained",
        str(len(summary.walks)),
        str(guesses),
        f"{mean:+.2f}",
        f"{error:.2f}",
    ]
    columns = (
        *("game", "a guess", "follows", "evaluation", "games", "guesses"),
        *("gain, points", "standard error"),
    )
    intro = (
        "# `deep` against `champion`\n\nGain in the chance to win, by playouts on fresh layouts "
        f"at each guess (`python benchmarks/deep.py`).\nMeasured on: {machine()}."
    )
    return update("deep", intro, columns, [row], 4)


def parse() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="of the first game")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--start", choices=("safe", "opening"), default="safe")
    parser.add_argument("--playouts", type=int, default=1500, help="of deep, for a guess")
    parser.add_argument("--budget", type=float, help="seconds of deep instead, on one core")
    parser.add_argument("--check", type=int, default=1000, help="layouts to compare two cells")
    parser.add_argument("--follow", choices=("champion", "deep"), default="champion")
    parser.add_argument("--output", type=Path, help="keep the games in this file, and resume it")
    parser.add_argument("--write", action="store_true", help="put the figures into results/")
    return parser.parse_args()


def main() -> None:
    """Walk, keep, and print."""
    options = parse()
    start = SAFE if options.start == "safe" else OPENING
    rules = replace(mw.EXPERT, start=start)
    probe = Probe(rules, options.playouts, options.budget, options.check, options.follow == "deep")
    wanted = range(options.seed, options.seed + options.games)
    done = read(options.output) if options.output else {}
    missing = [seed for seed in wanted if seed not in done]
    for number, walk in enumerate(play(probe, missing, options.jobs), 1):
        done[walk.seed] = walk
        if options.output:
            with options.output.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(walk)) + "\n")
        if number % 50 == 0:
            print(next(Summary(list(done.values())).lines()), flush=True)
    summary = Summary([walk for seed, walk in done.items() if seed in wanted])
    print("\n".join(summary.lines()))
    if options.write:
        print(f"written to {write(options, summary)}")


if __name__ == "__main__":
    main()
