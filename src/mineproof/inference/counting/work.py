"""How much work a count may take."""

from __future__ import annotations

import time

from mineproof.core.errors import WorkLimitError

NODES = 1_000_000
"""States that a count may visit by default: a hundred times what expert games have needed."""
LONG = 8192
"""Bits up to which computing with a polynomial takes little time, compared with all else."""
GLANCE = 4096
"""The clock is looked at once in so many states."""


class WorkBudget:
    """A limit on states, which is repeatable, and perhaps one on time, which is not."""

    def __init__(self, nodes: int = NODES, seconds: float | None = None) -> None:
        """Start the clock."""
        self.nodes = nodes
        self.spent = 0
        self.seconds = seconds
        self._deadline = None if seconds is None else time.monotonic() + seconds

    def again(self) -> WorkBudget:
        """Give a fresh budget of the same size, for another question to the same position."""
        return WorkBudget(self.nodes, self.seconds)

    def allow(self, visited: int) -> int:
        """Check the limits, `visited` states after the last `spend`; give when to ask again.

        Raises:
            WorkLimitError: a limit is passed.
        """
        left = self.nodes - self.spent
        if visited > left:
            raise WorkLimitError(f"expected at most {self.nodes} states to count, got more")
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise WorkLimitError(f"expected an answer within {self.seconds:g} s, got none")
        return min(left, visited + GLANCE)

    def spend(self, visited: int) -> None:
        """Take states from what is left."""
        self.allow(visited)
        self.spent += visited
