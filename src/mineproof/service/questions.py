"""Questions on their way to the workers that answer them, and what runs there."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mineproof.core.observation import Observation
from mineproof.notation.codec import dump_json

Report = Callable[[str], None]
"""Called with each part of an answer that comes in parts, as JSON text."""
ANSWERS = ("mineproof.service.answers", "mineproof.service.game_answers")
"""The modules with the functions that answer; each has the name of its question."""


@dataclass(frozen=True)
class Question:
    """A question waiting for a worker to answer it."""

    name: str
    values: dict[str, Any]
    """The arguments of the function that answers. A position is all that a player may know."""
    seconds: float
    """The time limit for the answer itself."""
    is_long: bool = False
    """Whether it waits behind other long ones, so that players need not wait for it."""
    key: str = ""
    """The game it is about: a worker that answered about it before may know it already."""
    page: int = 0
    """Which page asks: the pages take turns."""

    @property
    def deadline(self) -> float:
        """Seconds after which a worker that has not ended by itself is stopped."""
        return self.seconds * 1.2 + 0.2


Answerer = Callable[[tuple[str, dict[str, Any], float], Report], str]


def make_answerer(isolated: bool = False) -> Answerer:
    """Return what answers questions in a worker: it keeps agents and what they know.

    Args:
        isolated: let each agent of the user's own run in a separate process.
    """
    # Not above: the process with the games never needs what answers.
    from mineproof.service.answers import Agents, Desk

    agents = Agents(isolated)

    def answer(question: tuple[str, dict[str, Any], float], report: Report) -> str:
        name, values, seconds = question
        desk = Desk(agents, seconds, lambda part: report(dump_json(part)))
        seen = values.get("position")
        if isinstance(seen, Observation):  # its serial number belongs to another process
            seen = Observation(seen.rules, seen.shown, seen.marks, seen.changes)
            values = {**values, "position": seen}
        return dump_json(find_answer(name)(desk, **values))

    return answer


def find_answer(name: str) -> Callable[..., Any]:
    """Return the function that answers a question, and load what it needs."""
    modules = map(importlib.import_module, ANSWERS)
    found: Callable[..., Any] = next(getattr(one, name) for one in modules if hasattr(one, name))
    return found
