"""The match loop: one agent plays one game."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import Any

from mineproof.agents.protocol import Agent, is_ours
from mineproof.core.decision import Decision
from mineproof.core.errors import AgentError, IllegalMoveError, InputError, WorkLimitError
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.random import short_seed
from mineproof.core.rules import PublicRules
from mineproof.core.words import error_line
from mineproof.match.contract import Answer, Fault, check_form, move_limit
from mineproof.notation.records import Record, Step

Watcher = Callable[[Game, Decision], None]


def play(  # noqa: PLR0913  (all but two have defaults, and are given by name)
    game: Game,
    agent: Agent,
    *,
    seed: int | None = None,
    watcher: Watcher | None = None,
    on_look: Callable[[], None] | None = None,
    player: str = "",
    reasons: bool = False,
) -> Record:
    """Let an agent play a game to its end.

    Args:
        game: a game; if its first cell is not open yet, the usual one is opened.
        agent: the player.
        seed: the agent's seed; one that belongs to the game by default.
        watcher: called after each move with the game and the decision.
        on_look: called when the agent has looked at the position and decided, before its move.
        player: the name to put into the record.
        reasons: whether to work out reasons that are worked out when they are read (the proofs
            of `exact` and `champion`) for the record; otherwise it has fewer words.

    Returns:
        The record of the game, moves made before included.

    Raises:
        AgentError: the agent failed, made an impossible move, or never comes to an end.
    """
    begin(game)
    started = _clock(agent)
    prepare(agent, game.rules.public(), agent_seed(agent, game.seed) if seed is None else seed)
    steps = [Step(move) for move in game.moves]
    while not game.is_over:
        decision = ask(agent, game.observation)
        if on_look is not None:
            on_look()
        if decision is None:
            game.stop()
            break
        make_move(game, agent, decision)
        steps.append(step_of(decision, reasons))
        _check_progress(game, agent)
        if watcher is not None:
            paused = _clock(agent)
            watcher(game, decision)
            started += _clock(agent) - paused
    milliseconds = (_clock(agent) - started) * 1000
    name = player or name_of(agent)
    return make_record(game, tuple(steps), player=name, milliseconds=milliseconds)


def name_of(agent: Agent) -> str:
    """Say what an agent is called: its class, unless it has a name of its own."""
    name = getattr(agent, "name", "")
    return name if name and isinstance(name, str) else type(agent).__name__


def _clock(agent: Agent) -> float:
    """Give the CPU time of this process and of the agent's own, if it has one."""
    return time.process_time() + float(getattr(agent, "cpu_seconds", 0.0))


def begin(game: Game) -> None:
    """Open the usual first cell of a game that has not started."""
    first = game.rules.first_cell
    if not game.has_started and first is not None:
        game.play(Move(Action.OPEN, Cell(*first)))


def agent_seed(agent: Agent, seed: int) -> int:
    """Give the seed that an agent gets in the game of a seed.

    Rules, seed and first cell deal the board, so an agent from outside gets a hash of the
    seed, which leads back to nothing. Our own draw from a stream of their own under the
    game's seed, and are read before they are taken in.
    """
    return short_seed(seed) if is_ours(agent) else hashed_seed(seed)


def hashed_seed(seed: int) -> int:
    """Give a seed that belongs to a game's seed and leads back to nothing of it."""
    return int.from_bytes(hashlib.sha256(f"agent {seed}".encode()).digest()[:8], "big")


def prepare(agent: Agent, rules: PublicRules, seed: int) -> None:
    """Tell an agent that a game begins.

    Raises:
        AgentError: the agent raised an exception.
    """
    _call(f"{name_of(agent)}.start", lambda: agent.start(rules, seed))


def ask(agent: Agent, observation: Observation) -> Decision | None:
    """Ask an agent for its move.

    Raises:
        AgentError: the agent raised an exception, or answered no decision.
    """
    decision = _call(f"{name_of(agent)}.decide", lambda: agent.decide(observation))
    if decision is not None:
        try:
            check_form(decision, observation)
        except Fault as fault:
            raise AgentError(f"{name_of(agent)}: {fault}") from None
    return decision


def _call(name: str, method: Callable[[], Answer]) -> Answer:
    """Call a method of an agent; whatever fails inside it is the agent's error."""
    try:
        return method()
    except (InputError, WorkLimitError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        raise AgentError(f"{name} raised {error_line(error)}") from error


def make_move(game: Game, agent: Agent, decision: Decision) -> None:
    """Make an agent's move; what is wrong with it is the agent's error.

    Raises:
        AgentError: the game does not allow the move.
    """
    try:
        game.play(decision.move)
    except (IllegalMoveError, TypeError) as error:
        raise AgentError(f"{name_of(agent)} made an impossible move: {error}") from error


def step_of(decision: Decision, reasons: bool = True) -> Step:
    """Put down a decision for a record; without `reasons`, only with words that cost nothing."""
    words = decision.reason.text if reasons else decision.reason.brief
    return Step(decision.move, decision.proved, decision.risk, words)


def make_record(game: Game, steps: tuple[Step, ...], **rest: Any) -> Record:
    """Put down what happened in a game; `rest` are the optional fields of a record."""
    mines = () if game.board is None else game.board.mine_indices
    return Record(game.rules, game.seed, game.first, mines, steps, game.outcome, **rest)


def _check_progress(game: Game, agent: Agent) -> None:
    """Raise `AgentError` if the agent exceeds the move limit."""
    if len(game.moves) > (limit := move_limit(game)):
        raise AgentError(f"{name_of(agent)} did not finish the game within {limit} moves")
