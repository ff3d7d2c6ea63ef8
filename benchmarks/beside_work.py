"""Do one kind of work for `beside.py`, which runs this file once per installation.

    python benchmarks/beside_work.py WORK COUNT SEED

It prints JSON: the CPU milliseconds and a digest of the answer for each item, and the peak memory
of the process in megabytes. The works are functions with a name in `WORKS`. They use only what
versions since 0.2 have in common.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import math
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mineproof as mw
from mineproof.agents.loading import make_agent
from mineproof.backend import native
from mineproof.core.board import deal
from mineproof.core.rules import with_options
from mineproof.generate import no_guess
from mineproof.inference.counting import count
from mineproof.lab.speed import positions
from mineproof.notation.position_text import parse_position
from mineproof.search.deep import DEEP
from mineproof.search.guessing import core_settings

try:
    from mineproof.search.guessing import load_evaluation
except ImportError:  # version 0.2
    load_evaluation = importlib.import_module("mineproof.search.evaluation").load_evaluation

STUCK = str(Path(__file__).parents[1] / "positions" / "expert-stuck.mine")
LAYOUTS = 20
"""Layouts per position for the playouts."""

Item = Callable[[], Any]


def analyse(number: int, _: int) -> Iterator[Item]:
    """Analyse stuck positions: all risks, the best moves and the chance of winning."""

    def answer(text: str) -> tuple[Any, ...]:
        found = mw.analyse(text)
        return found.facts.risk, found.best_moves(3), found.win

    for text in positions(STUCK)[:number]:
        yield lambda text=text: answer(text)  # type: ignore[misc]


def digest(answer: Any) -> str:
    """Return a short text that is equal for equal answers, apart from rounding."""
    if isinstance(answer, tuple):  # of `analyse`
        risks, moves, win = answer
        answer = (
            [round(risk, 9) for risk in risks],
            [move.cell for move in moves],
            win and round(win, 5),
        )
    return hashlib.sha256(repr(answer).encode()).hexdigest()[:12]


def playouts(number: int, seed: int) -> Iterator[Item]:
    """Play layouts of stuck positions to the end with the policy of `deep`'s playouts."""
    policy = core_settings(DEEP.playout, load_evaluation())
    for place, text in enumerate(positions(STUCK)[:number]):
        facts = count(parse_position(text))
        assert facts.solved is not None
        cells = [min(facts.observation.unopened, key=lambda cell: facts.risk[cell])]
        yield lambda solved=facts.solved, cells=cells, place=place: [  # type: ignore[misc]
            round(won, 6)
            for [won] in solved.play_layouts(cells, policy, LAYOUTS, math.inf, seed + place)
        ]


def boards(number: int, seed: int) -> Iterator[Item]:
    """Generate no-guess boards, ten in each item."""
    rules, first = with_options(mw.EXPERT, start="no-guess"), mw.Cell(3, 3)
    for start in range(seed, seed + number, 10):
        yield lambda start=start: [  # type: ignore[misc]
            bytes(no_guess.find(rules, one, first)[0].mined) for one in range(start, start + 10)
        ]


def single(agent: str) -> Callable[[int, int], Iterator[Item]]:
    """Play games, each in a call of its own and with a new agent."""

    def games(number: int, seed: int) -> Iterator[Item]:
        first = mw.Cell(0, 0)
        for board in [deal(mw.EXPERT, one, first) for one in range(seed, seed + number)]:
            yield lambda board=board: [  # type: ignore[misc]
                (str(game.result), game.guesses)
                for game in make_agent(agent).play_whole(mw.EXPERT, [board], first)
            ]

    return games


WORKS = {
    "analyse": analyse,
    "playouts": playouts,
    "no-guess": boards,
    "single-champion": single("champion"),
    "single-exact": single("exact"),
}


def main() -> None:
    work, number, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    assert native is not None
    for item in WORKS[work](min(number, 20), seed + number):  # warm up with other items
        item()
    times, answers = [], []
    for item in WORKS[work](number, seed):
        before = time.process_time_ns()
        answer = item()
        times.append((time.process_time_ns() - before) / 1e6)
        answers.append(digest(answer))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"times": times, "answers": answers, "peak": peak}))


if __name__ == "__main__":
    main()
