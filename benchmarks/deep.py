"""Measure how much stronger `deep` is than `champion`, with few games.

    python benchmarks/deep.py [--games 300] [--jobs 2] [--playouts 600 1500] [--write] [--figure]

The script walks through fresh games. At every guess, both agents choose a cell, `deep` once with
each number of playouts per guess. If the cells differ, further playouts estimate how much better
`deep`'s cell is if `champion` plays on. They use fresh layouts, the same for all these cells.
The sum over a game, averaged over games, is the gain in the chance of winning. A mine does not end
a game: later guesses are weighted by the chance of reaching them, on another layout in which the
guess was safe.

With `--follow champion` (the default), games follow `champion`, which gives the first-order gain.
With `--follow deep`, they follow `deep` with the first number of playouts. Then the sum is the
whole gain, because the values of two policies differ by the sum of the gains of each choice.

Games are saved as JSON lines (`--output`, plain or `.xz`) and not played again with the same
options. With three or more numbers of playouts, the script also estimates where the gain levels
off. `--figure` plots the gain against the number of playouts, from the table in `results/`.
"""

from __future__ import annotations

import argparse
import json
import lzma
import math
import multiprocessing
import os
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import IO, Any

from result_table import RESULTS, machine, parse_table, update

import mineproof as mw
from mineproof.agents.deep import PATIENCE, GuessBudget
from mineproof.core.board import Board
from mineproof.core.clues import UNOPENED
from mineproof.core.observation import Observation
from mineproof.core.random import Purpose, Stream
from mineproof.core.rules import OPENING, SAFE, Rules
from mineproof.inference.counting import Facts, count
from mineproof.search.choice import USUAL, Choice, GuessSettings
from mineproof.search.deep import DEEP, UNLIMITED, DeepSettings, choose_deep
from mineproof.search.guessing import choose, core_settings, load_evaluation

FIRST_SEED = 3 * 10**12
"""The first seed of boards that were not used for training or tuning."""
LEAST_WORTH = 0.02
"""A game with less weight than this ends at random or continues with this weight (unbiased)."""
PHASES = ((350, 480), (200, 350), (100, 200), (0, 100))
"""Ranges for the number of unopened cells, to show in which phase `deep` gains most."""
MOST_DRAWS = 1000
"""Maximum number of layouts to draw when looking for one in which a given cell is safe."""
CHAMPION = 41.18
"""The win rate of `champion` in expert games from the corner, in percent (docs/strength.md)."""
RESAMPLES = 2000
"""The number of samples for the interval of the limit."""
PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "deep-budget.svg"


def estimate(numbers: Sequence[float]) -> tuple[float, float]:
    """Return the mean of numbers and its standard error (0 for fewer than two)."""
    error = statistics.stdev(numbers) / math.sqrt(len(numbers)) if len(numbers) > 1 else 0.0
    return statistics.fmean(numbers or (0.0,)), error


def draw_safe(facts: Facts, index: int, stream: Stream) -> bytes | None:
    """Draw a layout in which a cell is safe, or return None if `MOST_DRAWS` draws find none."""
    draws = (facts.sample(stream.next()) for _ in range(MOST_DRAWS))
    return next((mined for mined in draws if not mined[index]), None)


def settle(observation: Observation, board: Board, shown: bytearray) -> Facts | None:
    """Open all proved cells repeatedly. Return None if every safe cell is open."""
    while any(code == UNOPENED and not board.mined[i] for i, code in enumerate(shown)):
        facts = count(Observation(observation.rules, bytes(shown)))
        if not facts.safe:
            return facts
        for index in facts.safe:
            open_cell(board, shown, index)
    return None


def open_cell(board: Board, shown: bytearray, index: int) -> None:
    """Open a safe cell, and flood from a 0."""
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
    """A guess in a game, as both agents see it."""

    hidden: int
    worth: float
    """The chance of reaching this guess."""
    differs: bool
    solved: bool
    """Whether `deep` solved the endgame and `champion` did not."""
    gain: float = 0.0
    error: float = 0.0
    seconds: float = 0.0
    """The CPU time of `deep`."""
    playouts: int = 0


