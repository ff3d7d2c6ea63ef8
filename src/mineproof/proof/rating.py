"""How hard a position is: the difficulty of what is proved in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from mineproof.core.observation import Observation
from mineproof.proof.explainer import PositionExplainer
from mineproof.proof.rules import Rule
from mineproof.proof.why import Explanation


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
        return Rating(0, 0.0, 0.0, str(Rule.GUESS))
    hardest = max(proofs, key=lambda one: one.difficulty)
    mean = round(fmean(one.difficulty for one in proofs), 2)
    return Rating(len(proofs), hardest.difficulty, mean, hardest.rule)


def rate_position(position: Observation | PositionExplainer) -> Rating:
    """Rate a position by the proofs of all its cells that are proved safe.

    Mines are proved on the way, where they are needed.
    """
    explainer = position if isinstance(position, PositionExplainer) else PositionExplainer(position)
    return rate(_explained(explainer))


def easiest(explainer: PositionExplainer) -> Explanation | None:
    """Give the safe cell with the easiest proof, the first of equal ones; None if there is none."""
    found = _explained(explainer)
    return min(found, key=lambda one: (one.difficulty, one.cell)) if found else None


def _explained(explainer: PositionExplainer) -> Sequence[Explanation]:
    cell = explainer.observation.grid.cell
    return [explainer.explain(cell(index)) for index in explainer.facts.safe]
