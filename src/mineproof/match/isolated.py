"""An agent of one's own in a process of its own, which is told observations and nothing else.

There it may loop, print, raise anything, end its process or write where its answers go: each
becomes one error that names the agent, the move and what happened. Nothing but plain values comes
back (`plain`), of which decisions are built anew here: no answer runs anything in this process.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

from mineproof.agents.loading import file_of, make_agent, parse_agent
from mineproof.agents.protocol import Agent, Knowledge, ShowsKnowledge
from mineproof.agents.registry import agents
from mineproof.core.decision import Decision
from mineproof.core.errors import (
    AgentError,
    CodedError,
    InputError,
    error_from_plain,
    error_to_plain,
)
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.core.words import error_line
from mineproof.match.checker import ENDLESS, GAMES, CheckReport, Examinations, FoundFault
from mineproof.match.plain import (
    read_decision,
    read_knowledge,
    read_spec,
    write_decision,
    write_knowledge,
)
from mineproof.match.play import ask, hashed_seed, prepare
from mineproof.notation.codec import Plain, from_plain, to_plain
from mineproof.workers.errors import AnswerError, DeadlineError, GarbledError, WorkerDiedError
from mineproof.workers.worker import Worker

GAME_TURNS = 6
"""A game of a check may last as many times what a move may: its boards are small."""
DECISION_SECONDS = 10.0
"""How long an agent of one's own may think about one move, where nothing else is asked for."""
AGENT_BYTES = 2 * 1024**3
"""The address space that it may take."""
MOST_WORDS = 1000
"""Characters of an error that come over."""
Found = TypeVar("Found")


@dataclass(frozen=True)
class Isolation:
    """Which agent is to think in a process of its own, and how."""

    agent: str
    seconds: float = DECISION_SECONDS
    """How long it may think about one move."""
    reasons: bool = False
    """Whether to work out reasons that are worked out when they are read."""
    memory: int | None = AGENT_BYTES
    """The address space that it may take; None: any."""

    def make(self) -> IsolatedAgent:
        """Start the process and make the agent there.

        Raises:
            AgentError: there is no such agent, or it cannot be made.
        """
        agent = IsolatedAgent(self)
        agent.begin()
        return agent


class IsolatedAgent:
    """Stands for an agent in another process; plays like any other agent."""

    def __init__(self, isolation: Isolation) -> None:
        """Keep which agent it is; the process starts with `begin`."""
        self.name = isolation.agent
        """What the agent is called in messages."""
        self.cpu_seconds = 0.0
        """The CPU time that the agent has taken in its own process."""
        self._limit = isolation.seconds
        self._game: tuple[PublicRules, int] | None = None
        self._moves = 0
        self._worker = Worker(
            partial(_make_answer, isolation.agent, isolation.reasons),
            memory=isolation.memory,
            is_plain=True,
        )

    def begin(self) -> None:
        """Make the agent in its process, if it is not there."""
        if self._worker.is_running:
            return
        if self._ask("the agent to be made", ("make", ()), bool):
            # So that this one is asked for what it knows, too.
            self.knowledge = self._knowledge

    def start(self, rules: PublicRules, seed: int) -> None:
        """Prepare for a new game; whoever is in there gets a hash of the seed."""
        self.begin()
        self._moves, self._game = 0, (rules, seed)
        self._ask("the start of a game", ("start", (rules, hashed_seed(seed))), lambda _none: None)

    def decide(self, observation: Observation) -> Decision | None:
        """Choose one move; an agent that was stopped before begins the game anew."""
        if self._game is not None and not self._worker.is_running:
            self.start(*self._game)
        self._moves += 1
        seen = (observation.shown, observation.marks, observation.changes, observation.follows)
        return self._ask(
            f"move {self._moves}", ("decide", (observation.serial, *seen)), read_decision
        )

    def description(self) -> dict[str, Any]:
        """Return what `to_plain` writes of the agent's `AgentSpec`, with its name as the id."""
        return {**self._ask("what it is", ("describe", ()), read_spec), "id": self.name}

    def close(self) -> None:
        """End the process."""
        self._worker.close()

    def __del__(self) -> None:
        """End the process with whoever wanted it."""
        self.close()

    def _knowledge(self) -> Knowledge:
        """Give what the agent knows now, for display."""
        cells = 0 if self._game is None else self._game[0].grid.size
        return self._ask("what it knows", ("knowledge", ()), partial(read_knowledge, cells=cells))

    def _ask(
        self, what: str, question: tuple[str, tuple[Any, ...]], read: Callable[[Plain], Found]
    ) -> Found:
        """Ask, and read the answer; whatever else comes is a fault of the agent."""
        try:
            answer = self._worker.ask(question, seconds=self._limit)
            seconds, found = _opened(answer)
            self.cpu_seconds += seconds
            return _read(read, found)
        except DeadlineError:
            got = f"{what} within {self._limit:g} s, got none: it was stopped"
        except GarbledError as error:
            got = f"{what}, but the agent wrote where its answers go ({error})"
        except WorkerDiedError as error:
            got = f"{what}, but the agent ended its process (status {error.status})"
        except (AnswerError, _NotPlainError) as error:
            got = f"{what}, got {error}"
        raise AgentError(f"{self.name}: expected {got}")


