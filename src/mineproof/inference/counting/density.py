"""The density of mines where nobody says how many there are.

The clues speak of it: a frontier that must hold many mines makes a dense board likely. The
estimate is the density p at which the mines expected under p are a share p of the cells
that say something of them, with ten more cells of which two are mined: a Beta(2, 8) prior,
which alone gives 0.2, the density of an expert board.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from mineproof.core.errors import WorkLimitError
from mineproof.core.observation import Observation
from mineproof.inference.constraints import Constraints, read_constraints
from mineproof.inference.counting.polynomial import Polynomial
from mineproof.inference.counting.prior import Density
from mineproof.inference.counting.reference import count_components
from mineproof.inference.counting.work import WorkBudget

MINES, CELLS = 2, 10
"""What is believed before any clue: so many mines among so many cells."""
ROUNDS = 50
SAMPLED_ROUNDS = 3
"""The same where the expected mines are themselves estimates, and slow."""
CLOSE = 1e-5
DIGITS = 4
"""Decimals of an estimate: it is not worth more."""


def estimate_density(
    observation: Observation, budget: WorkBudget | None = None, *, sampled: bool = False
) -> float:
    """Estimate the density of mines from a position alone.

    Args:
        observation: the position.
        budget: how much work it may take.
        sampled: where that is not enough, estimate the expected mines too.

    Raises:
        ImpossibleError: the clues contradict each other.
        WorkLimitError: the budget is spent.
    """
    seen = observation
    constraints = read_constraints(seen.shown, seen.grid, seen.rules.clues)
    try:
        expected, rounds = _counted(constraints, seen, budget or WorkBudget()), ROUNDS
    except WorkLimitError:
        if not sampled:
            raise
        seconds = None if budget is None else budget.seconds
        expected, rounds = _sampled(constraints, seen, seconds), SAMPLED_ROUNDS
    cells = CELLS + len(seen.shown) - len(constraints.interior)
    density = MINES / CELLS
    for _ in range(rounds):
        before, density = density, (MINES + expected(density)) / cells
        if abs(density - before) < CLOSE:
            break
    return min(0.99, max(0.01, round(density, DIGITS)))


def _counted(
    constraints: Constraints, observation: Observation, budget: WorkBudget
) -> Callable[[float], float]:
    """Give a function from the density to the expected mines next to clues."""
    columns = observation.rules.columns
    tables = count_components(constraints.components, columns, budget)
    parts = [table.polynomial for table in tables]
    fixed = observation.hits + len(constraints.mined)
    return lambda density: fixed + sum(_mean(part, density / (1 - density)) for part in parts)


def _sampled(
    constraints: Constraints, observation: Observation, seconds: float | None
) -> Callable[[float], float]:
    """Give the same function, estimated."""
    from mineproof.inference.counting.sampling import SampledFacts

    interior = set(constraints.interior)

    def expected(density: float) -> float:
        risk = SampledFacts(observation, Density(density), seconds).risk
        near = (risk[cell] for cell in observation.unopened if cell not in interior)
        return observation.hits + math.fsum(near)

    return expected


def _mean(part: Polynomial, odds: float) -> float:
    """Give the expected mines of a component at these odds of a mine."""
    whole = sum(part.counts)
    total = mines = 0.0
    for extra in range(len(part.counts) - 1, -1, -1):
        share = part.counts[extra] / whole
        mines = (mines + total) * odds
        total = total * odds + share
    return part.least + mines / total if total else float(part.most)
