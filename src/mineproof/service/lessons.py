"""The lessons that the page teaches: a position, a cell, and what is to be found out about it."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple


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
