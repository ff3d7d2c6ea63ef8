"""Positions as plain values: what a question carries to whoever answers it.

It is all that a player may know and nothing else: no seed and no board goes along.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from mineproof.core.clues import UNOPENED, ClueRule
from mineproof.core.observation import Observation
from mineproof.core.rules import Explosion, Goal, Start
from mineproof.notation.position_text import format_position, parse_position

Plain = dict[str, Any]
Report = Callable[[Any], None]
"""Called with each part of an answer that comes in parts."""


def to_plain(position: Observation) -> Plain:
    """Write a position."""
    rules = position.rules
    return {
        "text": format_position(position),
        "start": str(rules.start),
        "goal": rules.goal.value,
        "explosion": rules.explosion.value,
        "clues": str(rules.clues),
        "flood": rules.flood,
        "changes": position.changes,
    }


def from_plain(plain: Plain) -> Observation:
    """Read a position."""
    seen = parse_position(plain["text"], clues=ClueRule.parse(plain["clues"]))
    rules = replace(
        seen.rules,
        start=Start.parse(plain["start"]),
        goal=Goal(plain["goal"]),
        explosion=Explosion(plain["explosion"]),
        flood=plain["flood"],
    )
    return Observation(rules, seen.shown, seen.marks, tuple(plain.get("changes", ())))


def after(before: Observation, position: Observation) -> Observation:
    """Give a position as one that follows another, where it can: no opened cell may differ."""
    if before.rules != position.rules:
        return position
    pairs = zip(before.shown, position.shown, strict=True)
    changes = tuple(index for index, (old, new) in enumerate(pairs) if old != new)
    if any(before.shown[index] != UNOPENED for index in changes):
        return position
    if set(changes) == set(position.changes):  # one move later: in the order of the game
        changes = position.changes
    return Observation(position.rules, position.shown, position.marks, changes, before.serial)
