"""Which cell to open next: by the chance of winning where it is known, else by risk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mineproof.core.clues import UNOPENED
from mineproof.core.observation import Observation
from mineproof.inference.counting import Facts

EQUAL = 1e-10
"""Risks that lie closer together are equal: backends may differ in the last bits."""


_IS_UNOPENED = bytes(code == UNOPENED for code in range(256))
_IS_CLUE = bytes(code < UNOPENED for code in range(256))
LARGE = 40_000
"""Cells of a board beyond which questions look at what is near and rank nothing."""
NO_WINS: Mapping[int, float] = {}


def rank(facts: Facts, wins: Mapping[int, float] = NO_WINS) -> list[int]:
    """Order the unopened cells that are not known mines: risk, unopened neighbours, row order.

    Args:
        facts: what is known of the position.
        wins: for cells as the next move the chance of winning, where it is known. The best of
            them come first, and if it is known for every cell, it decides throughout.
    """
    risk, known = facts.risk, set(facts.mined)
    cells = [index for index in facts.observation.unopened if index not in known]
    level = _levels([risk[index] for index in cells])
    loss = _losses(cells, wins)
    near = unopened_neighbours(facts.observation)
    order = sorted(
        range(len(cells)),
        key=lambda i: (loss[i], level[i], near[cells[i]], cells[i]),
    )
    return [cells[i] for i in order]


def _losses(cells: Sequence[int], wins: Mapping[int, float]) -> list[int]:
    """Return a rank for each cell by its chance of winning, the best 0.

    If some are unknown, only the best are set apart from the rest.
    """
    losses = _levels([1 - wins.get(index, 0.0) for index in cells])
    if all(index in wins for index in cells):
        return losses
    return [int(loss > 0 or index not in wins) for loss, index in zip(losses, cells, strict=True)]


def safest(facts: Facts) -> int | None:
    """Return the first cell of `rank`, faster; None if there is none."""
    risk, known = facts.risk, set(facts.mined)
    cells = [index for index in facts.observation.unopened if index not in known]
    if not cells:
        return None
    highest = min(map(risk.__getitem__, cells)) + EQUAL
    near = unopened_neighbours(facts.observation)
    tied = [index for index in cells if risk[index] <= highest]
    return min(zip(map(near.__getitem__, tied), tied, strict=True))[1]


def unopened_neighbours(observation: Observation) -> bytes:
    """Count the unopened cells around each cell, one byte per cell."""
    return observation.grid.count_neighbours(observation.shown.translate(_IS_UNOPENED))


def frontier_of(observation: Observation) -> tuple[int, ...]:
    """List the unopened cells next to a clue."""
    shown = observation.shown
    near = observation.grid.count_neighbours(shown.translate(_IS_CLUE))
    return tuple(i for i, code in enumerate(shown) if code == UNOPENED and near[i])


def _levels(risks: Sequence[float]) -> list[int]:
    """Return the rank of each risk from 0, the lowest; equal ones have the same."""
    level = -1
    previous = -1.0
    levels = [0] * len(risks)
    for i in sorted(range(len(risks)), key=risks.__getitem__):
        if risks[i] - previous > EQUAL:
            level += 1
        previous = risks[i]
        levels[i] = level
    return levels
