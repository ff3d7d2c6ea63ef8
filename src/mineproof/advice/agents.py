"""Questions to an agent: what it would do in a position, and what it knows there.

If a position follows the one that the agent saw last, the agent continues from what it knows.
Otherwise it reads the whole position. An agent cannot be interrupted. If it can limit its own
time, it gets a share of the budget; an answer that comes too late is rejected. To be able to stop
waiting for an agent, ask it in a worker process.
"""

from __future__ import annotations

from dataclasses import replace

from mineproof.agents.protocol import Agent, HasTimeLimit, Knowledge, SaysWhyItStops, ShowsKnowledge
from mineproof.core.decision import Decision, Reason
from mineproof.core.errors import ContradictionError, WorkLimitError
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules, StartKind, first_cell
from mineproof.inference.budget import Budget
from mineproof.match.play import ask
from mineproof.review.stuck import Stuck, classify

GUESS_SHARE = 0.8
"""The share of the remaining time that a guess may take. The agent needs the rest."""


def decide(position: Observation, agent: Agent, budget: Budget | None = None) -> Decision | None:
    """Return an agent's move, or None if it is stuck. Before the start, return the default move.

    Raises:
        AgentError: the agent failed.
        WorkLimitError: the agent took longer than the budget; by default there is no limit.
    """
    if position.is_new:
        return first_decision(position.rules)
    budget = budget or Budget()
    if isinstance(agent, HasTimeLimit):
        agent.time_limit = GUESS_SHARE * budget.left
    decision = ask(agent, position)
    budget.check_time()
    return decision


def knowledge(
    position: Observation, agent: Agent, budget: Budget | None = None
) -> Knowledge | None:
    """Return what an agent knows about unopened cells, or None if it cannot show its knowledge.

    Raises:
        AgentError: the agent failed.
        WorkLimitError: the agent took longer than the budget; by default there is no limit.
    """
    decide(position, agent, budget)
    return known(position, agent)


def known(position: Observation, agent: Agent) -> Knowledge | None:
    """Return what an agent that has seen a position knows about its unopened cells, or None."""
    if not isinstance(agent, ShowsKnowledge):
        return None
    if position.is_new:
        return Knowledge("nothing yet")
    found, unopened = agent.knowledge(), frozenset(position.unopened)
    safe, mined = found.safe & unopened, found.mined & unopened
    return replace(found, safe=safe, mined=mined)


def why_stuck(position: Observation, agent: Agent) -> Stuck | None:
    """Return why an agent is stuck in a position, or None if finding out takes too long."""
    said = agent.stop_reason if isinstance(agent, SaysWhyItStops) else ""
    shown = known(position, agent)
    proved = shown.safe | shown.mined if shown else frozenset[int]()
    try:
        return replace(classify(position, proved), said=said)
    except (ContradictionError, WorkLimitError):
        return None


def first_decision(rules: PublicRules) -> Decision | None:
    """Return the default first move, or None if cells are open from the start."""
    cell = first_cell(rules.rows, rules.columns, rules.start)
    if cell is None:
        return None
    move = Move(Action.OPEN, cell)
    if rules.start.kind is not StartKind.ANY:
        return Decision(move, True, Reason("the first cell is never a mine"), 0.0)
    if rules.mines == 0:
        return Decision(move, True, Reason("the board has no mines"), 0.0)
    risk = None if rules.mines is None else rules.mines / rules.grid.size
    return Decision(move, False, Reason("nothing is known before the first cell is open"), risk)
