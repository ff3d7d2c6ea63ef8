"""All that a front end shows of a session, as plain values for JSON.

The cells come as the letters of `.mine` texts, one string a row. Mines appear once the
game has ended and not before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mineproof.core.rules import LEVELS, Rules
from mineproof.notation.position import format_position
from mineproof.notation.records import Step
from mineproof.review.metrics import Metrics

if TYPE_CHECKING:
    from mineproof.session.session import Session


def view(session: Session) -> dict[str, Any]:
    """Give the state of a session."""
    observation = session.observation
    return {
        "id": session.game_id,
        "level": level_name(session.rules),
        "rules": {**session.rules.to_plain(), "mines": session.rules.public().mines},
        "seed": str(session.seed),
        "cells": format_position(observation).split("\n")[1:-1],
        "mines_left": observation.mines_left,
        "state": session.state.value,
        "text": state_text(session),
        "seconds": round(session.seconds, 3),
        "clock_runs": session.clock_runs,
        "moves": len(session.moves),
        "offset": session.offset,
        "hits": observation.hits,
        "deaths": session.deaths,
        "step": session.step,
        "steps": session.steps,
        "last": None if session.last is None else _step(session.last),
        "end": _end(session),
    }


def level_name(rules: Rules) -> str:
    """Name the level that has these rules, or give an empty text."""
    return next((name for name, known in LEVELS.items() if rules == known), "")


def state_text(session: Session) -> str:
    """Say in words where the game stands."""
    outcome = session.outcome
    if outcome is None:
        return _going_on(session)
    words = {"win": "won", "loss": "lost", "stuck": "given up"}[outcome.result.value]
    extras = []
    if outcome.hits > 1 or (outcome.hits and outcome.result.value != "loss"):
        extras.append(f"{outcome.hits} mines exploded")
    if outcome.false_marks:
        extras.append(f"{counted(outcome.false_marks, 'false mark')}")
    if session.rules.public().marks_matter:
        extras.append(f"{outcome.score:.0%} of the mines marked")
    return f"{words} after {counted(len(session.moves), 'move')}" + "".join(
        f", {extra}" for extra in extras
    )


def _going_on(session: Session) -> str:
    left = session.observation.mines_left
    mines = "mines unknown" if left is None else f"{counted(left, 'mine')} left"
    if session.state.value == "ready":
        return f"open a cell to begin, {mines}"
    return f"paused, {mines}" if session.state.value == "paused" else mines


def counted(number: int, noun: str) -> str:
    """Write a number of things."""
    plural = "es" if noun.endswith("s") else "s"
    return f"{number} {noun}" if number == 1 else f"{number} {noun}{plural}"


def _step(step: Step) -> dict[str, Any]:
    return {
        "action": step.move.action.value,
        "cell": list(step.move.cell),
        "proved": step.proved,
        "risk": step.risk,
        "reason": step.reason,
    }


def _end(session: Session) -> dict[str, Any] | None:
    outcome, board, metrics = session.outcome, session.board, session.metrics
    if outcome is None:
        return None
    return {
        "result": outcome.result.value,
        "hits": outcome.hits,
        "false_marks": outcome.false_marks,
        "score": outcome.score,
        "mines": [] if board is None else list(board.mine_indices),
        "metrics": None if metrics is None else _metrics(metrics, session.seconds),
    }


def _metrics(metrics: Metrics, seconds: float) -> dict[str, Any]:
    pace = round(metrics.solved / seconds, 3) if seconds > 0 else None
    return {**metrics.plain(), "3bv_per_second": pace}
