"""A layout of a position, drawn as likely as it is: what the board may look like."""

from __future__ import annotations

from mineproof.advice.budget import USUAL, Budget
from mineproof.core.clues import EXPLODED, UNOPENED, ClueKind
from mineproof.core.errors import InputError
from mineproof.core.observation import Observation
from mineproof.inference.counting import count

_TRUE = (ClueKind.EXACT, ClueKind.WITHHELD)


def draw_layout(position: Observation, seed: int, budget: Budget = USUAL) -> bytes:
    """Draw a layout of a position by its weight: one byte a cell, 1 for a mine.

    Raises:
        InputError: clues may be wrong, so that another layout would not show the same.
        ContradictionError: no layout agrees with the position.
        WorkLimitError: counting the layouts takes more than the budget.
    """
    kind = position.rules.clues.kind
    if kind not in _TRUE:
        raise InputError(f"expected exact or withheld clues for a fresh layout, got {kind}")
    if position.shown.count(UNOPENED) == 0:
        return bytes(code == EXPLODED for code in position.shown)
    with budget.kept():
        return count(position, seconds=budget.seconds).sample(seed)
