"""Numbers of a position: the risk of every cell, and the chance of winning."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mineproof.advice.analysis import MOST_NODES, Analysis, analyse
from mineproof.advice.budget import USUAL, Budget
from mineproof.core.decision import Candidate
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.inference.counting.work import reserved
from mineproof.proof.ranking import LARGE, frontier_of, safest

CELL_BYTES = 100
"""What the risk of a cell takes."""
LISTED = 12
"""Moves that are compared in an answer."""


@dataclass(frozen=True)
class Risks:
    """The risk of every unopened cell."""

    risk: tuple[float | None, ...]
    """By index; None where a cell is open."""
    exact: bool
    safe: tuple[int, ...]
    mined: tuple[int, ...]
    frontier: tuple[int, ...]
    """The unopened cells next to a clue."""
    interior: float | None
    """The one risk of all other unopened cells; None where there are none."""


@dataclass(frozen=True)
class Chances:
    """The chance of winning under best play, and what the best moves come to."""

    win: float | None
    exact: bool
    moves: tuple[Candidate, ...]


def risks(position: Observation, budget: Budget = USUAL) -> Risks:
    """Give the risk of every cell; beyond the budget the risks are sampled, and not exact.

    Raises:
        ContradictionError: no layout agrees with the position.
        WorkLimitError: not even an estimate comes within the budget.
    """
    with budget.kept(), reserved(CELL_BYTES * position.grid.size):
        return _risks(position, budget)


def _risks(position: Observation, budget: Budget) -> Risks:
    facts = analyse(
        position, moves=False, budget=budget.seconds, nodes=MOST_NODES, sampled=True
    ).facts
    frontier = frontier_of(position)
    return Risks(
        tuple(None if math.isnan(x) else x for x in facts.risk),
        facts.exact,
        tuple(facts.safe),
        tuple(facts.mined),
        frontier,
        interior_risk(position, facts.risk, frontier),
    )


def interior_risk(
    position: Observation, risk: Sequence[float], frontier: Sequence[int]
) -> float | None:
    """Give the one risk of all unopened cells that are next to no clue; None without any."""
    near = set(frontier)
    inner = (risk[index] for index in position.unopened if index not in near)
    return next((one for one in inner if not math.isnan(one)), None)


def win_chances(position: Observation, budget: Budget = USUAL) -> Chances:
    """Give the chance of winning under best play, exact or estimated, and the best moves.

    Raises:
        ContradictionError: no layout agrees with the position.
        WorkLimitError: the layouts cannot be counted within the budget.
    """
    with budget.kept():
        found = analyse(position, budget=budget.seconds, nodes=MOST_NODES)
        if position.grid.size <= LARGE:
            return Chances(found.win, found.win_exact, found.moves[:LISTED])
        return Chances(found.win, found.win_exact, _first_move(found))


def _first_move(found: Analysis) -> tuple[Candidate, ...]:
    """Give the best move alone, where ordering them all takes long."""
    index = found.facts.safe[0] if found.facts.safe else safest(found.facts)
    if index is None:
        return ()
    cell, risk = Cell(*divmod(index, found.columns)), found.facts.risk[index]
    return (Candidate(cell, risk, win=found.win, win_exact=found.win_exact),)
