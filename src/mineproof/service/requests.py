"""What a page can ask beside moves and questions: answered at once, or by a task (None)."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from mineproof.core.errors import InputError
from mineproof.generate import DrillKind
from mineproof.notation.boards import MAX_SIDE, format_mbf
from mineproof.notation.position_text import format_position
from mineproof.service import fields, limits
from mineproof.service.fields import Message
from mineproof.service.lessons import lessons, read_progress
from mineproof.service.page_game import cell_rows, read_rules, step_plain
from mineproof.service.results import statistics
from mineproof.session import Session

if TYPE_CHECKING:
    from mineproof.service.page import Page

Answer = dict[str, Any]


def _agent(page: Page, message: Message) -> Answer:
    page.game.agent = page.service.check_agent(fields.a_text(message, "name"))
    return {"view": page.game.view()}


def _position(page: Page, message: Message) -> None:
    page.begin(message, partial(_position_at, page, fields.a_count(message, "step")))


async def _position_at(page: Page, step: int) -> Answer:
    return {"step": step, "cells": cell_rows(await page.seen_at(step))}


def _moves(page: Page, message: Message) -> None:
    _ask_session(page, message, moves_text)


def moves_text(session: Session) -> str:
    """Give all moves of a session as JSON: there may be many."""
    moves = [step_plain(step) for step in session.all_moves]
    return json.dumps({"moves": moves, "offset": session.offset}, separators=(",", ":"))


def _ask_session(
    page: Page, message: Message, ask: Callable[[Session], Answer] | Callable[[Session], str]
) -> None:
    """Answer what takes longer the longer the game is."""
    page.begin(message, partial(page.about_game, partial(ask, page.game.session)))


def _another(page: Page, message: Message) -> Answer | None:
    level = message.get("level")
    rules = None if level is None else read_rules(message, page.game.session.rules)
    page.move_to(page.service.games.another(page))
    if rules is not None and limits.is_heavy(rules):
        page.begin_aside({**message, "do": "new"}, page.game)
        return None
    if rules is not None:
        page.game.new(message)
    return _here(page)


def _open_game(page: Page, message: Message) -> None:
    page.begin(message, partial(_reopen, page, fields.a_text(message, "key")))


async def _reopen(page: Page, key: str) -> Answer:
    await page.service.games.fetch(key)
    page.tell_damaged()
    page.move_to(page.service.games.reopen(page, key))
    return _here(page)


def _here(page: Page) -> Answer:
    return {"key": page.game.key, "view": page.game.view()}


def _games(page: Page, message: Message) -> None:
    page.begin(message, partial(_listed, page))


async def _listed(page: Page) -> Answer:
    found = await page.service.threaded(page.service.games.listed)
    page.tell_damaged()
    return {"games": found}


def _forget_game(page: Page, message: Message) -> None:
    page.service.games.forget(fields.a_text(message, "key"))
    _games(page, message)


def _load(page: Page, message: Message) -> None:
    page.begin_aside(message, page.game, counts=False)


def _share(page: Page, message: Message) -> None:
    _ask_session(page, message, shared)


def shared(session: Session) -> Answer:
    """Give a session in all forms in which it can be kept."""
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


def _statistics(page: Page, message: Message) -> None:
    results = page.service.store.results
    page.begin(message, partial(page.service.threaded, lambda: statistics(results())))


def _export(page: Page, message: Message) -> None:
    page.begin(message, partial(_exported, page))


async def _exported(page: Page) -> str:
    return f'{{"data":{await page.service.threaded(page.service.games.exported)}}}'


def _import(page: Page, message: Message) -> None:
    take_in = partial(page.service.games.take_in, message.get("data"))
    page.begin(message, partial(page.service.threaded, take_in))


def _erase(page: Page, message: Message) -> None:
    page.service.store.erase_results()
    _statistics(page, message)


def _settings(page: Page, message: Message) -> None:
    values = message.get("values")
    if not isinstance(values, dict) or len(values) > limits.SETTINGS:
        raise InputError(f"expected an object of at most {limits.SETTINGS} settings")
    if len(repr(values)) > limits.SETTINGS_CHARACTERS:
        raise InputError(f"expected at most {limits.SETTINGS_CHARACTERS} characters of settings")

    def work() -> Answer:
        page.service.store.change_settings(values)
        return {}

    _remember(page, message, work)


def _remember(page: Page, message: Message, work: Callable[[], Answer]) -> None:
    """Change settings beside the loop: all that do so wait for each other there."""
    # A page that goes away must not take back what it changed: this task goes on.
    task = asyncio.ensure_future(page.service.threaded(work))
    page.begin(message, partial(asyncio.shield, task), slot=f"settings {message['n']}")


def _lessons(_page: Page, _message: Message) -> Answer:
    return {"lessons": [lesson._asdict() for lesson in lessons()]}


def _drill_done(page: Page, message: Message) -> None:
    """Note whether a drill was answered right."""
    kind = fields.a_text(message, "kind")
    if kind not in list(DrillKind):
        raise InputError(f"expected a kind of drill, got {kind[: fields.SHOWN]!r}")
    right, store = fields.a_flag(message, "right"), page.service.store

    def work() -> Answer:
        found = read_progress(store.settings().get("drills")).answered(DrillKind(kind), right)
        store.change_settings({"drills": found})
        return {"box": found.boxes[kind][0], "next": found.next_kind}

    _remember(page, message, work)


REQUESTS: dict[str, Callable[[Page, Message], Answer | None]] = {
    "agent": _agent,
    "position": _position,
    "moves": _moves,
    "another": _another,
    "open_game": _open_game,
    "games": _games,
    "forget_game": _forget_game,
    "load": _load,
    "share": _share,
    "statistics": _statistics,
    "export": _export,
    "import": _import,
    "erase": _erase,
    "settings": _settings,
    "lessons": _lessons,
    "drill_done": _drill_done,
}
