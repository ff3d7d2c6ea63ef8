"""The answers to the page's questions: advice on a position, as plain values for JSON.

One function a question, named as the question is. They run wherever the transport lets them
run: in worker processes, or in a worker of the browser.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mineproof import advice
from mineproof.advice.analysis import Analysis, analyse
from mineproof.advice.chances import interior_risk
from mineproof.agents.loading import file_of, make_agent
from mineproof.agents.protocol import Agent, Knowledge
from mineproof.core.clues import UNOPENED
from mineproof.core.decision import Candidate, Decision
from mineproof.core.grid import Cell
from mineproof.core.move import Move
from mineproof.core.observation import Observation
from mineproof.generate import no_guess
from mineproof.inference.budget import Budget, question_budget
from mineproof.match.play import prepare
from mineproof.notation.codec import to_plain
from mineproof.notation.game_id import parse_game_id
from mineproof.proof.ranking import frontier_of
from mineproof.service.resources import Plain

if TYPE_CHECKING:
    from mineproof.proof.explanation import Explanation
    from mineproof.review.stuck import Stuck
    from mineproof.review.verdicts import Verdict

KEPT = 8
"""Agents that are kept, with what they know of their games."""
LINES = 400
"""Items of an agent's knowledge that are shown, of each kind."""
LINE = 300
"""Characters of such an item that are shown."""
MOVES = 12
"""Moves of an analysis that are listed."""
DIGITS = 60
"""Longer counts of layouts are rounded."""
_CELL = re.compile(r"\((\d+), (\d+)\)")


class Desk:
    """What a worker has at hand for a question: the agents, the time, and where parts go."""

    def __init__(self, agents: Agents, seconds: float, report: Callable[[Any], None]) -> None:
        """Take the time limit, and what sends parts of the answer."""
        self.agents = agents
        self.report = report
        self.budget = Budget(seconds)


class Agents:
    """Agents that go on from what they know, one for each game and name; the latest are kept."""

    def __init__(self, isolated: bool = False) -> None:
        """Begin with none; one's own are to be `isolated` where there are processes."""
        self._isolated = isolated
        self._kept: OrderedDict[tuple[str, str], tuple[Agent, Observation]] = OrderedDict()

    def seat(
        self, key: str, name: str, seed: int, position: Observation
    ) -> tuple[Observation, Agent]:
        """Give a position as one that follows what the agent saw last, where it does."""
        known = self._kept.pop((key, name), None)
        if known is not None and known[1].rules == position.rules:
            agent, before = known
            position = before if before == position else _after(before, position)
        else:
            agent = self.make(name)
            prepare(agent, position.rules, seed)
        self._kept[key, name] = agent, position
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return position, agent

    def make(self, name: str) -> Agent:
        """Make an agent; one's own in a process that never has a board, where that can be."""
        if not (self._isolated and file_of(name)):
            return make_agent(name)
        from mineproof.match import isolated

        return isolated.Isolation(name, isolated.DECISION_SECONDS, reasons=True).make()


def _after(before: Observation, position: Observation) -> Observation:
    """Return a position as one that follows another, if it can: no opened cell may differ."""
    pairs = zip(before.shown, position.shown, strict=True)
    changes = tuple(index for index, (old, new) in enumerate(pairs) if old != new)
    if any(before.shown[index] != UNOPENED for index in changes):
        return position
    if set(changes) == set(position.changes):  # one move later: in the order of the game
        changes = position.changes
    return Observation(position.rules, position.shown, position.marks, changes, before.serial)


# ---- one function per question; its other arguments are what the page's table sends


def risks(desk: Desk, position: Observation) -> Plain:
    """Return the risk of every unopened cell."""
    found = advice.risks(position, desk.budget)
    return {**vars(found), "risk": [None if x is None else round(x, 5) for x in found.risk]}


def why(desk: Desk, position: Observation, cell: Cell) -> Plain:
    """Return why a cell is safe or a mine, or what its risk is based on."""
    return advice.why(position, cell, desk.budget).to_plain()


def hint(desk: Desk, position: Observation) -> Plain:
    """Return a hint in stages."""
    found = advice.hint(position, desk.budget)
    return {
        "proved": found.proved,
        "cell": found.cell,
        "stages": [vars(stage) for stage in found.stages],
        "why": _why(found.why),
        "guesses": _moves(found.guesses),
    }


def may_guess(desk: Desk, position: Observation) -> Plain:
    """Return whether a guess is called for."""
    found = advice.may_guess(position, desk.budget)
    return {"may": found.may, "text": found.text, "why": _why(found.why)}


def decide(desk: Desk, position: Observation, agent: str, key: str, seed: int) -> Plain | None:
    """Return an agent's move; None if it is stuck."""
    position, asked = desk.agents.seat(key, agent, seed, position)
    return _decision(advice.decide(position, asked, desk.budget))


