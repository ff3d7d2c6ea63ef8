"""What an explanation is, and `explain`: why a cell is safe or mined, or what its risk rests on."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from mineproof.core.board_text import HasPicture
from mineproof.core.clues import EXACT, EXPLODED, UNOPENED, ClueModel
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation

# What does the work is imported when something is asked: `mineproof` itself imports this file.

Proved = Literal["safe", "mined"]


@dataclass(frozen=True)
class ProofStep:
    """One step of a proof: what follows from some clues and from the steps before it."""

    rule: str
    """The name of the pattern, where it has one, or else of the rule."""
    kind: str
    """The kind of reasoning: `one clue`, `two clues`, `several clues`, `cases`, `mine count`."""
    clues: tuple[Cell, ...]
    """The clues it uses, those inside a supposition too; in row order."""
    uses_mine_count: bool
    cells: tuple[Cell, ...]
    """What it is about; of these cells it concludes what `proved` says."""
    proved: Proved | None
    """None for a group of cells of which only the number of mines is concluded."""
    text: str
    """The step in one plain sentence, without a capital letter and a full stop."""

    def to_plain(self) -> dict[str, Any]:
        """Give plain values for JSON."""
        return {
            "rule": self.rule,
            "clues": [list(clue) for clue in self.clues],
            "cells": [list(cell) for cell in self.cells],
            "text": self.text,
            "kind": self.kind,
            "proved": self.proved,
            "uses_mine_count": self.uses_mine_count,
        }


@dataclass(frozen=True)
class Explanation(HasPicture):
    """Why a cell is safe or mined, or what its risk rests on; the fields of the JSON contract."""

    cell: Cell
    proved: Proved | None
    """What all layouts say of it; None where they differ."""
    clues: tuple[Cell, ...]
    """The smallest set of clues that proves it; for a guess, the clues that its risk rests on."""
    uses_mine_count: bool
    smallest: bool
    """Whether no smaller set proves it; otherwise it is one that no clue can be left out of, or,
    where time ran out, one that proves the cell."""
    rule: str
    """The rule of the hardest step of the easiest proof."""
    difficulty: float
    """How hard the easiest proof is."""
    risk: float
    text: str
    """The easiest proof in plain sentences."""
    steps: tuple[ProofStep, ...] = ()
    """The easiest proof, step by step; empty where nothing is proved or the cell is open."""
    position: Observation | None = field(default=None, repr=False, compare=False)
    """What it is about, for a picture; None where it was not kept."""

    def to_plain(self) -> dict[str, Any]:
        """Give the fields of the JSON contract as plain values."""
        return {
            "cell": list(self.cell),
            "proved": self.proved,
            "clues": [list(clue) for clue in self.clues],
            "uses_mine_count": self.uses_mine_count,
            "smallest": self.smallest,
            "rule": self.rule,
            "difficulty": self.difficulty,
            "risk": self.risk,
            "text": self.text,
            "steps": [step.to_plain() for step in self.steps],
        }

    def to_json(self) -> str:
        """Write the fields of the JSON contract on one line."""
        return json.dumps(self.to_plain(), allow_nan=False)


def explain(  # noqa: PLR0913  (one keyword for each option of the command)
    position: Observation | str,
    cell: tuple[int, int],
    *,
    clues: ClueModel | str | None = None,
    flags_are_mines: bool = False,
    budget: float | None = None,
    memory: int | None = None,
) -> Explanation:
    """Say why a cell is safe or mined, or what its risk rests on.

    Args:
        position: an observation, or `.mine` text that holds one position.
        cell: row and column.
        clues: what the digits mean, a model or its text form; by default what the
            observation's rules say, and exact clues for text.
        flags_are_mines: take every mark as a fact.
        budget: seconds to work at most. Where they run out, `smallest` is false, a proof that
            is too long to find has one step that says so, and risks are estimates. By default
            the work is bounded in steps, so that answers are repeatable.
        memory: bytes at most, a gigabyte by default.

    Raises:
        NotationError: the text is not a position.
        InputError: the cell is not on the board.
        ContradictionError: no layout agrees with the position.
        WorkLimitError: what the layouts say of the cell takes more work than allowed.
    """
    from mineproof.inference.counting.work import bounded
    from mineproof.proof.explainer import PositionExplainer

    seen = given_position(position, clues, flags_are_mines)
    with bounded(budget, memory):
        return replace(PositionExplainer(seen, budget=budget).explain(cell), position=seen)


def given_position(
    position: Observation | str, clues: ClueModel | str | None, flags_are_mines: bool = False
) -> Observation:
    """Give the position that a caller means by text or an observation, and by what clues mean."""
    model = ClueModel.parse(clues) if isinstance(clues, str) else clues
    if isinstance(position, str):
        from mineproof.notation.position_text import parse_position

        return parse_position(position, flags_are_mines=flags_are_mines, clues=model or EXACT)
    if not isinstance(position, Observation):
        raise TypeError(f"expected an Observation or .mine text, got {type(position).__name__}")
    rules = position.rules if model is None else replace(position.rules, clues=model)
    shown = position.shown
    if flags_are_mines:
        pairs = zip(shown, position.marks, strict=True)
        shown = bytes(EXPLODED if mark and code == UNOPENED else code for code, mark in pairs)
    if rules == position.rules and shown == position.shown:
        return position
    return Observation(rules, shown, position.marks)