def described(text: str) -> dict[str, Any]:
    """Try an agent in a separate process, and return what `to_plain` writes of its `AgentSpec`.

    No code of the agent's file runs in this process.

    Raises:
        AgentError: there is no such agent, or it cannot be made.
    """
    state = None
    with suppress(OSError):  # then the agent's process says what is wrong with the file
        found = Path(file_of(text) or "").stat()
        state = found.st_mtime_ns, found.st_size
    return _described(text, state)


@lru_cache(maxsize=64)
def _described(text: str, _state: tuple[int, int] | None) -> dict[str, Any]:
    """Describe an agent once for each state of its file."""
    agent = Isolation(text, math.inf, memory=None).make()
    try:
        return agent.description()
    finally:
        agent.close()


@contextmanager
def player(
    text: str, *, seconds: float = DECISION_SECONDS, isolated: bool = True
) -> Iterator[Agent]:
    """Give the agent that a text names; one's own in a process of its own, ended with the block.

    Raises:
        AgentError: there is no such agent, or it cannot be made.
    """
    if not (isolated and file_of(text)):
        yield make_agent(text)
        return
    agent = Isolation(text, seconds, reasons=True).make()
    try:
        yield agent
    finally:
        agent.close()


def check_isolated(name: str, games: int = GAMES, seconds: float = DECISION_SECONDS) -> CheckReport:
    """Look for faults in an agent as `check_agent` does, in a process that it cannot leave.

    Raises:
        AgentError: there is no such file, class or agent, or it cannot be made.
    """
    report = CheckReport()
    make = partial(_make_examiner, name, games, seconds)
    with Worker(make, memory=AGENT_BYTES, is_plain=True) as worker:
        try:
            while (faults := _examined(worker, report.games, GAME_TURNS * seconds)) is not None:
                report.games += 1
                for found in faults:
                    report.add(found)
                    if found.kind in ENDLESS:
                        return report
        except DeadlineError:
            text = f"game {report.games} took more than {GAME_TURNS * seconds:g} s: it was stopped"
            report.add(FoundFault("hangs", text))
        except (GarbledError, AnswerError, _NotPlainError) as error:
            text = f"the agent spoiled its answers in game {report.games}: {error}"
            report.add(FoundFault("garbles", text))
        except WorkerDiedError as error:
            text = f"the agent ended its process (status {error.status}) in game {report.games}"
            report.add(FoundFault("exits", text))
    return report


