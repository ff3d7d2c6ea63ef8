"""Limits on the work for an answer, used by both the command line and the engines."""

from __future__ import annotations

import math
from time import monotonic

from mineproof.core.errors import InputError, WorkLimitError, wrong_type

NODES = 1_000_000
"""The default node limit for one count, a hundred times what expert games have needed."""
MEMORY = 10**9
"""The default limit on memory, in bytes."""
MOST_NODES = 10**18
"""The largest possible node limit. The native core counts nodes in 64 bits."""
STATE_BYTES = 400
"""Bytes that a counted state takes in Python, including its polynomial."""
LONG = 8192
"""Polynomials with more bits than this take noticeable time to compute with."""
QUESTION_SECONDS = 10.0
"""The default time limit for a question about a position, in seconds."""
CLOCK_INTERVAL = 4096
"""Check the clock each time this many states have been counted."""
NEVER = math.inf


class Budget:
    """Limits on the work for an answer, and the amount of work spent so far.

    The clock starts when a budget is created. Parts of the work get derived budgets (`fork`,
    `share`, `reserve`), each with its own node count. Error messages always state the limits that
    the user asked for. A node is one step of repeatable work: a counted state, a layout that a
    search considers, or a conclusion in a proof.
    """

    __slots__ = ("_limit", "_most", "deadline", "free", "memory", "nodes", "seconds", "spent")

    def __init__(
        self, seconds: float | None = None, memory: int | None = None, nodes: int | None = None
    ) -> None:
        """Set the limits and start the clock.

        Args:
            seconds: the time limit. By default there is none, and answers are repeatable.
            memory: the memory limit in bytes; 1 GB by default.
            nodes: the node limit. By default each part of the work has its own.

        Raises:
            TypeError: a limit is not a number.
            InputError: a limit is out of range.
        """
        for name, limit in (("seconds", seconds), ("memory", memory), ("nodes", nodes)):
            if not isinstance(limit, int | float | None):
                raise wrong_type(f"{name} as a number", limit)
        if seconds is not None and not seconds > 0:
            raise InputError(f"expected a budget of more than 0 seconds, got {seconds!r}")
        if memory is not None and memory < 1:
            raise InputError(f"expected a memory limit of at least 1 byte, got {memory!r}")
        if nodes is not None and not 1 <= nodes <= MOST_NODES:
            raise InputError(f"expected 1 to {MOST_NODES} nodes, got {nodes!r}")
        self.seconds = seconds
        self.memory = MEMORY if memory is None else memory
        self.nodes = nodes
        self.deadline = NEVER if seconds is None else monotonic() + seconds
        """The end of the time limit, on the clock of `time.monotonic`."""
        self.free = self.memory
        """Bytes that counting may use. The rest is reserved for the answer itself."""
        self.spent = 0
        """Number of nodes spent."""
        self._most = MOST_NODES if nodes is None else nodes
        self._limit = "states"

    def __repr__(self) -> str:
        limits = {"seconds": self.seconds, "memory": self.memory, "nodes": self.nodes}
        given = (f"{name}={limit}" for name, limit in limits.items() if limit is not None)
        return f"<Budget {', '.join(given)}, {self.spent} nodes spent>"

    # ---- derived budgets

    def fork(self, nodes: int | None = None, seconds: float | None = None) -> Budget:
        """Return a budget for part of the work, with its own node count and perhaps less time."""
        forked = Budget.__new__(Budget)  # ten times as fast as copy.copy
        forked.seconds, forked.memory, forked.free = self.seconds, self.memory, self.free
        forked.nodes, forked.spent, forked.deadline = nodes, 0, self.deadline
        forked._most = MOST_NODES if nodes is None else nodes
        forked._limit = "states"
        if seconds is not None:
            forked.deadline = min(self.deadline, monotonic() + seconds)
            if self.seconds is None:
                forked.seconds = seconds
        return forked

    def share(self, fraction: float) -> Budget:
        """Return a budget with a fraction of the time left."""
        forked = self.fork(self.nodes)
        if self.deadline < NEVER:
            now = monotonic()
            forked.deadline = now + fraction * (self.deadline - now)
        return forked

    def reserve(self, memory: int) -> Budget:
        """Return a budget that sets aside the memory, in bytes, that the answer itself needs.

        Raises:
            WorkLimitError: the answer needs more than the memory limit.
        """
        if memory > self.memory:
            raise self.reached("memory")
        forked = self.fork(self.nodes)
        forked.free = min(self.free, self.memory - memory)
        return forked

    def counting(self, nodes: int | None = None) -> Budget:
        """Return a budget for counting in Python. It allows as many states as fit into memory."""
        usual = NODES if self.nodes is None else self.nodes
        forked = self.fork(usual if nodes is None else nodes)
        room = self.free // STATE_BYTES
        if room < forked._most:
            forked._most, forked._limit = room, "memory"
        return forked

    # ---- remaining work

    @property
    def left(self) -> float:
        """Seconds left, at least a millisecond; infinite without a time limit."""
        return max(0.001, self.deadline - monotonic())

    @property
    def is_late(self) -> bool:
        """Whether the time limit is reached."""
        return self.deadline < NEVER and monotonic() > self.deadline

    def check_time(self) -> None:
        """Raise `WorkLimitError` if the time limit is reached."""
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
        self.check_time()

    def allow(self, visited: int) -> int:
        """Check the limits when `visited` nodes have been visited since the last `spend`.

        Return the number of visited nodes at which to call this again.

        Raises:
            WorkLimitError: a limit is exceeded.
        """
        left = self._most - self.spent
        if visited > left:
            raise self.reached(self._limit)
        self.check_time()
        return min(left, visited + CLOCK_INTERVAL)

    # ---- messages

    @property
    def words(self) -> str:
        """The limits on time and memory, for messages."""
        memory = memory_words(self.memory)
        return memory if self.seconds is None else f"{self.seconds:g} s and {memory}"

    def reached(self, limit: str) -> WorkLimitError:
        """Return the error for a reached limit. `limit` is the native core's name for it."""
        time = "the time left" if self.seconds is None else f"{self.seconds:g} s"
        messages = {
            "states": f"more than {NODES if self.nodes is None else self.nodes} nodes",
            "time": f"more than {time}",
            "memory": f"more than {memory_words(self.memory)} of memory",
            "width": "more than 256 unfinished clues at a time",
            "precision": "more precision than a floating-point number has",
        }
        return WorkLimitError(f"the answer takes {messages[limit]}")


def question_budget(budget: Budget | None) -> Budget:
    """Return the budget for a question. By default only time and memory are limited, not nodes."""
    budget = budget or Budget(QUESTION_SECONDS)
    return budget.fork(MOST_NODES) if budget.nodes is None else budget


def memory_words(memory: int) -> str:
    """Return an amount of memory as text, such as `1 GB`."""
    return f"{memory / 1e9:.3g} GB" if memory >= 10**9 else f"{memory / 1e6:.3g} MB"
