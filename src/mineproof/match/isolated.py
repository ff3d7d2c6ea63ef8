"""User agents in separate processes, which receive only what a player can see.

The agent may loop forever, print, raise any exception, end its process or write to the pipe that
carries its answers. Each of these faults becomes one error that names the agent, the move and what
happened. Only plain values come back (see `plain`), and this process builds decisions from them, so
an answer cannot run code here.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from mineproof.agents.loading import file_of, is_engine, is_foreign, make_agent, parse_agent, trust
from mineproof.agents.protocol import Agent, Knowledge, ShowsKnowledge
from mineproof.agents.registry import agents
from mineproof.core.decision import Decision
from mineproof.core.errors import AgentError, CodedError, error_from_plain, error_to_plain
from mineproof.core.observation import Observation
from mineproof.core.random import hashed_seed
from mineproof.core.rules import PublicRules
from mineproof.core.words import error_line, printable_lines
from mineproof.match.contract import DECISION_SECONDS
from mineproof.match.engines import EngineAgent
from mineproof.match.plain import (
    read_decision,
    read_knowledge,
    read_spec,
    write_decision,
    write_knowledge,
)
from mineproof.match.play import ask, prepare
from mineproof.notation.codec import Plain, to_plain
from mineproof.workers.errors import AnswerError, DeadlineError, GarbledError, WorkerDiedError
from mineproof.workers.worker import Worker

HUGE_BOARD = 40_000
"""Number of cells (200x200) up to which all built-in agents move quickly, without a time limit."""
AGENT_BYTES = 2 * 1024**3
"""Maximum address space of a user agent's process, in bytes."""
MOST_CPU_SECONDS = 1e6
"""Maximum CPU time of a move. An agent could name any time, even one that is no finite number."""
MOST_WORDS = 1000
"""Maximum length of an error message from the agent's process, in characters."""
Found = TypeVar("Found")
_descriptions: dict[tuple[object, ...], dict[str, Any]] = {}
"""The descriptions of agents, by name, options and state of the file."""


def new_salt() -> str:
    """Return 128 random bits as hexadecimal digits."""
    return secrets.token_hex(16)


@dataclass(frozen=True)
class Isolation:
    """An agent to run in a separate process, and the limits of that process."""

    agent: str
    seconds: float = DECISION_SECONDS
    """Seconds that the agent may think about one move."""
    reasons: bool = False
    """Whether to compute full reasons for every move. Otherwise they are computed only on
    demand."""
    memory: int | None = AGENT_BYTES
    """Maximum address space of the process in bytes (for an engine: resident memory); None for no
    limit."""
    salt: str = field(default_factory=new_salt)
    """Random digits of this run. The agent's seeds are made from them and the games' seeds."""
    options: tuple[tuple[str, str], ...] = ()
    """Options of an engine, by name."""
    log: Path | None = None
    """A file in which to log the dialogue with an engine."""

    def make(self) -> IsolatedAgent | EngineAgent:
        """Start the process and make the agent there.

        Raises:
            AgentError: if there is no such agent, or it cannot be made.
        """
        if is_engine(self.agent):
            return EngineAgent(self)
        return IsolatedAgent(self)


class IsolatedAgent:
    """An agent in another process, with the same interface as any other agent."""

    def __init__(self, isolation: Isolation) -> None:
        """Start the process and make the agent there."""
        trust(self)  # it hashes the seed before it passes it on
        self.name = isolation.agent
        """The agent's name in messages."""
        self._spent = 0.0
        self._limit = isolation.seconds
        self._salt = isolation.salt
        self._game: tuple[PublicRules, int] | None = None
        self._moves = 0
        self._worker = Worker(
            partial(_make_answer, isolation.agent, isolation.reasons),
            memory=isolation.memory,
            is_plain=True,
        )
        self.begin()

    @property
    def cpu_seconds(self) -> float:
        """The agent's CPU time in its process, less what waiting for it took in this one."""
        return self._spent - self._worker.spun_seconds

    def begin(self) -> None:
        """Start the process and make the agent there, unless it is running."""
        if self._worker.is_running:
            return
        if self._ask("start-up", ("make", ()), bool):
            # This attribute marks agents that can show their knowledge (`ShowsKnowledge`).
            self.knowledge = self._knowledge

    def start(self, rules: PublicRules, seed: int) -> None:
        """Prepare for a new game. The agent receives a hash of the seed."""
        self.begin()
        self._moves, self._game = 0, (rules, seed)
        handed = hashed_seed(seed, self._salt) if is_foreign(self.name) else seed
        self._ask("start of a game", ("start", (rules, handed)), lambda _none: None)

    def decide(self, observation: Observation) -> Decision | None:
        """Choose one move. If the agent's process was stopped before, start the game again."""
        if self._game is not None and not self._worker.has_process:
            self.start(*self._game)
        self._moves += 1
        seen = (observation.shown, observation.marks, observation.changes, observation.follows)
        return self._ask("move {}", ("decide", (observation.serial, *seen)), read_decision)

    def description(self) -> dict[str, Any]:
        """Return the plain form of the agent's `AgentSpec`, with its name as the id."""
        return {**self._ask("description", ("describe", ()), read_spec), "id": self.name}

    def close(self) -> None:
        """End the process."""
        self._worker.close()

    def __del__(self) -> None:
        """End the process together with this object."""
        self.close()

    def _knowledge(self) -> Knowledge:
        cells = 0 if self._game is None else self._game[0].grid.size
        return self._ask("knowledge", ("knowledge", ()), partial(read_knowledge, cells=cells))

    def _ask(
        self, what: str, question: tuple[str, tuple[Any, ...]], read: Callable[[Plain], Found]
    ) -> Found:
        """Ask a question and read the answer. In `what`, `{}` stands for the move's number."""
        try:
            answer = self._worker.ask(question, seconds=self._limit)
            seconds, found = opened(answer)
            self._spent += seconds
            return read_checked(read, found)
        except DeadlineError:
            wrong = f"no answer within {self._limit:g} s, so the agent was stopped"
        except GarbledError as error:
            wrong = f"the agent wrote to the pipe that carries its answers ({error})"
        except WorkerDiedError as error:
            wrong = end_words(error)
        except AnswerError as error:
            wrong = str(error)
        except CodedError as error:
            if not is_foreign(self.name):
                raise
            # Whatever user code raises, only its game fails; it cannot end or refuse the game.
            if isinstance(error, AgentError):
                raise AgentError(printable_lines(str(error))) from None
            wrong = f"it raised {type(error).__name__}: {error}"
        raise AgentError(printable_lines(f"{self.name}, {what.format(self._moves)}: {wrong}"))


