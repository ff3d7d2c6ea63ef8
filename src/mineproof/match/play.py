"""The match loop: one agent plays one game."""

from __future__ import annotations

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
from mineproof.core.random import hashed_seed, short_seed
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
    """Play a game with an agent to its end.

    Args:
        game: the game. If its first cell is not open yet, the default one is opened.
        agent: the player.
        seed: the agent's seed; by default derived from the game's seed.
        watcher: called after each move with the game and the decision.
        on_look: called when the agent has decided, before its move is played.
        player: the player's name in the record.
        reasons: whether the record contains full reasons, such as the proofs of `exact` and
            `champion`, which take time to compute. Otherwise it contains shorter ones.

    Returns:
        The record of the game, including moves made before.

    Raises:
        AgentError: if the agent fails, makes an impossible move or never ends the game.
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
        check_progress(game, agent)
        if watcher is not None:
            paused = _clock(agent)
            watcher(game, decision)
            started += _clock(agent) - paused
    _report_end(agent, game)
    milliseconds = (_clock(agent) - started) * 1000
    name = player or name_of(agent)
    return make_record(game, tuple(steps), player=name, milliseconds=milliseconds)


def _report_end(agent: Agent, game: Game) -> None:
    """Report the result to an agent that wants to know it, as engines do."""
    finish, outcome = getattr(agent, "finish", None), game.outcome
    if finish is not None and outcome is not None:
        _call(f"{name_of(agent)}.finish", lambda: finish(outcome.result))


def name_of(agent: Agent) -> str:
    """Return the name of an agent, by default the name of its class."""
    name = getattr(agent, "name", "")
    return name if name and isinstance(name, str) else type(agent).__name__


def _clock(agent: Agent) -> float:
    """Return the CPU time of this process, plus that of the agent's process if there is one."""
    return time.process_time() + float(getattr(agent, "cpu_seconds", 0.0))


def begin(game: Game) -> None:
    """Open the default first cell of a game that has not started."""
    first = game.rules.first_cell
    if not game.has_started and first is not None:
        game.play(Move(Action.OPEN, Cell(*first)))


def agent_seed(agent: Agent, seed: int) -> int:
    """Return the seed that an agent gets in the game with this seed.

    Rules, seed and first cell determine the board. So a user agent gets a hash of the seed, from
    which the seed cannot be computed. Built-in agents are trusted: they draw from a separate random
    stream of the game's seed.
    """
    return short_seed(seed) if is_ours(agent) else hashed_seed(seed)


def prepare(agent: Agent, rules: PublicRules, seed: int) -> None:
    """Call an agent's `start`.

    Raises:
        AgentError: if the agent raises an exception.
    """
    _call(f"{name_of(agent)}.start", lambda: agent.start(rules, seed))


def ask(agent: Agent, observation: Observation) -> Decision | None:
    """Ask an agent for its decision.

    Raises:
        AgentError: if the agent raises an exception, or its answer is not a decision.
    """
    decision = _call(f"{name_of(agent)}.decide", lambda: agent.decide(observation))
    if decision is not None:
        try:
            check_form(decision, observation)
        except Fault as fault:
            raise AgentError(f"{name_of(agent)}: {fault}") from None
    return decision


def _call(name: str, method: Callable[[], Answer]) -> Answer:
    """Call a method of an agent. Turn its exceptions into `AgentError`."""
    try:
        return method()
    except (InputError, WorkLimitError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        raise AgentError(f"{name} raised {error_line(error)}") from error


def make_move(game: Game, agent: Agent, decision: Decision) -> None:
    """Play an agent's move.

    Raises:
        AgentError: if the game does not allow the move.
    """
    try:
        game.play(decision.move)
    except (IllegalMoveError, TypeError) as error:
        raise AgentError(f"{name_of(agent)} made an impossible move: {error}") from error


def step_of(decision: Decision, reasons: bool = True) -> Step:
    """Return a decision as a step of a record. Without `reasons`, use the brief reason."""
    reason = decision.reason.text if reasons else decision.reason.brief
    return Step(decision.move, decision.proved, decision.risk, reason)


def make_record(game: Game, steps: tuple[Step, ...], **rest: Any) -> Record:
    """Return the record of a game. `rest` contains its optional fields."""
    mines = () if game.board is None else game.board.mine_indices
    return Record(game.rules, game.seed, game.first, mines, steps, game.outcome, **rest)


def check_progress(game: Game, agent: Agent) -> None:
    """Raise `AgentError` if the agent exceeds the move limit."""
    if len(game.moves) > (limit := move_limit(game)):
        raise AgentError(f"{name_of(agent)} did not finish the game within {limit} moves")
