"""From a position to what must be counted: clues over boxes, grouped into components.

Cells that touch exactly the same clues are interchangeable: only how many of them are
mined matters. They make a *box*. Boxes and clues that hang together make a *component*;
components share nothing but the total number of mines.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mineproof.core.clues import ClueRule, Weights
from mineproof.core.grid import Grid
from mineproof.inference.local import Settled, settle


class Box(NamedTuple):
    """Cells that touch exactly the same clues."""

    cells: tuple[int, ...]
    clues: tuple[int, ...]
    """Positions in the component's list of clues."""


class Clue(NamedTuple):
    """A clue as a weight for each number of mines in its boxes."""

    cell: int
    """The opened cell that shows it."""
    boxes: tuple[int, ...]
    """Positions in the component's list of boxes."""
    weights: Weights
    least: int
    """The smallest number of mines with a positive weight."""
    most: int
    """The largest number of mines with a positive weight."""

    @property
    def size(self) -> int:
        """How many cells its boxes have."""
        return len(self.weights) - 1


class Component(NamedTuple):
    """Boxes and clues that hang together."""

    boxes: tuple[Box, ...]
    clues: tuple[Clue, ...]

    @property
    def cells(self) -> tuple[int, ...]:
        """All cells of the component, in increasing order."""
        return tuple(sorted(cell for box in self.boxes for cell in box.cells))

    @property
    def size(self) -> int:
        """How many cells there are."""
        return sum(len(box.cells) for box in self.boxes)


class Constraints(NamedTuple):
    """All that must be counted in a position."""

    components: tuple[Component, ...]
    interior: tuple[int, ...]
    """Cells that touch no clue."""
    safe: tuple[int, ...]
    """Cells that single clues prove safe."""
    mined: tuple[int, ...]
    """Cells that single clues prove to be mines."""


def read_constraints(
    shown: bytes, grid: Grid, rule: ClueRule, watched: int | None = None
) -> Constraints:
    """Read what must be counted in a position; the arguments are those of `local.settle`.

    Raises:
        ImpossibleError: some clue cannot be true.
    """
    settled = settle(shown, grid, rule, watched)
    groups = group_by_clues(settled.near)
    components = tuple(_component(settled, keys, groups) for keys in _connected(groups))
    return Constraints(
        components, tuple(settled.interior), tuple(settled.safe), tuple(settled.mined)
    )


def group_by_clues(
    touching: Mapping[int, Iterable[int]],
) -> dict[tuple[int, ...], list[int]]:
    """Gather cells into boxes: those that touch exactly the same clues.

    Args:
        touching: for each cell the clues that it touches, in an order that is the same for all.
    """
    boxes: dict[tuple[int, ...], list[int]] = {}
    for cell, clues in touching.items():
        boxes.setdefault(tuple(clues), []).append(cell)
    return boxes


def _connected(groups: Mapping[tuple[int, ...], list[int]]) -> list[list[tuple[int, ...]]]:
    """Gather the boxes, named by their clues, that hang together through clues."""
    around: dict[int, list[tuple[int, ...]]] = {}
    for key in groups:
        for clue in key:
            around.setdefault(clue, []).append(key)
    seen: set[int] = set()
    found = []
    for first in around:
        if first in seen:
            continue
        seen.add(first)
        pending = [first]
        keys: dict[tuple[int, ...], None] = {}
        while pending:
            for key in around[pending.pop()]:
                if key not in keys:
                    keys[key] = None
                    new = [clue for clue in key if clue not in seen]
                    seen.update(new)
                    pending += new
        found.append(list(keys))
    return found


def _component(
    settled: Settled,
    keys: list[tuple[int, ...]],
    groups: Mapping[tuple[int, ...], list[int]],
) -> Component:
    touching: dict[int, list[int]] = {}
    for position, key in enumerate(keys):
        for clue in key:
            touching.setdefault(clue, []).append(position)
    position_of = {clue: position for position, clue in enumerate(touching)}
    boxes = tuple(
        Box(tuple(groups[key]), tuple([position_of[clue] for clue in key])) for key in keys
    )
    clues = []
    for clue, positions in touching.items():
        found = settled.found[clue]
        weights = settled.weights[clue][found : found + len(settled.left[clue]) + 1]
        divisor = math.gcd(*weights)
        if divisor > 1:
            weights = tuple([weight // divisor for weight in weights])
        possible = [count for count, weight in enumerate(weights) if weight]
        clues.append(Clue(clue, tuple(positions), weights, possible[0], possible[-1]))
    return Component(boxes, tuple(clues))
