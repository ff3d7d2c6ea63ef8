"""Numbers about a position: the risk of every cell, the chance of winning, a random layout."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mineproof.advice.analysis import Analysis, analyse
from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.decision import Candidate
from mineproof.core.errors import InputError
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.inference.budget import Budget, question_budget
from mineproof.inference.counting import count
from mineproof.proof.ranking import LARGE, frontier_of, interior_risk, safest

CELL_BYTES = 100
"""Memory needed to store the risk of one cell."""
LISTED = 12
"""Maximum number of moves in an answer."""


@dataclass(frozen=True)
class Risks:
    """The risk of every unopened cell."""

    risk: tuple[float | None, ...]
    """The risks by index; None for open cells."""
    exact: bool
    safe: tuple[int, ...]
    mined: tuple[int, ...]
    frontier: tuple[int, ...]
    """The unopened cells next to a clue."""
    interior: float | None
    """The risk that all other unopened cells share; None if there are none."""


@dataclass(frozen=True)
class Chances:
    """The chance of winning under best play, and the best moves."""

    win: float | None
    exact: bool
    moves: tuple[Candidate, ...]


def risks(position: Observation, budget: Budget | None = None) -> Risks:
    """Return the risk of every cell. If the budget runs out, the risks are estimates.

    Raises:
        ContradictionError: no layout fits the position.
        WorkLimitError: not even an estimate is possible within the budget.
    """
    work = question_budget(budget).reserve(CELL_BYTES * position.grid.size)
    facts = analyse(position, moves=False, budget=work, sampled=True).facts
    frontier = frontier_of(position)
    found = tuple(None if math.isnan(x) else x for x in facts.risk)
    inside = interior_risk(position, facts.risk, frontier)
    return Risks(found, facts.exact, facts.safe, facts.mined, frontier, inside)


def win_chances(position: Observation, budget: Budget | None = None) -> Chances:
    """Return the chance of winning under best play, exact or estimated, and the best moves.

    Raises:
        ContradictionError: no layout fits the position.
        WorkLimitError: the layouts cannot be counted within the budget.
    """
    found = analyse(position, budget=question_budget(budget))
    moves = found.moves[:LISTED] if position.grid.size <= LARGE else _first_move(found)
    return Chances(found.win, found.win_exact, moves)


def _first_move(found: Analysis) -> tuple[Candidate, ...]:
    """Return only the best move, because ranking all moves would take too long."""
    index = found.facts.safe[0] if found.facts.safe else safest(found.facts)
    if index is None:
        return ()
    cell, risk = Cell(*divmod(index, found.columns)), found.facts.risk[index]
    return (Candidate(cell, risk, win=found.win, win_exact=found.win_exact),)


def draw_layout(position: Observation, seed: int, budget: Budget | None = None) -> bytes:
    """Draw a random layout that fits a position: one byte per cell, 1 for a mine.

    Raises:
        InputError: clues may be wrong, so another layout might show other numbers.
        ContradictionError: no layout fits the position.
        WorkLimitError: counting the layouts takes more than the budget.
    """
    clues = position.rules.clues
    if not clues.trusted:
        raise InputError(f"a fresh layout needs clues that are always true, got {clues}")
    if position.shown.count(UNOPENED) == 0:
        return bytes(code == EXPLODED for code in position.shown)
    return count(position, budget=question_budget(budget)).sample(seed)
