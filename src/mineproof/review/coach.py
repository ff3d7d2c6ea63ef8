"""The coach: what a player missed in a game, and what it cost.

An avoidable guess is a *mistake*. Its kind is the easiest kind of reasoning that proves a cell
safe in that position. Its cost is the chance of winning with the best move minus the chance with
the move made. The cost is exact if the rest of the game can be searched, and otherwise a mean over
sampled layouts. Time is lost if a cell was proved safe and the player took far longer than usual.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum

from mineproof.core.errors import WorkLimitError
from mineproof.core.observation import Observation
from mineproof.generate.drills import Drill, drill_at
from mineproof.inference.budget import Budget
from mineproof.inference.counting import count
from mineproof.notation.plain_forms import plain_form
from mineproof.notation.records import Record
from mineproof.review.metrics import measure
from mineproof.review.verdicts import Kind, Review, Verdict, is_best_play, opened_by, review
from mineproof.review.verdicts import verdict as judge_move
from mineproof.search.winning import WeighedMove, weigh_move

SHORTEST_PAUSE = 1.0
"""Minimum length of a pause, in seconds."""
LONG = 3.0
"""Minimum length of a pause, as a multiple of the player's median time per move."""
EXAMINED_PAUSES = 3
"""The number of longest pauses of a game for which to find out which reasoning was needed."""


class MissedKind(StrEnum):
    """The kinds of reasoning that a player can miss, the easiest first.

    They are the kinds of drills, plus better guesses.
    """

    words: str
    """A description for players."""

    def __new__(cls, name: str, words: str = "") -> MissedKind:
        """Create a member with a description."""
        member = str.__new__(cls, name)
        member._value_, member.words = name, words
        return member

    ONE_CLUE = "one-clue", "one clue"
    PATTERN = "pattern", "a pattern of two clues"
    SUBSET = "subset", "a subset (two clues)"
    SEVERAL_CLUES = "several-clues", "three or more clues"
    CASES = "cases", "a contradiction"
    MINE_COUNT = "mine-count", "the mine count"
    BETTER_GUESS = "better-guess", "a better guess"
    """Nothing was proved safe, but another guess was better."""


@plain_form("*", "cost")
@dataclass(frozen=True)
class Mistake:
    """An avoidable guess."""

    number: int
    """The number of the move, from 1."""
    move: str
    missed: MissedKind
    risk: float
    least: float
    """The lowest risk of any move."""
    before: float | None
    """The chance of winning with the best move; None if it is unknown."""
    after: float | None
    """The chance of winning with the move made, before its result was known."""
    exact: bool
    """Whether these chances are exact; otherwise they are estimates."""
    drill: Drill | None = None
    """The position as a drill, if it trains one kind of reasoning."""

    @property
    def cost(self) -> float:
        """The drop in the chance of winning; an estimate may be slightly negative."""
        return 0.0 if self.before is None or self.after is None else self.before - self.after


@dataclass(frozen=True)
class Pause:
    """Time lost before a move although a cell was proved safe."""

    number: int
    seconds: float
    """The number of seconds by which the pause exceeded the player's median time per move."""
    missed: MissedKind | None = None
    """The kind of reasoning that was needed; None if it was not examined."""
    drill: Drill | None = None


@dataclass(frozen=True)
class GuessLuck:
    """A guess: how many mines it was expected to hit, and how many it hit."""

    number: int
    """The number of the move, from 1."""
    cells: int
    """The number of cells that the move opened directly."""
    risk: float
    """The chance of hitting any mine."""
    expected: float
    """The expected number of mines."""
    hits: int

    def log_mean(self, tilt: float) -> float:
        """Return a bound on the logarithm of the mean of exp(tilt * mines hit).

        The exponential function is convex. So among all distributions with this risk and expected
        number, its mean is largest if the guess hits either no mine, one mine, or all its cells.
        """
        more = max(0.0, self.expected - self.risk)  # sampled risks can contradict each other
        every = min(self.risk, more / max(1, self.cells - 1))
        one = (self.risk - every) * math.exp(tilt)
        return math.log(1 - self.risk + one + every * math.exp(tilt * self.cells))


