"""The density of mines where nobody says how many there are.

The clues speak of it: a frontier that must hold many mines makes a dense board likely. The
estimate is the density p at which the mines expected under p are a share p of the cells
that say something of them, with ten more cells of which two are mined: a Beta(2, 8) prior,
which alone gives 0.2, the density of an expert board.
"""

from __future__ import annotations

from mineproof.core.errors import WorkLimitError
from mineproof.core.observation import Observation
from mineproof.inference.constraints import Constraints, read_constraints
from mineproof.inference.counting.budget import NODES, Budget
from mineproof.inference.counting.polynomial import Polynomial
from mineproof.inference.counting.reference import count_components
from mineproof.inference.counting.thinning import BEAM, Beam

MINES, CELLS = 2, 10
"""What is believed before any clue: so many mines among so many cells."""
ROUNDS = 50
CLOSE = 1e-5
DIGITS = 4
"""Decimals of an estimate: it is not worth more."""


def estimate_density(observation: Observation, nodes: int = NODES) -> float:
    """Estimate the density of mines from a position alone.

    Raises:
        ImpossibleError: the clues contradict each other.
    """
    seen = observation
    constraints = read_constraints(seen.shown, seen.grid, seen.rules.clues)
    parts = _polynomials(constraints, seen.rules.columns, nodes)
    fixed = seen.hits + len(constraints.mined)
    cells = len(seen.shown) - len(constraints.interior)
    density = MINES / CELLS
    for _ in range(ROUNDS):
        expected = fixed + sum(_mean(part, density / (1 - density)) for part in parts)
        before, density = density, (MINES + expected) / (CELLS + cells)
        if abs(density - before) < CLOSE:
            break
    return round(density, DIGITS)


def _polynomials(constraints: Constraints, columns: int, nodes: int) -> list[Polynomial]:
    """Count the components, or estimate the counts where that is too much work."""
    try:
        tables = count_components(constraints.components, columns, Budget(nodes))
    except WorkLimitError:
        beam = Beam(BEAM, MINES / CELLS)
        tables = count_components(constraints.components, columns, beam)
    return [table.polynomial for table in tables]


def _mean(part: Polynomial, odds: float) -> float:
    """Give the expected mines of a component at these odds of a mine."""
    whole = sum(part.counts)
    total = mines = 0.0
    for extra in range(len(part.counts) - 1, -1, -1):
        share = part.counts[extra] / whole
        mines = (mines + total) * odds
        total = total * odds + share
    return part.least + mines / total if total else float(part.most)
