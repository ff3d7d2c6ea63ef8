"""The answers of a worker, one function for each kind of question, as plain values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mineproof.agents.protocol import Knowledge
from mineproof.core.decision import Decision
from mineproof.core.errors import IllegalMoveError
from mineproof.core.observation import Observation
from mineproof.proof.analysis import Analysis, analyse
from mineproof.session import Session
from mineproof.web.jobs import Job, Replicas, Report
from mineproof.web.race import run_race
from mineproof.web.verdicts import review, verdict

LINES = 400
"""Lines of an agent's knowledge that are shown."""
LINE = 300
"""Characters of such a line that are shown."""
HEAT_SECONDS = 4.0
"""After so long the risks of the heat map are sampled."""


def _session(job: Job, replicas: Replicas) -> Session:
    return replicas.follow(job.key, job.arguments["record"], job.arguments["agent"])


def decide(job: Job, replicas: Replicas, _report: Report) -> dict[str, Any] | None:
    """Give the agent's move; None if it is stuck."""
    decision = _session(job, replicas).decide()
    return None if decision is None else _decision(decision)


def hint(job: Job, replicas: Replicas, _report: Report) -> dict[str, Any]:
    """Give a hint in steps."""
    found = _session(job, replicas).hint()
    steps = [{"text": step.text, "cells": list(map(list, step.cells))} for step in found.steps]
    return {"proved": found.proved, "steps": steps}


def may_guess(job: Job, replicas: Replicas, _report: Report) -> dict[str, Any]:
    """Say whether a guess is called for: whether no cell is proved safe."""
    found = _session(job, replicas).may_guess()
    why = found.why
    return {
        "may": found.allowed,
        "text": found.text,
        "cell": None if why is None else list(why.cell),
        "clues": [] if why is None else list(map(list, why.clues)),
    }


def why(job: Job, replicas: Replicas, _report: Report) -> dict[str, Any]:
    """Say what is known of a cell and why."""
    found = _session(job, replicas).why(job.arguments["cell"])
    return {
        "cell": list(found.cell),
        "proved": found.proved,
        "text": found.text,
        "clues": list(map(list, found.clues)),
        "conclusions": list(map(list, found.conclusions)),
        "uses_mine_count": found.uses_mine_count,
        "risk": found.risk,
        "rule": found.rule,
        "difficulty": found.difficulty,
    }


def knowledge(job: Job, replicas: Replicas, _report: Report) -> dict[str, Any]:
    """Give what the agent knows: proved cells, risks, and its own kind of lines."""
    session = _session(job, replicas)
    try:
        decision = session.decide() if session.outcome is None else None
    except IllegalMoveError:
        decision = None
    found = session.knowledge() or Knowledge("this agent shows no knowledge")
    shown = session.observation.unopened
    return {
        "title": found.title,
        "lines": [line[:LINE] for line in found.lines[:LINES]],
        "more": max(0, len(found.lines) - LINES),
        "safe": sorted(found.safe.intersection(shown)),
        "mined": sorted(found.mined.intersection(shown)),
        "risks": {str(index): round(risk, 4) for index, risk in found.risks.items()},
        "next": None if decision is None else _decision(decision),
    }


def heat(job: Job, replicas: Replicas, _report: Report) -> dict[str, Any]:
    """Give the risk of every unopened cell, now or after an earlier move."""
    session = _session(job, replicas)
    step = job.arguments.get("step")
    position = session.observation if step is None else session.observation_at(step)
    found = _facts(position)
    return {"risk": _flat(found), "exact": found.exact, "safe": found.safe, "mined": found.mined}


def judge(job: Job, replicas: Replicas, _report: Report) -> dict[str, Any] | None:
    """Give the verdict on the move made last."""
    session = _session(job, replicas)
    if session.last is None or not session.moves:
        return None
    return verdict(session.observation_at(session.step - 1), session.last.move)


def judge_all(job: Job, replicas: Replicas, report: Report) -> dict[str, Any]:
    """Give the verdict on every move of the game."""
    return review(_session(job, replicas), report)


def examine(job: Job, _replicas: Replicas, report: Report) -> dict[str, Any]:
    """Analyse a position: first the facts, then the best moves."""
    options = {
        "clues": job.arguments["clues"],
        "flags_are_mines": job.arguments["flags_are_mines"],
        "nodes": 10**12,
    }
    text = job.arguments["text"]
    report({"stage": "counting layouts"})
    quick = analyse(text, moves=False, **options)
    report({"stage": "comparing moves", "facts": _plain(quick)})
    return _plain(analyse(text, moves=True, **options))


def race(job: Job, _replicas: Replicas, report: Report) -> dict[str, Any]:
    """Let several agents play the same board."""
    return run_race(job.arguments["record"], job.arguments["agents"], report)


def nothing(_job: Job, _replicas: Replicas, _report: Report) -> None:
    """Answer at once: the worker is warm."""
    from mineproof.agents.registry import agents

    agents()


def _facts(position: Observation) -> Analysis:
    return analyse(position, moves=False, budget=HEAT_SECONDS, sampled=True)


def _flat(found: Analysis) -> list[float | None]:
    return [None if x is None else round(x, 5) for row in found.risk for x in row]


def _plain(found: Analysis) -> dict[str, Any]:
    fields = found.to_plain()
    fields["risk"] = _flat(found)
    fields["moves"] = fields["moves"][:12]
    layouts = fields["layouts"]
    fields["layouts"] = layouts if layouts is None or len(layouts) <= 60 else _rounded(layouts)
    return fields


def _rounded(digits: str) -> str:
    return f"about {digits[0]}.{digits[1:4]} x 10^{len(digits) - 1}"


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "action": decision.move.action.value,
        "cell": list(decision.move.cell),
        "proved": decision.proved,
        "risk": decision.risk,
        "reason": decision.reason.text,
        "clues": list(map(list, decision.reason.clues)),
        "candidates": [
            {"cell": list(c.cell), "risk": c.risk, "win": c.win} for c in decision.candidates[:8]
        ],
    }


ANSWERS: dict[str, Callable[[Job, Replicas, Report], Any]] = {
    function.__name__: function
    for function in (
        decide,
        hint,
        may_guess,
        why,
        knowledge,
        heat,
        judge,
        judge_all,
        examine,
        race,
        nothing,
    )
}
