"""The functions behind the page's messages, except those that change a game.

The first parameter is the page; the others are the fields of the message. A function for a
question returns the values to send to a worker. Other functions return the fields of the answer.
`TABLE` in `page.py` shows which functions are for questions.
"""

from __future__ import annotations

import base64
import json
import secrets
from datetime import date
from typing import Annotated, Any
from zlib import crc32

from mineproof.agents.loading import is_foreign
from mineproof.core.board import Board
from mineproof.core.clues import ClueRule
from mineproof.core.errors import IllegalMoveError, InputError
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.random import MASK, hashed_seed, short_seed
from mineproof.core.rules import Explosion
from mineproof.generate import DrillKind
from mineproof.generate.practice import read_progress
from mineproof.notation.boards import MAX_SIDE, format_mbf
from mineproof.notation.codec import Between, Length, to_plain
from mineproof.notation.position_text import format_position, format_rows, parse_position
from mineproof.notation.records import Step, format_record
from mineproof.review.results import statistics as sum_up
from mineproof.service import limits
from mineproof.service.fields import At, Count, FileData, OptionalText, RuleFields, Text
from mineproof.service.lessons import lessons as all_lessons
from mineproof.service.page_game import new_session, shows_seed
from mineproof.service.page_state import PageState
from mineproof.service.resources import Plain

# ---- questions


def position(page: PageState, at: At = None, clues: OptionalText = None, **rest: Any) -> Plain:
    """Return the position that a question is about, and its other fields.

    A question about the game is help: then the game's time does not count as a record.
    """
    if isinstance(at, str):
        found = parse_position(at, clues=ClueRule.parse(clues or "exact"))
        limits.check_board(found.rules)
    else:
        found = page.game.session.observation if at is None else page.seen_at(at)
        if page.game.session.outcome is None:
            page.game.aided = True
    return {"position": found, **rest}


def asked_agent(  # noqa: PLR0913, PLR0917  (the fields of the message)
    page: PageState,
    at: At = None,
    clues: OptionalText = None,
    agent: OptionalText = None,
    past: list[list[int]] | None = None,
    seed: OptionalText = None,
) -> Plain:
    """Return an agent, a position, and the moves that led to it.

    The user's own agent gets a seed that reveals no board.
    """
    session, game_key = page.game.session, page.game.key
    name = page.service.check_agent(agent) if agent else page.game.agent
    if isinstance(at, str):
        number, game_key = RuleFields(seed=seed).number or crc32(at.encode()), ""
        moves = None if past is None else tuple(map(tuple, past))
    else:
        if is_foreign(name):
            page.game.check_sealed()
        number = session.seed
        moves = session.changes_before(session.step if at is None else at)
    number = hashed_seed(number) if is_foreign(name) else short_seed(number)
    return position(page, at, clues, agent=name, key=game_key, seed=number, past=moves)


def move_before(page: PageState, at: Count | None = None) -> Plain:
    """Return the move that led to a step (by default the last) and the position before it."""
    session = page.game.session
    step = session.step if at is None else at
    number = step - session.offset
    if number < 1:
        return {"position": None, "move": None, "number": 0}
    move = session.move_at(step)
    return {"position": page.seen_at(step - 1), "move": move, "number": number}


async def record(page: PageState, wins: bool = True) -> Plain:
    """Return the record of the game; `wins` asks for win chances."""
    return {"record": await _record_text(page), "wins": wins}


async def _record_text(page: PageState) -> str:
    return await page.service.use_store(format_record, page.game.session.record())


async def racers(
    page: PageState,
    agents: Annotated[list[str], Length(limits.RACERS, 1)],
    same: bool = False,
    **fields: Any,
) -> Plain:
    """Return the agents in a race, and the record of the game that all of them play."""
    names = [page.service.check_agent(name) for name in agents]
    session = page.game.session
    if not same:
        session = await new_session(page.service, page.number, RuleFields(**fields), session)
    elif session.step == 0:
        raise InputError("open a cell before you race on this board")
    elif any(map(is_foreign, names)):
        page.game.check_sealed()
    text = await page.service.use_store(format_record, session.record())
    return {"agents": names, "record": text}


