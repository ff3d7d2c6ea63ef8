"""The constraints of a position: clues over boxes of cells, grouped into components.

Cells that touch exactly the same clues are interchangeable: only the number of mines among them
matters. They form a *box*. Connected boxes and clues form a *component*. Components share only the
total number of mines.
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
    """The clues that the cells touch, as indices into the component's list of clues."""


class Clue(NamedTuple):
    """A clue as a weight for each number of mines in its boxes."""

    cell: int
    """The opened cell that shows the clue."""
    boxes: tuple[int, ...]
    """The clue's boxes, as indices into the component's list of boxes."""
    weights: Weights
    least: int
    """The smallest number of mines with a positive weight."""
    most: int
    """The largest number of mines with a positive weight."""

    @property
    def size(self) -> int:
        """Number of cells in the clue's boxes."""
        return len(self.weights) - 1


class Component(NamedTuple):
    """Connected boxes and clues."""

    boxes: tuple[Box, ...]
    clues: tuple[Clue, ...]

    @property
    def cells(self) -> tuple[int, ...]:
        """All cells of the component, in increasing order."""
        return tuple(sorted(cell for box in self.boxes for cell in box.cells))

    @property
    def size(self) -> int:
        """Number of cells."""
        return sum(len(box.cells) for box in self.boxes)


class Constraints(NamedTuple):
    """The parts of a position: components to count, and cells that need no counting."""

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
    """Return the constraints of a position. The arguments are those of `local.settle`.

    Raises:
        ImpossibleError: a clue cannot be true.
    """
    settled = settle(shown, grid, rule, watched)
    groups = group_by_clues(settled.near)
    components = tuple(_component(settled, keys, groups) for keys in _connected(groups))
    return Constraints(
        components, tuple(settled.interior), tuple(settled.safe), tuple(settled.mined)
    )


def group_by_clues(touching: Mapping[int, Iterable[int]]) -> dict[tuple[int, ...], list[int]]:
    """Return the cells of each box. The key of a box is the list of clues that its cells touch.

    Args:
        touching: the clues that each cell touches, in the same order for all cells.
    """
    boxes: dict[tuple[int, ...], list[int]] = {}
    for cell, clues in touching.items():
        boxes.setdefault(tuple(clues), []).append(cell)
    return boxes


def _connected(groups: Mapping[tuple[int, ...], list[int]]) -> list[list[tuple[int, ...]]]:
    """Return lists of connected boxes. Each box is identified by the clues it touches."""
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
    settled: Settled, keys: list[tuple[int, ...]], groups: Mapping[tuple[int, ...], list[int]]
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
