"""What an opened cell shows: the true clue, or an unreliable one.

What a cell shows is a pure function of the model, the seed and the cell, so
undo, replay and paired games never change it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from mineproof.core.errors import RulesError, did_you_mean
from mineproof.core.random import Purpose, Stream

UNOPENED = 9
"""Code of a cell that is not opened."""
WITHHELD = 10
"""Code of an opened cell that shows no clue."""
EXPLODED = 11
"""Code of a mine that is shown."""


class ClueKind(StrEnum):
    """The ways in which clues can be unreliable."""

    EXACT = "exact"
    WITHHELD = "withheld"
    OPTIMISTIC = "optimistic"
    CAUTIOUS = "cautious"


@dataclass(frozen=True)
class ClueModel:
    """A clue model; `probability` is that of being shown a clue at all."""

    kind: ClueKind
    probability: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what is not a probability, and one below 1 where every clue is shown."""
        if not 0 <= self.probability <= 1:
            raise RulesError(f"expected a probability from 0 to 1, got {self.probability!r}")
        if self.probability != 1 and self.kind is not ClueKind.WITHHELD:
            raise RulesError(
                f"expected no probability for {self.kind} clues, got {self.probability!r}"
            )

    @classmethod
    def parse(cls, text: str) -> ClueModel:
        """Read `exact`, `withheld:P`, `optimistic` or `cautious`."""
        name, colon, number = text.strip().lower().partition(":")
        if name == ClueKind.WITHHELD:
            return cls(ClueKind.WITHHELD, _probability(number, text))
        if colon or name not in set(ClueKind):
            raise RulesError(
                f"expected clues exact, withheld:P, optimistic or cautious, got {text!r}"
                f"{did_you_mean(name, ClueKind)}"
            )
        return cls(ClueKind(name))

    def __str__(self) -> str:
        """Write the model as `ClueModel.parse` reads it."""
        if self.kind is ClueKind.WITHHELD:
            return f"withheld:{self.probability!r}"
        return self.kind.value

    @property
    def floods(self) -> bool:
        """Whether a shown 0 is a true 0, so that its neighbours may be opened."""
        return self.kind in (ClueKind.EXACT, ClueKind.WITHHELD)

    def show(self, seed: int, index: int, truth: int, degree: int) -> int:
        """Give the code that the cell shows when opened.

        Args:
            seed: the game's seed.
            index: the cell.
            truth: how many of its neighbours are mined.
            degree: how many neighbours it has.
        """
        if self.kind is ClueKind.EXACT:
            return truth
        stream = Stream(seed, Purpose.CLUE, index)
        if self.kind is ClueKind.WITHHELD:
            return truth if stream.fraction() < self.probability else WITHHELD
        if self.kind is ClueKind.OPTIMISTIC:
            return stream.below(truth + 1)
        return truth + stream.below(degree - truth + 1)

    def weight(self, shown: int, truth: int, degree: int) -> float:
        """Give the likelihood of the shown code, up to a factor that no truth depends on."""
        if shown == WITHHELD:
            return 1.0
        if self.kind is ClueKind.OPTIMISTIC:
            return 1 / (truth + 1) if shown <= truth else 0.0
        if self.kind is ClueKind.CAUTIOUS:
            return 1 / (degree - truth + 1) if truth <= shown <= degree else 0.0
        return 1.0 if shown == truth else 0.0


def _probability(number: str, whole: str) -> float:
    try:
        probability = float(number)
    except ValueError:
        probability = math.nan
    if not 0 <= probability <= 1:
        raise RulesError(f"expected withheld:P with a probability P from 0 to 1, got {whole!r}")
    return probability


EXACT = ClueModel(ClueKind.EXACT)