@dataclass
class Walk:
    """The result of one game, with one budget per guess."""

    seed: int
    budget: float
    """The budget per guess: a number of playouts, or seconds."""
    guesses: list[Guess] = field(default_factory=list)

    @property
    def gain(self) -> float:
        """The gain in the chance of winning this game by the choices of `deep`."""
        return sum(guess.worth * guess.gain for guess in self.guesses)


@dataclass(frozen=True)
class Probe:
    """Settings for walks through games that measure guesses."""

    rules: Rules
    budgets: tuple[float, ...]
    """The average budgets of `deep` per guess. Every guess is made with each of them."""
    in_seconds: bool
    check: int
    follows_deep: bool
    champion: GuessSettings = USUAL
    deep: DeepSettings = DEEP
    evaluation: Any = field(default_factory=load_evaluation)

    def walk(self, seed: int) -> list[Walk]:
        """Walk through one game. Return a walk for each budget."""
        walks = [Walk(seed, budget) for budget in self.budgets]
        patience = PATIENCE if self.in_seconds else math.inf
        allowances = [GuessBudget(budget, patience) for budget in self.budgets]
        first = self.rules.first_cell
        assert first is not None
        board = mw.deal(self.rules, seed, first)
        stream = Stream(seed, Purpose.SAMPLE, 1)
        start = Observation(self.rules.public(), bytes([UNOPENED]) * len(board.mined))
        shown = bytearray(start.shown)
        open_cell(board, shown, self.rules.grid.index(first))
        worth = 1.0
        while (facts := settle(start, board, shown)) is not None:
            index = self._guess(walks, allowances, facts, worth)
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
        return walks

    def _guess(
        self, walks: list[Walk], allowances: list[GuessBudget], facts: Facts, worth: float
    ) -> int | None:
        """Compare the choices of both agents. Return None if both have solved the rest."""
        fast = choose(facts, self.champion, self.evaluation)
        if fast is None or fast.exact:
            return None
        seed, key = walks[0].seed, len(walks[0].guesses)
        chosen = []
        for walk, allowance in zip(walks, allowances, strict=True):
            choice, guess = self._choose(facts, allowance, Stream(seed, Purpose.AGENT, 2 * key))
            guess.worth, guess.differs = worth, choice.cell != fast.cell
            walk.guesses.append(guess)
            chosen.append(facts.observation.grid.index(choice.cell))
        own = facts.observation.grid.index(fast.cell)
        gains = self._compare(facts, own, chosen, Stream(seed, Purpose.AGENT, 2 * key + 1))
        for walk, cell in zip(walks, chosen, strict=True):
            walk.guesses[-1].gain, walk.guesses[-1].error = gains[cell]
        return chosen[0] if self.follows_deep else own

    def _choose(self, facts: Facts, allowance: GuessBudget, stream: Stream) -> tuple[Choice, Guess]:
        """Return the choice of `deep` within its budget."""
        unopened = len(facts.observation.unopened)
        allowed = allowance.of(unopened)
        before = time.process_time()
        choice = choose_deep(
            facts,
            playouts=UNLIMITED if self.in_seconds else int(allowed),
            seconds=allowed if self.in_seconds else math.inf,
            seed=stream.next(),
            settings=self.deep,
            evaluation=self.evaluation,
        )
        seconds = time.process_time() - before
        assert choice is not None
        allowance.spend(unopened, seconds if self.in_seconds else choice.playouts)
        guess = Guess(unopened, 1.0, False, choice.exact)
        guess.seconds, guess.playouts = seconds, choice.playouts
        return choice, guess

    def _compare(
        self, facts: Facts, own: int, chosen: list[int], stream: Stream
    ) -> dict[int, tuple[float, float]]:
        """Estimate how much more often each cell wins than a given one, with the standard error."""
        gains = {own: (0.0, 0.0)}
        others = [cell for cell in dict.fromkeys(chosen) if cell != own]
        if not others:
            return gains
        policy = core_settings(self.champion, self.evaluation)
        rows = facts.solved.play_layouts(
            [own, *others], policy, self.check, math.inf, stream.next()
        )
        for place, cell in enumerate(others, 1):
            gains[cell] = estimate([row[place] - row[0] for row in rows])
        return gains


