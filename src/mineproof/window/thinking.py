"""What a thinking process does: it answers questions about positions, one after another."""

from __future__ import annotations

import os
import signal
import threading
import time
from array import array
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from mineproof.agents.faults import told
from mineproof.core.errors import InputError, WorkLimitError
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.notation.records import Record
from mineproof.session.advisor import Advisor
from mineproof.session.reasons import Reasons

HEAT_SECONDS = 5.0
"""After so long the risks of the heat map are sampled."""


@dataclass(frozen=True)
class Question:
    """A question about a position of a game."""

    kind: str
    """A name of `ANSWERS`."""
    observation: Observation
    agent: str = ""
    game: tuple[int, int] = (0, 0)
    """A number of the game, and its seed."""
    cell: Cell | None = None
    record: Record | None = None


@dataclass(frozen=True)
class Answer:
    """What came of a question: a value, or the text of an error."""

    value: Any = None
    error: str | None = None


@dataclass(frozen=True)
class Risks:
    """The risk of every cell; not a number where a cell is open."""

    values: array[float]
    exact: bool


class Mind:
    """Keeps the agent that is asked, and what was found out about the last position."""

    def __init__(self) -> None:
        """Begin without an agent."""
        self.reasons = Reasons()
        self._key: tuple[Any, ...] | None = None
        self._advisor: Advisor | None = None
        self._position: Observation | None = None

    def position(self, question: Question) -> Observation:
        """Give the position of a question, the same object for the same position."""
        if self._position is None or self._position.serial != question.observation.serial:
            self._position = question.observation
        return self._position

    def advisor(self, question: Question) -> Advisor:
        """Give the agent of a question, told which game is played."""
        key = (question.agent, question.game, question.observation.rules)
        if self._advisor is None or key != self._key:
            self._key = None
            self._advisor = Advisor(question.agent)
            self._advisor.begin(question.observation.rules, question.game[1])
            self._key = key
        return self._advisor


def _decide(mind: Mind, question: Question) -> Any:
    return mind.advisor(question).decide(question.observation)


def _knowledge(mind: Mind, question: Question) -> Any:
    return mind.advisor(question).knowledge(question.observation)


def _why(mind: Mind, question: Question) -> Any:
    assert question.cell is not None
    found = mind.reasons.why(mind.position(question), question.cell)
    return found or mind.advisor(question).why(question.observation, question.cell)


def _hint(mind: Mind, question: Question) -> Any:
    decision = mind.advisor(question).decide(question.observation)
    return mind.reasons.hint(mind.position(question), decision)


def _may_guess(mind: Mind, question: Question) -> Any:
    return mind.reasons.may_guess(mind.position(question), None)


def _risks(_mind: Mind, question: Question) -> Any:
    from mineproof.explain.analysis import analyse

    found = analyse(question.observation, moves=False, budget=HEAT_SECONDS, sampled=True)
    return Risks(array("d", found.facts.risk), found.exact)


def _luck(_mind: Mind, question: Question) -> Any:
    from mineproof.play.luck import luck

    assert question.record is not None
    return luck(question.record)


ANSWERS: dict[str, Callable[[Mind, Question], Any]] = {
    "decide": _decide,
    "knowledge": _knowledge,
    "why": _why,
    "hint": _hint,
    "may guess": _may_guess,
    "risks": _risks,
    "luck": _luck,
}


def serve(pipe: Connection) -> None:
    """Say that the process is ready, then answer until the pipe is closed."""
    _settle()
    mind = Mind()
    with suppress(EOFError, OSError):
        pipe.send(Answer())
        while True:
            _send(pipe, answer(mind, pipe.recv()))


def answer(mind: Mind, question: Question) -> Answer:
    """Answer a question; whatever fails becomes a text to show."""
    try:
        return Answer(ANSWERS[question.kind](mind, question))
    except (InputError, WorkLimitError) as error:
        return Answer(error=str(error))
    except (
        Exception,
        SystemExit,
    ) as error:  # a fault in somebody's agent: it is shown, and play goes on
        return Answer(error=f"expected an answer from {question.agent}, got {told(error)}")


def _send(pipe: Connection, found: Answer) -> None:
    try:
        pipe.send(found)
    except (AttributeError, TypeError, ValueError) as error:  # an agent's own kind of value
        pipe.send(Answer(error=f"expected a plain answer, got {told(error)}"))


def _settle() -> None:
    """Leave Ctrl-C to the window, and never outlive it."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)
