"""Explains the cells of one position; what is the same for all of them is done once."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.inference.counting import Facts, count
from mineproof.proof.derivation import TooLongError, derive
from mineproof.proof.patterns import find_line_pattern
from mineproof.proof.risks import survey, tell_risk
from mineproof.proof.rules import DIFFICULTY, Rule, Step, difficulty, hardest
from mineproof.proof.smallest import Prover, ProvingSet
from mineproof.proof.statements import Reading
from mineproof.proof.totals import derive_with_count
from mineproof.proof.why import Explanation
from mineproof.proof.words import Teller

SEEDS = 3
"""Layouts that are drawn, where risks are estimates, until one agrees with the position."""


class PositionExplainer:
    """Says why, for any cell of a position."""

    def __init__(self, observation: Observation, facts: Facts | None = None) -> None:
        """Take a position, and its facts where they are there already."""
        self.observation = observation
        self.reading = Reading(observation)
        self.facts = count(observation, sampled=True) if facts is None else facts

    def explain(self, cell: tuple[int, int]) -> Explanation:
        """Explain a cell.

        Raises:
            InputError: the cell is not on the board.
        """
        index = self.observation.grid.index(cell)
        if self.observation.shown[index] != UNOPENED:
            return self._given(index)
        if index in self._safe:
            return self._proved(index, False)
        if index in self._mined:
            return self._proved(index, True)
        return self._guess(index)

    def proof(self, index: int, mined: bool) -> tuple[ProvingSet, tuple[Step, ...]]:
        """Give the smallest set of clues that proves a cell, and the steps from it."""
        found = Prover(self.reading, self._layout, index, mined).prove()
        if found.uses_mine_count:
            return found, derive_with_count(self.reading, found.clues, index, mined)
        try:
            steps = derive([self.reading.statement(clue) for clue in found.clues], index, mined)
        except TooLongError:
            steps = (Step(Rule.ARRANGEMENTS, (index,), mined, found.clues),)
        return found, steps

    @cached_property
    def _safe(self) -> frozenset[int]:
        return frozenset(self.facts.safe)

    @cached_property
    def _mined(self) -> frozenset[int]:
        return frozenset(self.facts.mined)

    @cached_property
    def _layout(self) -> bytes | None:
        """A layout that agrees with the position; None where drawing one did not work out."""
        for seed in range(1 if self.facts.exact else SEEDS):
            layout = self.facts.sample(seed)
            if self.facts.exact or self.reading.is_true_in(layout):
                return layout
        return None

    def _proved(self, index: int, mined: bool) -> Explanation:
        found, steps = self.proof(index, mined)
        rule, hardness = hardest(steps), difficulty(steps)
        if found.uses_mine_count and DIFFICULTY[rule] < DIFFICULTY[Rule.MINE_COUNT]:
            hardness += DIFFICULTY[Rule.MINE_COUNT] - DIFFICULTY[rule]
            rule = Rule.MINE_COUNT
        value: Literal["safe", "mined"] = "mined" if mined else "safe"
        return Explanation(
            cell=self._cell(index),
            proved=value,
            clues=tuple(map(self._cell, found.clues)),
            uses_mine_count=found.uses_mine_count,
            smallest=found.smallest,
            rule=str(rule),
            difficulty=round(hardness, 1),
            risk=float(mined),
            text=self._tell(found, steps),
            steps=steps,
        )

    def _tell(self, found: ProvingSet, steps: tuple[Step, ...]) -> str:
        pattern = "" if found.uses_mine_count else find_line_pattern(self.reading, found.clues)
        sentences = Teller(self.reading, pattern).tell(steps)
        if pattern:
            sentences = [f"This is the {pattern} pattern.", *sentences]
        return " ".join(sentences)

    def _given(self, index: int) -> Explanation:
        code, cell = self.observation.shown[index], self._cell(index)
        if code == EXPLODED:
            text = f"{cell} is a mine that is shown."
        elif code < UNOPENED:
            text = f"{cell} is open and shows {code}."
        else:
            text = f"{cell} is open and shows no clue."
        mined = code == EXPLODED
        value: Literal["safe", "mined"] = "mined" if mined else "safe"
        return Explanation(cell, value, (), False, True, str(Rule.GIVEN), 0.0, float(mined), text)

    def _guess(self, index: int) -> Explanation:
        found = survey(self.facts, index)
        text = " ".join(tell_risk(self.reading, self.facts, index, found))
        return Explanation(
            cell=self._cell(index),
            proved=None,
            clues=tuple(map(self._cell, found.clues)),
            uses_mine_count=self.reading.knows_mines(),
            smallest=False,
            rule=str(Rule.GUESS),
            difficulty=0.0,
            risk=self.facts.risk[index],
            text=text,
        )

    def _cell(self, index: int) -> Cell:
        return self.observation.grid.cell(index)
