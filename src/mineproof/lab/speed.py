"""Benchmarks of the exact engine against its Python version and ms_toollib.

All times are CPU time. In each round, every engine in turn solves a position several times. The
fastest round counts, because the machine may be busy with other work.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import count as count_from
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from mineproof.advice.analysis import analyse
from mineproof.agents.loading import make_agent
from mineproof.backend import native
from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.game import Game
from mineproof.core.rules import EXPERT
from mineproof.inference.budget import NODES, Budget
from mineproof.inference.counting import Known, reference
from mineproof.notation.files import read_text
from mineproof.notation.position_text import format_position, parse_position, parse_positions

ROUNDS = 5
BATCH = 400e-6
"""The minimum CPU time in seconds that an engine spends on a position per round."""
USUAL = Path(__file__).parents[3] / "positions" / "expert-stuck.mine"
"""The default positions, in a source checkout: stuck expert positions."""
MADE = 200
"""The number of positions to generate if that file does not exist."""
PEER = "ms_toollib"
Solve = Callable[[], object]


class TimedEngine(NamedTuple):
    """A method for computing all risks in a position."""

    name: str
    prepare: Callable[[str], Solve]
    """A function that takes the text of a position and returns the function to time."""
    itself: bool = False
    """Whether the function returns its own CPU time in seconds."""


class Timing(NamedTuple):
    """The CPU time of an engine per position, in microseconds."""

    name: str
    median: float
    late: float
    """The 99th percentile."""
    worst: float

    @classmethod
    def of(cls, name: str, seconds: Sequence[float]) -> Timing:
        """Summarise the times of all positions."""
        ordered = sorted(1e6 * value for value in seconds)
        late = ordered[len(ordered) * 99 // 100]
        return cls(name, statistics.median(ordered), late, ordered[-1])


class Rate(NamedTuple):
    """The amount of work per second of CPU time."""

    name: str
    amount: float
    """The amount per second."""
    unit: str


def engines(peers: bool = True) -> list[TimedEngine]:
    """Return the available engines: Mineproof's own, then ms_toollib if wanted and installed."""
    found = [TimedEngine("analyse(text, moves=False)", lambda text: lambda: analyse(text, False))]
    if native is not None:
        found.append(TimedEngine("the same, inside the core", _inside_core, itself=True))
    found.append(TimedEngine("pure Python", _pure))
    try:
        peer = import_module(PEER) if peers else None
    except ImportError:
        peer = None
    if peer is None:
        return found
    return found + [
        TimedEngine(f"{PEER} {name}", _of_peer(getattr(peer, f"cal_probability_{name}")))
        for name in ("onboard", "enum")
    ]


def _inside_core(text: str) -> Solve:
    core: Any = native
    repeats = max(1, int(BATCH / core.time_text(text, NODES, 1)))
    return lambda: core.time_text(text, NODES, repeats)


def _pure(text: str) -> Solve:
    def solve() -> object:
        seen = parse_position(text)
        return reference.count(seen, Known(seen.rules.mines or 0), Budget()).risk

    return solve


def _of_peer(function: Callable[..., object]) -> Callable[[str], Solve]:
    """Convert the position first, and return a function that only solves it."""

    def prepare(text: str) -> Solve:
        seen = parse_position(text)
        codes = [{UNOPENED: 10, EXPLODED: 11}.get(code, code) for code in seen.shown]
        width, mines = seen.rules.columns, seen.rules.mines
        rows = [codes[start : start + width] for start in range(0, len(codes), width)]
        return lambda: function(rows, mines)

    return prepare


def measure(engine: TimedEngine, solve: Solve) -> float:
    """Return the CPU time of one solution in seconds, as the mean of a short batch."""
    if engine.itself:
        seconds = solve()
        assert isinstance(seconds, float)
        return seconds
    times, spent = 0, 0
    started = time.process_time_ns()
    while spent < 1e9 * BATCH:
        solve()
        times += 1
        spent = time.process_time_ns() - started
    return spent / times * 1e-9


def time_engines(texts: Sequence[str], rounds: int = ROUNDS, peers: bool = True) -> list[Timing]:
    """Time all engines on the same positions."""
    found = engines(peers)
    for engine in found:  # warm up, so that loading is not timed
        engine.prepare(texts[0])()
    best: dict[str, list[float]] = {engine.name: [] for engine in found}
    for text in texts:
        prepared = [(engine, engine.prepare(text)) for engine in found]
        times = [[measure(engine, solve) for engine, solve in prepared] for _ in range(rounds)]
        for engine, of_one in zip(found, zip(*times, strict=True), strict=True):
            best[engine.name].append(min(of_one))
    return [Timing.of(name, seconds) for name, seconds in best.items()]


def rates(games: int) -> Iterator[Rate]:
    """Time whole games of the agent `exact` in the native core; yield nothing without the core."""
    core: Any = native
    if core is None:
        return
    rows, columns, mines = EXPERT.rows, EXPERT.columns, EXPERT.mines
    yield Rate(
        f"expert games of exact, {games:,} of them",
        games / _cpu(lambda: core.tally_games(rows, columns, mines, "safe", 0, 0, games)),
        "games/s",
    )
    huge = (1000, 1000, 120_000, "opening", 3 * 1000 + 3, 1, 1)
    _won, _lost, _stuck, _guesses, _moves, opened, _proofs, _false = core.tally_games(*huge)
    seconds = min(_cpu(lambda: core.tally_games(*huge)) for _ in range(ROUNDS))
    yield Rate(f"1000x1000/0.12, {opened:,} cells opened", opened / seconds, "cells/s")


def _cpu(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def stuck_positions() -> Iterator[str]:
    """Yield positions from expert games in which nothing more can be proved."""
    agent = make_agent("exact")
    for seed in count_from(0):
        game = Game(EXPERT, seed, EXPERT.first_cell)
        agent.start(game.rules.public(), seed)
        moves = 0
        while (decision := agent.decide(game.observation)) is not None and decision.proved:
            game.play(decision.move)
            moves += 1
            if game.outcome is not None:
                break
        if moves and game.outcome is None:
            yield format_position(game.observation)


def positions(path: str | None, count: int | None = None) -> list[str]:
    """Return the texts of the positions in a file.

    The default is a file in the source checkout. Without a checkout, positions are generated.

    Raises:
        NotationError: the file does not contain positions.
    """
    if path is None and not USUAL.exists():
        return list(islice(stuck_positions(), count or MADE))
    text = read_text(path or USUAL)
    parse_positions(text)
    blocks = [block for block in text.replace("\r\n", "\n").split("\n\n") if block.strip()]
    return blocks[:count]
