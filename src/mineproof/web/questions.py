"""What a page can ask: questions that workers answer, and those answered at once."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from mineproof.core.errors import IllegalMoveError, InputError
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.notation.mbf import MAX_SIDE, format_mbf
from mineproof.notation.position import format_position
from mineproof.notation.records import Step
from mineproof.session import Session
from mineproof.web import fields, limits
from mineproof.web.desk import is_under_way, position_rows, read_rules
from mineproof.web.fields import Message
from mineproof.web.opening import Opened, open_bytes, open_text
from mineproof.web.scores import summary

if TYPE_CHECKING:
    from mineproof.web.peer import Peer

Answer = dict[str, Any]


# ---- answered by workers


async def _ai(peer: Peer, message: Message) -> Answer:
    """Let the agent make one move; a guess only where guesses are wanted."""
    desk = peer.desk
    before = (desk.session, desk.session.step)
    decision = await peer.ask("decide")
    if (desk.session, desk.session.step) != before or peer.desk is not desk:
        raise IllegalMoveError("expected the same position, but the game went on meanwhile")
    made = decision is not None and (decision["proved"] or fields.a_flag(message, "guess", True))
    if decision is None or not made:
        return {"decision": decision, "made": False, "view": desk.view()}
    under_way = is_under_way(desk)
    move = Move(Action(decision["action"]), Cell(*decision["cell"]))
    desk.accept(Step(move, decision["proved"], decision["risk"], decision["reason"]))
    return {"decision": decision, "made": True, "view": peer.changed(under_way)}


async def _hint(peer: Peer, _message: Message) -> Answer:
    peer.desk.aided = True
    return {"hint": await peer.ask("hint")}


async def _may_guess(peer: Peer, _message: Message) -> Answer:
    peer.desk.aided = True
    return {"answer": await peer.ask("may_guess")}


async def _why(peer: Peer, message: Message) -> Answer:
    peer.desk.aided = peer.desk.aided or is_under_way(peer.desk)
    return {"why": await peer.ask("why", cell=fields.a_cell(message))}


async def _knowledge(peer: Peer, _message: Message) -> Answer:
    peer.desk.aided = peer.desk.aided or is_under_way(peer.desk)
    return {"knowledge": await peer.ask("knowledge")}


async def _heat(peer: Peer, message: Message) -> Answer:
    peer.desk.aided = peer.desk.aided or is_under_way(peer.desk)
    step = None if message.get("step") is None else fields.a_count(message, "step")
    return {"heat": await peer.ask("heat", step=step)}


async def _verdict(peer: Peer, _message: Message) -> Answer:
    return {"verdict": await peer.ask("judge")}


async def _review(peer: Peer, message: Message) -> Answer:
    number = message["n"]
    job = peer.server.job("judge_all", peer.desk)
    found = await peer.server.run(
        job, limits.ANALYSIS_SECONDS, lambda part: peer.part(number, part)
    )
    return {"review": found}


async def _analyse(peer: Peer, message: Message) -> Answer:
    number = message["n"]
    asked = message.get("seconds", limits.ANALYSIS_SECONDS)
    if isinstance(asked, bool) or not isinstance(asked, (int, float)) or not asked > 0:
        raise InputError(f"expected a positive number as 'seconds', got {asked!r}")
    found = await peer.server.examine(
        fields.a_text(message, "text"),
        fields.an_optional_text(message, "clues"),
        fields.a_flag(message, "flags_are_mines"),
        min(asked, limits.ANALYSIS_SECONDS),
        lambda part: peer.part(number, part),
    )
    return {"analysis": found}


async def _race(peer: Peer, message: Message) -> Answer:
    number = message["n"]
    names = fields.some_texts(message, "agents", limits.RACERS)
    for name in names:
        check_agent(peer, name)
    if fields.a_flag(message, "same"):
        record = peer.desk.session.record()
    else:
        rules = read_rules(message, peer.desk.session.rules)
        record = Session(rules, fields.a_seed(message), agent="random").record()
    return {"race": await peer.server.race(record, names, lambda part: peer.part(number, part))}


Question = Callable[["Peer", Message], Coroutine[Any, Any, Answer]]
QUESTIONS: dict[str, Question] = {
    "ai": _ai,
    "hint": _hint,
    "may_guess": _may_guess,
    "why": _why,
    "knowledge": _knowledge,
    "heat": _heat,
    "verdict": _verdict,
    "review": _review,
    "analyse": _analyse,
    "race": _race,
}


# ---- answered at once


def check_agent(peer: Peer, name: str) -> str:
    """Give the name of an agent back if pages may choose it: no page names a file."""
    if name not in peer.server.games.agents:
        raise InputError(f"expected an agent of the list, got {name[: fields.SHOWN]!r}")
    return name


def _agent(peer: Peer, message: Message) -> Answer:
    peer.desk.agent = check_agent(peer, fields.a_text(message, "name"))
    return {"view": peer.desk.view()}


def _at(peer: Peer, message: Message) -> Answer:
    step = fields.a_count(message, "step")
    return {"step": step, "cells": position_rows(peer.desk, step)}


def _steps(peer: Peer, _message: Message) -> Answer:
    moves = [
        [step.move.action.value, *step.move.cell, step.proved, step.risk, step.reason]
        for step in peer.desk.session.moves
    ]
    return {"moves": moves, "offset": peer.desk.session.step - len(moves)}


def _another(peer: Peer, _message: Message) -> Answer:
    peer.move_to(peer.server.games.another(peer))
    return {"key": peer.desk.key, "view": peer.desk.view()}


def _load(peer: Peer, message: Message) -> Answer:
    opened = _opened(message)
    if opened.kind == "position":
        return {"position": opened.text}
    peer.desk.open(opened)
    return {"view": peer.changed(False)}


def _opened(message: Message) -> Opened:
    data = fields.an_optional_text(message, "data")
    if data is None:
        return open_text(fields.a_text(message, "text"))
    try:
        return open_bytes(fields.a_text(message, "name"), base64.b64decode(data, validate=True))
    except binascii.Error:
        raise InputError("expected a file as base64") from None


def _share(peer: Peer, _message: Message) -> Answer:
    session = peer.desk.session
    return {
        "id": session.game_id,
        "record": session.save(),
        "position": format_position(session.observation),
        "board": _board_file(session),
    }


def _board_file(session: Session) -> str | None:
    """Give the `.mbf` file of a game that has ended; None before, and for larger boards."""
    if session.board is None or max(session.rules.rows, session.rules.columns) > MAX_SIDE:
        return None
    return base64.b64encode(format_mbf(session.board)).decode()


def _scores(peer: Peer, _message: Message) -> Answer:
    scores = peer.server.games.folder.scores()
    return {"summary": summary(scores), "count": len(scores)}


def _export_scores(peer: Peer, _message: Message) -> Answer:
    return {"scores": peer.server.games.folder.scores()}


def _erase_scores(peer: Peer, message: Message) -> Answer:
    peer.server.games.folder.erase_scores()
    return _scores(peer, message)


def _settings(peer: Peer, message: Message) -> Answer:
    values = message.get("values")
    if not isinstance(values, dict) or len(values) > limits.SETTINGS:
        raise InputError(f"expected an object of at most {limits.SETTINGS} defaults")
    if len(repr(values)) > 4096:
        raise InputError("expected at most 4096 characters of defaults")
    peer.server.games.folder.change_settings(values)
    return {}


INSTANT: dict[str, Callable[[Peer, Message], Answer]] = {
    "agent": _agent,
    "at": _at,
    "steps": _steps,
    "another": _another,
    "load": _load,
    "share": _share,
    "scores": _scores,
    "export_scores": _export_scores,
    "erase_scores": _erase_scores,
    "settings": _settings,
}
