"""What a page can have done: functions of a page and the fields of its request.

Functions with an answer of their own return its fields. Those for questions return what goes to the
worker that answers. The table in `page.py` says which is which.
"""

from __future__ import annotations

import base64
import json
import secrets
from typing import Any

from mineproof.core.board import Board
from mineproof.core.clues import ClueRule
from mineproof.core.errors import IllegalMoveError, InputError
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.random import short_seed
from mineproof.core.rules import Rules
from mineproof.generate import DrillKind
from mineproof.match.play import hashed_seed
from mineproof.notation.boards import MAX_SIDE, format_mbf
from mineproof.notation.position_text import format_position, parse_position
from mineproof.notation.records import Step, format_record
from mineproof.service import limits
from mineproof.service.lessons import lessons as all_lessons
from mineproof.service.lessons import read_progress
from mineproof.service.limits import check_board
from mineproof.service.page_game import branched, cell_rows, new_session, step_plain
from mineproof.service.page_state import PageState
from mineproof.service.resources import Plain, names_a_file
from mineproof.service.results import statistics as sum_up
from mineproof.service.rule_fields import RuleFields

At = int | str | None
"""A position: the game as it stands, after so many steps, or as `.mine` text."""

# ---- what questions are about


def position(page: PageState, at: At = None, clues: str | None = None, **rest: Any) -> Plain:
    """Return the position that a question is about, and its other fields."""
    if isinstance(at, str):
        found = parse_position(at, clues=ClueRule.parse(clues or "exact"))
        check_board(Rules(found.rules.rows, found.rules.columns, 0))
    else:
        found = page.game.session.observation if at is None else page.seen_at(at)
    return {"position": found, **rest}


def asked_agent(page: PageState, at: At, clues: str | None, agent: str | None) -> Plain:
    """Return the position and the agent; the user's own gets no seed that leads to the board."""
    name = page.service.check_agent(agent) if agent else page.game.agent
    seed = page.game.session.seed
    return position(
        page,
        at,
        clues,
        agent=name,
        key="" if isinstance(at, str) else page.game.key,
        seed=hashed_seed(seed) if names_a_file(name) else short_seed(seed),
    )


def move_before(page: PageState, at: int | None) -> Plain:
    """Return the move that led to a step, and the position before it; none for the start."""
    session = page.game.session
    step = session.step if at is None else at
    number = step - session.offset
    if number < 1:
        return {"position": None, "move": None, "number": 0}
    move = session.move_at(step)
    return {"position": page.seen_at(step - 1), "move": move, "number": number}


async def record(page: PageState, **rest: Any) -> Plain:
    """Return the record of the game."""
    return {"record": await _record_text(page), **rest}


async def _record_text(page: PageState) -> str:
    return await page.service.use_store(format_record, page.game.session.record())


async def racers(page: PageState, agents: list[str], same: bool, **fields: Any) -> Plain:
    """Return the agents of a race, and the record of the game they all begin with."""
    names = [page.service.check_agent(name) for name in agents]
    session = page.game.session
    if same:
        if session.step == 0:
            raise InputError("expected a game with a first move to race on, got a new one")
        return {"agents": names, "record": await _record_text(page)}
    wanted = RuleFields(**fields)
    rules = wanted.rules or session.rules
    other = await new_session(page.service, page.number, rules, wanted.number)
    return {"agents": names, "record": format_record(other.record())}


def due_drill(page: PageState) -> Plain:
    """Return the kind of drill that is due."""
    progress = read_progress(page.service.store.settings().get("drills"))
    return {"kind": progress.next_kind.value, "seed": secrets.randbits(48)}


def coached_games(page: PageState) -> Plain:
    """Return what the coach said of the games that the page showed it."""
    return {"games": list(page.coached)}


def coach_file(page: PageState, first: bool, **file: str) -> Plain:
    """Return a file of games; with `first`, what the coach said before is forgotten."""
    if first:
        page.coached.clear()
    return file


def keep_coached(page: PageState, _values: Plain, answer: str) -> None:
    """Keep what the coach said of more games, up to a limit."""
    page.coached += [{**report, "record": None} for report in json.loads(answer)]
    if len(page.coached) > limits.COACHED:
        del page.coached[limits.COACHED :]
        raise InputError(f"expected at most {limits.COACHED} games at once")


# ---- games


async def another(page: PageState, **fields: Any) -> Plain:
    """Keep this game, and begin a new one."""
    wanted = RuleFields(**fields)
    page.move_to(await page.service.games.another(wanted.rules, wanted.number))
    return here(page)


def here(page: PageState) -> Plain:
    """Return the game that the page shows."""
    return {"key": page.game.key, "view": page.game.view()}


