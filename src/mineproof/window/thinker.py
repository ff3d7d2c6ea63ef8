"""A process that thinks for the window, so that nothing an agent does can freeze it.

Plain Python and the native core cannot be stopped from outside, but a process can. A
question whose answer nobody wants any more is given a moment to come to its end; then its
process is ended and the next question gets a new one. An agent that has lost its knowledge
that way looks at the whole position again, as it must after an undo.
"""

from __future__ import annotations

import multiprocessing
import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from mineproof.window.thinking import Answer, Question, serve

GRACE = 1.0
"""Seconds that an unwanted answer may still take: starting a process anew takes long, too."""
DIED = "expected an answer, but the thinking process ended: too much memory, or a crash"

Then = Callable[[Answer], None]
"""Is called with the answer."""


@dataclass
class _Asked:
    question: Question
    then: Then
    since: float
    dropped: float | None = None
    """Since when nobody wants the answer."""


class Thinker:
    """Asks a process of its own. Of waiting questions of one kind the latest counts."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """Prepare; the process starts with `start` or the first question."""
        self._now = now
        self._waiting: dict[str, _Asked] = {}
        self._asked: _Asked | None = None
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._ready = False

    def start(self) -> None:
        """Start the process ahead of the first question; this does not wait for it."""
        if self._process is not None:
            return
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=serve, args=(theirs,), name="mineproof-thinker", daemon=True
        )
        self._process.start()
        theirs.close()
        self._ready = False

    def ask(self, question: Question, then: Then) -> None:
        """Ask a question; an older one of its kind is not wanted any more."""
        self.drop(question.kind)
        self._waiting[question.kind] = _Asked(question, then, self._now())
        self.poll()

    def drop(self, *kinds: str) -> None:
        """Want no answers to questions of these kinds; of any kind if none is named."""
        for kind in kinds or tuple(self._waiting):
            self._waiting.pop(kind, None)
        if self._asked is not None and (not kinds or self._asked.question.kind in kinds):
            self._asked.dropped = self._asked.dropped or self._now()

    def waits_for(self, kind: str) -> bool:
        """Say whether an answer of this kind is to come."""
        return kind in self._waiting or (
            self._asked is not None
            and self._asked.dropped is None
            and self._asked.question.kind == kind
        )

    @property
    def busy(self) -> bool:
        """Whether any answer is to come, or has still to be thrown away."""
        return bool(self._waiting) or self._asked is not None

    @property
    def seconds(self) -> float:
        """How long the oldest question that is wanted has been waiting."""
        asked = [*self._waiting.values(), *([self._asked] if self._asked else [])]
        return max((self._now() - each.since for each in asked if not each.dropped), default=0.0)

    def poll(self, seconds: float = 0.0) -> bool:
        """Take an answer if one comes within `seconds`, and pass the next question on.

        Returns:
            Whether something came.
        """
        came = self._receive(seconds)
        self._lose_patience()
        self._send()
        return came

    def close(self) -> None:
        """End the process; a later question starts another one."""
        if self._process is not None and self._pipe is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
            self._pipe.close()
        self._process = self._pipe = self._asked = None
        self._ready = False

    # ---- inside

    def _receive(self, seconds: float) -> bool:
        if self._pipe is None or (self._ready and self._asked is None):
            return False
        try:
            if not self._pipe.poll(seconds):
                return False
            found = self._pipe.recv()
        except (EOFError, OSError):
            found = Answer(error=DIED)
            asked = self._asked
            self.close()
            if asked is None:  # it died before it was asked: the next question would wait
                asked = next(iter(self._waiting.values()), None)
                self._waiting.clear()
            self._asked = asked
        except (pickle.UnpicklingError, AttributeError, ImportError, TypeError) as error:
            found = Answer(error=f"expected an answer that can be read, got {error}")
        self._take(found)
        return True

    def _take(self, found: Answer) -> None:
        asked, self._asked = self._asked, None
        if asked is None:
            self._ready = True
        elif asked.dropped is None:
            asked.then(found)

    def _lose_patience(self) -> None:
        """End a process that goes on and on about something that nobody wants to know."""
        dropped = None if self._asked is None else self._asked.dropped
        if dropped is not None and self._now() - dropped > GRACE:
            self.close()

    def _send(self) -> None:
        if not self._waiting:
            return
        self.start()
        if not self._ready or self._asked is not None or self._pipe is None:
            return
        kind = next(iter(self._waiting))
        self._asked = self._waiting.pop(kind)
        try:
            self._pipe.send(self._asked.question)
        except OSError:  # it has died meanwhile; the next `poll` finds out
            return
