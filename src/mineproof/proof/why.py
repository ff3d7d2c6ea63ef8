"""`explain`: why a cell is safe or mined, or what its risk rests on."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from mineproof.core.clues import EXACT, EXPLODED, UNOPENED, ClueModel
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation

if TYPE_CHECKING:
    from mineproof.proof.rules import Step

# What does the work is imported when something is asked: `mineproof` itself imports this file.


@dataclass(frozen=True)
class Explanation:
    """Why a cell is safe or mined, or what its risk rests on; the fields of the JSON contract."""

    cell: Cell
    proved: Literal["safe", "mined"] | None
    """What all layouts say of it; None where they differ."""
    clues: tuple[Cell, ...]
    """The smallest set of clues that proves it; for a guess, the clues that its risk rests on."""
    uses_mine_count: bool
    smallest: bool
    """Whether no smaller set proves it; otherwise it is one that no clue can be left out of."""
    rule: str
    """The hardest rule of the proof."""
    difficulty: float
    risk: float
    text: str
    """The proof in plain sentences."""
    steps: tuple[Step, ...] = ()
    """The proof step by step; cells and clues are indices."""

    def to_plain(self) -> dict[str, Any]:
        """Give the fields of the JSON contract as plain values."""
        return {
            "cell": list(self.cell),
            "proved": self.proved,
            "clues": [list(clue) for clue in self.clues],
            "uses_mine_count": self.uses_mine_count,
            "smallest": self.smallest,
            "rule": str(self.rule),
            "difficulty": self.difficulty,
            "risk": self.risk,
            "text": self.text,
        }

    def to_json(self) -> str:
        """Write the fields of the JSON contract on one line."""
        return json.dumps(self.to_plain(), allow_nan=False)


def explain(
    position: Observation | str,
    cell: tuple[int, int],
    *,
    clues: ClueModel | str | None = None,
    flags_are_mines: bool = False,
) -> Explanation:
    """Say why a cell is safe or mined, or what its risk rests on.

    Args:
        position: an observation, or `.mine` text that holds one position.
        cell: row and column.
        clues: what the digits mean, a model or its text form; by default what the
            observation's rules say, and exact clues for text.
        flags_are_mines: take every mark as a fact.

    Raises:
        NotationError: the text is not a position.
        InputError: the cell is not on the board.
        ContradictionError: no layout agrees with the position.
        WorkLimitError: the answer takes more work than allowed.
    """
    from mineproof.proof.explainer import PositionExplainer

    return PositionExplainer(_observation(position, clues, flags_are_mines)).explain(cell)


def _observation(
    position: Observation | str, clues: ClueModel | str | None, flags_are_mines: bool
) -> Observation:
    model = ClueModel.parse(clues) if isinstance(clues, str) else clues
    if isinstance(position, str):
        from mineproof.notation.position import parse_position

        return parse_position(position, flags_are_mines=flags_are_mines, clues=model or EXACT)
    rules = position.rules if model is None else replace(position.rules, clues=model)
    shown = position.shown
    if flags_are_mines:
        pairs = zip(shown, position.marks, strict=True)
        shown = bytes(EXPLODED if mark and code == UNOPENED else code for code, mark in pairs)
    if rules == position.rules and shown == position.shown:
        return position
    return Observation(rules, shown, position.marks)
