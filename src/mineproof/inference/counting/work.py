"""How much work a question may take, and how much of it is left.

`bounded` sets the bounds of the question at hand: whatever is counted inside keeps them, however
deep it lies, and the messages tell the bounds that were asked for, not a share of them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from mineproof.core.errors import WorkLimitError

NODES = 1_000_000
"""States that a count may visit by default: a hundred times what expert games have needed."""
MEMORY = 10**9
"""Bytes that a question may take by default."""
STATE_BYTES = 400
"""What a state takes in Python, with its polynomial."""
LONG = 8192
"""Bits up to which computing with a polynomial takes little time, compared with all else."""
GLANCE = 4096
"""The clock is looked at once in so many states."""


class QuestionBounds(NamedTuple):
    """The bounds of a question."""

    seconds: float | None = None
    memory: int = MEMORY
    deadline: float = math.inf
    """A moment of `time.monotonic`."""
    reserved: int = 0
    """Bytes that are not for counting: other parts of the answer take them."""

    @property
    def words(self) -> str:
        """The bounds, as a message says them."""
        memory = memory_words(self.memory)
        return memory if self.seconds is None else f"{self.seconds:g} s and {memory}"

    @property
    def countable(self) -> int:
        """Bytes that counting may take."""
        return max(0, self.memory - self.reserved)

    def left(self, seconds: float | None) -> float | None:
        """Give how long a part of the work may take that would take so long at most."""
        if self.deadline == math.inf:
            return seconds
        left = max(0.001, self.deadline - time.monotonic())
        return left if seconds is None else min(left, seconds)


UNBOUNDED = QuestionBounds()
"""The memory alone has a bound."""
_asked: ContextVar[QuestionBounds] = ContextVar("asked", default=UNBOUNDED)


def asked() -> QuestionBounds:
    """Give the bounds of the question at hand."""
    return _asked.get()


@contextmanager
def bounded(seconds: float | None = None, memory: int | None = None) -> Iterator[QuestionBounds]:
    """Bound what is done in the block; bounds that hold already stay."""
    outer = _asked.get()
    seconds = outer.seconds if outer.seconds is not None or seconds is None else seconds
    deadline = outer.deadline
    if outer.seconds is None and seconds is not None:
        deadline = time.monotonic() + seconds
    if memory is None:
        memory = outer.memory
    elif outer is not UNBOUNDED:  # else its memory is only what is usual, and nobody's bound
        memory = min(outer.memory, memory)
    with _set(QuestionBounds(seconds, memory, deadline, outer.reserved)) as inner:
        yield inner


@contextmanager
def reserved(memory: int) -> Iterator[QuestionBounds]:
    """Leave so many bytes to other things than counting, in the block.

    Raises:
        WorkLimitError: there are not so many.
    """
    now = _asked.get()
    if memory > now.memory:
        raise reached("memory")
    with _set(now._replace(reserved=max(now.reserved, memory))) as inner:
        yield inner


@contextmanager
def hurried(share: float) -> Iterator[QuestionBounds]:
    """Give the block a share of the time that is left; where time is unbounded, nothing changes."""
    now, moment = _asked.get(), time.monotonic()
    with _set(now._replace(deadline=moment + share * (now.deadline - moment))) as inner:
        yield inner


@contextmanager
def _set(inner: QuestionBounds) -> Iterator[QuestionBounds]:
    before = _asked.set(inner)
    try:
        yield inner
    finally:
        _asked.reset(before)


def check_time() -> None:
    """Go on only while there is time for the question at hand.

    Raises:
        WorkLimitError: the time is over.
    """
    if time.monotonic() > _asked.get().deadline:
        raise reached("time")


def reached(bound: str, nodes: int = NODES, seconds: float | None = None) -> WorkLimitError:
    """Give the error that says which bound was reached, by the core's name for it."""
    now = _asked.get()
    seconds = seconds if now.seconds is None else now.seconds
    said = {
        "states": f"at most {nodes} states to count",
        "time": "an answer in time" if seconds is None else f"an answer within {seconds:g} s",
        "memory": f"an answer within {memory_words(now.memory)} of memory",
        "width": "at most 256 clues to be half counted at a time",
        "precision": "layouts whose share a number can hold",
    }[bound]
    return WorkLimitError(f"expected {said}, got {'none' if 'answer' in said else 'more'}")


def memory_words(memory: int) -> str:
    """Write an amount of memory."""
    return f"{memory / 1e9:.3g} GB" if memory >= 10**9 else f"{memory / 1e6:.3g} MB"


class WorkBudget:
    """A limit on states, which is repeatable, and perhaps one on time, which is not."""

    def __init__(self, nodes: int = NODES, seconds: float | None = None) -> None:
        """Start the clock."""
        self.nodes = nodes
        self.spent = 0
        self.seconds = seconds
        now = asked()
        own = math.inf if seconds is None else time.monotonic() + seconds
        self._deadline = min(own, now.deadline)
        self._fit = now.countable // STATE_BYTES

    def again(self) -> WorkBudget:
        """Give a fresh budget of the same size, for another question to the same position."""
        return WorkBudget(self.nodes, self.seconds)

    def allow(self, visited: int) -> int:
        """Check the limits, `visited` states after the last `spend`; give when to ask again.

        Raises:
            WorkLimitError: a limit is passed.
        """
        left = min(self.nodes, self._fit) - self.spent
        if visited > left:
            raise reached("memory" if self._fit < self.nodes else "states", self.nodes)
        if time.monotonic() > self._deadline:
            raise reached("time", seconds=self.seconds)
        return min(left, visited + GLANCE)

    def spend(self, visited: int) -> None:
        """Take states from what is left."""
        self.allow(visited)
        self.spent += visited
