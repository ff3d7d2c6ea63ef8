"""Positions in the middle of expert games, as the agent `exact` reaches them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from mineproof.agents.exact import ExactAgent
from mineproof.core.game import Game
from mineproof.core.observation import Observation
from mineproof.core.rules import EXPERT, Rules
from mineproof.match.play import begin


def midgames(wanted: int, rules: Rules = EXPERT, seed: int = 0) -> Iterator[Observation]:
    """Return one position per game, after a number of moves that depends on the seed."""
    found = 0
    while found < wanted:
        position = midgame(rules, seed)
        seed += 1
        if position is not None:
            found += 1
            yield position


def midgame(rules: Rules, seed: int) -> Observation | None:
    """Play some moves of a game. Return None if the game ends earlier."""
    game = Game(rules, seed)
    begin(game)
    agent = ExactAgent()
    agent.start(rules.public(), seed)
    for _ in range(random.Random(seed).randrange(5, 250)):
        decision = None if game.is_over else agent.decide(game.observation)
        if decision is None:
            return None
        game.play(decision.move)
    return None if game.is_over else game.observation
