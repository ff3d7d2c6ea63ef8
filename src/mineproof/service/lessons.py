"""The lessons on the page, and the schedule of its drills.

Drills are scheduled with the Leitner system (1972). Each kind of drill is in a numbered box. A
correct answer moves it up one box; a wrong answer moves it back to box 0. A kind in box b comes
up again after 2**b other drills.
"""

from __future__ import annotations

import tomllib
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from mineproof.core.errors import InputError
from mineproof.generate import DrillKind
from mineproof.notation.codec import from_plain

LAST_BOX = 5
"""The highest box. A kind in it comes up again after 32 other drills."""


class Lesson(NamedTuple):
    """A position with a question about one of its cells."""

    id: str
    title: str
    text: str
    position: str
    """The position as `.mine` text."""
    cell: tuple[int, int]
    answer: Literal["safe", "mined", "guess"]


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return all lessons, in teaching order."""
    text = (files("mineproof.service") / "lessons.toml").read_text("utf-8")
    found = tomllib.loads(text)["lesson"]
    return tuple(
        Lesson(**{**one, "cell": tuple(one["cell"]), "position": one["position"].lstrip()})
        for one in found
    )


class Progress(NamedTuple):
    """A learner's progress through the drills."""

    done: int
    """Number of drills answered so far."""
    boxes: dict[DrillKind, tuple[int, int]]
    """For each kind of drill, its box and the value of `done` at which it is due."""

    @property
    def next_kind(self) -> DrillKind:
        """The kind of drill that is due first; the easiest if there is a tie."""
        return min(DrillKind, key=lambda kind: self.boxes[kind][1])

    def answered(self, kind: DrillKind, right: bool) -> Progress:
        """Return the progress after one more answer."""
        box = min(LAST_BOX, self.boxes[kind][0] + 1) if right else 0
        due = self.done + 1 + 2**box
        return Progress(self.done + 1, {**self.boxes, kind: (box, due)})


def read_progress(value: Any) -> Progress:
    """Return the progress stored in the settings, or a fresh start if it is not valid."""
    with suppress(InputError):
        found = from_plain(Progress, value)
        if len(found.boxes) == len(DrillKind):
            return found
    # A new learner starts with the easiest kind; the others come due one by one.
    return Progress(0, {kind: (0, due) for due, kind in enumerate(DrillKind)})
