"""The contract of an agent, and games in which every answer is checked."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import attrgetter
from types import FrameType
from typing import NamedTuple, TypeVar

from mineproof.agents.protocol import Knowledge, ShowsKnowledge, SimpleAgent
from mineproof.core.board import Board
from mineproof.core.decision import Answer, Decision, Reason, as_decision
from mineproof.core.errors import AgentError, IllegalMoveError, InputError, WorkLimitError
from mineproof.core.game import Game, Result
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.random import hashed_seed
from mineproof.core.words import error_line
from mineproof.inference.counting import count

Found = TypeVar("Found")
_TYPES: dict[str, type] = {
    "move": Move,
    "move.action": Action,
    "move.cell": Cell,
    "proved": bool,
    "reason": Reason,
    "reason.brief": str,
}
_ATTRIBUTES = tuple((name, attrgetter(name), kind) for name, kind in _TYPES.items())
"""The attributes of a decision that are checked: name, getter and type."""


DECISION_SECONDS = 10.0
"""The default time limit for a move."""
MOST_SECONDS = 3600.0
"""The longest time limit."""
ENGINE_FAULT = "engine"
"""The kind of fault if an engine breaks off a game or its protocol."""
REFUSED = "refused"
"""The code of the error if an engine does not support the rules."""


class EngineError(AgentError):
    """An engine cannot be started, broke the protocol, or does not support the rules."""

    code = "engine-fault"


class Fault(Exception):  # noqa: N818  (a fault of the agent, not of the program)
    """A breach of an agent's contract."""

    def __init__(self, kind: str, text: str, observation: Observation | None = None) -> None:
        """Describe the fault in one sentence, with the position in which it occurred."""
        super().__init__(text)
        self.kind = kind
        self.text = text
        self.observation = observation


def check_seconds(seconds: float) -> None:
    """Check a time limit for a move.

    Raises:
        InputError: if it is out of range.
    """
    if not 0 < seconds <= MOST_SECONDS:  # this also rejects nan
        text = f"expected decision_seconds above 0 and at most {MOST_SECONDS:g}, got {seconds!r}"
        raise InputError(text)


def check_form(answer: Answer, seen: Observation) -> Decision:
    """Return an agent's answer as a decision whose attributes have the right types.

    Raises:
        Fault: if the answer is not a decision, a move or a cell.
    """
    try:
        decision = as_decision(answer)
    except TypeError:
        text = f"decide returned {answer!r}, not a Decision, a Move, a Cell or None"
        if isinstance(answer, int):
            text += f" (observation.grid.cell({answer}) is a Cell)"
        raise Fault("type", text, seen) from None
    for name, get, kind in _ATTRIBUTES:
        value = get(decision)
        if not isinstance(value, kind):
            text = f"the decision's {name} is {value!r}, not of type {kind.__name__}"
            raise Fault("type", text, seen)
    risk = decision.risk
    if risk is not None and not (isinstance(risk, int | float) and 0 <= risk <= 1):
        raise Fault("risk", f"the decision's risk is {risk!r}, not from 0 to 1", seen)
    return decision


class Examined(NamedTuple):
    """A game that the agent played without a fault."""

    decisions: tuple[Decision, ...]
    result: Result

    @property
    def guesses(self) -> int:
        """The number of moves that opened a cell without a proof."""
        opens = [decision for decision in self.decisions if decision.move.action is Action.OPEN]
        return sum(1 for decision in opens if not decision.proved)


def start(agent: SimpleAgent, game: Game, seconds: float) -> None:
    """Start an agent with a hash of the game's seed.

    Raises:
        Fault: if the agent breaks its contract.
    """
    rules, seed = game.rules.public(), hashed_seed(game.seed)
    guarded("start", lambda: agent.start(rules, seed), seconds, game.observation)


def examine_game(agent: SimpleAgent, game: Game, seconds: float) -> Examined:
    """Play a game with an agent and check every answer.

    Raises:
        Fault: if the agent breaks its contract.
    """
    start(agent, game, seconds)
    decisions: list[Decision] = []
    while not game.is_over:
        decision = examine_move(agent, game, seconds)
        if decision is None:
            game.stop()
            break
        decisions.append(decision)
        _check_end(len(decisions), game)
    assert game.outcome is not None
    return Examined(tuple(decisions), game.outcome.result)


def examine_move(agent: SimpleAgent, game: Game, seconds: float) -> Decision | None:
    """Ask an agent for one move, check it and play it. Return None if the agent stops.

    Raises:
        Fault: if the agent breaks its contract.
    """
    seen = game.observation
    decision = ask(agent, seen, seconds)
    if isinstance(agent, ShowsKnowledge) and game.board is not None:
        known = guarded("knowledge", agent.knowledge, seconds, seen)
        _check_knowledge(known, game.board, seen)
    if decision is not None:
        _make(decision, game, seen)
    return decision