Walks = dict[tuple[int, float], Walk]
"""Walks by seed and budget."""


def opened(path: Path, mode: str) -> IO[Any]:
    """Open a file of games, which is compressed if its name ends in `.xz`."""
    return (lzma.open if path.suffix == ".xz" else open)(path, mode, encoding="utf-8")


def read(path: Path, way: str) -> Walks:
    """Read the games of earlier runs with the same options. Ignore an incomplete last line."""
    found: Walks = {}
    if not path.exists():
        return found
    with opened(path, "rt") as file:
        lines = file.read().splitlines()
    for line in lines:
        try:
            plain = json.loads(line)
        except json.JSONDecodeError:
            continue
        if plain.get("way") != way:
            continue
        guesses = [Guess(**guess) for guess in plain["guesses"]]
        found[plain["seed"], plain["budget"]] = Walk(plain["seed"], plain["budget"], guesses)
    return found


def play(probe: Probe, seeds: list[int], jobs: int) -> Iterator[list[Walk]]:
    """Walk through games, in this process or in several."""
    if jobs == 1:
        yield from map(probe.walk, seeds)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(partial(Probe.walk, probe), seeds)


@dataclass(frozen=True)
class Summary:
    """The statistics of many games."""

    walks: list[Walk]

    def gain(self) -> tuple[float, float]:
        """Return the gain in percentage points and its standard error."""
        return estimate([100 * walk.gain for walk in self.walks])

    def lines(self) -> Iterator[str]:
        """Return the results as lines of text."""
        mean, error = self.gain()
        guesses = [guess for walk in self.walks for guess in walk.guesses]
        differ = [guess for guess in guesses if guess.differs]
        count = max(len(guesses), 1)
        cpu = sum(guess.seconds for guess in guesses) / count
        played = sum(guess.playouts for guess in guesses) / count
        yield f"{len(self.walks)} games: gain {mean:+.3f} points, standard error {error:.3f}"
        yield (
            f"{len(guesses)} guesses, {len(differ) / count:.0%} of them with another cell; "
            f"{played:.0f} playouts and {cpu:.3f} s of CPU per guess"
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


def limits(walks: Walks, budgets: Sequence[float]) -> Iterator[str]:
    """Estimate the gain of unlimited playouts, if the shortfall is a power of their number.

    The intervals come from resampling the games.
    """
    seeds = sorted({seed for seed, _ in walks})
    used = []
    for budget in budgets:
        guesses = [guess for seed in seeds for guess in walks[seed, budget].guesses]
        used.append(statistics.fmean(guess.playouts for guess in guesses))
    gains = {seed: [100 * walks[seed, budget].gain for budget in budgets] for seed in seeds}
    rng = random.Random(1)
    samples = [seeds, *(rng.choices(seeds, k=len(seeds)) for _ in range(RESAMPLES))]
    means = [
        [statistics.fmean(row) for row in zip(*(gains[seed] for seed in one), strict=True)]
        for one in samples
    ]
    for power, name in ((1.0, "playouts"), (0.5, "the square root of playouts")):
        shares = [count**-power for count in used]
        first, *others = (statistics.linear_regression(shares, row).intercept for row in means)
        low, *_, high = statistics.quantiles(others, n=40)
        yield f"shortfall as 1 / {name}: levels off at {first:+.2f} ({low:.2f} to {high:.2f})"


COLUMNS = (
    *("game", "a guess", "follows", "evaluation", "games", "guesses", "playouts used"),
    *("gain, points", "standard error"),
)


def row_of(options: argparse.Namespace, budget: float, summary: Summary) -> list[str]:
    """Return the statistics of one budget as a row of the results table."""
    guesses = [guess for walk in summary.walks for guess in walk.guesses]
    return [
        f"expert, {options.start}",
        f"{budget:g} s" if options.budget else f"{budget:.0f} playouts",
        options.follow,
        "none" if load_evaluation() is None else "trained",
        str(len(summary.walks)),
        str(len(guesses)),
        f"{sum(guess.playouts for guess in guesses) / max(len(guesses), 1):.0f}",
        f"{summary.gain()[0]:+.3f}",
        f"{summary.gain()[1]:.3f}",
    ]


def write(rows: list[list[str]]) -> Path:
    """Add rows to the results table."""
    intro = (
        "# `deep` against `champion`\n\nGain in the chance of winning, by playouts on fresh "
        f"layouts at each guess (`python benchmarks/deep.py`).\nMeasured on: {machine()}."
    )
    return update("deep", intro, COLUMNS, rows, 4)


def draw_figure() -> Path:
    """Plot the win rate of `deep` against its playouts per guess, from the results table."""
    import matplotlib as mpl
    from matplotlib.figure import Figure as Canvas

    from mineproof.lab.charts import STYLE, to_svg

    points = []
    for row in parse_table((RESULTS / "deep.md").read_text("utf-8")):
        count, unit = row[1].split()
        if (row[0], unit, *row[2:4]) == ("expert, safe", "playouts", "champion", "trained"):
            points.append((int(count), CHAMPION + float(row[-2]), 1.96 * float(row[-1])))
    counts, wins, errors = zip(*sorted(points), strict=True)
    with mpl.rc_context(STYLE):
        canvas = Canvas(figsize=(6, 3.6), layout="constrained")
        axes = canvas.subplots()
        axes.errorbar(counts, wins, yerr=errors, marker="o", capsize=4, label="deep")
        axes.axhline(CHAMPION, color="#666666", linestyle="--", label="champion")
        axes.set_xscale("log")
        axes.set_xticks(counts, [f"{count:,}" for count in counts])
        axes.minorticks_off()
        axes.set(xlabel="playouts a guess", ylabel="games won, %")
        axes.legend(frameon=False, loc="upper left")
    PICTURE.write_text(to_svg(canvas, PICTURE.stem), "utf-8")
    return PICTURE


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="seed of the first game")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--start", choices=("safe", "opening"), default="safe")
    parser.add_argument(
        "--playouts", type=int, nargs="+", default=[1500], help="playouts per guess of deep"
    )
    parser.add_argument("--budget", type=float, help="seconds per guess instead, on one core")
    parser.add_argument("--check", type=int, default=400, help="layouts for comparing cells")
    parser.add_argument("--follow", choices=("champion", "deep"), default="champion")
    parser.add_argument("--output", type=Path, help="save the games to this file, or resume it")
    parser.add_argument("--write", action="store_true", help="write the results to results/")
    parser.add_argument("--figure", action="store_true", help="plot the results without playing")
    return parser.parse_args()


