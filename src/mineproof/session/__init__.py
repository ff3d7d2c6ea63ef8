"""The middle end: a game being played by a person, an agent or both. Front ends talk to this."""

from mineproof.session.hints import Explainer, Hint, HintStep, Why
from mineproof.session.reasons import GuessAnswer
from mineproof.session.session import AgentTurn, Session, State

__all__ = ["AgentTurn", "Explainer", "GuessAnswer", "Hint", "HintStep", "Session", "State", "Why"]
