"""The lessons on the page."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def lessons() -> list[dict[str, Any]]:
    """Return all lessons, in teaching order. The TOML file describes their fields."""
    text = (files("mineproof.service") / "lessons.toml").read_text("utf-8")
    return [{"done": "", "then": [], **lesson} for lesson in tomllib.loads(text)["lesson"]]
