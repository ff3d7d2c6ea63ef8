"""The order in which to open cells: by chance of winning if it is known, otherwise by risk."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from mineproof.core.clues import UNOPENED
from mineproof.core.observation import Observation
from mineproof.inference.counting import Facts

EQUAL = 1e-10
"""Risks that differ by less than this are equal, because backends may differ in the last bits."""
_IS_UNOPENED = bytes(code == UNOPENED for code in range(256))
_IS_CLUE = bytes(code < UNOPENED for code in range(256))
LARGE = 40_000
"""On boards with more cells, questions look only at nearby cells, and cells are not ranked."""
NO_WINS: Mapping[int, float] = {}


def rank(
    facts: Facts, wins: Mapping[int, float] = NO_WINS, cells: Sequence[int] | None = None
) -> list[int]:
    """Return the unopened cells that are not proved mines, best first.

    They are ordered by risk, then by number of unopened neighbours, then by row.

    Args:
        facts: the facts of the position.
        wins: the chance of winning after opening a cell, for the cells for which it is known. The
            best of these come first; if it is known for every cell, it decides the whole order.
        cells: rank only these of the cells.
    """
    cells = _candidates(facts) if cells is None else cells
    level = _levels([facts.risk[index] for index in cells])
    loss = _losses(cells, wins)
    around = unopened_neighbours(facts.observation)
    near = [around[index] for index in cells]
    return [cell for *_, cell in sorted(zip(loss, level, near, cells, strict=True))]


def _candidates(facts: Facts) -> list[int]:
    mined = set(facts.mined)
    return [index for index in facts.observation.unopened if index not in mined]


def _losses(cells: Sequence[int], wins: Mapping[int, float]) -> list[int]:
    """Return the rank of each cell by its chance of winning, from 0 for the best.

    If some chances are unknown, the best cells have rank 0 and all others rank 1.
    """
    known = [index for index in cells if index in wins]
    losses = _levels([1 - wins[index] for index in known])
    if len(known) == len(cells):
        return losses
    best = {index for index, loss in zip(known, losses, strict=True) if loss == 0}
    return [int(index not in best) for index in cells]


def safest(facts: Facts) -> int | None:
    """Return the cell that `rank` puts first, but faster; None if there is no cell to open."""
    risk, cells = facts.risk, _candidates(facts)
    if not cells:
        return None
    highest = min(map(risk.__getitem__, cells)) + EQUAL
    near = unopened_neighbours(facts.observation)
    return min((near[index], index) for index in cells if risk[index] <= highest)[1]


def unopened_neighbours(observation: Observation) -> bytes:
    """Return the number of unopened neighbours of each cell, one byte per cell."""
    return observation.grid.count_neighbours(observation.shown.translate(_IS_UNOPENED))


def frontier_of(observation: Observation) -> tuple[int, ...]:
    """Return the unopened cells next to a clue."""
    shown = observation.shown
    near = observation.grid.count_neighbours(shown.translate(_IS_CLUE))
    return tuple(i for i, code in enumerate(shown) if code == UNOPENED and near[i])


def interior_risk(
    position: Observation, risk: Sequence[float], frontier: Sequence[int]
) -> float | None:
    """Return the risk that all unopened cells away from clues share, or None if there are none."""
    near = set(frontier)
    inner = (risk[index] for index in position.unopened if index not in near)
    return next((one for one in inner if not math.isnan(one)), None)


def _levels(risks: Sequence[float]) -> list[int]:
    """Return the rank of each risk, from 0 for the lowest. Equal risks have the same rank."""
    levels: dict[float, int] = {}
    level, previous = -1, -1.0
    for risk in sorted(set(risks)):
        if risk - previous > EQUAL:
            level += 1
        previous, levels[risk] = risk, level
    return [levels[risk] for risk in risks]
