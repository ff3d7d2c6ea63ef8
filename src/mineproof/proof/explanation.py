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
    """One step of a proof: a conclusion from some clues and the earlier steps."""

    rule: str
    """The name of the pattern if there is one, otherwise the name of the rule."""
    kind: str
    """The kind of reasoning: `one clue`, `two clues`, `several clues`, `cases`, `mine count`."""
    clues: tuple[Cell, ...]
    """The clues it uses, including those inside assumptions, in row order."""
    uses_mine_count: bool
    cells: tuple[Cell, ...]
    """The cells whose value this step proves."""
    proved: Proved | None
    """The value of the cells; None for a group, for which the step proves a number of mines."""
    text: str
    """The step as one sentence, without a capital letter at the start or a full stop."""


@plain_form(
    *("cell", "proved", "clues", "uses_mine_count", "smallest", "rule", "difficulty", "risk"),
    *("text", "steps"),
)
@dataclass(frozen=True, repr=False)
class Explanation(HasPicture):
    """Why a cell is safe or a mine, or what its risk depends on."""

    cell: Cell
    proved: Proved | None
    """The value of the cell in all layouts; None if they differ."""
    clues: tuple[Cell, ...]
    """The smallest set of clues that proves the cell, or the clues that its risk depends on."""
    uses_mine_count: bool
    smallest: bool
    """Whether no smaller set of clues proves the cell. If false, every clue of the set is still
    needed, unless time ran out."""
    rule: str
    """The rule of the hardest step of the easiest proof."""
    difficulty: float
    """The difficulty of the easiest proof."""
    risk: float
    text: str
    """An explanation in plain sentences: the easiest proof, or where the risk comes from."""
    steps: tuple[ProofStep, ...] = ()
    """The easiest proof, step by step; empty if nothing is proved or the cell is open."""
    position: Observation | None = field(default=None, compare=False)
    """The position, for drawing a picture; None if it was not stored."""

    def __repr__(self) -> str:
        found = f"risk {self.risk:.3g}" if self.proved is None else self.proved
        return f"<Explanation {self.cell}, {found}: {self.text:.200}>"

    def __str__(self) -> str:
        """Return the explanation in plain sentences."""
        return self.text

    def to_plain(self) -> dict[str, Any]:
        """Return the fields of the JSON form as plain values."""
        from mineproof.notation.codec import to_plain

        return dict(to_plain(self))

    def to_json(self) -> str:
        """Return the explanation as one line of JSON."""
        return json.dumps(self.to_plain(), allow_nan=False)


@dataclass(frozen=True)
class Rating:
    """The difficulty of the proofs of a position or a game; all zeros if there are none."""

    proofs: int
    hardest: float
    """The difficulty of the hardest proof."""
    mean: float
    rule: str
    """The rule of the hardest proof, or `guess` if nothing is proved."""


def rate(found: Iterable[Explanation]) -> Rating:
    """Return the rating of some explanations."""
    proofs = [one for one in found if one.proved is not None and one.difficulty > 0]
    if not proofs:
        return Rating(0, 0.0, 0.0, "guess")
    hardest = max(proofs, key=lambda one: one.difficulty)
    mean = round(fmean(one.difficulty for one in proofs), 2)
    return Rating(len(proofs), hardest.difficulty, mean, hardest.rule)
