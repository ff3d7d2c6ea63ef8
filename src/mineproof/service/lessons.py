"""The lessons on the page."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple


class Lesson(NamedTuple):
    """A position with a question about one of its cells."""

    id: str
    title: str
    text: str
    position: str
    """The position as `.mine` text."""
    cell: tuple[int, int]
    answer: Literal["safe", "mined", "guess"]
    done: str = ""
    """What to say after the right answer."""
    then: tuple[dict[str, Any], ...] = ()
    """Further steps, each with text, position, cell and answer. See the TOML file."""


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return all lessons, in teaching order."""
    text = (files("mineproof.service") / "lessons.toml").read_text("utf-8")
    found = tomllib.loads(text)["lesson"]
    return tuple(
        Lesson(**{**one, "cell": tuple(one["cell"]), "then": tuple(one.get("then", ()))})
        for one in found
    )