def described(how: str | Isolation) -> dict[str, Any]:
    """Make an agent in a separate process and return the plain form of its `AgentSpec`.

    The description is remembered until the agent's file changes.

    Raises:
        AgentError: if there is no such agent, or it cannot be made within the limits.
    """
    how, state = Isolation(how, DECISION_SECONDS) if isinstance(how, str) else how, None
    with suppress(OSError):  # if the file cannot be read, the agent's process reports it
        found = Path(file_of(how.agent) or "").stat()
        state = found.st_mtime_ns, found.st_size
    known = how.agent, how.options, state
    if known not in _descriptions:
        with closing(replace(how, log=None).make()) as agent:
            _descriptions[known] = agent.description()
    return _descriptions[known]


def is_apart(text: str, isolated: bool = True) -> bool:
    """Return whether a named agent runs in a separate process: an engine always does."""
    return is_foreign(text) and (isolated or is_engine(text))


def is_huge(text: str, cells: int) -> bool:
    """Return whether a built-in agent needs a time limit, and so a process, on such a board."""
    return cells > HUGE_BOARD and not is_foreign(text)


@contextmanager
def player(how: str | Isolation, *, isolated: bool = True, cells: int = 0) -> Iterator[Agent]:
    """Return a context manager that makes the named agent; user code runs in a separate process.

    So does a built-in agent on a huge board, which has this many `cells`.

    Raises:
        AgentError: if there is no such agent, or it cannot be made.
    """
    how = Isolation(how) if isinstance(how, str) else how
    if not (is_apart(how.agent, isolated) or is_huge(how.agent, cells)):
        yield make_agent(how.agent)
        return
    with closing(replace(how, reasons=True).make()) as agent:
        yield agent


def end_words(error: WorkerDiedError) -> str:
    """Return why an agent's process ended."""
    if error.status is None:
        return f"the agent was stopped: {error}"
    return f"the agent ended its process (status {error.status})"


def read_checked(read: Callable[[Plain], Found], plain: Plain) -> Found:
    """Read an answer. Any wrong value is an `AnswerError`."""
    try:
        return read(plain)
    except (ValueError, OverflowError) as error:
        raise AnswerError(str(error)) from None


def opened(answer: Plain) -> tuple[float, Plain]:
    """Return the CPU time and the value in an answer, or raise the error that it contains."""
    if type(answer) is list and len(answer) == 2:
        seconds, found = answer
        if type(seconds) is float and 0 <= seconds < MOST_CPU_SECONDS:
            return seconds, found
    if type(answer) is dict and type(answer.get("error")) is str:
        raise read_checked(error_from_plain, answer)
    raise AnswerError(f"unexpected answer: {answer!r:.80}")


# ---- in the agent's process

Answerer = Callable[[Any, object], Plain]


def closed(call: Callable[[], Plain], name: str) -> Plain:
    """Return the CPU time and the value of a call, or its error. `opened` reads the answer."""
    started = time.process_time()
    try:
        found = call()
    except BaseException as error:
        if not isinstance(error, CodedError):
            error = AgentError(f"{name} raised {error_line(error)}")
        return {**error_to_plain(error), "text": str(error)[:MOST_WORDS]}
    return [time.process_time() - started, found]


def _make_answer(text: str, reasons: bool) -> Answerer:
    """Return the function that answers questions in this process. The first one makes the agent."""
    agents()  # load the built-in agents first, so that this does not count as the agent's time
    host = _Host(text, reasons)
    return lambda asked, _send_part: closed(partial(getattr(host, asked[0]), *asked[1]), text)


class _Host:
    """The agent in its process, with one method for each question."""

    def __init__(self, text: str, reasons: bool) -> None:
        self._text = text
        self._reasons = reasons

    def make(self) -> Plain:
        """Make the agent. Return whether it shows its knowledge."""
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
        if decision is None:
            return None
        return self._plain("decision", lambda: write_decision(decision, self._reasons))

    def knowledge(self) -> Plain:
        assert isinstance(self._agent, ShowsKnowledge)
        known = self._agent.knowledge()
        return self._plain("knowledge", lambda: write_knowledge(known))

    def _plain(self, what: str, write: Callable[[], Plain]) -> Plain:
        """Return an answer as plain values. If that fails, raise an error that blames the agent."""
        try:
            return write()
        except Exception as error:
            wrong = f"the {what} cannot be sent ({type(error).__name__}: {error})"
            raise AgentError(f"{self._text}: {wrong}") from None
