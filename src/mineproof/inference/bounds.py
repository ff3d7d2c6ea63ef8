"""What a shown code says of the true clue, and the mine count of the whole board: bounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from mineproof.core.clues import EXPLODED, UNOPENED, ClueKind, ClueModel
from mineproof.core.observation import Observation


class Bounds(NamedTuple):
    """The least and the most mines that a set of cells can hold; equal where it is exact."""

    least: int
    most: int


def clue_bounds(shown: int, model: ClueModel | None) -> Bounds | None:
    """Say how many of a cell's neighbours are mines; None where the cell shows no clue.

    Args:
        shown: the code of the cell.
        model: how clues are shown; None to take every clue as true.
    """
    if shown >= UNOPENED:
        return None
    if model is not None and model.kind is ClueKind.OPTIMISTIC:
        return Bounds(shown, 8)
    if model is not None and model.kind is ClueKind.CAUTIOUS:
        return Bounds(0, shown)
    return Bounds(shown, shown)


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
    base: Base, observation: Observation, changes: Iterable[int], model: ClueModel | None
) -> None:
    """Tell a base what was opened, and what the clues there say; around surprises, all anew.

    Args:
        base: what is told.
        observation: the position.
        changes: the cells that were opened or exploded.
        model: how clues are shown; None to take every clue as true.
    """
    shown, neighbours = observation.shown, observation.grid.neighbours
    opened = tuple(changes)
    surprises = [index for index in opened if not base.note(index, shown[index] == EXPLODED)]
    for index in (*opened, *(near for one in surprises for near in neighbours(one))):
        bounds = clue_bounds(shown[index], model)
        if bounds is not None:
            base.tell(closed(observation, neighbours(index)), bounds, clue=index)
