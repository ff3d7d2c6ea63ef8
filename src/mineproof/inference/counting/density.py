"""Estimates the density of mines in positions with an unknown mine count.

A frontier that must hold many mines makes a dense board likely. The estimate is the density p at
which the expected number of mines among the cells next to clues, and among ten further cells with
two mines, is a share p of these cells. The further cells are a Beta(2, 8) prior. Its mean is 0.2,
the density of an expert board.
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
"""The number of mines and of cells that the prior adds to those next to clues."""
ROUNDS = 50
LARGE = 2_500
"""On boards with more cells than this, the mean of the clues is used instead of counting."""
ENOUGH = 20_000
"""Maximum number of clues of such a board to use. More would take time without improving the
estimate."""
CLOSE = 1e-5
DIGITS = 4
"""Number of decimals of an estimate. More would not be meaningful."""


def estimate_density(observation: Observation, budget: Budget | None = None) -> float:
    """Estimate the density of mines from a position alone.

    Args:
        observation: the position.
        budget: limits on the work.

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
    """Estimate the density from the mean of the clues, which is accurate if there are many."""
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
    """Return a function that maps a density to the expected number of mines next to clues."""
    columns = observation.rules.columns
    tables = count_components(constraints.components, columns, budget)
    factors = [table.polynomial for table in tables]
    fixed = observation.hits + len(constraints.mined)
    return lambda density: fixed + sum(_mean(factor, density / (1 - density)) for factor in factors)


def _mean(factor: Polynomial, odds: float) -> float:
    """Return the expected number of mines of a component, given the odds of a mine."""
    whole = sum(factor.counts)
    total = mines = 0.0
    for extra in range(len(factor.counts) - 1, -1, -1):
        share = factor.counts[extra] / whole
        mines = (mines + total) * odds
        total = total * odds + share
    return factor.least + mines / total if total else float(factor.most)
