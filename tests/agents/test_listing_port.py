"""Two independent implementations of the Capstone report's program make the same moves."""

from __future__ import annotations

from functools import cache

import pytest
from listing_port import ListingPlayer, Table

from mineproof.agents.resolution import ResolutionAgent
from mineproof.core.game import Game
from mineproof.core.move import Action
from mineproof.core.rules import EASY, MEDIUM, Rules, with_options
from mineproof.inference.clauses_as_written import Rank, seeded_rank
from mineproof.match.play import play


def both_games(level: Rules, seed: int) -> tuple[ListingPlayer, str]:
    """Play a game with the port and with the agent, compare them, and return the port's result.

    The port takes a given cell as a move, and may take a cell again. In the agent's game these
    cells are already open, so it makes no move there.
    """
    rules = with_options(level, start="given:1", goal="mark", flood=False)
    rank: Rank = cache(seeded_rank(rules.grid, seed))
    game = Game(rules, seed)
    assert game.board is not None
    given = [rules.grid.cell(index) for index in game.observation.opened]
    port = ListingPlayer(Table(rules.rows, rules.columns, game.board.mines), given, rank)
    agent = ResolutionAgent(rules="as-written")
    agent.rank = rank
    record = play(game, agent)
    assert record.outcome is not None
    moves = [(*step.move.cell, step.move.action is Action.MARK) for step in record.steps]
    result = port.play()
    new = [one for one in dict.fromkeys(port.taken) if one[:2] not in given]
    assert (new, result) == (moves, record.outcome.result), f"seed {seed}"
    return port, result


@pytest.mark.full
def test_both_implementations_make_the_same_moves() -> None:
    """They agree in 200 games. They include wins, losses, endless games and guesses."""
    games = [(EASY, seed) for seed in range(185)] + [(MEDIUM, seed) for seed in range(15)]
    played = [both_games(level, seed) for level, seed in games]
    assert {result for _, result in played} == {"win", "loss", "stuck"}
    assert sum(port.guesses for port, _ in played) > 20
