"""How much work an answer may take: one type, from the command line down to the engines."""

from __future__ import annotations

import math
from time import monotonic

from mineproof.core.errors import InputError, WorkLimitError

NODES = 1_000_000
"""The default limit on the nodes of one count: a hundred times what expert games have needed."""
MEMORY = 10**9
"""The default limit on memory, in bytes."""
MOST_NODES = 10**18
"""The largest limit on nodes: the native core counts in 64 bits."""
STATE_BYTES = 400
"""Bytes that a counted state takes in Python, with its polynomial."""
LONG = 8192
"""Bits up to which computing with a polynomial takes little time, compared with all else."""
QUESTION_SECONDS = 10.0
"""The default time limit of a question about a position."""
GLANCE = 4096
"""Check the clock every so many counted states."""
NEVER = math.inf


class Budget:
    """Limits on the work for an answer, and how much of it is spent.

    The clock starts when a budget is made. Parts of the work get parts of the budget (`fork`,
    `share`, `reserve`), each with its own count of nodes; error messages always state the limits
    that the user asked for. A node is one step of repeatable work: a state that is counted, a
    layout that a search looks at, a conclusion of a proof.
    """

    __slots__ = ("_limit", "_most", "deadline", "free", "memory", "nodes", "seconds", "spent")

    def __init__(
        self, seconds: float | None = None, memory: int | None = None, nodes: int | None = None
    ) -> None:
        """Set limits and start the clock.

        Args:
            seconds: the time limit; by default there is none, and answers are repeatable.
            memory: the memory limit in bytes, 1 GB by default.
            nodes: the work limit; by default each part of the work has its usual one.

        Raises:
            InputError: a limit is out of range.
        """
        if seconds is not None and not seconds > 0:
            raise InputError(f"expected a budget of more than 0 seconds, got {seconds!r}")
        if memory is not None and memory < 1:
            raise InputError(f"expected memory of at least a byte, got {memory!r}")
        if nodes is not None and not 1 <= nodes <= MOST_NODES:
            raise InputError(f"expected 1 to {MOST_NODES} nodes, got {nodes!r}")
        self.seconds = seconds
        self.memory = MEMORY if memory is None else memory
        self.nodes = nodes
        self.deadline = NEVER if seconds is None else monotonic() + seconds
        """A moment of `time.monotonic`."""
        self.free = self.memory
        """Bytes that counting may take; the answer itself takes the others."""
        self.spent = 0
        """Nodes."""
        self._most = MOST_NODES if nodes is None else nodes
        self._limit = "states"

    # ---- parts of it

    def fork(self, nodes: int | None = None, seconds: float | None = None) -> Budget:
        """Return a budget for part of the work: with its own nodes, and perhaps less time."""
        part = Budget.__new__(Budget)
        part.seconds, part.memory, part.free = self.seconds, self.memory, self.free
        part.nodes, part.spent, part.deadline = nodes, 0, self.deadline
        part._most = MOST_NODES if nodes is None else nodes
        part._limit = "states"
        if seconds is not None:
            part.deadline = min(self.deadline, monotonic() + seconds)
            if self.seconds is None:
                part.seconds = seconds
        return part

    def share(self, fraction: float) -> Budget:
        """Return a budget with a fraction of the time that is left."""
        part = self.fork(self.nodes)
        if self.deadline < NEVER:
            now = monotonic()
            part.deadline = now + fraction * (self.deadline - now)
        return part

    def reserve(self, memory: int) -> Budget:
        """Return a budget that keeps bytes free for other things than counting.

        Raises:
            WorkLimitError: there are not that many.
        """
        if memory > self.memory:
            raise self.reached("memory")
        part = self.fork(self.nodes)
        part.free = min(self.free, self.memory - memory)
        return part

    def counting(self, nodes: int | None = None) -> Budget:
        """Return a budget for counting states in Python: no more than fit into memory."""
        usual = NODES if self.nodes is None else self.nodes
        part = self.fork(usual if nodes is None else nodes)
        room = self.free // STATE_BYTES
        if room < part._most:
            part._most, part._limit = room, "memory"
        return part

    # ---- what is left of it

    @property
    def left(self) -> float:
        """The seconds that are left, a millisecond at least; infinite without a time limit."""
        return max(0.001, self.deadline - monotonic())

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        return self.deadline < NEVER and monotonic() > self.deadline

    def check_time(self) -> None:
        """Raise `WorkLimitError` if the time is over."""
        if self.deadline < NEVER and monotonic() > self.deadline:
            raise self.reached("time")

    def spend(self, nodes: int = 1) -> None:
        """Count nodes, and check the clock.

        Raises:
            WorkLimitError: a limit is exceeded.
        """
        self.spent += nodes
        if self.spent > self._most:
            raise self.reached(self._limit)
        if self.deadline < NEVER and monotonic() > self.deadline:
            raise self.reached("time")

    def allow(self, visited: int) -> int:
        """Check the limits, `visited` nodes after the last `spend`; return when to ask again.

        Raises:
            WorkLimitError: a limit is exceeded.
        """
        left = self._most - self.spent
        if visited > left:
            raise self.reached(self._limit)
        self.check_time()
        return min(left, visited + GLANCE)

    # ---- in words

    @property
    def words(self) -> str:
        """The limits on time and memory, as messages state them."""
        memory = memory_words(self.memory)
        return memory if self.seconds is None else f"{self.seconds:g} s and {memory}"

    def reached(self, limit: str) -> WorkLimitError:
        """Return the error for a limit that was reached, by the native core's name for it."""
        seconds, nodes = self.seconds, NODES if self.nodes is None else self.nodes
        said = {
            "states": f"at most {nodes} nodes",
            "time": "an answer in time" if seconds is None else f"an answer within {seconds:g} s",
            "memory": f"an answer within {memory_words(self.memory)} of memory",
            "width": "at most 256 clues to be half counted at a time",
            "precision": "layouts whose share a number can hold",
        }[limit]
        return WorkLimitError(f"expected {said}, got {'none' if 'answer' in said else 'more'}")


def question_budget(budget: Budget | None) -> Budget:
    """Return the budget of a question: time and memory limit it, and not nodes by default."""
    budget = budget or Budget(QUESTION_SECONDS)
    return budget.fork(MOST_NODES) if budget.nodes is None else budget


def memory_words(memory: int) -> str:
    """Write an amount of memory."""
    return f"{memory / 1e9:.3g} GB" if memory >= 10**9 else f"{memory / 1e6:.3g} MB"
