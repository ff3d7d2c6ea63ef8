"""Explanations: why a cell is safe or a mine, or what its risk depends on."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, Literal

from mineproof.core.board_text import HasPicture
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.notation.plain_forms import plain_form

Proved = Literal["safe", "mined"]


@plain_form("rule", "clues", "cells", "text", "kind", "proved", "uses_mine_count")
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


@plain_form(
    *("cell", "proved", "clues", "uses_mine_count", "smallest", "rule", "difficulty", "risk"),
    *("text", "steps"),
)
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
        """Return the fields of the JSON contract as plain values."""
        from mineproof.notation.codec import to_plain

        return dict(to_plain(self))

    def to_json(self) -> str:
        """Write the fields of the JSON contract on one line."""
        return json.dumps(self.to_plain(), allow_nan=False)


@dataclass(frozen=True)
class Rating:
    """How hard the proofs of a position or of a game are; zeros where there are none."""

    proofs: int
    hardest: float
    """The difficulty of the hardest proof."""
    mean: float
    rule: str
    """The rule that the hardest proof needs; a guess where nothing is proved."""


def rate(found: Iterable[Explanation]) -> Rating:
    """Put the difficulties of proofs together."""
    proofs = [one for one in found if one.proved is not None and one.difficulty > 0]
    if not proofs:
        return Rating(0, 0.0, 0.0, "guess")
    hardest = max(proofs, key=lambda one: one.difficulty)
    mean = round(fmean(one.difficulty for one in proofs), 2)
    return Rating(len(proofs), hardest.difficulty, mean, hardest.rule)
