"""What a page can ask: one table with each question's name, fields, time and place of its answer.

The name is the same from the page's code to the function that answers. A question carries
plain values: the position as a player may know it, and what else its fields say.
"""

from __future__ import annotations

import importlib
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from mineproof.core.clues import ClueRule
from mineproof.core.errors import InputError
from mineproof.core.observation import Observation
from mineproof.core.random import short_seed
from mineproof.core.rules import Rules
from mineproof.match.play import hashed_seed
from mineproof.notation.position_text import parse_position
from mineproof.service import fields, limits
from mineproof.service.fields import Message
from mineproof.service.lessons import read_progress
from mineproof.service.limits import check_board, is_heavy
from mineproof.service.page_game import read_rules
from mineproof.service.positions import Plain, Report, to_plain
from mineproof.session import Session

if TYPE_CHECKING:
    from mineproof.service.answers import Asked
    from mineproof.service.page import Page

Reader = Callable[["Page", Message], Plain | Awaitable[Plain]]
"""Reads some fields of a message and checks them; some take their time."""


@dataclass(frozen=True)
class Question:
    """A question: what it reads, how long it may take, and where the answer is."""

    readers: tuple[Reader, ...]
    seconds: float = limits.QUICK_SECONDS
    is_long: bool = False
    """Whether it runs beside those that a player waits for."""
    aids: bool = True
    """Whether asking it in a game that goes on is help."""
    is_written: bool = False
    """Whether its answer, which may be long, is given as JSON text."""
    is_inner: bool = False
    """Whether the service asks it itself: the answer would tell a page where mines are."""
    place: str = "mineproof.service.answers"
    """The module with the function that answers, which has the question's name."""


async def _position(page: Page, message: Message) -> Plain:
    """Read `at`: the game as it stands, after so many steps, or a position as text."""
    at = message.get("at")
    if at is None:
        return {"position": to_plain(page.game.session.observation)}
    if isinstance(at, str):
        return {"position": to_plain(_parsed(fields.a_text(message, "at"), message))}
    return {"position": to_plain(await page.seen_at(fields.a_count(message, "at")))}


def _parsed(text: str, message: Message) -> Observation:
    model = fields.an_optional_text(message, "clues") or "exact"
    found = parse_position(text, clues=ClueRule.parse(model))
    check_board(Rules(found.rules.rows, found.rules.columns, 0))
    return found


def _cell(_page: Page, message: Message) -> Plain:
    return {"cell": fields.a_cell(message)}


def _agent(page: Page, message: Message) -> Plain:
    """Read who is asked; an agent of somebody's own gets no seed that leads to the board."""
    given = fields.an_optional_text(message, "agent")
    name = page.game.agent if given is None else page.service.check_agent(given)
    seed = page.game.session.seed
    return {
        "agent": name,
        "key": "" if isinstance(message.get("at"), str) else page.game.key,
        "seed": hashed_seed(seed) if page.service.is_own(name) else short_seed(seed),
    }


async def _move_before(page: Page, message: Message) -> Plain:
    """Read a step; the question is about the move that led there."""
    session = page.game.session
    at = message.get("at")
    step = session.step if at is None else fields.a_count(message, "at", session.steps)
    number = step - session.offset
    if number < 1:
        return {"move": None, "number": 0, "position": None}
    move = str(session.move_at(step))
    return {"move": move, "number": number, "position": to_plain(await page.seen_at(step - 1))}


def _seconds(_page: Page, message: Message) -> Plain:
    asked = fields.a_number(message, "seconds", limits.ANALYSIS_SECONDS)
    return {"seconds": min(asked, limits.ANALYSIS_SECONDS)}


def _flags(_page: Page, message: Message) -> Plain:
    return {"flags_are_mines": fields.a_flag(message, "flags_are_mines")}


async def _record(page: Page, message: Message) -> Plain:
    wins = fields.a_flag(message, "wins", True)
    return {"record": await page.about_game(page.game.session.save), "wins": wins}


def _racers(page: Page, message: Message) -> Plain:
    names = fields.some_texts(message, "agents", limits.RACERS)
    return {"agents": [page.service.check_agent(name) for name in names]}


async def _race_board(page: Page, message: Message) -> Plain:
    session = page.game.session
    if fields.a_flag(message, "same"):
        if session.step == 0:
            raise InputError("expected a game with a first move to race on, got a new one")
        return {"record": await page.about_game(session.save)}
    seed = fields.a_seed(message)
    seed = page.game.some_seed() if seed is None else seed
    rules = read_rules(message, session.rules)
    work = partial(new_record, rules, seed)
    return {"record": await page.aside(work) if is_heavy(rules) else work()}


def new_record(rules: Rules, seed: int | None) -> str:
    """Give the record of a game that has not begun."""
    return Session(rules, seed).save()


def _drill(page: Page, _message: Message) -> Plain:
    """Choose the kind of drill that is due."""
    progress = read_progress(page.service.store.settings().get("drills"))
    return {"kind": progress.next_kind.value, "seed": secrets.randbits(48)}


def _file(_page: Page, message: Message) -> Plain:
    """Read a file of games: its name, and its bytes as base64."""
    data = fields.a_text(message, "data", limits.FILE_CHARACTERS)
    return {"name": fields.a_text(message, "name"), "data": data}


def _coached(page: Page, _message: Message) -> Plain:
    return {"games": list(page.coached)}


LONG, RACE = limits.ANALYSIS_SECONDS, limits.RACE_SECONDS
GAMES = "mineproof.service.game_answers"
QUESTIONS: dict[str, Question] = {
    "risks": Question((_position,), is_written=True),
    "why": Question((_position, _cell)),
    "hint": Question((_position,)),
    "may_guess": Question((_position,)),
    "decide": Question((_position, _agent)),
    "knowledge": Question((_position, _agent)),
    "verdict": Question((_move_before,), aids=False),
    "win_chances": Question((_position,)),
    "analysis": Question((_position, _seconds, _flags), LONG, is_long=True, is_written=True),
    "drill": Question((_drill,), aids=False, place=GAMES),
    "deal": Question((), aids=False, is_inner=True),
    "fresh_layout": Question((_position,), aids=False, is_inner=True),
    "review": Question((_record,), LONG, is_long=True, aids=False, place=GAMES),
    "coach": Question((_file,), LONG, is_long=True, aids=False, place=GAMES),
    "coaching": Question((_coached,), aids=False, place=GAMES),
    "race": Question((_racers, _race_board), RACE, is_long=True, aids=False, place=GAMES),
}


def make_answerer(isolated: bool = False) -> Callable[[tuple[str, Plain], Report], Any]:
    """Give what answers questions, in a place of its own: it keeps agents and what they know.

    Where agents of one's own are `isolated`, each thinks in a process of its own.
    """
    # Not above: who holds games and lets others answer has nothing of this to load.
    from mineproof.service.answers import Agents, Asked, as_json

    agents = Agents(isolated)

    def answer(question: tuple[str, Plain], report: Report) -> Any:
        name, values = question
        found = find_answer(name)(Asked(agents, values, report))
        return as_json(found) if QUESTIONS[name].is_written else found

    return answer


def find_answer(name: str) -> Callable[[Asked], Any]:
    """Give the function that answers a question, and load what it needs."""
    found: Callable[[Asked], Any] = getattr(importlib.import_module(QUESTIONS[name].place), name)
    return found
