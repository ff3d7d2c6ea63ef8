"""The match loop: one agent plays one game."""

from __future__ import annotations

import time
from collections.abc import Callable

from mineproof.agents.protocol import Agent
from mineproof.core.decision import Decision
from mineproof.core.errors import AgentError, IllegalMoveError
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.notation.records import Record, Step

Watcher = Callable[[Game, Decision], None]


def play(
    game: Game,
    agent: Agent,
    *,
    seed: int | None = None,
    watcher: Watcher | None = None,
    player: str = "",
) -> Record:
    """Let an agent play a game to its end.

    Args:
        game: a game; if its first cell is not open yet, the usual one is opened.
        agent: the player.
        seed: the agent's seed; the game's own by default.
        watcher: called after each move with the game and the decision.
        player: the name to put into the record.

    Returns:
        The record of the game.

    Raises:
        AgentError: the agent made an impossible move; the message shows which.
    """
    begin(game)
    started = time.process_time()
    agent.start(game.rules.public(), game.seed if seed is None else seed)
    steps: list[Step] = []
    while not game.is_over:
        decision = agent.decide(game.observation)
        if decision is None:
            game.stop()
            break
        apply(game, agent, decision)
        steps.append(Step(decision.move, decision.proved, decision.risk, decision.reason.text))
        if watcher is not None:
            watcher(game, decision)
    milliseconds = (time.process_time() - started) * 1000
    return make_record(game, tuple(steps), player or type(agent).__name__, milliseconds)


def begin(game: Game) -> None:
    """Open the usual first cell of a game that has not started."""
    first = game.rules.first_cell
    if not game.has_started and first is not None:
        game.play(Move(Action.OPEN, Cell(*first)))


def apply(game: Game, agent: Agent, decision: Decision) -> None:
    """Make an agent's move; what is wrong with it is the agent's error."""
    if not isinstance(decision, Decision):
        raise AgentError(
            f"expected a Decision or None from {type(agent).__name__}.decide, got {decision!r}"
        )
    try:
        game.play(decision.move)
    except IllegalMoveError as error:
        raise AgentError(f"{type(agent).__name__} made an impossible move: {error}") from error


def make_record(
    game: Game, steps: tuple[Step, ...], player: str = "", milliseconds: float = 0.0
) -> Record:
    """Put down what happened in a game."""
    mines = () if game.board is None else game.board.mine_indices
    return Record(
        game.rules, game.seed, game.first, mines, steps, game.outcome, player, milliseconds
    )