def _examined(worker: Worker, number: int, seconds: float) -> list[FoundFault] | None:
    """Let one examination be made; give the faults, or None after the last."""
    _, found = _opened(worker.ask(number, seconds=seconds))
    return None if found is None else _read(partial(from_plain, list[FoundFault]), found)


def _read(read: Callable[[Plain], Found], plain: Plain) -> Found:
    try:
        return read(plain)
    except (ValueError, OverflowError) as error:
        raise _NotPlainError(str(error)) from None


class _NotPlainError(Exception):
    """An answer that is none of those that can be expected."""


def _opened(answer: Plain) -> tuple[float, Plain]:
    """Give what a process took and found, or raise the error that it tells of."""
    match answer:
        case [float(seconds), found] if 0 <= seconds < math.inf:
            return seconds, found
        case {"error": str()}:
            raise _read(error_from_plain, answer)
    raise _NotPlainError(f"something else: {answer!r:.80}")


# ---- in the agent's process


Answerer = Callable[[Any, object], Plain]


def _closed(call: Callable[[], Plain], name: str) -> Plain:
    """Give what `_opened` opens: the CPU time and what was found, or an error."""
    started = time.process_time()
    try:
        found = call()
    except BaseException as error:
        if not isinstance(error, CodedError):
            error = AgentError(f"{name}: expected an answer, got {error_line(error)}")
        plain = error_to_plain(error)
        return {**plain, "text": str(error)[:MOST_WORDS]}
    return [time.process_time() - started, found]


def _make_examiner(name: str, games: int, seconds: float) -> Answerer:
    """Give what makes one examination for each question, and None after the last."""
    waiting: list[Iterator[Callable[[], FoundFault | None]]] = []

    def examined() -> Plain:
        try:
            if not waiting:
                waiting.append(iter(Examinations(name, games, seconds)))
            examine = next(waiting[0], None)
            if examine is None:
                return None
            fault = examine()
        except InputError:
            raise
        except BaseException as error:
            fault = FoundFault("raises", f"it raised {error_line(error)}")
        return to_plain([] if fault is None else [fault])

    return lambda _number, _parts: _closed(examined, name)


def _make_answer(text: str, reasons: bool) -> Answerer:
    """Give what answers in the process; the agent is made with the first question."""
    agents()  # what is ours to load is not the agent's time
    host = _Host(text, reasons)

    def answer(question: tuple[str, tuple[Any, ...]], _parts: object) -> Plain:
        method, arguments = question
        return _closed(partial(getattr(host, method), *arguments), text)

    return answer


class _Host:
    """Has the agent, and passes questions on to it."""

    def __init__(self, text: str, reasons: bool) -> None:
        self._text = text
        self._reasons = reasons

    def make(self) -> Plain:
        """Make the agent; say whether it shows its knowledge."""
        self._agent = make_agent(self._text)
        return isinstance(self._agent, ShowsKnowledge)

    def describe(self) -> Plain:
        return to_plain(parse_agent(self._text)[0])

    def start(self, rules: PublicRules, seed: int) -> Plain:
        self._rules = rules
        prepare(self._agent, rules, seed)

    def decide(self, serial: int, *seen: Any) -> Plain:
        observation = Observation(self._rules, *seen)
        observation.serial = serial
        decision = ask(self._agent, observation)
        return (
            None
            if decision is None
            else self._plain("a whole decision", lambda: write_decision(decision, self._reasons))
        )

    def knowledge(self) -> Plain:
        assert isinstance(self._agent, ShowsKnowledge)
        known = self._agent.knowledge()
        return self._plain("whole knowledge", lambda: write_knowledge(known))

    def _plain(self, what: str, write: Callable[[], Plain]) -> Plain:
        """Make an answer plain; what cannot be is a fault of the agent."""
        try:
            return write()
        except Exception as error:
            got = f"{type(error).__name__}: {error}"
            raise AgentError(f"{self._text}: expected {what}, got one with {got}") from None
