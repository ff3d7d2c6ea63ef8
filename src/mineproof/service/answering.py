"""Find and call the function that answers a question. This runs in a worker."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mineproof import advice
from mineproof.core.observation import Observation
from mineproof.inference.budget import Budget
from mineproof.notation.codec import dump_json
from mineproof.service.resources import Report

Answerer = Callable[[tuple[str, dict[str, Any], float], Report], str]


def make_answerer(isolated: bool = False) -> Answerer:
    """Return a function that answers questions and remembers the agents it has asked.

    Args:
        isolated: run each of the user's own agents in a separate process.
    """
    # Imported here, because the process that holds the games must not load this code.
    from mineproof.match.remembered import RememberedAgents
    from mineproof.service import answers

    agents = RememberedAgents(isolated)

    def answer(question: tuple[str, dict[str, Any], float], report: Report) -> str:
        name, values, seconds = question
        context = answers.Context(agents, Budget(seconds), lambda part: report(dump_json(part)))
        seen = values.get("position")
        if isinstance(seen, Observation):  # assign a serial number from this process
            seen = Observation(seen.rules, seen.shown, seen.marks, seen.changes)
            values = {**values, "position": seen}
        return dump_json(_find_answer(name)(context, **values))

    return answer


def _find_answer(name: str) -> Callable[..., Any]:
    """Look up the answer function in `answers`, then `advice`, then `game_answers`."""
    from mineproof.service import answers

    if hasattr(answers, name):
        return getattr(answers, name)  # type: ignore[no-any-return]
    if name in advice.__all__:
        ask = getattr(advice, name)
        return lambda context, **values: ask(**values, budget=context.budget)
    from mineproof.service import game_answers

    return getattr(game_answers, name)  # type: ignore[no-any-return]
