"""A game that a person plays: moves, undo, clock and timeline."""

from mineproof.session.session import Session, State

__all__ = ["Session", "State"]
