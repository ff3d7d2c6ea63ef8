"""An agent of one's own in a process of its own, which is told observations and nothing else.

There it may loop, print, raise anything or end its process: each becomes one error that names
the agent, the move and what happened. Its decisions come back as plain values, since what the
file itself defines is not known here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from mineproof.agents.checker import ENDLESS, GAMES, CheckReport, Examinations, FoundFault
from mineproof.agents.contract import told
from mineproof.agents.loading import file_of, make_agent
from mineproof.agents.protocol import Agent, Knowledge, ShowsKnowledge, is_ours
from mineproof.agents.registry import agents
from mineproof.core.decision import Decision, Reason
from mineproof.core.errors import AgentError, InputError, WorkLimitError
from mineproof.core.observation import Observation
from mineproof.core.random import short_seed
from mineproof.core.rules import PublicRules
from mineproof.match.play import ask, hashed_seed, prepare
from mineproof.workers.errors import AnswerError, DeadlineError, WorkerDiedError
from mineproof.workers.worker import Worker

GAME_TURNS = 6
"""A game of a check may last as many times what a move may: its boards are small."""
DECISION_SECONDS = 10.0
"""How long an agent of one's own may think about one move, where nothing else is asked for."""
AGENT_BYTES = 2 * 1024**3
"""The address space that it may take."""


@dataclass(frozen=True)
class Isolation:
    """Which agent is to think in a process of its own, and how."""

    agent: str
    seconds: float = DECISION_SECONDS
    """How long it may think about one move."""
    reasons: bool = False
    """Whether to work out reasons that are worked out when they are read."""

    def make(self) -> IsolatedAgent:
        """Start the process and make the agent there.

        Raises:
            AgentError: there is no such agent, or it cannot be made.
        """
        agent = IsolatedAgent(self)
        agent.begin()
        return agent


class _Thought(NamedTuple):
    """An answer of an agent, and the CPU time that it took."""

    answer: Any
    seconds: float


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
        self._hashes_seed = True
        self._moves = 0
        self._worker = Worker(
            partial(_make_answer, isolation.agent, isolation.reasons), memory=AGENT_BYTES
        )

    def begin(self) -> None:
        """Make the agent in its process, if it is not there."""
        if self._worker.is_running:
            return
        ours, shows_knowledge = self._ask("the agent to be made", ("describe", ()))
        self._hashes_seed = not ours
        if shows_knowledge:  # so that this one is asked for it, too
            self.knowledge = self._knowledge

    def start(self, rules: PublicRules, seed: int) -> None:
        """Prepare for a new game; an agent from outside gets a hash of the seed."""
        self.begin()
        self._moves, self._game = 0, (rules, seed)
        given = hashed_seed(seed) if self._hashes_seed else short_seed(seed)
        self._ask("the start of a game", ("start", (rules, given)))

    def decide(self, observation: Observation) -> Decision | None:
        """Choose one move; an agent that was stopped before begins the game anew."""
        if self._game is not None and not self._worker.is_running:
            self.start(*self._game)
        self._moves += 1
        seen = (observation.shown, observation.marks, observation.changes, observation.follows)
        question = "decide", (observation.serial, *seen)
        found: Decision | None = self._ask(f"move {self._moves}", question)
        return found

    def close(self) -> None:
        """End the process."""
        self._worker.close()

    def __del__(self) -> None:
        """End the process with whoever wanted it."""
        self.close()

    def _knowledge(self) -> Knowledge:
        """Give what the agent knows now, for display."""
        found: Knowledge = self._ask("what it knows", ("knowledge", ()))
        return found

    def _ask(self, what: str, question: tuple[str, tuple[Any, ...]]) -> Any:
        try:
            thought: _Thought = self._worker.ask(question, seconds=self._limit)
        except DeadlineError:
            raise AgentError(
                f"{self.name}: expected {what} within {self._limit:g} s, got none: it was stopped"
            ) from None
        except WorkerDiedError as error:
            raise AgentError(
                f"{self.name}: expected {what}, but the agent ended its process "
                f"(status {error.status})"
            ) from None
        except AnswerError as error:
            raise AgentError(f"{self.name}: expected {what}, got {error}") from None
        self.cpu_seconds += thought.seconds
        return thought.answer


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
    with Worker(partial(_make_examiner, name, games, seconds), memory=AGENT_BYTES) as worker:
        try:
            while (answer := worker.ask(report.games, seconds=GAME_TURNS * seconds)) is not None:
                report.games += 1
                for fault in answer:
                    report.add(fault)
                    if fault.kind in ENDLESS:
                        return report
        except DeadlineError:
            text = f"game {report.games} took more than {GAME_TURNS * seconds:g} s: it was stopped"
            report.add(FoundFault("hangs", text))
        except WorkerDiedError as error:
            text = f"the agent ended its process (status {error.status}) in game {report.games}"
            report.add(FoundFault("exits", text))
    return report


# ---- in the agent's process


def _make_examiner(
    name: str, games: int, seconds: float
) -> Callable[[int, object], tuple[FoundFault, ...] | None]:
    """Give what makes one examination for each question, and None after the last."""
    waiting: list[Iterator[Callable[[], FoundFault | None]]] = []

    def answer(_number: int, _parts: object) -> tuple[FoundFault, ...] | None:
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
            fault = FoundFault("raises", f"it raised {told(error)}")
        return () if fault is None else (fault,)

    return answer


def _make_answer(text: str, reasons: bool) -> Callable[[Any, object], _Thought]:
    """Give what answers in the process; the agent is made with the first question."""
    agents()  # what is ours to load is not the agent's time
    host = _Host(text, reasons)

    def answer(question: tuple[str, tuple[Any, ...]], _parts: object) -> _Thought:
        method, arguments = question
        started = time.process_time()
        try:
            found = getattr(host, method)(*arguments)
        except (InputError, WorkLimitError):
            raise
        except BaseException as error:
            raise AgentError(f"{text}: expected an answer, got {told(error)}") from None
        return _Thought(found, time.process_time() - started)

    return answer


class _Host:
    """Has the agent, and passes questions on to it."""

    def __init__(self, text: str, reasons: bool) -> None:
        self._text = text
        self._reasons = reasons

    def describe(self) -> tuple[bool, bool]:
        """Make the agent; say whether it is ours, and whether it shows its knowledge."""
        self._agent = make_agent(self._text)
        return is_ours(self._agent), isinstance(self._agent, ShowsKnowledge)

    def start(self, rules: PublicRules, seed: int) -> None:
        self._rules = rules
        prepare(self._agent, rules, seed)

    def decide(self, serial: int, *seen: Any) -> Decision | None:
        observation = Observation(self._rules, *seen)
        observation.serial = serial
        decision = ask(self._agent, observation)
        return None if decision is None else _plain(decision, self._reasons)

    def knowledge(self) -> Knowledge:
        assert isinstance(self._agent, ShowsKnowledge)
        return self._agent.knowledge()


def _plain(decision: Decision, reasons: bool) -> Decision:
    """Give a decision without anything that only its own file knows."""
    reason = decision.reason
    words = reason.text if reasons else reason.brief
    clues, conclusions = tuple(reason.clues), tuple(reason.conclusions)
    plain = Reason(str(words), clues, conclusions, bool(reason.uses_mine_count))
    return Decision(decision.move, decision.proved, plain, decision.risk, decision.candidates)
