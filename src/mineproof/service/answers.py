"""Answers to the page's questions about a position.

Each function is named after the question it answers. Other questions are answered by the function
with their name in `mineproof.advice`. The functions run in worker processes, or in a web worker of
the browser.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from mineproof import advice
from mineproof.agents.protocol import Knowledge
from mineproof.core.grid import Cell
from mineproof.core.move import Move
from mineproof.core.observation import Observation
from mineproof.generate import no_guess
from mineproof.inference.budget import Budget, question_budget
from mineproof.match.race import reason_in
from mineproof.match.remembered import Remembered, RememberedAgents
from mineproof.notation.codec import to_plain
from mineproof.notation.game_id import parse_game_id
from mineproof.proof.ranking import frontier_of, interior_risk
from mineproof.service.resources import Plain

if TYPE_CHECKING:
    from mineproof.review.verdicts import Verdict

LINES = 400
"""Maximum number of items to show for each kind of knowledge."""
LINE = 300
"""Maximum number of characters to show per item."""
MOVES = 12
"""Maximum number of moves to list."""
DIGITS = 60
"""Maximum number of digits in a layout count. Longer counts are rounded."""
DEEP_SECONDS = 10.0
"""Time for a deep analysis, in seconds. It may take longer to count the layouts."""
_CELL = re.compile(r"\((\d+), (\d+)\)")


class Context(NamedTuple):
    """The agents, time limit and callback for the functions that answer questions."""

    agents: RememberedAgents
    budget: Budget
    report: Callable[[Any], None]
    """Called with each part of an answer that is sent in parts."""


def risks(context: Context, position: Observation) -> Plain:
    """Return the risk of every unopened cell."""
    found = advice.risks(position, context.budget)
    return {**vars(found), "risk": _rounded(found.risk)}


def decide(context: Context, **asked: Any) -> Plain | None:
    """Return an agent's move, or None if it is stuck. `asked` are the arguments of `find`."""
    return _decision(_ask_agent(context, **asked))


def knowledge(context: Context, **asked: Any) -> Plain:
    """Return what an agent knows: proved cells, risks, and items in its own terms."""
    seen = _ask_agent(context, **asked)
    position, agent, decision = seen.position, seen.agent, seen.decision
    found = advice.known(position, agent) or Knowledge("this agent shows no knowledge")
    stuck = None if decision else advice.why_stuck(position, agent)
    return {
        "title": found.title,
        "items": _items(found),
        "safe": found.safe,
        "mined": found.mined,
        "risks": {index: round(risk, 4) for index, risk in found.risks.items()},
        "graph": found.graph,
        "next": _decision(seen),
        "stuck": stuck and stuck.text,
    }


def _ask_agent(context: Context, **asked: Any) -> Remembered:
    """Return an agent that has seen a game up to a position, and has chosen its move there."""
    seen = context.agents.find(**asked)
    context.agents.decide(seen, lambda: advice.decide(seen.position, seen.agent, context.budget))
    return seen


def verdict(
    context: Context, position: Observation | None, move: Move | None, number: int
) -> Plain | None:
    """Judge a move by the position before it. Return None for flags and for the first click."""
    if position is None or move is None:
        return None
    return verdict_plain(advice.verdict(position, move, context.budget, number))


def analysis(
    context: Context, position: Observation, flags_are_mines: bool, deep: bool = False
) -> Plain:
    """Analyse a position within the time limit: first the facts, then the best moves.

    A deep analysis then improves an estimated chance of winning for `DEEP_SECONDS`.
    """
    budget = question_budget(context.budget)
    frontier = frontier_of(position)
    started = time.monotonic()

    def facts(moves: bool) -> advice.Analysis:
        return advice.analyse(position, moves, budget=budget, flags_are_mines=flags_are_mines)

    def plain(one: advice.Analysis, playouts: int = 0) -> Plain:
        values = one.to_plain()
        digits = values["layouts"] or ""
        if len(digits) > DIGITS:
            values["layouts"] = f"about {digits[0]}.{digits[1:4]} x 10^{len(digits) - 1}"
        return {
            **values,
            "risk": _rounded(x for row in one.risk for x in row),
            "moves": values["moves"][:MOVES],
            "frontier": frontier,
            "interior": interior_risk(position, one.facts.risk, frontier),
            "playouts": playouts,
            "seconds": round(time.monotonic() - started, 1),
        }

    context.report({"stage": "counting layouts"})
    context.report({"stage": "comparing moves", "analysis": plain(facts(moves=False))})
    found, playouts = facts(moves=True), 0
    if deep:
        context.report({"stage": "searching deeper", "analysis": plain(found)})
        for playouts in found.deepen():
            part = plain(found, playouts)
            context.report({"stage": "playing out the best moves", "analysis": part})
            if part["seconds"] > DEEP_SECONDS:
                break
    return plain(found, playouts)


# ---- questions that only the service asks, because their answers reveal mines


def deal(_context: Context, game: str) -> list[int]:
    """Return the mines of the no-guess board with this game id. Dealing it takes a while."""
    rules, seed, first, _ = parse_game_id(game)
    assert first is not None
    board, _tries = no_guess.find(rules, seed, first, no_guess.most_tries(rules))
    return list(board.mine_indices)


def fresh_layout(context: Context, position: Observation, layout_seed: int) -> list[int]:
    """Return the mines of a random layout that fits the position."""
    layout = advice.draw_layout(position, layout_seed, context.budget)
    return [index for index, mine in enumerate(layout) if mine]


# ---- plain values


def _rounded(risk: Iterable[float | None]) -> list[float | None]:
    return [None if x is None else round(x, 5) for x in risk]


def _items(found: Knowledge) -> list[Plain]:
    """Return knowledge as lines with the cells they name. Each group has a heading."""
    items: list[Plain] = []
    for name, lines in found.groups.items():
        if len(found.groups) > 1:
            items.append({"text": f"{name}: {len(lines)}", "cells": [], "head": True})
        for line in lines[:LINES]:
            text = line if len(line) <= LINE else f"{line[:LINE]} ... (cut)"
            items.append({"text": text, "cells": _cells_in(line.partition(", from ")[0])})
        if len(lines) > LINES:
            items.append({"text": f"and {len(lines) - LINES} more", "cells": []})
    return items


def _cells_in(text: str) -> list[Cell]:
    return [Cell(int(row), int(column)) for row, column in _CELL.findall(text)[:LINES]]


def _decision(seen: Remembered) -> Plain | None:
    decision = seen.decision
    if decision is None:
        return None
    reason = reason_in(decision, seen.agent, seen.position)
    return {**decision.to_plain(), "reason": reason, "candidates": decision.candidates[:MOVES]}


def verdict_plain(found: Verdict | None) -> Plain | None:
    """Return a verdict as plain values, without the move, which the page already has."""
    if found is None:
        return None
    plain = to_plain(found)
    del plain["move"]
    return {"kind": plain.pop("verdict"), **plain}
