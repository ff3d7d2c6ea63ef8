"""What an agent concludes from a position: shared by the tests of agents that reason."""

from __future__ import annotations

from mineproof.agents.knowledge import KnowledgeAgent
from mineproof.agents.loading import make_agent
from mineproof.core.decision import Decision
from mineproof.core.observation import Observation
from mineproof.notation.position import parse_position


def position(*lines: str) -> Observation:
    """Read a `.mine` position from its lines."""
    return parse_position("\n".join(lines))


def knowing(name: str, **options: object) -> KnowledgeAgent:
    """Make an agent that keeps conclusions."""
    agent = make_agent(name, **options)
    assert isinstance(agent, KnowledgeAgent)
    return agent


def look(
    name: str, observation: Observation, **options: object
) -> tuple[KnowledgeAgent, Decision | None]:
    """Let a new agent decide on a position; give the agent and its decision."""
    agent = knowing(name, **options)
    agent.start(observation.rules, 1)
    return agent, agent.decide(observation)


def concluded(name: str, observation: Observation, **options: object) -> dict[int, bool]:
    """Give all that an agent concludes of unopened cells, by index: True for a mine.

    The agent is told in turn of each cell that it finds safe, but not what it would show, so
    that it thinks as hard as it can before it would guess.
    """
    agent, _ = look(name, observation, **options)
    agent.think(observation)
    return {index: one.mined for index, one in agent.conclusions.items()}