def series(
    page: PageState,
    agents: Annotated[list[str], Length(limits.RACERS, 2)],
    boards: Annotated[int, Between(1, limits.SERIES)],
    **fields: Any,
) -> Plain:
    """Return the agents of a series and its boards. A secret seed cannot be found by trial."""
    names = [page.service.check_agent(name) for name in agents]
    wanted = RuleFields(**fields)
    seed = secrets.randbits(63) if wanted.number is None else wanted.number & MASK
    rules = wanted.rules or page.game.session.rules
    return {"agents": names, "rules": rules, "seed": seed, "boards": boards}


def due_drill(page: PageState, kind: DrillKind | None = None, at: Count | None = None) -> Plain:
    """Return a kind of drill, by default the one that is due, and the score.

    Unless a kind is given, a missed position that is due takes precedence. `at` makes a drill of
    the position after a step of the game, if it is one.
    """
    progress = read_progress(page.service.store.settings().get("drills"))
    again = progress.due_again(date.today().toordinal()) if kind is None else None
    if at is not None and (seen := page.seen_at(at)).grid.size <= limits.DRILL_CELLS:
        again = format_position(Observation(seen.rules, seen.shown))
    found = {"kind": kind or progress.next_kind, "again": again, "score": progress.score}
    return {**found, "seed": secrets.randbits(48)}


async def coached_games(page: PageState, kept: bool = False) -> Plain:
    """Return the coach's reports on all saved games, or on the games that the page has sent."""
    found = await page.service.use_store(page.service.coach.reports) if kept else page.coached
    return {"games": list(found)}


async def coach_kept(page: PageState) -> Plain:
    """Coach the saved games in the background. Return how many have no report yet."""
    coach = page.service.coach
    coach.start()
    return {"waiting": len(await page.service.use_store(coach.waiting)), "paused": coach.is_paused}


def coach_file(page: PageState, name: Text, data: FileData, first: bool = False) -> Plain:
    """Return the file to send to the coach. If `first` is true, delete reports on earlier files."""
    if first:
        page.coached.clear()
    return {"name": name, "data": data}


def store_coached(page: PageState, answer: str) -> None:
    """Store the coach's reports, up to a limit."""
    page.coached += [{**report, "record": None} for report in json.loads(answer)]
    count, page.coached = len(page.coached), page.coached[: limits.COACHED]
    limits.check(count, limits.COACHED, "games for the coach", "many-games")


# ---- games


async def another(page: PageState, **fields: Any) -> Plain:
    """Save this game and start a new one."""
    page.move_to(await page.service.games.another(RuleFields(**fields)))
    return here(page)


def here(page: PageState) -> Plain:
    """Return the game that the page shows."""
    return {"key": page.game.key, "view": page.game.view()}


async def agent_move(page: PageState, agent: OptionalText = None, guess: bool = True) -> Plain:
    """Ask the agent for a move and make it. A guess is made only if `guess` is true."""
    game, session = page.game, page.game.session
    before = session.step
    asked = asked_agent(page, agent=agent)
    decision = await page.service.ask_value("decide", asked, game.key, page.number)
    async with game.turn:
        if (session.step, game.session, page.game) != (before, session, game):
            raise IllegalMoveError("the game has changed since the agent was asked")
        if decision is None or not (decision["proved"] or guess):
            return {"decision": decision, "made": False, "view": game.view()}
        move = Move(Action(decision["action"]), Cell(*decision["cell"]))
        step = Step(move, decision["proved"], decision["risk"], decision["reason"])
        await game.play(page.number, step)
        return {"decision": decision, "made": True, "view": page.changed(game)}


async def play_from(page: PageState, at: Count, fresh: bool = False) -> Plain:
    """Start a new game from a step of this game. `fresh` draws a new layout that fits."""
    game, session, board = page.game, page.game.session, None
    seen = page.seen_at(at)
    if fresh:
        wanted = {"position": seen, "layout_seed": secrets.randbits(64)}
        mines = await page.service.ask_value("fresh_layout", wanted, game.key, page.number)
        board = Board.from_mines(session.rules.rows, session.rules.columns, mines)
    async with game.turn:  # the session must not change before it is sent to the worker
        branch = await page.service.run(page.number, session.branch, at, board)
    other = await page.service.games.another()
    if page.game is not game:
        raise IllegalMoveError("the page now shows another game")
    page.move_to(other)
    other.begin(branch, counts=False)
    return {"key": other.key, "view": page.changed(other)}


