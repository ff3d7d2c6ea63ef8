"""Which cell to open next, by risk alone."""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.core.clues import UNOPENED
from mineproof.core.observation import Observation
from mineproof.inference.counting import Facts

EQUAL = 1e-10
"""Risks that lie closer together are equal: backends may differ in the last bits."""


def rank(facts: Facts) -> list[int]:
    """Order the unopened cells that are not known mines: risk, unopened neighbours, row order."""
    risk, known = facts.risk, set(facts.mined)
    cells = [index for index in facts.observation.unopened if index not in known]
    level = _levels([risk[index] for index in cells])
    near = [unopened_neighbours(facts.observation, index) for index in cells]
    order = sorted(range(len(cells)), key=lambda place: (level[place], near[place], cells[place]))
    return [cells[place] for place in order]


def safest(facts: Facts) -> int | None:
    """Give the first cell of `rank`, faster; None if there is none."""
    risk, known = facts.risk, set(facts.mined)
    cells = [index for index in facts.observation.unopened if index not in known]
    if not cells:
        return None
    lowest = min(risk[index] for index in cells)
    tied = [index for index in cells if risk[index] <= lowest + EQUAL]
    return min(tied, key=lambda index: (unopened_neighbours(facts.observation, index), index))


def unopened_neighbours(observation: Observation, index: int) -> int:
    """Count the unopened cells around a cell."""
    shown = observation.shown
    return sum(1 for other in observation.grid.neighbours(index) if shown[other] == UNOPENED)


def _levels(risks: Sequence[float]) -> list[int]:
    """Give each risk its rank from 0, the lowest; equal ones have the same."""
    level = -1
    previous = -1.0
    levels = [0] * len(risks)
    for place in sorted(range(len(risks)), key=risks.__getitem__):
        if risks[place] - previous > EQUAL:
            level += 1
        previous = risks[place]
        levels[place] = level
    return levels
