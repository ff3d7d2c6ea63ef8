"""One move ahead: what opening a cell leads to, over all values that it can show."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mineproof.inference.budget import Budget
from mineproof.inference.counting import count
from mineproof.inference.counting.facts import assume
from mineproof.search.guess_position import GuessPosition


@dataclass
class NextMove:
    """What the next move is like if a cell is opened and is safe."""

    safety: float = 0.0
    """The expected safety of the best next move; it is 1 if some cell is then proved safe."""
    values: int = 0
    """How many values the cell can show."""
    nodes: int = 0
    """The work it took, in states counted."""
    is_cut: bool = False
    """Whether `safety` stayed below what was asked for, so that not all values were counted."""

    @property
    def tells_nothing(self) -> bool:
        """Whether the cell shows the same wherever it is safe: it can be opened later."""
        return self.values < 2


def look_ahead(position: GuessPosition, index: int, budget: Budget, least: float = 0.0) -> NextMove:
    """Open a cell for the sake of argument, with every value that it can show.

    The likeliest values come first. It stops as soon as the safety must stay below `least`.

    Raises:
        WorkLimitError: counting takes more than the budget.
    """
    found = NextMove()
    chances = position.facts.values(index, budget)
    whole = math.fsum(chances)
    others = [cell for cell in position.unknown if cell != index]
    most = 1.0  # that the safety can be
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
