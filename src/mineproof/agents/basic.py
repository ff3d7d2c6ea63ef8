"""`basic`: one clue at a time. All its mines are found, or all that is left are mines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from mineproof.agents.knowledge import KnowledgeAgent, known_mine
from mineproof.agents.registry import agent
from mineproof.core.clues import EXACT, UNOPENED
from mineproof.core.decision import Decision, Reason
from mineproof.core.observation import Observation


@agent(
    "basic",
    idea="one clue at a time: all mines found, or all remaining cells are mines",
    source="the baseline of the Rutgers assignment (003)",
    proves="what a single clue proves, given the mines found before",
    cannot_prove="anything that needs two clues together, or the mine count",
    strength=10,
)
class BasicAgent(KnowledgeAgent):
    """Reads each clue by itself, again and again; guesses at random."""

    def __init__(
        self,
        *,
        clues: Annotated[
            Literal["model", "trust"], "take clues as the rules say they are shown, or as true"
        ] = "model",
    ) -> None:
        """Set the options."""
        self._clues = clues

    def learn(self, observation: Observation, changes: Iterable[int]) -> None:
        """Read the new clues, and every clue next to something new, until nothing follows."""
        grid = observation.grid
        pending = set(changes)
        for index in tuple(pending):
            pending.update(grid.neighbours(index))
        while pending:
            for index in self._read(observation, pending.pop()):
                pending.update(grid.neighbours(index))

    def guess(self, observation: Observation) -> Decision | None:
        """Open any cell not known to be a mine."""
        return self.guess_random(observation, "no single clue proves a cell: a random guess")

    def _read(self, observation: Observation, index: int) -> list[int]:
        """Apply both rules to one clue and give the cells concluded."""
        clue = observation.shown[index]
        if clue >= UNOPENED:
            return []
        near = observation.grid.neighbours(index)
        rule = self.rules.clues if self._clues == "model" else EXACT
        bounds = rule.bounds(clue, len(near))
        mines = [i for i in near if known_mine(self, observation, i)]
        unknown = [
            i for i in near if observation.shown[i] == UNOPENED and i not in self.conclusions
        ]
        mined = bounds.least - len(mines) == len(unknown)
        if not unknown or not (mined or bounds.most == len(mines)):
            return []
        reason = self._reason(index, clue, mines, mined)
        return [i for i in unknown if self.conclude(i, mined, reason)]

    def _reason(self, index: int, clue: int, mines: list[int], mined: bool) -> Reason:
        grid = self.rules.grid
        where = f"the {clue} at {grid.cell(index)}"
        if mined:
            text = f"{where} needs all of its other unopened neighbours"
        else:
            text = f"{where} has all of its mines" if clue else f"{where} has no mines"
        cells = tuple(grid.cell(mine) for mine in mines)
        return Reason(text, clues=(grid.cell(index),), conclusions=cells)