async def agent_move(page: PageState, agent: str | None, guess: bool) -> Plain:
    """Let the agent make one move; a guess only if guesses are wanted."""
    game, session = page.game, page.game.session
    before = session.step
    page.count_help()
    asked = asked_agent(page, None, None, agent)
    decision = await page.service.ask_value("decide", asked, game.key, page.number)
    async with game.turn:
        if (session.step, game.session, page.game) != (before, session, game):
            raise IllegalMoveError("expected the same position, but the game went on meanwhile")
        if decision is None or not (decision["proved"] or guess):
            return {"decision": decision, "made": False, "view": game.view()}
        move = Move(Action(decision["action"]), Cell(*decision["cell"]))
        was_in_progress = game.is_in_progress
        step = Step(move, decision["proved"], decision["risk"], decision["reason"])
        await game.accept(page.number, step)
        return {"decision": decision, "made": True, "view": page.changed(game, was_in_progress)}


async def play_from(page: PageState, at: int, fresh: bool) -> Plain:
    """Go on from a step, in a game of its own: on the same board, or on a fresh layout."""
    game, session, mines = page.game, page.game.session, None
    seen = page.seen_at(at)
    if fresh:
        wanted = {"position": seen, "layout_seed": secrets.randbits(64)}
        mines = await page.service.ask_value("fresh_layout", wanted, game.key, page.number)
    async with game.turn:  # the session stays as it is until it is packed
        branch = await page.service.run(page.number, branched, session, at, mines)
    other = await page.service.games.another()
    if page.game is not game:
        raise IllegalMoveError("expected the same game, but another is shown meanwhile")
    page.move_to(other)
    other.begin(branch, counts=False)
    return {"key": other.key, "view": page.changed(other, False)}


async def open_game(page: PageState, key: str) -> Plain:
    """Show a game that was kept."""
    try:
        game = await page.service.games.reopen(key)
    finally:
        page.push_damaged()
    page.move_to(game)
    return here(page)


async def games(page: PageState) -> Plain:
    """List all games that are kept."""
    found = await page.service.use_store(page.service.games.listed)
    page.push_damaged()
    return {"games": found}


async def forget_game(page: PageState, key: str) -> Plain:
    """Drop a game, and list the others."""
    page.service.games.forget(key)
    return await games(page)


def agent(page: PageState, name: str) -> Plain:
    """Choose the agent that is asked unless a question names another."""
    page.game.agent = page.service.check_agent(name)
    return {"view": page.game.view()}


def past_position(page: PageState, step: int) -> Plain:
    """Return what the board showed after a step."""
    return {"step": step, "cells": cell_rows(page.seen_at(step))}


async def moves(page: PageState) -> str:
    """Return all moves of the game."""
    session = page.game.session
    return await page.service.use_store(_moves_text, session.all_moves, session.offset)


def _moves_text(steps: tuple[Step, ...], offset: int) -> str:
    found = {"moves": [step_plain(step) for step in steps], "offset": offset}
    return json.dumps(found, separators=(",", ":"))


async def share(page: PageState) -> Plain:
    """Return the game in all forms in which it can be kept."""
    session = page.game.session
    return {
        "id": session.game_id,
        "position": format_position(session.observation),
        "board": _board_file(session.board),
        "record": await _record_text(page),
    }


def _board_file(board: Board | None) -> str | None:
    """Return the `.mbf` file of a game that has ended; None before, and for larger boards."""
    if board is None or max(board.rows, board.columns) > MAX_SIDE:
        return None
    return base64.b64encode(format_mbf(board)).decode()


# ---- what is kept


async def statistics(page: PageState) -> Plain:
    """Sum up the results of all games."""
    return await page.service.use_store(lambda: sum_up(page.service.store.results()))


async def erase(page: PageState) -> Plain:
    """Forget all results."""
    await page.service.use_store(page.service.store.erase_results)
    return await statistics(page)


async def export(page: PageState) -> str:
    """Return all that is kept."""
    return f'{{"data":{await page.service.use_store(page.service.games.exported)}}}'


async def take_in(page: PageState, data: Any) -> Plain:
    """Keep what was exported elsewhere."""
    return await page.service.use_store(page.service.games.take_in, data)


async def settings(page: PageState, values: Plain) -> Plain:
    """Remember settings."""
    if len(repr(values)) > limits.SETTINGS_CHARACTERS:
        raise InputError(f"expected at most {limits.SETTINGS_CHARACTERS} characters of settings")
    await page.service.use_store(page.service.store.change_settings, values)
    return {}


async def drill_done(page: PageState, kind: DrillKind, right: bool) -> Plain:
    """Note whether a drill was answered right."""
    store = page.service.store

    def work() -> Plain:
        found = read_progress(store.settings().get("drills")).answered(kind, right)
        store.change_settings({"drills": found})
        return {"box": found.boxes[kind][0], "next": found.next_kind}

    return await page.service.use_store(work)


def lessons(_page: PageState) -> Plain:
    """Return all lessons."""
    return {"lessons": [lesson._asdict() for lesson in all_lessons()]}


def cancel(page: PageState, question: int) -> Plain:
    """Take a question back."""
    page.cancel(question)
    return {}
