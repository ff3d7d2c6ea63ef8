"""The density of mines where nobody says how many there are.

The clues speak of it: a frontier that must hold many mines makes a dense board likely. The
estimate is the density p at which the mines expected under p are a share p of the cells
that say something of them, with ten more cells of which two are mined: a Beta(2, 8) prior,
which alone gives 0.2, the density of an expert board.
"""

from __future__ import annotations

from collections.abc import Callable

from mineproof.core.clues import UNOPENED
from mineproof.core.observation import Observation
from mineproof.inference.budget import Budget
from mineproof.inference.constraints import Constraints, read_constraints
from mineproof.inference.counting.polynomial import Polynomial
from mineproof.inference.counting.reference import count_components

MINES, CELLS = 2, 10
"""What is believed before any clue: so many mines among so many cells."""
ROUNDS = 50
LARGE = 2_500
"""Boards with more cells are not counted for it."""
ENOUGH = 20_000
"""So many clues of such a board say as much as all of a million: the time stays short."""
CLOSE = 1e-5
DIGITS = 4
"""Decimals of an estimate: it is not worth more."""


def estimate_density(observation: Observation, budget: Budget | None = None) -> float:
    """Estimate the density of mines from a position alone.

    Args:
        observation: the position.
        budget: how much work it may take.

    Raises:
        ImpossibleError: the clues contradict each other.
        WorkLimitError: the budget is spent.
    """
    seen = observation
    if len(seen.shown) > LARGE:
        return _bounded(_by_mean(seen))
    constraints = read_constraints(seen.shown, seen.grid, seen.rules.clues)
    expected = _counted(constraints, seen, (budget or Budget()).counting())
    cells = CELLS + len(seen.shown) - len(constraints.interior)
    density = MINES / CELLS
    for _ in range(ROUNDS):
        before, density = density, (MINES + expected(density)) / cells
        if abs(density - before) < CLOSE:
            break
    return _bounded(density)


def _bounded(density: float) -> float:
    return min(0.99, max(0.01, round(density, DIGITS)))


def _by_mean(observation: Observation) -> float:
    """Estimate the density from the mean of the clues: many are as good as all layouts."""
    rule, grid = observation.rules.clues, observation.grid
    mines, cells = float(MINES), float(CELLS)
    clues = [index for index, code in enumerate(observation.shown) if code < UNOPENED]
    for index in clues[:: len(clues) // ENOUGH + 1]:
        code, near = observation.shown[index], len(grid.neighbours(index))
        cells += near
        mines += rule.estimate(code, near)
    return mines / cells


def _counted(
    constraints: Constraints, observation: Observation, budget: Budget
) -> Callable[[float], float]:
    """Return a function from the density to the expected mines next to clues."""
    columns = observation.rules.columns
    tables = count_components(constraints.components, columns, budget)
    parts = [table.polynomial for table in tables]
    fixed = observation.hits + len(constraints.mined)
    return lambda density: fixed + sum(_mean(part, density / (1 - density)) for part in parts)


def _mean(part: Polynomial, odds: float) -> float:
    """Return the expected mines of a component at these odds of a mine."""
    whole = sum(part.counts)
    total = mines = 0.0
    for extra in range(len(part.counts) - 1, -1, -1):
        share = part.counts[extra] / whole
        mines = (mines + total) * odds
        total = total * odds + share
    return part.least + mines / total if total else float(part.most)
