"""What an agent would do in a position, and what it knows there.

An agent goes on from what it knows where a position follows the one it saw last; else it looks
at the whole. It cannot be interrupted from inside: who must not wait for an agent asks it in a
worker process, with the budget's seconds as the deadline.
"""

from __future__ import annotations

from dataclasses import replace

from mineproof.agents.protocol import Agent, Knowledge, SaysWhyItStops, ShowsKnowledge
from mineproof.core.decision import Decision, Reason
from mineproof.core.errors import ContradictionError, WorkLimitError
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules, StartKind, first_cell
from mineproof.match.play import ask
from mineproof.review.stuck import Stuck, classify


def decide(position: Observation, agent: Agent) -> Decision | None:
    """Return an agent's move; None if it is stuck. Before the start it is the usual first move.

    Raises:
        AgentError: the agent failed.
    """
    return first_decision(position.rules) if position.is_new else ask(agent, position)


def knowledge(position: Observation, agent: Agent) -> Knowledge | None:
    """Return what an agent knows of cells that are not open; None if it cannot show that.

    Raises:
        AgentError: the agent failed.
    """
    if not isinstance(agent, ShowsKnowledge):
        return None
    decide(position, agent)
    return Knowledge("nothing yet") if position.is_new else known(position, agent)


def known(position: Observation, agent: ShowsKnowledge) -> Knowledge:
    """Give what an agent that has looked at a position knows of cells that are not open."""
    found = agent.knowledge()
    unopened = frozenset(position.unopened)
    return Knowledge(
        found.title, found.groups, found.safe & unopened, found.mined & unopened, found.risks
    )


def why_stuck(position: Observation, agent: Agent) -> Stuck | None:
    """Say why an agent that has just given up made no move; None where that is hard to tell."""
    said = agent.stop_reason if isinstance(agent, SaysWhyItStops) else ""
    proved = frozenset[int]()
    if isinstance(agent, ShowsKnowledge) and not position.is_new:
        shown = known(position, agent)
        proved = shown.safe | shown.mined
    try:
        return replace(classify(position, proved), said=said)
    except (ContradictionError, WorkLimitError):
        return None


def first_decision(rules: PublicRules) -> Decision | None:
    """Give the usual first move; None where cells are given."""
    cell = first_cell(rules.rows, rules.columns, rules.start)
    if cell is None:
        return None
    move = Move(Action.OPEN, cell)
    if rules.start.kind is not StartKind.ANY:
        return Decision(move, True, Reason("the first cell is never a mine"), 0.0)
    risk = None if rules.mines is None else rules.mines / rules.grid.size
    return Decision(move, False, Reason("nothing is known before the first cell is open"), risk)
