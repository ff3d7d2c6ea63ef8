"""How lucky a game was: the chance of surviving the guesses that were made in it.

Every opened cell that was not proved safe was a guess, whatever the player thought of it.
Luck is the product of the safeties of all guesses, as the exact engine sees them at the
moment of the move. A game without guesses has luck 1; a game won with luck 0.01 should not
be expected twice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from mineproof.core.clues import UNOPENED, WITHHELD
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.observation import Observation
from mineproof.inference.counting import Facts, count
from mineproof.inference.counting.facts import assume
from mineproof.notation.records import Record


@dataclass(frozen=True)
class Guess:
    """A move that was not proved safe."""

    step: int
    """Its place among the moves of the record, from 0."""
    cell: Cell
    risk: float
    """The probability that it hit a mine."""
    least: float
    """The lowest risk of all cells at that moment."""
    is_needless: bool
    """Whether some cell was proved safe at that moment."""
    exact: bool
    """Whether these numbers are exact; under unreliable clues they may be estimates."""


@dataclass(frozen=True)
class Luck:
    """The guesses of a game."""

    guesses: tuple[Guess, ...]

    @property
    def chance(self) -> float:
        """The chance of surviving all guesses of the game."""
        return math.prod((1 - guess.risk for guess in self.guesses), start=1.0)

    @property
    def best_chance(self) -> float:
        """The same with the safest cell at each guess."""
        return math.prod((1 - guess.least for guess in self.guesses), start=1.0)

    @property
    def needless(self) -> int:
        """How many guesses were made while a safe cell was proved."""
        return sum(guess.is_needless for guess in self.guesses)


def luck(record: Record) -> Luck:
    """Replay a game and judge every cell that was opened after the start."""
    game = record.begin()
    judge = Judge()
    for place, step in enumerate(record.steps):
        judge.look(game.observation, step.move, place)
        game.play(step.move)
    return Luck(tuple(judge.guesses))


class Judge:
    """Follows a game move by move and collects the guesses in it."""

    def __init__(self) -> None:
        """Begin with no guesses."""
        self.guesses: list[Guess] = []
        self._safe: frozenset[int] = frozenset()

    def look(self, observation: Observation, move: Move, step: int) -> None:
        """Judge a move that is about to be made.

        What was proved safe stays so, hence the engine is asked only about other cells.
        """
        cells = opened_by(observation, move)
        if self._safe.issuperset(cells):
            return
        facts = count(observation, sampled=True)
        self._safe = frozenset(facts.safe)
        if self._safe.issuperset(cells):
            return
        mined = set(facts.mined)
        least = min(facts.risk[i] for i in observation.unopened if i not in mined or i in cells)
        risk = joint_risk(facts, cells)
        guess = Guess(step, move.cell, risk, least, bool(facts.safe), facts.exact)
        self.guesses.append(guess)


def opened_by(observation: Observation, move: Move) -> tuple[int, ...]:
    """Give the cells that a move opens itself; flood opens only safe ones."""
    if move.action is Action.OPEN:
        return (observation.grid.index(move.cell),)
    if move.action is not Action.CHORD:
        return ()
    near = observation.grid.neighbours(observation.grid.index(move.cell))
    shown, marks = observation.shown, observation.marks
    return tuple(index for index in near if shown[index] == UNOPENED and not marks[index])


def joint_risk(facts: Facts, cells: Sequence[int]) -> float:
    """Give the probability that at least one of these cells is a mine."""
    safety = 1.0
    for index in cells:
        safety *= 1 - facts.risk[index]
        if safety <= 0:
            break
        if index != cells[-1]:
            facts = count(assume(facts.observation, index, WITHHELD), sampled=True)
    return 1 - safety
