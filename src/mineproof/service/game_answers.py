"""Answers to the page's questions about whole games: reviews, coaching, races and drills.

A worker loads this module only for such a question, because other questions need less code.
"""

from __future__ import annotations

import time
from contextlib import suppress
from functools import partial
from itertools import count

from mineproof import advice
from mineproof.core.errors import InputError, WorkLimitError
from mineproof.core.grid import Cell
from mineproof.core.move import Move
from mineproof.core.observation import Observation
from mineproof.core.rules import Rules, with_options
from mineproof.generate import DrillKind
from mineproof.generate.boards import Order
from mineproof.generate.drills import Drill, can_be_missed, drill_at, find_drill, with_known_mines
from mineproof.inference.budget import Budget
from mineproof.match.race import run_race
from mineproof.match.series import Series, run_series
from mineproof.notation.codec import to_plain
from mineproof.notation.position_text import format_position, parse_position
from mineproof.notation.records import Record, format_record, parse_record
from mineproof.review.coach import GameReport, Mistake, weigh
from mineproof.review.coach import coach as coach_game
from mineproof.review.coaching import Coaching
from mineproof.review.replays import read_games
from mineproof.review.verdicts import Review, Verdict, glyph, judge_risk
from mineproof.review.verdicts import review as review_game
from mineproof.service import limits
from mineproof.service.answers import Context, verdict_plain
from mineproof.service.fields import read_fields
from mineproof.service.page_game import read_base64
from mineproof.service.resources import Plain

WIN_SECONDS = 1.0
"""Time limit for each win chance in a review."""
WINS_SECONDS = 8.0
"""Time limit for all win chances in a review."""
DRILLS = Order(with_options(Rules(8, 8, 12), start="opening"), Cell(2, 2))
"""The boards that drills are taken from. They are small, so that the answer is easy to find."""
COSTLIEST = 3
"""Number of costliest mistakes that the page lists."""


def drill(
    context: Context, kind: str, seed: int, again: str | None = None, score: Plain | None = None
) -> Plain:
    """Return a position that trains a kind of reasoning, with the correct answers.

    A position that was missed before takes precedence.
    """
    found = None if again is None else drill_at(parse_position(again), context.budget)
    drills = map(partial(find_drill, DRILLS, DrillKind(kind), seed), count())
    shown = found or next(filter(can_be_missed, drills))
    own = {"cell": shown.explanation.cell, "again": found is not None, "score": score}
    return {**_drill(shown), **own}


def review(context: Context, record: str, wins: bool) -> Plain:
    """Judge every move of a game, then compute win chances until the time limit is reached."""
    game = parse_record(record)
    total = len(game.steps)
    verdicts: list[Plain | None] = []

    def watch(number: int, found: Verdict | None) -> None:
        verdicts.append(verdict_plain(found))
        context.report({"done": number, "of": total, "verdicts": verdicts[-1:], "wins": []})

    found = review_game(game, watcher=watch)
    return {
        "verdicts": verdicts,
        "wins": _wins(game, found, context) if wins else [],
        "moves": len(found.verdicts),
        "proved": len(found.verdicts) - len(found.guesses),
        "guesses": len(found.guesses),
        "avoidable": sum(one.is_avoidable for one in found.guesses),
        "luck": found.luck,
        "best_luck": found.best_luck,
        "false_proofs": found.false_proofs,
    }


def _wins(record: Record, found: Review, context: Context) -> list[Plain | None]:
    """Return the win chance before each move. Those before guesses are computed first."""
    positions = record.positions()
    wins: list[Plain | None] = [None] * len(record.steps)
    end = time.monotonic() + WINS_SECONDS
    guesses = {one.number - 1: one if one.is_avoidable else None for one in found.guesses}
    for index in dict.fromkeys((*guesses, *range(len(wins)))):
        if time.monotonic() > end:
            break
        with suppress(WorkLimitError):
            wins[index] = _win(positions[index], guesses.get(index))
        part = {"done": index, "of": len(wins), "verdicts": [], "win": [index, wins[index]]}
        context.report(part)
    return wins


def _win(position: Observation, guess: Verdict | None) -> Plain | None:
    """Return the win chance and, for an avoidable risk, that of the move made (`chosen`)."""
    found = advice.win_chances(position, Budget(WIN_SECONDS))
    made = weigh(guess, position, Budget(WIN_SECONDS)) if guess else None
    chosen = {"chosen": made.chosen} if made else {}
    return None if found.win is None else {"win": found.win, "exact": found.exact, **chosen}


def coach(context: Context, name: str, data: str) -> list[Plain]:
    """Return a report on each game in a file: what the player missed and what it cost."""
    records = read_games(name, read_base64(data))[: limits.COACHED]
    for record in records:
        limits.check_board(record.rules)
    found = []
    for number, record in enumerate(records, 1):
        title = name if len(records) == 1 else f"{name}, game {number}"
        report = to_plain(coach_game(record, title))
        found.append({**report, "record": format_record(record)})
        context.report({"done": number, "of": len(records)})
    return found


def coach_record(context: Context, record: str) -> Plain | None:
    """Return a report on a saved game; None if an agent made some of its moves."""
    found = parse_record(record)
    if any(step.proved is not None for step in found.steps):
        return None
    report: Plain = to_plain(coach_game(found, budget=context.budget))
    return report


def coaching(_context: Context, games: list[Plain]) -> Plain:
    """Sum up the reports on several games. Damaged reports are left out."""
    read = []
    for one in games:
        with suppress(InputError):
            read.append((read_fields(GameReport, one), one.get("key")))
    keys = {id(report): key for report, key in read}
    found = Coaching(tuple(report for report, _ in read))
    costliest = [(game, one) for game, one in found.costliest if one.cost > 0]
    top = found.missed[0].missed if found.missed else None
    examples = (_example(one.drill) for _, one in costliest if one.missed is top and one.drill)
    return {
        **found.to_plain(),
        "text": list(found.sentences()),
        "own": [_drill(one) for one in found.drills[: limits.COACHED_DRILLS]],
        "risks": [len(game.mistakes) for game in found.games],
        "example": next(examples, None),
        "costliest": [
            {**_costly(game, one), "key": keys[id(game)]} for game, one in costliest[:COSTLIEST]
        ],
    }


def _example(drill: Drill) -> Plain:
    """Return the position of a drill with the easiest proof."""
    return {"position": format_position(drill.position), "why": to_plain(drill.explanation)}


def _costly(game: GameReport, mistake: Mistake) -> Plain:
    """Return a mistake as the page lists it."""
    return {
        "name": game.name,
        "number": mistake.number,
        "words": mistake.missed.words,
        "cell": Move.parse(mistake.move).cell,
        "glyph": glyph(judge_risk(mistake.risk, mistake.least), mistake.risk),
        "before": mistake.before,
        "after": mistake.after,
        "position": format_position(mistake.drill.position) if mistake.drill else None,
    }


def race(context: Context, record: str, agents: list[str]) -> Plain:
    """Play the same board with several agents."""
    return run_race(parse_record(record), agents, context.agents.make, context.report)


def series(context: Context, agents: list[str], rules: Rules, seed: int, boards: int) -> Plain:
    """Play many boards with several agents."""
    played = Series(rules, seed, boards, agents)
    return run_series(played, context.agents.make, context.report, context.budget)


def _drill(found: Drill) -> Plain:
    """Return a drill with flags on the mines that easier reasoning proves."""
    shown = format_position(with_known_mines(found))
    return {**to_plain(found), "position": shown, "cell": found.answers[0]}
