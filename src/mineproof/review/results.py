"""Results of games, and their statistics: win rates, best times, streaks and trends.

A result is a dictionary in the form that the page stores. Any field of a stored result may be
missing or damaged.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from typing import Any

from mineproof.core.rules import Rules, level_name
from mineproof.match.certainty import wilson
from mineproof.notation.game_id import GameId
from mineproof.notation.records import Record

VERSION = 1
"""The format of results. Results stored by older versions have no version number."""
BEST = 5
"""Number of best times to list."""
LATEST = 500
"""Number of most recent results that trends show."""
WINDOW = 20
"""Number of games that each point of the win rate trend covers."""
LARGEST = 10**9
"""Numbers larger than this are treated as damaged and ignored."""

Fields = dict[str, Any]


def new_result(record: Record, game_id: str | None, key: str, aided: bool) -> Fields:
    """Return the result of a finished game. Metrics and the review are added later."""
    assert record.outcome is not None
    return {
        "version": VERSION,
        "date": time.strftime("%Y-%m-%d %H:%M"),
        "game": group(record.rules),
        "id": game_id,
        "key": key,
        "result": record.outcome.result.value,
        "seconds": round(record.milliseconds / 1000, 3),
        "moves": len(record.steps),
        "aided": aided,
        **dict.fromkeys(("bbbv", "proved", "judged", "avoidable", "luck")),
    }


def judged(report: Fields | None) -> Fields:
    """Return the fields of a result that come from the coach's report on the game, if any."""
    if report is None:
        return {}
    totals = report["totals"]
    return {
        "proved": totals["proved"],
        "judged": sum(totals.values()),
        "avoidable": totals["avoidable risk"] + totals["reckless"],
        "luck": report["luck"],
    }


def group(rules: Rules) -> str:
    """Return the kind of a game as text: its level, or the start of its game id."""
    return level_name(rules) or str(GameId(rules, 0)).removesuffix(":s0")


def statistics(results: list[Fields]) -> Fields:
    """Sum up results by kind of game, starting with the kind played last."""
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
    is_win = [result.get("result") == "win" for result in own]
    wins = [result for result, won in zip(own, is_win, strict=True) if won]
    times = sorted((win for win in wins if _seconds(win) < math.inf), key=_seconds)
    judged = [one for one in own if _is_count(one.get("judged")) and _is_count(one.get("proved"))]
    moves = sum(result["judged"] for result in judged)
    current, longest = _streaks(is_win)
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
        "trends": _trends(own[-LATEST:], is_win[-LATEST:]),
    }


def _trends(results: list[Fields], is_win: list[bool]) -> dict[str, list[Fields]]:
    """Return the points of each trend, in the order of the games."""
    won = [result for result, win in zip(results, is_win, strict=True) if win]
    timed = [result for result in won if 0 < _seconds(result) < math.inf]
    speeds = (_number(one, "bbbv") / _seconds(one) for one in timed)
    return {
        "rates": [_rate(is_win[max(0, end - WINDOW) : end]) for end in range(1, len(is_win) + 1)],
        "times": _points(map(_seconds, timed)),
        "speeds": _points(speeds),
        "risks": _points(_number(result, "avoidable") for result in results),
    }


def _rate(wins: list[bool]) -> Fields:
    low, high = wilson(sum(wins), len(wins))
    return {"value": sum(wins) / len(wins), "low": low, "high": high}


def _points(values: Iterable[float]) -> list[Fields]:
    return [{"value": value} for value in values if value < math.inf]


def _number(result: Fields, name: str) -> float:
    """Return a number from a result, or infinity if it is missing or damaged."""
    value = result.get(name)
    if not isinstance(value, (int, float)) or not -LARGEST < value < LARGEST:
        return math.inf
    return float(value)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and 0 <= value < LARGEST


def _seconds(result: Fields) -> float:
    return _number(result, "seconds")


def _streaks(wins: list[bool]) -> tuple[int, int]:
    """Return the current number of wins in a row, and the longest ever."""
    current = longest = 0
    for won in wins:
        current = current + 1 if won else 0
        longest = max(longest, current)
    return current, longest