def ask(agent: SimpleAgent, seen: Observation, seconds: float) -> Decision | None:
    """Ask an agent for its decision and check its types.

    Raises:
        Fault: if the answer is not a decision, or the agent changed the observation.
    """
    before = (seen.rules, seen.shown, seen.marks, seen.changes, seen.follows, seen.serial)
    answer = guarded("decide", lambda: agent.decide(seen), seconds, seen)
    after = (seen.rules, seen.shown, seen.marks, seen.changes, seen.follows, seen.serial)
    if before != after:
        raise Fault("changes", "decide changed its observation")
    return None if answer is None else check_form(answer, seen)


def guarded(
    what: str, call: Callable[[], Found], seconds: float, seen: Observation | None
) -> Found:
    """Call a method of an agent. Raise a `Fault` if it raises an exception or hangs."""
    try:
        with _limited(seconds):
            return call()
    except _TooSlow:
        raise Fault("hangs", f"{what} took more than {seconds:g} s", seen) from None
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except EngineError as error:
        if error.code == REFUSED:
            raise
        raise Fault(ENGINE_FAULT, str(error), seen) from None
    except BaseException as error:
        raise Fault("raises", f"{what} raised {error_line(error)}", seen) from error


class _TooSlow(BaseException):
    """The agent took too long. An agent's `except Exception` does not catch this."""


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Interrupt the block after this many seconds, if the system supports that."""
    in_main = threading.current_thread() is threading.main_thread()
    if not in_main or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise _TooSlow

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _make(decision: Decision, game: Game, seen: Observation) -> None:
    """Play a move. Raise a `Fault` if it is impossible or wrongly called proved."""
    hits = game.hits
    try:
        game.play(decision.move)
    except (IllegalMoveError, TypeError) as error:
        text = f"decide made the impossible move {decision.move}: {error}"
        raise Fault("illegal", text, seen) from None
    assert game.board is not None
    mined = bool(game.board.mined[seen.grid.index(decision.move.cell)])
    action = decision.move.action
    wrong = not mined if action is Action.MARK else mined and action is Action.UNMARK
    if decision.proved and (wrong or game.hits > hits):
        raise _false(f"decide called {decision.move} proved", seen)
    if decision.proved and seen.rules.clues.trusted:
        _check_claim(decision.move, seen)


def _check_claim(move: Move, seen: Observation) -> None:
    """Raise a `Fault` if some layout that fits the clues contradicts a proved move."""
    if seen.is_new or move.action not in (Action.OPEN, Action.MARK):
        return
    facts = count(seen)
    proved = facts.safe if move.action is Action.OPEN else facts.mined
    if seen.grid.index(move.cell) not in proved:
        what = "a mine" if move.action is Action.OPEN else "safe"
        text = f"decide called {move} proved, but the cell is {what} in some layouts that fit"
        raise Fault("unproved", text, seen)


def _check_knowledge(known: Knowledge, board: Board, seen: Observation) -> None:
    if not isinstance(known, Knowledge):
        raise Fault("type", f"knowledge returned {known!r}, not a Knowledge", seen)
    for cells, mined in ((known.safe, False), (known.mined, True)):
        for index in cells:
            if bool(board.mined[index]) is not mined:
                claim = f"{seen.grid.cell(index)} is {'a mine' if mined else 'safe'}"
                raise _false(f"knowledge claims that {claim}", seen)


def move_limit(game: Game) -> int:
    """Return the maximum number of moves in a game. Longer games only mark and unmark cells."""
    return 100 + 10 * game.rules.grid.size


def _check_end(moves: int, game: Game) -> None:
    if moves > (limit := move_limit(game)):
        text = f"the game does not end: after {limit} moves the agent only marks and unmarks cells"
        raise Fault("endless", text, game.observation)


def _false(claim: str, seen: Observation) -> Fault:
    """Return the fault for a false claim. If clues may be wrong, the message points that out."""
    clues = seen.rules.clues
    if clues.trusted:
        return Fault("false", f"{claim}, which is false", seen)
    text = f"{claim}, which is false. Here the clues are {clues} (see rules.clues in start)"
    return Fault("trusts", text, seen)


MOST_FAILURES = 10
"""The number of failed games in a row after which a run stops."""


class Failures:
    """The number of games in a row that failed."""

    def __init__(self) -> None:
        """Start at 0."""
        self._count = 0

    def add(self, result: str, error: str) -> None:
        """Count a game.

        Raises:
            WorkLimitError: if too many games in a row failed.
        """
        self._count = self._count + 1 if result == Result.FAILED else 0
        if self._count == MOST_FAILURES:
            raise WorkLimitError(f"{MOST_FAILURES} games in a row failed. The last one: {error}")
