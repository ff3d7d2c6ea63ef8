"""Verdicts on the moves of a game: proved, best guess, avoidable risk, reckless.

Only moves that open cells are judged; flags are just notes. A move is judged by what the player
could have known before it, never by what it hit. Guesses are compared by risk. But a strong player
may take a slightly higher risk now for a lower risk later, so a move that is known to be best play
also counts as a best guess.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

from mineproof.core.clues import UNOPENED, WITHHELD
from mineproof.core.errors import WorkLimitError
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.core.words import percent
from mineproof.inference.budget import Budget
from mineproof.inference.counting import Facts, count
from mineproof.inference.counting.facts import assume
from mineproof.notation.plain_forms import plain_form
from mineproof.notation.records import Record
from mineproof.proof.explainer import PositionExplainer
from mineproof.proof.explanation import Explanation, Rating, rate
from mineproof.proof.kinds import ReasoningKind
from mineproof.proof.ranking import EQUAL, safest
from mineproof.search.winning import win_chances

MOVE_SECONDS = 10.0
"""The maximum time for judging a move, in seconds, if the review has a time limit. With less time,
the proof may be harder to follow."""
RECKLESS = 0.25
"""A guess is reckless if its risk exceeds the lowest risk by more than this."""
CLOSE = 2
"""A better move is close if it is at most this many king's moves from the move made."""
EXAMINED = 3
"""The number of close cells to compare. The nearest come first."""


class Kind(StrEnum):
    """The possible verdicts on a move."""

    PROVED = "proved"
    """Every cell that the move opens was proved safe."""
    BEST_GUESS = "best guess"
    """Nothing was proved safe, and no cell had a lower risk or a better chance of winning."""
    AVOIDABLE_RISK = "avoidable risk"
    """Another cell was proved safe or had a lower risk."""
    RECKLESS = "reckless"
    """The risk was far above the lowest one, or the cell was proved to be a mine."""


@plain_form(
    *("number", "move", "verdict=kind", "risk", "least", "exact", "difficulty", "text", "better"),
    *("glyph", "mine"),
)
@dataclass(frozen=True)
class Verdict:
    """The verdict on one move."""

    number: int
    """The number of the move, from 1."""
    move: Move
    kind: Kind
    risk: float
    """The chance that the move would hit a mine."""
    least: float
    """The lowest risk of any move; 0 if a cell was proved safe."""
    exact: bool
    """Whether both risks are exact."""
    text: str
    difficulty: float = 0.0
    """The difficulty of the proof, for a proved move."""
    better: Explanation | None = None
    """A better move with its proof, if any: near the move made, unless only others are easy."""
    mines: float = 0.0
    """The expected number of mines that the move would hit. A chord can hit several mines."""
    mine: Explanation | None = None
    """The proof that the move opened a mine, if it was proved."""

    @property
    def glyph(self) -> str:
        """The sign for a mistake, as in chess."""
        return glyph(self.kind, self.risk)

    @property
    def is_avoidable(self) -> bool:
        """Whether the move was riskier than necessary."""
        return self.kind in (Kind.AVOIDABLE_RISK, Kind.RECKLESS)

    @property
    def is_needless(self) -> bool:
        """Whether the move was a guess although a cell was proved safe."""
        return self.kind is not Kind.PROVED and self.least == 0


@plain_form(
    *("moves=verdicts", "totals", "luck", "best_luck", "hardest=rating.hardest"),
    *("mean=rating.mean", "rule=rating.rule", "false_proofs", "unjudged"),
)
@dataclass(frozen=True)
class Review:
    """The verdicts on a game, with totals."""

    verdicts: tuple[Verdict, ...]
    rating: Rating
    """The difficulty of the proofs of all proved moves."""
    false_proofs: tuple[int, ...] = ()
    """The numbers of moves that the player called proved although they were not."""
    unjudged: tuple[int, ...] = ()
    """The numbers of moves that could not be judged within the work limits."""

    @property
    def guesses(self) -> tuple[Verdict, ...]:
        """The verdicts on moves that were not proved."""
        return tuple(verdict for verdict in self.verdicts if verdict.kind is not Kind.PROVED)

    @property
    def needless(self) -> int:
        """The number of guesses made although a cell was proved safe."""
        return sum(verdict.is_needless for verdict in self.verdicts)

    @property
    def totals(self) -> dict[str, int]:
        """The number of moves with each verdict."""
        counts = Counter(verdict.kind for verdict in self.verdicts)
        return {kind.value: counts[kind] for kind in Kind}

    @property
    def luck(self) -> float:
        """The chance of surviving all guesses of the game.

        A game without guesses has luck 1. A win with luck 0.01 was a 1 in 100 chance.
        """
        return math.prod((1 - verdict.risk for verdict in self.verdicts), start=1.0)

    @property
    def best_luck(self) -> float:
        """The chance of surviving the game if every guess had had the lowest possible risk."""
        return math.prod((1 - verdict.least for verdict in self.verdicts), start=1.0)


