"""Results of games: put down at the end, summed up by level, with trends."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from typing import Any

from mineproof.core.rules import Rules, level_name
from mineproof.match.certainty import wilson
from mineproof.notation.game_id import GameId
from mineproof.session import Session

VERSION = 1
"""The form in which results are kept; one of an earlier form has none."""
BEST = 5
"""Best times that are shown."""
LATEST = 500
"""Results that trends are drawn of."""
WINDOW = 20
"""A win rate is that of so many games."""

LARGEST = 10**9
"""No figure of a result is larger."""

Fields = dict[str, Any]


def result_of(session: Session, key: str, aided: bool) -> Fields:
    """Return the result of a game that has ended; its figures and a review add what they find."""
    assert session.outcome is not None
    return {
        "version": VERSION,
        "date": time.strftime("%Y-%m-%d %H:%M"),
        "game": group(session.rules),
        "id": session.game_id,
        "key": key,
        "result": session.outcome.result.value,
        "seconds": round(session.seconds, 3),
        "moves": len(session.moves),
        "aided": aided,
        "bbbv": None,
        "proved": None,
        "judged": None,
        "avoidable": None,
        "luck": None,
    }


def group(rules: Rules) -> str:
    """Name the games whose results are compared: a level, or the start of a game id."""
    return level_name(rules) or str(GameId(rules, 0)).removesuffix(":s0")


def statistics(results: list[Fields]) -> Fields:
    """Sum results up by the kind of game, the one played last first."""
    groups: dict[str, list[Fields]] = {}
    for result in results:
        name = str(result.get("game"))
        groups[name] = [*groups.pop(name, []), result]
    return {
        "groups": [_sum(name, groups[name]) for name in reversed(groups)],
        "count": len(results),
    }


def _sum(name: str, results: list[Fields]) -> Fields:
    own = [result for result in results if not result.get("aided")]
    wins = [result for result in own if result.get("result") == "win"]
    times = sorted((win for win in wins if _seconds(win) < math.inf), key=_seconds)
    judged = [one for one in own if _is_count(one.get("judged")) and _is_count(one.get("proved"))]
    moves = sum(result["judged"] for result in judged)
    current, longest = _streaks([result.get("result") == "win" for result in own])
    low, high = wilson(len(wins), len(own)) if own else (0.0, 1.0)
    return {
        "game": name,
        "played": len(own),
        "aided": len(results) - len(own),
        "won": len(wins),
        "low": low,
        "high": high,
        "best": [{"seconds": s.get("seconds"), "date": s.get("date")} for s in times[:BEST]],
        "streak": current,
        "longest": longest,
        "proved": sum(result["proved"] for result in judged) / moves if moves else None,
        "trends": _trends(own[-LATEST:]),
    }


def _trends(results: list[Fields]) -> dict[str, list[Fields]]:
    """Give points in the order of games: win rates with intervals, and figures."""
    wins = [result.get("result") == "win" for result in results]
    won = [result for result, win in zip(results, wins, strict=True) if win]
    timed = [result for result in won if 0 < _seconds(result) < math.inf]
    return {
        "rates": [_rate(wins[max(0, end - WINDOW) : end]) for end in range(1, len(wins) + 1)],
        "times": _points(map(_seconds, timed)),
        "speeds": _points(
            _number(one, "bbbv") / _seconds(one) for one in timed if _number(one, "bbbv") < math.inf
        ),
        "risks": _points(_number(result, "avoidable") for result in results),
    }


def _rate(wins: list[bool]) -> Fields:
    low, high = wilson(sum(wins), len(wins))
    return {"value": sum(wins) / len(wins), "low": low, "high": high}


def _points(values: Iterable[float]) -> list[Fields]:
    return [{"value": value} for value in values if value < math.inf]


def _number(result: Fields, name: str) -> float:
    """Give a figure of a result; infinity where it has none."""
    value = result.get(name)
    if not isinstance(value, (int, float)) or not -LARGEST < value < LARGEST:
        return math.inf
    return float(value)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and 0 <= value < LARGEST


def _seconds(result: Fields) -> float:
    return _number(result, "seconds")


def _streaks(wins: list[bool]) -> tuple[int, int]:
    """Give the wins in a row at the end, and the most there ever were."""
    current = longest = 0
    for won in wins:
        current = current + 1 if won else 0
        longest = max(longest, current)
    return current, longest
