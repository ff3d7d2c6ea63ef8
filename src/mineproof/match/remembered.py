"""Agents that are remembered between questions about their games."""

from __future__ import annotations

from collections import OrderedDict

from mineproof.agents.loading import is_foreign, make_agent
from mineproof.agents.protocol import Agent
from mineproof.core.clues import UNOPENED
from mineproof.core.observation import Observation
from mineproof.match.play import prepare

KEPT = 8
"""Number of agents to remember, together with their knowledge about their games."""


class RememberedAgents:
    """Agents by game and name. Only the most recent ones are remembered."""

    def __init__(self, isolated: bool = False) -> None:
        """Start without agents; `isolated` runs the user's own agents in separate processes."""
        self._isolated = isolated
        self._kept: OrderedDict[tuple[str, str], tuple[Agent, Observation]] = OrderedDict()

    def find(
        self, key: str, name: str, seed: int, position: Observation
    ) -> tuple[Observation, Agent]:
        """Return the position, as the successor of the agent's last position, and the agent.

        An agent that is still remembered continues its game instead of starting again.
        """
        known = self._kept.pop((key, name), None)
        if known is not None and known[1].rules == position.rules:
            agent, before = known
            position = before if before == position else after(before, position)
        else:
            agent = self.make(name)
            prepare(agent, position.rules, seed)
        self._kept[key, name] = agent, position
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return position, agent

    def make(self, name: str) -> Agent:
        """Make an agent. A user's own agent runs isolated if processes are available."""
        if not (self._isolated and is_foreign(name)):
            return make_agent(name)
        from mineproof.match import isolated

        return isolated.Isolation(name, reasons=True).make()


def after(before: Observation, position: Observation) -> Observation:
    """Return a position linked to the one before it, unless an open cell has changed."""
    pairs = zip(before.shown, position.shown, strict=True)
    changes = tuple(index for index, (old, new) in enumerate(pairs) if old != new)
    if any(before.shown[index] != UNOPENED for index in changes):
        return position
    if set(changes) == set(position.changes):  # a single move, so keep the order of its changes
        changes = position.changes
    return Observation(position.rules, position.shown, position.marks, changes, before.serial)
