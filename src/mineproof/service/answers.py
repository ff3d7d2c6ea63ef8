"""The answers to the page's questions: advice on a position, as plain values for JSON.

One function a question, named as the question is. They run wherever the transport lets them
run: in worker processes, or in a worker of the browser.
"""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from mineproof import advice
from mineproof.advice.analysis import Analysis, analyse
from mineproof.advice.chances import interior_risk
from mineproof.agents.loading import file_of, make_agent
from mineproof.agents.protocol import Agent, Knowledge
from mineproof.core.decision import Candidate, Decision
from mineproof.core.grid import Cell
from mineproof.core.move import Move
from mineproof.core.observation import Observation
from mineproof.generate import no_guess
from mineproof.inference.budget import Budget, question_budget
from mineproof.match.play import prepare
from mineproof.notation.game_id import parse_game_id
from mineproof.proof.ranking import frontier_of
from mineproof.service.positions import Plain, Report, after, from_plain

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


class Asked:
    """A question on its way to the answer: its fields, and where parts of the answer go."""

    def __init__(self, agents: Agents, fields: Plain, report: Report) -> None:
        """Take the fields as the question's readers gave them."""
        self.agents = agents
        self.fields = fields
        self.report = report
        self.budget = Budget(fields.get("seconds", 10.0))

    @property
    def position(self) -> Observation:
        """The position that is asked about."""
        return from_plain(self.fields["position"])

    def with_agent(self) -> tuple[Observation, Agent]:
        """Give the position as the agent sees it after the one it saw last, and the agent."""
        fields = self.fields
        return self.agents.seat(fields["key"], fields["agent"], fields["seed"], self.position)


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
            position = before if before == position else after(before, position)
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


# ---- one function a question


def risks(asked: Asked) -> Plain:
    """Give the risk of every unopened cell."""
    found = advice.risks(asked.position, asked.budget)
    return {**vars(found), "risk": [None if x is None else round(x, 5) for x in found.risk]}


def why(asked: Asked) -> Plain:
    """Say why a cell is safe or mined, or what its risk rests on."""
    return advice.why(asked.position, asked.fields["cell"], asked.budget).to_plain()


def hint(asked: Asked) -> Plain:
    """Give a hint in stages."""
    found = advice.hint(asked.position, asked.budget)
    return {
        "proved": found.proved,
        "cell": found.cell,
        "stages": [vars(stage) for stage in found.stages],
        "why": _why(found.why),
        "guesses": _moves(found.guesses),
    }


def may_guess(asked: Asked) -> Plain:
    """Say whether a guess is called for."""
    found = advice.may_guess(asked.position, asked.budget)
    return {"may": found.may, "text": found.text, "why": _why(found.why)}


def decide(asked: Asked) -> Plain | None:
    """Give an agent's move; None if it is stuck."""
    return _decision(advice.decide(*asked.with_agent()))


def knowledge(asked: Asked) -> Plain:
    """Give what an agent knows: proved cells, risks, and its own kind of items."""
    position, agent = asked.with_agent()
    found = advice.knowledge(position, agent)
    found = found or Knowledge("this agent shows no knowledge")
    decision = advice.decide(position, agent)
    return {
        "title": found.title,
        "items": _items(found),
        "safe": sorted(found.safe),
        "mined": sorted(found.mined),
        "risks": {str(index): round(risk, 4) for index, risk in found.risks.items()},
        "next": _decision(decision),
        "stuck": None if decision else _stuck(advice.why_stuck(position, agent)),
    }


def verdict(asked: Asked) -> Plain | None:
    """Judge a move in the position before it; None for marks."""
    if asked.fields["move"] is None:
        return None
    move, number = Move.parse(asked.fields["move"]), asked.fields["number"]
    return verdict_plain(advice.verdict(asked.position, move, asked.budget, number))


def win_chances(asked: Asked) -> Plain:
    """Give the chance of winning and the best moves."""
    found = advice.win_chances(asked.position, asked.budget)
    return {"win": found.win, "exact": found.exact, "moves": _moves(found.moves)}


def as_json(value: Any) -> str:
    """Write an answer that may be long here, where nobody else waits."""
    return json.dumps(value, separators=(",", ":"))


def analysis(asked: Asked) -> Plain:
    """Analyse a position: first the facts, then the best moves; time is the one limit."""
    position, budget = asked.position, question_budget(asked.budget)
    flags = asked.fields["flags_are_mines"]

    def found(moves: bool) -> Plain:
        facts = analyse(position, moves=moves, budget=budget, flags_are_mines=flags)
        frontier = frontier_of(position)
        interior = interior_risk(position, facts.facts.risk, frontier)
        return {**_analysis(facts), "frontier": frontier, "interior": interior}

    asked.report({"stage": "counting layouts"})
    asked.report(as_json({"stage": "comparing moves", "analysis": found(moves=False)}))
    return found(moves=True)


def deal(asked: Asked) -> list[int]:
    """Deal the board of a game id that takes longer than a moment: give its mines."""
    rules, seed, first, _ = parse_game_id(asked.fields["id"])
    assert first is not None
    board, _tries = no_guess.find(rules, seed, first, no_guess.most_tries(rules))
    return list(board.mine_indices)


def fresh_layout(asked: Asked) -> list[int]:
    """Draw a layout of a position by its weight: give its mines."""
    layout = advice.draw_layout(asked.position, asked.fields["layout_seed"], asked.budget)
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
    plain = found.to_plain()
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
