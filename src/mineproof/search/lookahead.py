"""Looks one move ahead: the consequences of opening a cell, over all clues that it can show."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mineproof.inference.budget import Budget
from mineproof.inference.counting import count
from mineproof.inference.counting.facts import assume
from mineproof.search.guess_position import GuessPosition


@dataclass
class NextMove:
    """The best next move after a safe cell was opened."""

    safety: float = 0.0
    """The expected safety of the best next move; 1 if some cell is then proved safe."""
    values: int = 0
    """The number of different clues that the cell can show."""
    nodes: int = 0
    """The work done, in states counted."""
    is_cut: bool = False
    """Whether the search stopped early, because `safety` cannot reach the required minimum."""

    @property
    def tells_nothing(self) -> bool:
        """Whether the cell shows the same clue in all cases, so that opening it can wait."""
        return self.values < 2


def look_ahead(position: GuessPosition, index: int, budget: Budget, least: float = 0.0) -> NextMove:
    """Return how safe the next move is if a cell is opened, over all clues it can show.

    The likeliest clues come first. The search stops when the safety can no longer reach `least`.

    Raises:
        WorkLimitError: counting exceeds the budget.
    """
    found = NextMove()
    chances = position.facts.values(index, budget)
    whole = math.fsum(chances)
    others = [cell for cell in position.unknown if cell != index]
    most = 1.0  # upper bound on the safety
    for value in sorted(range(len(chances)), key=lambda value: -chances[value]):
        if chances[value] == 0:
            break
        if most < least:
            found.is_cut = True
            break
        after = assume(position.observation, index, value)
        facts = count(after, prior=position.facts.prior, budget=budget)
        best = max((1 - facts.risk[cell] for cell in others), default=1.0)
        chance = chances[value] / whole
        found.safety += chance * best
        found.values += 1
        found.nodes += facts.nodes
        most -= chance * (1 - best)
    return found
