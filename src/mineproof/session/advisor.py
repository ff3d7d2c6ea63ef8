"""The agent beside a player: asked for moves, hints and reasons on any position."""

from __future__ import annotations

from mineproof.agents.loading import make_agent
from mineproof.agents.protocol import Knowledge, ShowsKnowledge
from mineproof.core.decision import Decision, Reason
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules, Rules, StartKind
from mineproof.match.game import agent_seed, ask, prepare
from mineproof.session.hints import Why, agent_why


class Advisor:
    """An agent that has been told which game is played. It answers once for each position."""

    def __init__(self, name: str) -> None:
        """Make the agent that a text names.

        Raises:
            AgentError: there is no such agent.
        """
        self.name = name
        self._agent = make_agent(name)
        self._answer: tuple[int, Decision | None] | None = None

    def begin(self, rules: PublicRules, seed: int) -> None:
        """Prepare for the game of a seed."""
        self._answer = None
        prepare(self._agent, rules, agent_seed(self._agent, seed))

    def decide(self, observation: Observation) -> Decision | None:
        """Give the agent's move in a position; None if it is stuck.

        A hint and the move after it are the same answer, also from an agent that guesses at
        random: it is asked once.
        """
        if self._answer is None or self._answer[0] != observation.serial:
            self._answer = (observation.serial, ask(self._agent, observation))
        return self._answer[1]

    def knowledge(self, observation: Observation) -> Knowledge | None:
        """Give what the agent knows in a position; None if it cannot show that."""
        self.decide(observation)
        return self._agent.knowledge() if isinstance(self._agent, ShowsKnowledge) else None

    def why(self, observation: Observation, cell: Cell) -> Why:
        """Say what the agent knows of a cell, and why."""
        self.decide(observation)
        return agent_why(self._agent, observation, cell)


def first_decision(rules: Rules) -> Decision | None:
    """Give the usual first move; None where cells are given."""
    cell = rules.first_cell
    if cell is None:
        return None
    move = Move(Action.OPEN, cell)
    if rules.start.kind is not StartKind.ANY:
        return Decision(move, True, Reason("the first cell is never a mine"), 0.0)
    mines = rules.public().mines
    risk = None if mines is None else mines / rules.grid.size
    return Decision(move, False, Reason("nothing is known before the first cell is open"), risk)
