"""The answers about whole games: reviews, what a coach says, races, and drills of real games.

Loaded by who answers such a question, and not before: all the players' other questions need less.
"""

from __future__ import annotations

import time
from dataclasses import fields

from mineproof import advice
from mineproof.core.errors import InputError, WorkLimitError
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.core.rules import INTERMEDIATE, with_options
from mineproof.generate import DrillKind
from mineproof.generate.boards import Order
from mineproof.generate.drills import Drill, find_drill
from mineproof.inference.budget import Budget
from mineproof.notation.codec import from_plain, to_plain
from mineproof.notation.inputs import Input, parse_inputs
from mineproof.notation.records import Record, format_record, parse_record
from mineproof.notation.text import decode
from mineproof.review.coach import GameReport
from mineproof.review.coach import coach as coach_game
from mineproof.review.coaching import Coaching
from mineproof.review.replays import is_replay, parse_replay
from mineproof.review.verdicts import Kind, Review, Verdict
from mineproof.review.verdicts import review as review_game
from mineproof.service import limits
from mineproof.service.answers import Desk, verdict_plain
from mineproof.service.files import read_base64
from mineproof.service.limits import check_board
from mineproof.service.messages import SHOWN
from mineproof.service.race import run_race
from mineproof.service.resources import Plain

WIN_SECONDS = 1.0
"""Time for each chance to win in a review."""
WINS_SECONDS = 8.0
"""Time for all of them."""
DRILLS = Order(with_options(INTERMEDIATE, start="no-guess"), Cell(3, 3))
"""Where drills are taken from: boards that fit a phone."""
AVOIDABLE = (Kind.AVOIDABLE_RISK, Kind.RECKLESS)


def drill(_desk: Desk, kind: str, seed: int) -> Plain:
    """Return a position that trains a kind of reasoning, and an answer."""
    return _drill(find_drill(DRILLS, DrillKind(kind), seed))


def review(desk: Desk, record: str, wins: bool) -> Plain:
    """Judge every move of a game; then the win chance before each, as far as time allows."""
    game = parse_record(record)
    total = len(game.steps)
    verdicts: list[Plain | None] = []

    def watch(number: int, found: Verdict | None) -> None:
        verdicts.append(verdict_plain(found))
        desk.report({"done": number, "of": total, "verdicts": verdicts[-1:], "wins": []})

    found = review_game(game, watcher=watch)
    return {
        "verdicts": verdicts,
        "wins": _wins(game, found, desk) if wins else [],
        "moves": len(found.verdicts),
        "proved": len(found.verdicts) - len(found.guesses),
        "guesses": len(found.guesses),
        "avoidable": sum(one.kind in AVOIDABLE for one in found.guesses),
        "luck": found.luck,
        "best_luck": found.best_luck,
        "false_proofs": found.false_proofs,
    }


def _wins(record: Record, found: Review, desk: Desk) -> list[Plain | None]:
    """Give the chances to win before each move, those before guesses first."""
    positions = record.positions()
    wins: list[Plain | None] = [None] * len(record.steps)
    end = time.monotonic() + WINS_SECONDS
    guesses = [one.number - 1 for one in found.guesses]
    for place in dict.fromkeys((*guesses, *range(len(wins)))):
        if time.monotonic() > end:
            break
        wins[place] = _win(positions[place])
        desk.report({"done": place, "of": len(wins), "verdicts": [], "win": [place, wins[place]]})
    return wins


def coach(desk: Desk, name: str, data: str) -> list[Plain]:
    """Return for each game of a file what was missed in it, and what that cost."""
    records = read_records(name, read_base64(data))[: limits.COACHED]
    found = []
    for number, record in enumerate(records, 1):
        title = name if len(records) == 1 else f"{name}, game {number}"
        report = to_plain(coach_game(record, title))
        found.append({**report, "record": format_record(record)})
        desk.report({"done": number, "of": len(records)})
    return found


def read_records(name: str, data: bytes) -> list[Record]:
    """Read the games of a file: records, or a player's replay.

    A damaged replay may end the process that reads it.

    Raises:
        InputError: the file holds no games with their moves; the message says what was expected.
    """
    if is_replay(name):
        games: list[Input] = [parse_replay(name, data)]
    else:
        games = parse_inputs(decode(data))
    records = [game for game in games if isinstance(game, Record)]
    if not records or len(records) < len(games):
        raise InputError(f"expected games with their moves, got something else in {name[:SHOWN]}")
    for record in records:
        check_board(record.rules)
    return records


def coaching(_desk: Desk, games: list[Plain]) -> Plain:
    """Sum up the games that the coach has looked at."""
    known = {field.name for field in fields(GameReport)}  # the page's reports have more
    reports = [{name: one[name] for name in known & one.keys()} for one in games]
    found = Coaching(from_plain(tuple[GameReport, ...], reports))
    sums = {**found.to_plain(), "text": list(found.sentences())}
    return {**sums, "own": [_drill(one) for one in found.drills[: limits.COACHED_DRILLS]]}


def race(desk: Desk, record: str, agents: list[str]) -> Plain:
    """Let several agents play the same board."""
    return run_race(parse_record(record), agents, desk.agents.make, desk.report)


def _win(position: Observation) -> Plain | None:
    try:
        found = advice.win_chances(position, Budget(WIN_SECONDS))
    except WorkLimitError:
        return None
    return None if found.win is None else {"win": found.win, "exact": found.exact}


def _drill(found: Drill) -> Plain:
    return {**to_plain(found), "cell": found.answers[0]}