def knowledge(desk: Desk, position: Observation, agent: str, key: str, seed: int) -> Plain:
    """Return what an agent knows: proved cells, risks, and its own kind of items."""
    position, asked = desk.agents.seat(key, agent, seed, position)
    found = advice.knowledge(position, asked, desk.budget)
    found = found or Knowledge("this agent shows no knowledge")
    decision = advice.decide(position, asked, desk.budget)
    return {
        "title": found.title,
        "items": _items(found),
        "safe": sorted(found.safe),
        "mined": sorted(found.mined),
        "risks": {str(index): round(risk, 4) for index, risk in found.risks.items()},
        "next": _decision(decision),
        "stuck": None if decision else _stuck(advice.why_stuck(position, asked)),
    }


def verdict(
    desk: Desk, position: Observation | None, move: Move | None, number: int
) -> Plain | None:
    """Judge a move in the position before it; None for marks and for the start."""
    if position is None or move is None:
        return None
    return verdict_plain(advice.verdict(position, move, desk.budget, number))


def win_chances(desk: Desk, position: Observation) -> Plain:
    """Return the chance of winning and the best moves."""
    found = advice.win_chances(position, desk.budget)
    return {"win": found.win, "exact": found.exact, "moves": _moves(found.moves)}


def analysis(desk: Desk, position: Observation, flags_are_mines: bool) -> Plain:
    """Analyse a position: first the facts, then the best moves; time is the one limit."""
    budget = question_budget(desk.budget)

    def found(moves: bool) -> Plain:
        facts = analyse(position, moves=moves, budget=budget, flags_are_mines=flags_are_mines)
        frontier = frontier_of(position)
        interior = interior_risk(position, facts.facts.risk, frontier)
        return {**_analysis(facts), "frontier": frontier, "interior": interior}

    desk.report({"stage": "counting layouts"})
    desk.report({"stage": "comparing moves", "analysis": found(moves=False)})
    return found(moves=True)


# ---- questions that the service asks itself: their answers tell where mines are


def deal(_desk: Desk, game: str) -> list[int]:
    """Return the mines of a game id's no-guess board, which takes a while to deal."""
    rules, seed, first, _ = parse_game_id(game)
    assert first is not None
    board, _tries = no_guess.find(rules, seed, first, no_guess.most_tries(rules))
    return list(board.mine_indices)


def fresh_layout(desk: Desk, position: Observation, layout_seed: int) -> list[int]:
    """Return the mines of a layout of a position, drawn by its weight."""
    layout = advice.draw_layout(position, layout_seed, desk.budget)
    return [index for index, mine in enumerate(layout) if mine]


# ---- plain values


def _why(found: Explanation | None) -> Plain | None:
    return None if found is None else found.to_plain()


def _moves(found: tuple[Candidate, ...]) -> list[Plain]:
    return [{"cell": move.cell, "risk": move.risk, "win": move.win} for move in found]


def _items(found: Knowledge) -> list[Plain]:
    """Give the lines with the cells they speak of, of several groups under their names."""
    items: list[Plain] = []
    for name, lines in found.groups.items():
        if len(found.groups) > 1:
            items.append({"text": f"{name}: {len(lines)}", "cells": [], "head": True})
        for line in lines[:LINES]:
            items.append({"text": line[:LINE], "cells": _cells_in(line.partition(", from ")[0])})
        if len(lines) > LINES:
            items.append({"text": f"and {len(lines) - LINES} more", "cells": []})
    return items


def _stuck(found: Stuck | None) -> str | None:
    return None if found is None else found.text


def _cells_in(text: str) -> list[Cell]:
    """Find the cells that a text names, so that the page can show them."""
    return [Cell(int(row), int(column)) for row, column in _CELL.findall(text)[:LINES]]


def _decision(decision: Decision | None) -> Plain | None:
    if decision is None:
        return None
    return {**decision.to_plain(), "candidates": _moves(decision.candidates[:MOVES])}


def verdict_plain(found: Verdict | None) -> Plain | None:
    """Give a verdict as plain values, without the move, which the page has."""
    if found is None:
        return None
    plain = to_plain(found)
    del plain["move"]
    return {"kind": plain.pop("verdict"), **plain}


def _analysis(found: Analysis) -> Plain:
    fields = found.to_plain()
    fields["risk"] = [None if x is None else round(x, 5) for row in found.risk for x in row]
    fields["moves"] = fields["moves"][:MOVES]
    layouts = fields["layouts"]
    fields["layouts"] = layouts if layouts is None or len(layouts) <= DIGITS else _rounded(layouts)
    return fields


def _rounded(digits: str) -> str:
    return f"about {digits[0]}.{digits[1:4]} x 10^{len(digits) - 1}"