@plain_form("*", "expected_hits", "hits", "cost", "lost", "3bv_per_second=speed", "efficiency")
@dataclass(frozen=True)
class GameReport:
    """The coach's report on one game."""

    name: str
    level: str
    player: str
    result: str
    """`win`, `loss`, `stuck` or `unfinished`."""
    totals: dict[str, int]
    """The number of moves with each verdict."""
    luck: float
    """The chance of surviving all guesses of the game."""
    best_luck: float
    guesses: tuple[GuessLuck, ...]
    """The guesses that could be judged."""
    bbbv: int
    solved: int
    """The part of the 3BV that was opened."""
    clicks: int
    seconds: float | None
    """The length of the game; None if it was not timed."""
    mistakes: tuple[Mistake, ...]
    pauses: tuple[Pause, ...]
    unjudged: tuple[int, ...] = ()
    """The numbers of moves that could not be judged, or whose cost could not be found, within the
    limits."""

    @property
    def expected_hits(self) -> float:
        """The expected number of mines that the guesses hit."""
        return math.fsum(guess.expected for guess in self.guesses)

    @property
    def hits(self) -> int:
        """The number of mines that the guesses hit."""
        return sum(guess.hits for guess in self.guesses)

    @property
    def cost(self) -> float:
        """The total drop in the chance of winning through mistakes."""
        return sum(one.cost for one in self.mistakes)

    @property
    def lost(self) -> float:
        """Seconds lost before proved moves."""
        return sum(pause.seconds for pause in self.pauses)

    @property
    def speed(self) -> float | None:
        """3BV opened per second; None if the game was not timed."""
        return self.solved / self.seconds if self.seconds else None

    @property
    def efficiency(self) -> float | None:
        """3BV opened per click; None before the first click."""
        return self.solved / self.clicks if self.clicks else None


def coach(
    record: Record, name: str = "", found: Review | None = None, budget: Budget | None = None
) -> GameReport:
    """Report what a player missed in a game, what it cost, and where time was lost.

    Args:
        record: the game.
        name: the name of the game in lists.
        found: the review of the game, if there is one. Otherwise, moves are judged by risk alone.
        budget: limits on the work.

    Raises:
        NotationError: the record does not replay.
    """
    game, budget = record.replay(), budget or Budget()
    judged = found or review(record, proofs=False, budget=budget)
    positions = record.positions()
    verdicts = [_reconsidered(one, positions[one.number - 1], budget) for one in judged.verdicts]
    judged = replace(judged, verdicts=tuple(verdicts))
    mistakes = dict(_mistakes(verdicts, positions, budget))
    left_out = [number for number, mistake in mistakes.items() if mistake is None]
    outcome, metrics = record.outcome, None if game.board is None else measure(game)
    times = [step.seconds for step in record.steps if step.seconds is not None]
    return GameReport(
        name=name,
        level=record.rules.level,
        player=record.player,
        result="unfinished" if outcome is None else outcome.result.value,
        totals=judged.totals,
        luck=judged.luck,
        best_luck=judged.best_luck,
        guesses=tuple(_guess_luck(one, positions) for one in judged.guesses),
        bbbv=metrics.bbbv if metrics else 0,
        solved=metrics.solved if metrics else 0,
        clicks=metrics.clicks if metrics else 0,
        seconds=max(times) if times else None,
        mistakes=tuple(one for one in mistakes.values() if one is not None),
        pauses=tuple(_pauses(record, verdicts, positions, budget)),
        unjudged=tuple(sorted((*judged.unjudged, *left_out))),
    )


def _guess_luck(guess: Verdict, positions: Sequence[Observation]) -> GuessLuck:
    before, after = positions[guess.number - 1 : guess.number + 1]
    cells = len(opened_by(before, guess.move))
    return GuessLuck(guess.number, cells, guess.risk, guess.mines, after.hits - before.hits)


