"""Verdicts on moves as plain values for the page."""

from __future__ import annotations

import math
from typing import Any

from mineproof.core.move import Move
from mineproof.core.observation import Observation
from mineproof.review.verdicts import Kind, judge
from mineproof.session import Session
from mineproof.web.jobs import Report


def verdict(before: Observation, move: Move) -> dict[str, Any] | None:
    """Judge a move in the position before it; None for marks, which are notes."""
    judged = judge(before, move)
    if judged is None:
        return None
    found = judged[0]
    return {
        "kind": found.kind.value,
        "risk": found.risk,
        "least": found.least,
        "exact": found.exact,
        "text": found.text,
        "better": None if found.better is None else list(found.better.cell),
        "clues": [] if found.better is None else [list(cell) for cell in found.better.clues],
    }


def review(session: Session, report: Report) -> dict[str, Any]:
    """Judge every move of a game, and say how much luck it took."""
    steps = session.moves
    offset = session.step - len(steps)
    verdicts = []
    for place, step in enumerate(steps):
        verdicts.append(verdict(session.observation_at(offset + place), step.move))
        if place % 10 == 9:
            report({"done": place + 1, "of": len(steps)})
    judged = [found for found in verdicts if found is not None]
    guesses = [found for found in judged if found["kind"] != Kind.PROVED]
    return {
        "offset": offset,
        "verdicts": verdicts,
        "moves": len(judged),
        "proved": len(judged) - len(guesses),
        "guesses": len(guesses),
        "luck": math.prod((1 - found["risk"] for found in guesses), start=1.0),
    }