def walk_all(options: argparse.Namespace, budgets: tuple[float, ...]) -> Walks:
    """Walk through the missing games and save them. Return all requested games."""
    rules = replace(mw.EXPERT, start=SAFE if options.start == "safe" else OPENING)
    probe = Probe(
        rules, budgets, options.budget is not None, options.check, options.follow == "deep"
    )
    wanted = range(options.seed, options.seed + options.games)
    way = f"{options.start}, {options.follow}, {options.check}, {'s' if options.budget else ''}"
    done = read(options.output, way) if options.output else {}
    missing = [seed for seed in wanted if any((seed, one) not in done for one in budgets)]
    for number, walks in enumerate(play(probe, missing, options.jobs), 1):
        done |= {(walk.seed, walk.budget): walk for walk in walks}
        if options.output:
            with opened(options.output, "at") as file:
                file.writelines(json.dumps({"way": way} | asdict(walk)) + "\n" for walk in walks)
        if number % 50 == 0:
            print(f"{number} of {len(missing)} games", flush=True)
    return {key: walk for key, walk in done.items() if key[0] in wanted}


def main() -> None:
    options = parse()
    if options.figure:
        print(f"wrote {draw_figure()}")
        return
    budgets = (options.budget,) if options.budget else tuple(options.playouts)
    walks = walk_all(options, budgets)
    rows = []
    for budget in budgets:
        summary = Summary([walk for (_, spent), walk in walks.items() if spent == budget])
        print(f"{budget:g} per guess", *summary.lines(), sep="\n")
        rows.append(row_of(options, budget, summary))
    if len(budgets) > 2:
        print(*limits(walks, budgets), sep="\n")
    if options.write:
        print(f"wrote {write(rows)}")


if __name__ == "__main__":
    main()
