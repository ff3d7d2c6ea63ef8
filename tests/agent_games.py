"""Play whole games under any rules, and check what every reasoning agent must guarantee."""

from __future__ import annotations

from mineproof.agents.loading import make_agent
from mineproof.core.decision import Decision
from mineproof.core.game import Game
from mineproof.core.move import Action
from mineproof.core.rules import Rules
from mineproof.match.play import play


def play_game(name: str, rules: Rules, seed: int) -> tuple[Game, list[Decision]]:
    """Play a game until it ends. Check that no proved move is wrong if the clues are reliable.

    Clues are reliable if they are exact or withheld, or if the agent models them.
    """
    game, decisions = Game(rules, seed), []
    relied_on = rules.clues.trusted or "clues=model" in name

    def watch(game: Game, decision: Decision) -> None:
        decisions.append(decision)
        assert decision.reason.text
        assert decision.risk is None or 0 <= decision.risk <= 1
        if decision.proved and relied_on:
            assert game.board is not None
            mined = bool(game.board.mined[rules.grid.index(decision.move.cell)])
            assert mined is (decision.move.action is Action.MARK), decision

    play(game, make_agent(name), watcher=watch)
    assert game.is_over
    return game, decisions
