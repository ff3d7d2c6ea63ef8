"""A series: several agents play the same boards, and their lost games are explained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from mineproof.agents.protocol import SimpleAgent
from mineproof.core.errors import AgentError, ContradictionError, WorkLimitError
from mineproof.core.game import Game, Result
from mineproof.core.random import MASK
from mineproof.core.rules import Rules
from mineproof.inference.budget import Budget
from mineproof.inference.counting import count
from mineproof.match.certainty import Pairs, sign_test, wilson
from mineproof.match.contract import REFUSED, Failures
from mineproof.match.play import play
from mineproof.notation.position_text import format_rows
from mineproof.notation.records import Record

RISK_SECONDS = 2.0
"""Time limit for the risks in the position before a loss."""
Plain = dict[str, Any]


@dataclass(frozen=True)
class Series:
    """The agents of a series and the boards they play. Board i is dealt from seed + i."""

    rules: Rules
    seed: int
    boards: int
    names: Sequence[str]


def run_series(
    series: Series,
    make: Callable[[str], SimpleAgent],
    report: Callable[[Plain], None],
    budget: Budget,
) -> Plain:
    """Play all boards, or as many as the time limit allows, and report each of them.

    Args:
        series: the agents and the boards.
        make: makes an agent.
        report: called first with the agents, then after each board with its results.
        budget: the time limit.

    Returns:
        The number of boards played.

    Raises:
        WorkLimitError: an agent failed in too many games in a row.
    """
    agents = [make(name) for name in series.names]
    failures = [Failures() for _ in agents]
    report({"agents": list(series.names), "boards": series.boards, "seed": str(series.seed)})
    won: list[list[bool | None]] = []
    for seed in ((series.seed + i) & MASK for i in range(series.boards)):
        if budget.is_late:
            break
        games = [_play(agent, Game(series.rules, seed)) for agent in agents]
        for (end, _), failed in zip(games, failures, strict=True):
            failed.add(end["result"], end["fault"])
        won.append([_won(end["result"]) for end, _ in games])
        differ = {True, False} <= set(won[-1])
        ends = [{**end, **_loss(record)} if differ and record else end for end, record in games]
        report({"board": len(won), "seed": str(seed), "ends": ends, **_standings(won)})
    return {"boards": len(won)}


def _play(agent: SimpleAgent, game: Game) -> tuple[Plain, Record | None]:
    """Return how an agent ends a game, and the record; None if it failed or refused the game."""
    try:
        record = play(game, agent)
    except AgentError as error:
        refused = error.code == REFUSED
        end = Result.REFUSED if refused else Result.FAILED
        return {"result": end, "fault": str(error)}, None
    assert record.outcome is not None
    return {"result": record.outcome.result, "fault": ""}, record


def _won(result: Result) -> bool | None:
    """Return whether the game was won; None if it was refused, and so does not count."""
    return None if result is Result.REFUSED else result is Result.WIN


def _loss(record: Record) -> Plain:
    """Return the risk that an agent believed before it lost, and the true one; empty if it won."""
    assert record.outcome is not None
    if record.outcome.result is Result.WIN:
        return {}
    positions, moves = record.positions(), len(record.steps)
    said = {"round": moves, "cells": format_rows(positions[moves])}
    if record.outcome.result is not Result.LOSS:
        return said
    before, step = positions[moves - 1], record.steps[-1]
    said |= {"cell": step.move.cell, "believed": 0.0 if step.proved else step.risk}
    try:
        risk = count(before, budget=Budget(RISK_SECONDS)).risk
    except (ContradictionError, WorkLimitError):
        return {**said, "risk": None, "least": None}
    index = before.grid.index(step.move.cell)
    return {**said, "risk": risk[index], "least": min(risk[one] for one in before.unopened)}


def _standings(won: Sequence[Sequence[bool | None]]) -> Plain:
    """Return the win rates so far with their intervals, and the two best agents compared."""
    columns = [[one for one in column if one is not None] for column in zip(*won, strict=True)]
    wins, played = list(map(sum, columns)), list(map(len, columns))
    first, second = sorted(range(len(wins)), key=lambda one: (-wins[one], -played[one]))[:2]
    both = ((row[first], row[second]) for row in won)
    pairs = Pairs.count((a, b) for a, b in both if a is not None and b is not None)
    compared = len(list(combinations(wins, 2)))
    chance = sign_test(pairs.only_first, pairs.only_second)
    return {
        "wins": wins,
        "played": played,
        "rates": [[w / max(1, n), *wilson(w, n)] for w, n in zip(wins, played, strict=True)],
        "best": [first, second],
        "only": [pairs.only_first, pairs.only_second],
        "chance": chance,
        "differ": min(1.0, chance * compared) < 0.05,
    }