def _mistakes(
    verdicts: Sequence[Verdict], positions: Sequence[Observation], budget: Budget
) -> Iterator[tuple[int, Mistake | None]]:
    """Yield each avoidable guess with its number; yield None if the budget is used up."""
    for one in verdicts:
        if one.is_avoidable:
            try:
                budget.check_time()
                yield one.number, _mistake(one, positions[one.number - 1], budget)
            except WorkLimitError:
                yield one.number, None


def _reconsidered(verdict: Verdict, position: Observation, budget: Budget) -> Verdict:
    """Return the verdict, changed to best guess if the move has the best chance of winning."""
    if verdict.kind is not Kind.AVOIDABLE_RISK or not verdict.least or not verdict.exact:
        return verdict
    if verdict.better is not None:
        return verdict  # a review with proofs has already checked this
    try:
        budget.check_time()
        is_best = is_best_play(verdict.move, count(position, budget=budget), budget)
    except WorkLimitError:
        return verdict
    return replace(verdict, kind=Kind.BEST_GUESS) if is_best else verdict


def _mistake(verdict: Verdict, position: Observation, budget: Budget) -> Mistake:
    missed, drill = _needed(position, verdict.is_needless, budget)
    weighed = weigh(verdict, position, budget)
    before, after, exact = weighed or (None, None, False)
    move, risk, least = str(verdict.move), verdict.risk, verdict.least
    return Mistake(verdict.number, move, missed, risk, least, before, after, exact, drill)


def _needed(
    position: Observation, is_proved: bool, budget: Budget
) -> tuple[MissedKind, Drill | None]:
    """Return the easiest kind of reasoning that proves a safe cell, with a drill if possible."""
    if not is_proved:
        return MissedKind.BETTER_GUESS, None
    unmarked = Observation(position.rules, position.shown)  # flags would give the answer away
    drill = drill_at(unmarked, budget)
    # If no proof is found within the limit, assume that a proof needs cases.
    return MissedKind.CASES if drill is None else MissedKind(drill.kind.value), drill


def weigh(verdict: Verdict, position: Observation, budget: Budget) -> WeighedMove | None:
    """Return the chances of winning with the best move and with the move made."""
    cells = opened_by(position, verdict.move)
    try:
        facts = count(position, budget=budget)
        riskiest = max(cells, key=lambda index: facts.risk[index])
        found = weigh_move(facts, riskiest, budget)
    except WorkLimitError:
        return None
    if found is None or len(cells) == 1:
        return found
    # A chord opens several cells, so it survives less often than its riskiest cell alone.
    survives = 1 - facts.risk[riskiest]
    share = (1 - verdict.risk) / survives if survives > 0 else 0.0
    return found._replace(chosen=found.chosen * share, exact=False)


def _pauses(
    record: Record, verdicts: Sequence[Verdict], positions: Sequence[Observation], budget: Budget
) -> Iterator[Pause]:
    """Yield the long pauses before moves when a cell was proved safe."""
    if not (gaps := dict(_gaps(record))):
        return
    usual = statistics.median_low(gaps.values())
    least = max(SHORTEST_PAUSE, LONG * usual)
    proved = [one.number for one in verdicts if one.kind is Kind.PROVED or one.is_needless]
    long = [number for number in proved if gaps.get(number, 0.0) > least]
    longest = sorted(long, key=lambda number: -gaps[number])[:EXAMINED_PAUSES]
    for number in long:
        missed, drill = None, None
        if number in longest:
            with suppress(WorkLimitError):
                budget.check_time()
                missed, drill = _needed(positions[number - 1], True, budget)
        yield Pause(number, round(gaps[number] - usual, 3), missed, drill)


def _gaps(record: Record) -> Iterator[tuple[int, float]]:
    """Yield the number of each timed move and the seconds before it."""
    before = 0.0
    for number, step in enumerate(record.steps, 1):
        if step.seconds is not None:
            yield number, step.seconds - before
            before = step.seconds


def explain_mistake(record: Record, mistake: Mistake, budget: Budget | None = None) -> str:
    """Return a description of the better move, with its proof."""
    position = record.positions()[mistake.number - 1]
    found = judge_move(position, record.steps[mistake.number - 1].move, mistake.number, budget)
    return "" if found is None else found.text
