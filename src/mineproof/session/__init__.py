"""A game being played by a person: moves, undo, clock, timeline. Front ends talk to this."""

from mineproof.session.session import Session, State

__all__ = ["Session", "State"]