Watcher = Callable[[int, Verdict | None], None]
"""Called with the number of each move and its verdict (None for flags)."""


def review(
    record: Record,
    *,
    proofs: bool = True,
    watcher: Watcher | None = None,
    budget: Budget | None = None,
) -> Review:
    """Replay a game and judge every move that opened cells.

    Args:
        record: the game.
        proofs: whether to find and rate proofs. Judging by risk alone is faster.
        watcher: called with every verdict as soon as it is known.
        budget: limits on the work for all moves together. Moves that exceed it are listed in
            `unjudged`.

    Raises:
        NotationError: the record does not replay.
    """
    record.replay()
    game, budget = record.begin(), budget or Budget()
    verdicts: list[Verdict] = []
    explained: list[Explanation] = []
    unjudged: list[int] = []
    safe: frozenset[int] = frozenset()
    for number, step in enumerate(record.steps, 1):
        before = game.observation
        game.play(step.move)
        judged = None
        try:
            if proofs:
                for_move = budget if budget.seconds is None else budget.fork(seconds=MOVE_SECONDS)
                judged, found = _judge(before, step.move, number, for_move)
                explained += found
            else:
                judged, safe = _judge_risk_alone(before, step.move, number, safe, budget)
        except WorkLimitError:
            unjudged.append(number)
        if judged is not None:
            verdicts.append(judged)
        if watcher is not None:
            watcher(number, judged)
    return Review(tuple(verdicts), rate(explained), record.false_proofs, tuple(unjudged))


def verdict(
    before: Observation, move: Move, number: int = 1, budget: Budget | None = None
) -> Verdict | None:
    """Return the verdict on a move in the position before it.

    The verdict is None for flags, for chords that open nothing, and if judging exceeds the work
    limits.
    """
    try:
        return _judge(before, move, number, budget or Budget())[0]
    except WorkLimitError:
        return None


def _judge(
    before: Observation, move: Move, number: int, budget: Budget
) -> tuple[Verdict | None, Sequence[Explanation]]:
    """Judge a move, and return the verdict with the proofs of the cells it opened.

    The verdict is None for flags and for chords that open nothing.

    Raises:
        WorkLimitError: judging exceeds the work limits.
    """
    cells = opened_by(before, move)
    if not cells:
        return None, ()
    budget.check_time()
    explainer = PositionExplainer(before, budget=budget)
    facts = explainer.facts
    risk = _risk(facts, cells, budget)
    if not set(facts.safe).issuperset(cells):
        judged = _guess(number, move, risk, explainer, budget)
        return replace(judged, mines=_mines(facts, cells)), ()
    proofs = [explainer.explain(before.grid.cell(index)) for index in cells]
    hard = max(proofs, key=lambda one: one.difficulty)
    return Verdict(
        number, move, Kind.PROVED, 0.0, 0.0, facts.exact, hard.text, hard.difficulty
    ), proofs


def _judge_risk_alone(
    before: Observation, move: Move, number: int, safe: frozenset[int], budget: Budget
) -> tuple[Verdict | None, frozenset[int]]:
    """Judge a move without proofs, and return the verdict with all cells known to be safe.

    Safe cells stay safe, so the engine only runs for moves that open other cells.
    """
    cells = opened_by(before, move)
    proved = Verdict(number, move, Kind.PROVED, 0.0, 0.0, True, "")
    if safe.issuperset(cells):
        return (proved if cells else None), safe
    budget.check_time()
    facts = count(before, budget=budget, sampled=True)
    safe = frozenset(facts.safe)
    if safe.issuperset(cells):
        return proved, safe
    risk = _risk(facts, cells, budget)
    least, kind = _compared(risk, facts)
    mines = _mines(facts, cells)
    return Verdict(number, move, kind, risk, least, facts.exact, "", mines=mines), safe


def _risk(facts: Facts, cells: Sequence[int], budget: Budget) -> float:
    # Not 1 - (1 - risk): rounding would lose very small risks.
    return facts.risk[cells[0]] if len(cells) == 1 else joint_risk(facts, cells, budget)


def _mines(facts: Facts, cells: Sequence[int]) -> float:
    return math.fsum(facts.risk[cell] for cell in cells)


def _guess(
    number: int, move: Move, risk: float, explainer: PositionExplainer, budget: Budget
) -> Verdict:
    facts = explainer.facts
    cells = opened_by(facts.observation, move)
    least, kind = _compared(risk, facts)
    flags = _wrong_flags(facts, move)
    mined = [cell for cell in cells if facts.proved.get(cell)]
    mine = explainer.explain(_cell(facts, mined[0])) if mined else None
    better, text = None, _risked(risk, move, mine, flags)
    if kind is Kind.BEST_GUESS:
        text += " Nothing was proved safe, and no cell had a lower risk."
    elif not facts.safe and is_best_play(move, facts, budget):
        kind = Kind.BEST_GUESS
        text += " Another cell had a lower risk, but no move had a better chance of winning."
    elif (best := safest(facts)) is not None:
        better = explainer.explain(flags[0]) if flags else _better(explainer, cells[0])
        better = better or explainer.explain(_cell(facts, best))
        text += _instead(better)
    return Verdict(number, move, kind, risk, least, facts.exact, text, better=better, mine=mine)


