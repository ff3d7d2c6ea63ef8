"""How knowledge bases learn what the clues of a position say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from mineproof.core.clues import EXPLODED, UNOPENED, Bounds, ClueRule
from mineproof.core.observation import Observation


def closed(observation: Observation, indices: Iterable[int]) -> list[int]:
    """Pick the cells that may hold a mine: unopened ones, and mines that are shown."""
    shown = observation.shown
    return [i for i in indices if shown[i] == UNOPENED or shown[i] == EXPLODED]


class Base(Protocol):
    """A knowledge base that is told cells and how many of them are mines."""

    def note(self, index: int, mined: bool) -> bool:
        """Take in a cell that was seen to be safe or mined; False if it was thought otherwise."""

    def tell(self, cells: Sequence[int], bounds: Bounds, clue: int | None = None) -> None:
        """Take in how many of the cells are mines, and whose clue says so."""


def tell_changes(
    base: Base, observation: Observation, changes: Iterable[int], rule: ClueRule
) -> None:
    """Tell a base what was opened, and what the clues there say; around surprises, all anew.

    Args:
        base: what is told.
        observation: the position.
        changes: the cells that were opened or exploded.
        rule: how clues are shown; `EXACT` to take every clue as true.
    """
    shown, neighbours = observation.shown, observation.grid.neighbours
    opened = tuple(changes)
    surprises = [index for index in opened if not base.note(index, shown[index] == EXPLODED)]
    for index in (*opened, *(near for one in surprises for near in neighbours(one))):
        if shown[index] < UNOPENED:
            near = neighbours(index)
            bounds = rule.bounds(shown[index], len(near))
            base.tell(closed(observation, near), bounds, clue=index)
