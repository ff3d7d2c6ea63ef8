"""What the page teaches: lessons in their order, and drills when they are due.

A kind of drill lies in a box: each right answer puts it into the next one, a wrong one back into
the first (Leitner, 1972). A kind in box b comes again after 2^b other drills.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from mineproof.generate import DrillKind

LAST_BOX = 5
"""The box of what is known well."""


class Lesson(NamedTuple):
    """One lesson."""

    id: str
    title: str
    text: str
    position: str
    """A `.mine` text."""
    cell: tuple[int, int]
    answer: Literal["safe", "mined", "guess"]


@cache
def lessons() -> tuple[Lesson, ...]:
    """Give all lessons in the order people learn."""
    text = (files("mineproof.service") / "lessons.toml").read_text("utf-8")
    found = tomllib.loads(text)["lesson"]
    return tuple(
        Lesson(**{**one, "cell": tuple(one["cell"]), "position": one["position"].lstrip()})
        for one in found
    )


class Progress(NamedTuple):
    """How a learner does at drills."""

    done: int
    """Drills that were answered."""
    boxes: dict[str, tuple[int, int]]
    """Of each kind its box, and after how many drills it is due."""

    @property
    def next_kind(self) -> DrillKind:
        """The kind that is due first; of several the easiest."""
        return min(DrillKind, key=lambda kind: self.boxes[kind][1])

    def answered(self, kind: DrillKind, right: bool) -> Progress:
        """Take in an answer."""
        box = min(LAST_BOX, self.boxes[kind][0] + 1) if right else 0
        due = self.done + 1 + 2**box
        return Progress(self.done + 1, {**self.boxes, kind: (box, due)})


def read_progress(value: Any) -> Progress:
    """Read what settings remember; of what is none of ours nothing is taken."""
    try:
        done, boxes = value
        return Progress(
            int(done),
            {kind.value: (int(boxes[kind][0]), int(boxes[kind][1])) for kind in DrillKind},
        )
    except (TypeError, ValueError, KeyError, IndexError, OverflowError):
        return Progress(0, {kind.value: (0, place) for place, kind in enumerate(DrillKind)})
