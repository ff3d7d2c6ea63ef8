"""The Rutgers report's own search: set each cell to 1 if all clues allow it, otherwise to 0.

The search starts at the clue with the largest number and goes from clue to connected clue. If
neither value fits a cell, the last 1 is undone and becomes 0. The search stops at its first
solution, which is one of possibly many, so it proves nothing. The steps can be shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mineproof.inference.clue_graph import Statement
from mineproof.inference.forward_checking import BoxBounds, Order
from mineproof.inference.listing import search_path

MOST_STEPS = 10_000
"""The maximum number of steps. A search that needs more is given up."""


class AssignmentStep(NamedTuple):
    """A cell gets a value, or loses it."""

    cell: int
    mined: bool | None
    """True for 1, False for 0, None if the value is undone."""
    clue: int | None
    """The clue that rules out the other value, or that makes the undo necessary."""


class Assignment(NamedTuple):
    """The steps of a search, and its solution."""

    steps: tuple[AssignmentStep, ...]
    values: dict[int, bool] | None
    """The value of each cell; None if there is no solution or the search was given up."""


def first_assignment(
    constraints: Sequence[Statement], order: Order = "largest", most: int = MOST_STEPS
) -> Assignment:
    """Search for the first solution of some connected clues, one cell after the other."""
    bounds = BoxBounds(constraints, order)
    cells = [cell for box in search_path(bounds) for cell in bounds.boxes[box]]
    touching = {cell: [one for one in constraints if cell in one.cells] for cell in cells}
    values: dict[int, bool] = {}
    steps: list[AssignmentStep] = []
    refused: int | None = None
    while len(values) < len(cells):
        cell = cells[len(values)]
        for mined in (True, False) if refused is None else (False,):
            values[cell] = mined
            failed = _failing(touching[cell], values)
            if failed is None:
                steps.append(AssignmentStep(cell, mined, refused))
                refused = None
                break
            refused = failed
        else:
            del values[cell]
            if not _undo(values, steps, refused):
                return Assignment(tuple(steps), None)
        if len(steps) > most:
            return Assignment(tuple(steps), None)
    return Assignment(tuple(steps), values)


def _failing(constraints: Sequence[Statement], values: dict[int, bool]) -> int | None:
    """Return the first clue that has too many mines, or too few cells left for its mines."""
    for one in constraints:
        mines = sum(values.get(cell, False) for cell in one.cells)
        free = sum(cell not in values for cell in one.cells)
        if not (mines <= one.most and one.least <= mines + free):
            return one.clue
    return None


def _undo(values: dict[int, bool], steps: list[AssignmentStep], clue: int | None) -> bool:
    """Undo values up to the last 1; return False if there is none."""
    while values:
        cell, mined = values.popitem()
        steps.append(AssignmentStep(cell, None, clue))
        if mined:
            return True
    return False
