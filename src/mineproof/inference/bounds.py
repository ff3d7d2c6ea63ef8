"""The interface through which knowledge bases learn from the clues of a position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from mineproof.core.clues import EXPLODED, UNOPENED, Bounds, ClueRule
from mineproof.core.observation import Observation


def closed(observation: Observation, indices: Iterable[int]) -> list[int]:
    """Return the cells that may hold a mine: unopened cells and shown mines."""
    shown = observation.shown
    return [i for i in indices if shown[i] == UNOPENED or shown[i] == EXPLODED]


class Base(Protocol):
    """A knowledge base that learns how many of some cells are mines."""

    def note(self, index: int, mined: bool) -> bool:
        """Record a cell seen to be safe or a mine; return False if the base had it wrong."""

    def tell(self, cells: Sequence[int], bounds: Bounds, clue: int | None = None) -> None:
        """Record how many of the cells are mines, according to a clue."""


def tell_changes(
    base: Base, observation: Observation, changes: Iterable[int], rule: ClueRule
) -> None:
    """Record opened cells and their clues in a knowledge base.

    If an opened cell contradicts the base, the clues around it are recorded again.

    Args:
        base: the knowledge base.
        observation: the position.
        changes: the cells that were opened or exploded.
        rule: the clue rule; `EXACT` treats every clue as true.
    """
    shown, neighbours = observation.shown, observation.grid.neighbours
    opened = tuple(changes)
    surprises = [index for index in opened if not base.note(index, shown[index] == EXPLODED)]
    for index in (*opened, *(near for one in surprises for near in neighbours(one))):
        if shown[index] < UNOPENED:
            near = neighbours(index)
            bounds = rule.bounds(shown[index], len(near))
            base.tell(closed(observation, near), bounds, clue=index)
