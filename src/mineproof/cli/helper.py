"""The agent beside a player in the terminal."""

from __future__ import annotations

from mineproof import advice
from mineproof.agents.loading import file_of, make_agent
from mineproof.agents.protocol import Agent, Knowledge
from mineproof.core.decision import Decision
from mineproof.core.rules import Rules
from mineproof.match.isolated import DECISION_SECONDS, Isolation
from mineproof.match.play import agent_seed, prepare
from mineproof.session import Session


class Helper:
    """The agent beside a player: told which game is played, and asked about any position of it."""

    def __init__(self, name: str, seconds: float = DECISION_SECONDS) -> None:
        """Make the agent that a text names; one's own may think so long about a move.

        Raises:
            AgentError: there is no such agent.
        """
        self.name = name
        self.seconds = seconds
        own = file_of(name)
        self._agent: Agent = (
            Isolation(name, seconds, reasons=True).make() if own else make_agent(name)
        )
        self._game: tuple[Rules, int] | None = None
        self._answer: tuple[int, Decision | None] | None = None

    def decide(self, session: Session) -> Decision | None:
        """Give the agent's move; asked again about a position, it keeps to its word."""
        self._follow(session)
        serial = session.observation.serial
        if self._answer is None or self._answer[0] != serial:
            self._answer = serial, advice.decide(session.observation, self._agent)
        return self._answer[1]

    def knowledge(self, session: Session) -> Knowledge | None:
        """Give what the agent knows; None if it cannot show that."""
        self._follow(session)
        return advice.knowledge(session.observation, self._agent)

    def _follow(self, session: Session) -> None:
        game = session.rules, session.seed
        if self._game != game:
            prepare(self._agent, session.rules.public(), agent_seed(self._agent, session.seed))
            self._game, self._answer = game, None
