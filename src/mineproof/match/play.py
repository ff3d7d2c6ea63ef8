"""The match loop: one agent plays one game."""

from __future__ import annotations

import time
from collections.abc import Callable

from mineproof.agents.loading import Chooser, as_agent, is_trusted
from mineproof.agents.protocol import SimpleAgent
from mineproof.agents.registry import name_of
from mineproof.core.decision import Decision
from mineproof.core.errors import (
    AgentError,
    IllegalMoveError,
    InputError,
    WorkLimitError,
    wrong_type,
)
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.random import hashed_seed, short_seed
from mineproof.core.rules import PublicRules
from mineproof.core.words import error_line
from mineproof.match.contract import (
    DECISION_SECONDS,
    Fault,
    Found,
    check_form,
    check_seconds,
    move_limit,
)
from mineproof.notation.records import Record, Step, make_record

Watcher = Callable[[Game, Decision], None]
Player = str | Chooser
"""An agent's name, an agent, its class, or a function from observation to cell."""


def play(  # noqa: PLR0913  (all but two have defaults, and are given by name)
    game: Game,
    agent: Player,
    *,
    seed: int | None = None,
    watcher: Watcher | None = None,
    on_look: Callable[[], None] | None = None,
    player: str = "",
    reasons: bool = False,
    decision_seconds: float = DECISION_SECONDS,
) -> Record:
    """Play a game with an agent to its end. `game.copy()` keeps the position.

    Args:
        game: the game, which this changes. If its first cell is not open yet, the default one is
            opened.
        agent: an agent's name (a file or an engine runs in a separate process), an agent, its
            class, or a function from observation to cell.
        seed: the agent's seed; by default derived from the game's seed.
        watcher: called after each move with the game and the decision.
        on_look: called when the agent has decided, before its move is played.
        player: the player's name in the record.
        reasons: whether the record contains full reasons, such as the proofs of `exact` and
            `champion`, which take time to compute. Otherwise it contains shorter ones.
        decision_seconds: the time limit for a move of a named file or engine, and of a built-in
            agent on a board with more than 40,000 cells. An object runs here, without a limit.

    Returns:
        The record of the game, including moves made before, which count as guesses.

    Raises:
        TypeError: if the game or the agent is of another type.
        InputError: if the game has already ended, or the time limit is out of range.
        AgentError: if the agent fails, makes an impossible move or never ends the game.
    """
    if not isinstance(game, Game):
        raise wrong_type("a Game", game)
    if game.is_over and game.moves:  # the first cell alone may win
        raise InputError("the game is over: undo a move or start a new game", code="game-over")
    check_seconds(decision_seconds)
    if isinstance(agent, str):
        from mineproof.match.isolated import Isolation  # it imports this module
        from mineproof.match.isolated import player as named

        with named(Isolation(agent, decision_seconds), cells=game.rules.grid.size) as made:
            return play(
                game,
                made,
                seed=seed,
                watcher=watcher,
                on_look=on_look,
                player=player or agent,
                reasons=reasons,
            )
    agent = as_agent(agent)
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
    report_end(agent, game)
    milliseconds = (_clock(agent) - started) * 1000
    name = player or name_of(agent)
    return make_record(game, tuple(steps), player=name, milliseconds=milliseconds)


def report_end(agent: SimpleAgent, game: Game) -> None:
    """Report the result, if there is one, to an agent that wants to know it, as engines do."""
    finish, outcome = getattr(agent, "finish", None), game.outcome
    if finish is not None and outcome is not None:
        _call(f"{name_of(agent)}.finish", lambda: finish(outcome.result))


def _clock(agent: SimpleAgent) -> float:
    """Return the CPU time of this process, plus that of the agent's process if there is one."""
    return time.process_time() + float(getattr(agent, "cpu_seconds", 0.0))


def begin(game: Game) -> None:
    """Open the default first cell of a game that has not started."""
    first = game.rules.first_cell
    if not game.has_started and first is not None:
        game.play(Move(Action.OPEN, Cell(*first)))


def agent_seed(agent: SimpleAgent, seed: int) -> int:
    """Return the seed that an agent gets in the game with this seed.

    Rules, seed and first cell determine the board. So user code gets a hash of the seed. Agents
    made from a registered id are trusted: they draw from a separate random stream of the seed.
    """
    return short_seed(seed) if is_trusted(agent) else hashed_seed(seed)


def prepare(agent: SimpleAgent, rules: PublicRules, seed: int) -> None:
    """Call an agent's `start`.

    Raises:
        AgentError: if the agent raises an exception.
    """
    _call(f"{name_of(agent)}.start", lambda: agent.start(rules, seed))


def ask(agent: SimpleAgent, observation: Observation) -> Decision | None:
    """Ask an agent for its decision.

    Raises:
        AgentError: if the agent raises an exception, or its answer is not a decision.
    """
    answer = _call(f"{name_of(agent)}.decide", lambda: agent.decide(observation))
    if answer is None:
        return None
    try:
        return check_form(answer, observation)
    except Fault as fault:
        raise AgentError(f"{name_of(agent)}: {fault}") from None


def _call(name: str, method: Callable[[], Found]) -> Found:
    """Call a method of an agent. Turn its exceptions into `AgentError`."""
    try:
        return method()
    except (InputError, WorkLimitError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        raise AgentError(f"{name} raised {error_line(error)}") from error


def make_move(game: Game, agent: SimpleAgent, decision: Decision) -> None:
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


def check_progress(game: Game, agent: SimpleAgent) -> None:
    """Raise `AgentError` if the agent exceeds the move limit."""
    if len(game.moves) > (limit := move_limit(game)):
        raise AgentError(f"{name_of(agent)} did not finish the game within {limit} moves")
