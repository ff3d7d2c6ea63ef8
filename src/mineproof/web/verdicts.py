"""The truth about a move: proved, the best guess, or less than the best."""

from __future__ import annotations

import math
from typing import Any

from mineproof.core.clues import UNOPENED, WITHHELD
from mineproof.core.errors import ContradictionError, WorkLimitError
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.explain.analysis import Analysis, analyse
from mineproof.explain.ranking import EQUAL, safest
from mineproof.session import Session
from mineproof.web.jobs import Report

SECONDS = 4.0
"""Time for one position of a review; beyond it risks are sampled."""


def verdict(before: Observation, move: Move) -> dict[str, Any] | None:
    """Judge a move in the position before it; None for marks, which are notes."""
    if move.action not in (Action.OPEN, Action.CHORD):
        return None
    try:
        found = analyse(before, moves=False, budget=SECONDS, sampled=True)
    except (ContradictionError, WorkLimitError):
        return None
    targets = _targets(before, move)
    if not targets:
        return None
    risk = _joint_risk(before, found, targets)
    best = safest(found.facts)
    least = 0.0 if best is None else found.facts.risk[best]
    kind = _kind(risk, least)
    better = None if best is None or kind in ("proved", "best") else before.grid.cell(best)
    return {
        "kind": kind,
        "risk": risk,
        "least": least,
        "better": None if better is None else list(better),
        "exact": found.exact,
        "text": _text(kind, risk, least, "" if better is None else str(better)),
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
    guesses = [found for found in judged if found["kind"] != "proved"]
    return {
        "offset": offset,
        "verdicts": verdicts,
        "moves": len(judged),
        "proved": len(judged) - len(guesses),
        "guesses": len(guesses),
        "luck": math.prod((1 - found["risk"] for found in guesses), start=1.0),
    }


def _targets(before: Observation, move: Move) -> list[int]:
    index = before.grid.index(move.cell)
    if move.action is Action.OPEN:
        return [index]
    near = before.grid.neighbours(index)
    return [i for i in near if before.shown[i] == UNOPENED and not before.marks[i]]


def _joint_risk(before: Observation, found: Analysis, targets: list[int]) -> float:
    """Give the chance that any of some cells is a mine.

    Cells that are known to be safe are cells opened without a clue; the share of layouts
    that remain is the chance that all of them are.
    """
    risks = [found.facts.risk[index] for index in targets]
    if len(targets) == 1 or max(risks) in (0.0, 1.0) or not found.layouts:
        return max(risks)
    shown = bytearray(before.shown)
    for index in targets:
        shown[index] = WITHHELD
    try:
        both = analyse(Observation(before.rules, bytes(shown), before.marks), moves=False)
    except ContradictionError:
        return 1.0
    except WorkLimitError:
        return max(risks)
    return 1 - (both.layouts or 0) / found.layouts


def _kind(risk: float, least: float) -> str:
    if risk <= 0:
        return "proved"
    if least <= 0:
        return "needless"
    return "best" if risk <= least + EQUAL else "risky"


def _text(kind: str, risk: float, least: float, better: str) -> str:
    if kind == "proved":
        return "proved safe"
    if kind == "best":
        return f"the best guess: nothing was proved, and no cell was safer than {risk:.1%} risk"
    if kind == "risky":
        return f"a guess of {risk:.1%} risk; {better} was safer with {least:.1%}"
    return f"a guess of {risk:.1%} risk, but {better} was proved safe"
