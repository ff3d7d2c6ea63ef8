"""`basic`: looks at one clue at a time, to see if its neighbours are all safe or all mines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.registry import agent
from mineproof.core.clues import EXACT
from mineproof.core.decision import Decision
from mineproof.core.observation import Observation


@agent(
    "basic",
    idea="looks at one clue at a time: are its other neighbours all safe, or all mines?",
    source="the baseline of the Rutgers assignment (003)",
    proves="cells that a single clue proves, given the mines proved before",
    cannot_prove="cells that need two clues together, or the mine count",
    strength=10,
)
class BasicAgent(KnowledgeAgent):
    """Reads each clue alone until nothing new follows; guesses at random."""

    def __init__(
        self,
        *,
        clues: Annotated[
            Literal["model", "trust"], "allow for errors as the clue rule does, or trust all clues"
        ] = "model",
    ) -> None:
        """Set the options."""
        self._clues = clues

    def learn(self, observation: Observation, changes: Iterable[int]) -> None:
        """Read the new clues and all clues next to a change, until nothing new follows."""
        grid = observation.grid
        pending = set(changes)
        for index in tuple(pending):
            pending.update(grid.neighbours(index))
        rule = self.rules.clues if self._clues == "model" else EXACT
        while pending:
            for index in self.read_clue(observation, pending.pop(), rule):
                pending.update(grid.neighbours(index))

    def guess(self, observation: Observation) -> Decision | None:
        """Open a random cell that is not a proved mine."""
        why = "no single clue proves a cell, so this is a random guess"
        return self.guess_random(observation, why)
