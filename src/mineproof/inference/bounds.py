"""What a shown code says of the true clue, and the mine count of the whole board: bounds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

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
