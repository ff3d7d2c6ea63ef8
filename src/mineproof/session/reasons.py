"""Proofs for a player: why a cell is safe or mined, and whether a guess is called for."""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.core.clues import UNOPENED
from mineproof.core.decision import Decision
from mineproof.core.errors import InputError, WorkLimitError
from mineproof.core.grid import TABLE_LIMIT, Cell
from mineproof.core.observation import Observation
from mineproof.core.rules import StartKind
from mineproof.proof.explainer import PositionExplainer
from mineproof.proof.guess_words import tell_choice
from mineproof.proof.rating import easiest
from mineproof.proof.why import Explanation
from mineproof.session.hints import Explainer, Hint, Why, make_hint

MOST_CELLS = TABLE_LIMIT
"""On larger boards the whole position is not analysed for a hint: the agent's word must do."""

_SAFE_STARTS = (StartKind.SAFE, StartKind.OPENING)


@dataclass(frozen=True)
class GuessAnswer:
    """The answer to "May I guess now?"."""

    allowed: bool
    """Whether nothing is proved safe."""
    text: str
    why: Why | None = None
    """The easiest proof of a safe cell, where the answer is no."""


class Reasons:
    """Explains positions; the last one is kept, since questions come in rows."""

    def __init__(self, explainer: Explainer | None = None) -> None:
        """Take somebody else's explanations before one's own, if given."""
        self._other = explainer
        self._explainer: PositionExplainer | None = None

    def why(self, observation: Observation, cell: Cell) -> Why | None:
        """Say why a cell is safe or mined, or what its risk rests on; None if that is too much."""
        found = None if self._other is None else self._other(observation, cell)
        if found is not None:
            return found
        if _is_new(observation) and observation.rules.start.kind in _SAFE_STARTS:
            return Why(cell, "safe", f"{cell} is safe: the first cell is never a mine.", risk=0.0)
        explainer = self._of(observation)
        return None if explainer is None else as_why(explainer.explain(cell))

    def hint(self, observation: Observation, decision: Decision | None) -> Hint:
        """Cut an agent's decision into a hint, with a proof of it or where its risk comes from."""
        if decision is None or _is_new(observation):
            return make_hint(decision)
        why = self.why(observation, decision.move.cell)
        if why is None:
            return make_hint(decision)
        if decision.proved:
            return make_hint(decision, why)
        return make_hint(decision, choice=" ".join([why.text, *tell_choice(decision)]))

    def may_guess(self, observation: Observation, decision: Decision | None) -> GuessAnswer:
        """Say whether a guess is called for; if not, with the easiest proof of a safe cell.

        Args:
            observation: the position.
            decision: what the agent would do; it must do where the position is too large.
        """
        if decision is not None and _is_new(observation):
            return GuessAnswer(True, f"yes: {decision.reason}")
        explainer = self._of(observation)
        if explainer is None:
            proved = decision is not None and decision.proved
            answer = "no" if proved else "yes"
            return GuessAnswer(not proved, f"{answer}, as far as the agent knows")
        found = easiest(explainer)
        if found is not None:
            text = f"no: {found.cell} is proved safe. {found.text}"
            return GuessAnswer(False, text, as_why(found))
        limit = "" if explainer.facts.exact else ", as far as can be told"
        return GuessAnswer(True, f"yes: no cell is proved safe{limit}")

    def _of(self, observation: Observation) -> PositionExplainer | None:
        if len(observation.shown) > MOST_CELLS:
            return None
        if self._explainer is None or self._explainer.observation is not observation:
            try:
                self._explainer = PositionExplainer(observation)
            except (InputError, WorkLimitError):
                return None
        return self._explainer


def _is_new(observation: Observation) -> bool:
    """Say whether nothing is open yet."""
    return observation.shown.count(UNOPENED) == len(observation.shown)


def as_why(found: Explanation) -> Why:
    """Give an explanation as front ends show it."""
    return Why(
        found.cell,
        found.proved,
        found.text,
        found.clues,
        uses_mine_count=found.uses_mine_count,
        risk=found.risk,
        rule=found.rule,
        difficulty=found.difficulty,
    )
