"""`random`: opens any unopened cell without a flag. Every other agent must do better."""

from __future__ import annotations

from mineproof.agents.registry import agent
from mineproof.core.decision import Decision, Reason
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.random import Purpose, Stream
from mineproof.core.rules import PublicRules
from mineproof.core.words import counted


@agent(
    "random",
    idea="opens any unopened cell without a flag",
    source="a baseline",
    proves="nothing",
    cannot_prove="anything",
)
class RandomAgent:
    """Opens cells at random."""

    def start(self, rules: PublicRules, seed: int) -> None:
        """Prepare for a new game."""
        self._random = Stream(seed, Purpose.AGENT)

    def decide(self, observation: Observation) -> Decision | None:
        """Open any unopened cell without a flag."""
        cells = [index for index in observation.unopened if not observation.marks[index]]
        if not cells:
            return None
        index = cells[self._random.below(len(cells))]
        move = Move(Action.OPEN, observation.grid.cell(index))
        reason = Reason(f"chosen at random from {counted(len(cells), 'cell')}")
        return Decision(move, proved=False, reason=reason)
