"""What is known of the position and can be shown on the board."""

from __future__ import annotations

import math

from mineproof.agents.protocol import Knowledge
from mineproof.core.clues import UNOPENED
from mineproof.core.observation import Observation
from mineproof.window.thinking import Risks

MOMENT = 0.4
"""Seconds for which what was known of the position before is still shown."""


class Insight:
    """The agent's knowledge and the risks, and of which position they are.

    Until new answers come, what was known just before is shown for a moment: a map that
    vanished with each move would flicker.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.knowledge: Knowledge | None = None
        self.risks: Risks | None = None
        self._knows: int | None = None
        self._rates: int | None = None
        self._changed_at = -MOMENT

    def changed(self, now: float) -> None:
        """Note that the position has changed."""
        self._changed_at = now

    def take_knowledge(self, knowledge: Knowledge | None, observation: Observation) -> None:
        """Note what the agent knows."""
        self.knowledge, self._knows = knowledge, observation.serial

    def take_risks(self, risks: Risks, observation: Observation) -> None:
        """Note the risks."""
        self.risks, self._rates = risks, observation.serial

    def knows(self, observation: Observation) -> bool:
        """Say whether the knowledge is that of this position."""
        return self._knows == observation.serial

    def rates(self, observation: Observation) -> bool:
        """Say whether the risks are those of this position."""
        return self._rates == observation.serial

    def grow_old(self, observation: Observation, now: float) -> None:
        """Forget what is of another position, when the moment is over."""
        if now - self._changed_at > MOMENT:
            self.forget(observation)

    def forget(self, observation: Observation) -> None:
        """Forget at once what is of another position."""
        if not self.knows(observation):
            self.knowledge = None
        if not self.rates(observation):
            self.risks = None

    def risk_at(self, observation: Observation, index: int) -> float | None:
        """Give the risk of an unopened cell, where it is known."""
        if self.risks is None or observation.shown[index] != UNOPENED:
            return None
        risk = self.risks.values[index]
        return None if math.isnan(risk) else risk  # it was open in the position before
