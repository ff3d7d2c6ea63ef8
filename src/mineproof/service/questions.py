"""Questions for the workers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Report = Callable[[str], None]
"""Called with each part of an answer that is sent in parts, as JSON text."""


@dataclass(frozen=True)
class Question:
    """A question waiting for a worker to answer it."""

    name: str
    values: dict[str, Any]
    """The arguments of the answering function. They contain only what a player may know."""
    seconds: float
    """The time limit for computing the answer."""
    is_long: bool = False
    """Whether to queue this question behind other long ones, so that players need not wait."""
    key: str = ""
    """The key of the game. A worker that already knows the game is preferred."""
    page: int = 0
    """The number of the page that asks. Pages take turns."""

    @property
    def deadline(self) -> float:
        """Seconds after which a worker that has not answered is stopped."""
        return self.seconds * 1.2 + 0.2
