"""How complete an agent is: the share of provable cells that it proves.

Whenever an agent guesses or stops, it says that it knows no more. The exact engine then
names every cell that is the same in all layouts; how many of these does the agent know?
Claims that the engine does not share are counted as well: a sound agent makes none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mineproof.agents.protocol import Agent, ShowsKnowledge
from mineproof.core.decision import Decision
from mineproof.core.errors import AgentError
from mineproof.core.game import Game
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.inference.counting import count
from mineproof.match.play import agent_seed, play


@dataclass(frozen=True)
class Completeness:
    """What an agent knew at the positions where it knew no move."""

    positions: int = 0
    """Guesses, and ends of games that it gave up."""
    provable: int = 0
    """Unopened cells that are the same in all layouts."""
    proved: int = 0
    """Those of them that the agent knew."""
    needless: int = 0
    """Positions in which a safe cell was provable."""
    unsound: int = 0
    """Cells that the agent took for proved and that are not."""

    @property
    def share(self) -> float:
        """The share of provable cells that the agent proved; 1 where there were none."""
        return self.proved / self.provable if self.provable else 1.0

    def __add__(self, other: Completeness) -> Completeness:
        """Put two counts together."""
        return Completeness(
            self.positions + other.positions,
            self.provable + other.provable,
            self.proved + other.proved,
            self.needless + other.needless,
            self.unsound + other.unsound,
        )


def completeness(agent: Agent, games: Iterable[Game]) -> Completeness:
    """Let an agent play games and compare what it knows with what can be known.

    Raises:
        AgentError: the agent does not show what it knows.
    """
    if not isinstance(agent, ShowsKnowledge):
        raise AgentError(f"expected a method 'knowledge' in {type(agent).__name__}, got none")
    examined = _Examined(agent)
    for game in games:
        play(game, examined)
    return examined.found


class _Examined:
    """An agent that is asked what it knows whenever it knows no move."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.found = Completeness()

    def start(self, rules: PublicRules, seed: int) -> None:
        """Prepare for a new game."""
        self._agent.start(rules, agent_seed(self._agent, seed))

    def decide(self, observation: Observation) -> Decision | None:
        """Choose one move."""
        decision = self._agent.decide(observation)
        if decision is None or not decision.proved:
            assert isinstance(self._agent, ShowsKnowledge)
            self.found += judge(self._agent, observation)
        return decision


def judge(agent: ShowsKnowledge, observation: Observation) -> Completeness:
    """Compare what an agent knows of a position with what can be known."""
    known = agent.knowledge()
    facts = count(observation, sampled=True)
    unopened = frozenset(observation.unopened)
    claimed = {(index, False) for index in known.safe & unopened}
    claimed |= {(index, True) for index in known.mined & unopened}
    provable = {(index, False) for index in facts.safe} | {(index, True) for index in facts.mined}
    return Completeness(
        positions=1,
        provable=len(provable),
        proved=len(provable & claimed),
        needless=bool(facts.safe),
        unsound=len(claimed - provable) if facts.exact else 0,
    )
