"""Results kept on this machine: best times, streaks and win rates, by size and rules."""

from __future__ import annotations

import time
from typing import Any

from mineproof.core.rules import LEVELS, Rules
from mineproof.notation.game_id import GameId
from mineproof.session import Session

BEST = 5
"""Best times that are shown."""


def score_of(session: Session, aided: bool) -> dict[str, Any]:
    """Put the result of a game that has ended down; a review adds what it finds."""
    outcome = session.outcome
    assert outcome is not None
    return {
        "date": time.strftime("%Y-%m-%d %H:%M"),
        "game": group(session.rules),
        "id": session.game_id,
        "result": outcome.result.value,
        "seconds": round(session.seconds, 3),
        "moves": len(session.moves),
        "aided": aided,
        "proved": None,
        "judged": None,
        "luck": None,
    }


def group(rules: Rules) -> str:
    """Name the games whose results are compared: a level, or the start of a game id."""
    for name, known in LEVELS.items():
        if rules == known:
            return name
    return str(GameId(rules, 0)).removesuffix(":s0")


def summary(scores: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sum results up, one entry for each kind of game, the one played last first."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for score in scores:
        name = str(score.get("game"))
        groups[name] = [*groups.pop(name, []), score]
    return [_sum(name, groups[name]) for name in reversed(groups)]


def _sum(name: str, scores: list[dict[str, Any]]) -> dict[str, Any]:
    own = [score for score in scores if not score.get("aided")]
    wins = [score for score in own if score.get("result") == "win"]
    times = sorted(wins, key=lambda score: float(score.get("seconds") or 0))
    judged = [score for score in own if score.get("judged")]
    moves = sum(score["judged"] for score in judged)
    current, longest = _streaks([score.get("result") == "win" for score in own])
    return {
        "game": name,
        "played": len(own),
        "aided": len(scores) - len(own),
        "won": len(wins),
        "best": [{"seconds": s.get("seconds"), "date": s.get("date")} for s in times[:BEST]],
        "streak": current,
        "longest": longest,
        "proved": sum(score["proved"] for score in judged) / moves if moves else None,
    }


def _streaks(wins: list[bool]) -> tuple[int, int]:
    """Give the wins in a row at the end, and the most there ever were."""
    current = longest = 0
    for won in wins:
        current = current + 1 if won else 0
        longest = max(longest, current)
    return current, longest