def _wrong_flags(facts: Facts, move: Move) -> tuple[Cell, ...]:
    """Return the flags around a chord whose cells are proved safe."""
    if move.action is not Action.CHORD:
        return ()
    seen = facts.observation
    near = seen.grid.neighbours(seen.grid.index(move.cell))
    safe = frozenset(facts.safe)
    return tuple(seen.grid.cell(index) for index in near if seen.marks[index] and index in safe)


def _better(explainer: PositionExplainer, near: int) -> Explanation | None:
    """Explain a safe cell close to the cell that was opened, if its proof needs no cases.

    Otherwise, explain the safe cell with the easiest proof. None if no cell is proved safe.
    """
    facts = explainer.facts
    distance = partial(facts.observation.grid.distance, near)
    nearest = sorted(facts.safe, key=distance)[:EXAMINED]
    close = [_cell(facts, index) for index in nearest if distance(index) <= CLOSE]
    found = [explainer.explain(cell) for cell in close]
    best = min(found, key=lambda one: one.difficulty, default=None)
    if best is not None and best.difficulty < ReasoningKind.CASES:
        return best
    return explainer.easiest(near)


def _cell(facts: Facts, index: int) -> Cell:
    return facts.observation.grid.cell(index)


def _compared(risk: float, facts: Facts) -> tuple[float, Kind]:
    """Return the lowest risk of any cell, and the verdict on a guess with this risk."""
    best = safest(facts)
    least = risk if best is None else min(risk, facts.risk[best])
    return least, judge_risk(risk, least)


def glyph(kind: Kind, risk: float) -> str:
    """Return the sign for a mistake, as in chess: `?!`, `?`, or `??` for a proved mine."""
    if kind is Kind.RECKLESS:
        return "??" if risk >= 1 else "?"
    return "?!" if kind is Kind.AVOIDABLE_RISK else ""


def judge_risk(risk: float, least: float) -> Kind:
    """Return the verdict on a guess, given its risk and the lowest risk of any cell."""
    if risk >= 1 or risk > least + RECKLESS:
        return Kind.RECKLESS
    if risk <= least + EQUAL:
        return Kind.BEST_GUESS
    return Kind.AVOIDABLE_RISK


def is_best_play(move: Move, facts: Facts, budget: Budget | None = None) -> bool:
    """Return whether a move is known to be best play."""
    if move.action is not Action.OPEN:
        return False
    try:
        chances = win_chances(facts, budget=budget)
    except WorkLimitError:
        return False
    index = facts.observation.grid.index(move.cell)
    if not chances.exact or chances.win is None:
        return index == chances.best
    return chances.moves.get(index, 0.0) >= chances.win - EQUAL


def _risked(risk: float, move: Move, mine: Explanation | None, flags: Sequence[Cell]) -> str:
    """Return a sentence about the risk that a move took; a chord relies on its flags."""
    wrong = f" with a wrong flag on {flags[0]}" if flags else ""
    if move.action is not Action.CHORD:
        return "It was proved to be a mine." if risk >= 1 else f"It risked {percent(risk)}."
    if mine is None:
        return f"The chord{wrong} risked {percent(risk)}."
    return f"The chord{wrong} opened {mine.cell}, a proved mine."


def _instead(better: Explanation) -> str:
    """Return a sentence about the better move."""
    if better.proved == "safe":
        return f" {better.cell} was proved safe. {better.text}"
    return f" Nothing was proved safe, but {better.cell} had a risk of {percent(better.risk)}."


def opened_by(observation: Observation, move: Move) -> tuple[int, ...]:
    """Return the cells that a move opens directly.

    A flood opens only safe cells, so it is left out.
    """
    if move.action is Action.OPEN:
        return (observation.grid.index(move.cell),)
    if move.action is not Action.CHORD:
        return ()
    near = observation.grid.neighbours(observation.grid.index(move.cell))
    shown, marks = observation.shown, observation.marks
    return tuple(index for index in near if shown[index] == UNOPENED and not marks[index])


def joint_risk(facts: Facts, cells: Sequence[int], budget: Budget | None = None) -> float:
    """Return the probability that at least one of these cells is a mine."""
    safety = 1.0
    for index in cells:
        safety *= 1 - facts.risk[index]
        if safety <= 0:
            break
        if index != cells[-1]:
            after = assume(facts.observation, index, WITHHELD)
            facts = count(after, budget=budget, sampled=True)
    return 1 - safety
