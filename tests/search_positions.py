"""Positions for the search: guesses from real games, and a random evaluation."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from functools import cache
from typing import Any

import mineproof as mw
from mineproof.backend import native
from mineproof.core.observation import Observation
from mineproof.core.rules import ANY, Rules
from mineproof.inference.budget import Budget
from mineproof.inference.counting import count
from mineproof.search.choice import GuessSettings
from mineproof.search.winning import WinChances, win_chances

SHAPES = (
    (mw.EXPERT, 12),
    (mw.INTERMEDIATE, 12),
    (mw.BEGINNER, 30),
    (Rules(4, 4, 6), 30),
    (Rules(1, 30, 7), 15),
    (Rules(2, 40, 20), 6),
    (Rules(7, 25, 45, ANY), 4),
    (Rules(12, 12, 60), 6),
)
"""Rules, and the number of games for each."""


def guesses(rules: Rules, seed: int, agent: str = "exact") -> Iterator[Observation]:
    """Return the positions of a game in which its agent has to guess."""
    game = mw.Game(rules, seed, rules.first_cell)
    player = mw.make_agent(agent)
    player.start(game.rules.public(), seed)
    while not game.is_over:
        seen = game.observation
        decision = player.decide(seen)
        if decision is None:
            return
        if not decision.proved:
            yield seen
        game.play(decision.move)


@cache
def guess_positions() -> tuple[Observation, ...]:
    """Return a few hundred positions on boards of all shapes."""
    return tuple(
        seen for rules, games in SHAPES for seed in range(games) for seen in guesses(rules, seed)
    )


@cache
def noise(width: int = 12, inner: int = 6) -> bytes:
    """Return the data of an evaluation with random weights."""
    dice = random.Random(3)
    count = 1051 * width + inner * (width + 1) + inner + 1
    weights = (dice.gauss(0, 0.3) for _ in range(count))
    return b"MINEVAL3" + struct.pack(f"<2I{count}e", width, inner, *weights)


@cache
def noisy_evaluation() -> Any:
    """Return an evaluation that ranks guesses randomly but consistently; None without the core."""
    return None if native is None else native.Evaluation(noise())


def search_in_core(
    observation: Observation,
    settings: GuessSettings,
    moves: bool = True,
    budget: Budget | None = None,
) -> WinChances:
    """Search for best play with the native core; `search_in_python` is its counterpart."""
    facts = count(observation)
    assert facts.solved is not None
    return win_chances(facts, settings, moves=moves, budget=budget)