async def open_game(page: PageState, key: Text) -> Plain:
    """Show a saved game."""
    try:
        game = await page.service.games.reopen(key)
    finally:
        page.push_damaged()
    page.move_to(game)
    return here(page)


async def games(page: PageState) -> Plain:
    """List all saved games."""
    found = await page.service.use_store(page.service.games.listed)
    page.push_damaged()
    return {"games": found}


async def forget_game(page: PageState, key: Text) -> Plain:
    """Delete a game and list the others."""
    page.service.games.delete(key)
    return await games(page)


def agent(page: PageState, name: Text) -> Plain:
    """Choose the agent to ask when a question does not name one."""
    page.game.agent = page.service.check_agent(name)
    return {"view": page.game.view()}


def past_position(page: PageState, step: Count) -> Plain:
    """Return the board after a step."""
    seen, rules = page.seen_at(step), page.game.session.rules
    lost = seen.hits > 0 and rules.explosion is Explosion.LOSE
    won = len(seen.unopened) + seen.hits == rules.mines
    return {"step": step, "cells": format_rows(seen), "over": lost or won}


async def moves(page: PageState) -> str:
    """Return all moves of the game."""
    session = page.game.session
    return await page.service.use_store(_moves_text, session.all_moves, session.offset)


def _moves_text(steps: tuple[Step, ...], offset: int) -> str:
    moves = [{**step.to_plain(), "seconds": step.seconds} for step in steps]
    return json.dumps({"moves": moves, "offset": offset}, separators=(",", ":"))


async def share(page: PageState) -> Plain:
    """Return the game in every format in which it can be saved, without its secrets."""
    session = page.game.session
    is_open = shows_seed(session)
    return {
        "id": session.game_id if is_open else None,
        "position": format_position(session.observation),
        "board": _board_file(session.board),
        "record": await _record_text(page) if is_open else None,
    }


def _board_file(board: Board | None) -> str | None:
    """Return the `.mbf` file of a finished game, unless its board is too large for the format."""
    if board is None or max(board.rows, board.columns) > MAX_SIDE:
        return None
    return base64.b64encode(format_mbf(board)).decode()


# ---- stored data


async def statistics(page: PageState) -> Plain:
    """Sum up the results of all games."""
    return await page.service.use_store(lambda: sum_up(page.service.store.results()))


async def erase(page: PageState) -> Plain:
    """Delete all results."""
    await page.service.use_store(page.service.store.erase_results)
    return await statistics(page)


async def export(page: PageState) -> str:
    """Return all stored data."""
    return f'{{"data":{await page.service.use_store(page.service.games.exported)}}}'


async def import_data(page: PageState, data: Any = None) -> Plain:
    """Store data that was exported elsewhere."""
    return await page.service.use_store(page.service.games.import_data, data)


async def settings(
    page: PageState, values: Annotated[dict[str, Any], Length(limits.SETTINGS)]
) -> Plain:
    """Store settings."""
    limits.check(len(repr(values)), limits.SETTINGS_CHARACTERS, "characters of settings")
    await page.service.use_store(page.service.store.change_settings, values)
    return {}


async def drill_done(
    page: PageState, kind: DrillKind, right: bool = False, position: Text = ""
) -> Plain:
    """Record whether a drill was answered correctly. If not, its position is asked again."""
    if position:
        found = parse_position(position)
        limits.check(len(found.shown), limits.DRILL_CELLS, "cells in a drill")
        position = format_position(Observation(found.rules, found.shown))
    store, today = page.service.store, date.today().toordinal()

    def work() -> Plain:
        before = read_progress(store.settings().get("drills"))
        found = before.answered(kind, right, position, today)
        store.change_settings({"drills": to_plain(found)})
        score = {**found.score, "change": found.rating - before.rating}
        back = found.days_until(position, today)
        return {"box": found.boxes[kind][0], "next": found.next_kind, "back": back, "score": score}

    return await page.service.use_store(work)


def lessons(_page: PageState) -> Plain:
    """Return all lessons."""
    return {"lessons": all_lessons()}


def cancel(page: PageState, question: Count) -> Plain:
    """Cancel a question."""
    page.cancel(question)
    return {}
