"""What an agent would do in a position, and what it knows there.

An agent goes on from what it knows where a position follows the one it saw last; else it looks
at the whole. It cannot be interrupted from inside: who must not wait for an agent asks it in a
worker process, with the budget's seconds as the deadline.
"""

from __future__ import annotations

from mineproof.advice.budget import USUAL, Budget
from mineproof.agents.protocol import Agent, Knowledge, ShowsKnowledge
from mineproof.core.clues import UNOPENED
from mineproof.core.decision import Decision, Reason
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules, StartKind, first_cell
from mineproof.match.play import ask


def decide(position: Observation, agent: Agent, budget: Budget = USUAL) -> Decision | None:
    """Give an agent's move; None if it is stuck. Before the start it is the usual first move.

    Raises:
        AgentError: the agent failed.
    """
    del budget  # the deadline of whoever asks
    return first_decision(position.rules) if is_new(position) else ask(agent, position)


def knowledge(position: Observation, agent: Agent, budget: Budget = USUAL) -> Knowledge | None:
    """Give what an agent knows; None if it cannot show that.

    Raises:
        AgentError: the agent failed.
    """
    if not isinstance(agent, ShowsKnowledge):
        return None
    decide(position, agent, budget)
    return Knowledge("nothing yet") if is_new(position) else agent.knowledge()


def is_new(position: Observation) -> bool:
    """Say whether nothing is open yet."""
    return position.shown.count(UNOPENED) == len(position.shown)


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
