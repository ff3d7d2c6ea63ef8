"""Which cell to guess when nothing is proved safe.

If few layouts are left, the rest of the game is solved exactly. Otherwise the safest cells are
opened for the sake of argument, one move ahead: what counts is the chance to survive this move
and the next. Among those that come close, a trained evaluation decides, if there is one.

The native core does it where it is there; here is the same in plain Python. They decide alike
unless the look-ahead runs out of work, which each measures in its own way.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

from mineproof.backend import native
from mineproof.core.clues import EXACT
from mineproof.core.decision import Candidate
from mineproof.core.errors import InputError, WorkLimitError
from mineproof.inference.counting import NODES, Facts, Known
from mineproof.inference.counting.native import CoreQuestion
from mineproof.search.best_play import solve_parts
from mineproof.search.choice import USUAL, Choice, GuessSettings
from mineproof.search.endgame import Work
from mineproof.search.evaluation import Evaluation
from mineproof.search.features import Situation
from mineproof.search.layouts import DividedPosition
from mineproof.search.lookahead import Outlook, look_ahead
from mineproof.search.survey import Survey, level


def choose(
    facts: Facts, settings: GuessSettings = USUAL, evaluation: Evaluation | None = None
) -> Choice | None:
    """Choose a guess; None if no cell is left.

    Args:
        facts: the exact facts of a position with exact clues in which no cell is proved safe.
        settings: how much work to do, and what to compare.
        evaluation: decides between close candidates, where the number of mines is known.

    Raises:
        InputError: some cell is proved safe, or the facts are of another kind.
        WorkLimitError: counting once more takes too many states.
    """
    if not facts.exact or facts.observation.rules.clues != EXACT:
        raise InputError("expected exact facts from exact clues, got others")
    if facts.safe:
        cell = facts.observation.grid.cell(facts.safe[0])
        raise InputError(f"expected a position in which no cell is proved safe, got {cell}")
    if not isinstance(facts.prior, Known):
        evaluation = None
    if facts.solved is not None:
        return _choose_native(facts, core_settings(settings, evaluation))
    return choose_in_python(facts, settings, evaluation)


@lru_cache(maxsize=16)
def core_settings(settings: GuessSettings, evaluation: Evaluation | None = None) -> Any:
    """Give settings as the native core takes them, which must be there."""
    assert native is not None
    trained = None if evaluation is None else evaluation.native
    return native.GuessSettings(**asdict(settings), evaluation=trained)


def _choose_native(facts: Facts, settings: Any) -> Choice | None:
    with CoreQuestion() as limits:
        answer = facts.solved.guess(settings, limits)
    if answer is None:
        return None
    index, exact, win, compared = answer
    if not compared:
        return _alone(facts, index, win, exact)
    cell = facts.observation.grid.cell
    return Choice(
        tuple(
            Candidate(cell(index), facts.risk[index], after, win)
            for index, after, win, *_ in compared
        )
    )


def _alone(facts: Facts, index: int, win: float | None, exact: bool) -> Choice:
    """Give a choice that was compared with no other."""
    cell = facts.observation.grid.cell(index)
    return Choice((Candidate(cell, facts.risk[index], win=win, win_exact=exact),), exact)


def choose_in_python(
    facts: Facts, settings: GuessSettings = USUAL, evaluation: Evaluation | None = None
) -> Choice | None:
    """Choose a guess without the native core's search; see `choose`."""
    survey = Survey(facts)
    if not survey.unknown:
        return None
    solved = _solve(survey, settings)
    if solved is not None:
        return solved
    if settings.look_work == 0:
        return _alone(facts, survey.safest(), None, False)
    looked = _look(survey, settings, settings.finalists if evaluation is not None else 0)
    if evaluation is not None:
        looked = _evaluate(survey, settings, evaluation, looked)
    return Choice(tuple(each.candidate for each in looked))


def endgame_scale(cells: int) -> int:
    """Give the endgames of small boards, which have short games, more work.

    Between 50 and 100 cells it wins nothing (`docs/strength.md`).
    """
    return 3 if 100 < cells <= 256 else min(max(100 // cells, 1), 3)


def _solve(survey: Survey, settings: GuessSettings) -> Choice | None:
    """Solve the endgame where little enough is left, or a part of it.

    A part that has nothing to do with the rest is played as if there were no rest.
    """
    facts = survey.facts
    if len(survey.unknown) > settings.endgame_cells or not isinstance(facts.prior, Known):
        return None
    if facts.layouts is None or facts.layouts > settings.endgame_layouts:
        return None
    scale = endgame_scale(survey.observation.grid.size)
    work = Work(scale * settings.endgame_work)
    found = solve_parts(DividedPosition(survey.observation), scale * settings.layouts, False, work)
    if found.cell < 0:
        return None
    exact = found.exact and found.win is not None
    return _alone(facts, found.cell, float(found.win or 0) if exact else None, exact)


@dataclass(frozen=True)
class Looked:
    """A cell that was opened for the sake of argument."""

    index: int
    outlook: Outlook
    survival: float
    candidate: Candidate


class _Rivals:
    """The survivals that were found so far: what another one needs to be compared with them."""

    def __init__(self, margin: float, places: int) -> None:
        """Compare what is near the best; where there is an evaluation, so many at most."""
        self._margin, self._places = margin, places
        self._most = 0.0
        self._best: list[int] = []

    def admits(self, safety: float) -> bool:
        """Tell whether a cell that survives one move so often can be compared."""
        return level(safety) > level(self._most - self._margin) and level(safety) >= self._last()

    def least(self) -> float:
        """Give what is too little for certain."""
        return (max(level(self._most - self._margin), self._last()) - 1) * 1e-9

    def add(self, survival: float) -> None:
        """Take in a survival."""
        self._most = max(self._most, survival)
        self._best = sorted([*self._best, level(survival)], reverse=True)[: self._places]

    def _last(self) -> int:
        """Give the survival of the last finalist, if all places are taken."""
        return self._best[-1] if 0 < self._places == len(self._best) else level(-1)


def _look(survey: Survey, settings: GuessSettings, finalists: int) -> list[Looked]:
    """Look ahead from the safest cell on, until no other can come near, or enough is done.

    Where an evaluation compares so many finalists, none but those that can be among them. Those
    of which it shows on the way that they cannot are left out.
    """
    cells = survey.candidates(settings)
    looked: list[Looked] = []
    rivals, work = _Rivals(settings.margin, finalists), 0
    for index in cells:
        safety = survey.safety[index]
        if not rivals.admits(safety) or (looked and work >= settings.look_work):
            break
        try:
            outlook = look_ahead(survey, index, NODES, rivals.least() / safety if safety else 0)
        except WorkLimitError:  # what was looked at has to do
            break
        work += outlook.nodes + 1
        if outlook.is_cut:
            continue
        looked.append(_looked(survey, index, outlook))
        if not outlook.is_dead:
            rivals.add(looked[-1].survival)
    # Cells that tell nothing come last, since they can wait.
    looked.sort(key=lambda each: (each.outlook.is_dead, -level(each.survival)))
    return looked or [_looked(survey, cells[0], Outlook())]


def _looked(survey: Survey, index: int, outlook: Outlook) -> Looked:
    cell, risk = survey.observation.grid.cell(index), survey.facts.risk[index]
    survival = survey.safety[index] * outlook.next
    return Looked(index, outlook, survival, Candidate(cell, risk, outlook.next))


def _evaluate(
    survey: Survey, settings: GuessSettings, evaluation: Evaluation, looked: list[Looked]
) -> list[Looked]:
    """Put the candidate with the best estimate first, of those that come close."""
    best = looked[0]
    least = level(best.survival - settings.margin)
    close = [
        each
        for each in looked
        if level(each.survival) >= least and each.outlook.is_dead == best.outlook.is_dead
    ]
    assert isinstance(survey.facts.prior, Known)
    situation = Situation(survey, survey.facts.prior.mines)
    judged = []
    for each in close[: settings.finalists]:
        features = situation.features(each.index, each.outlook, best.survival)
        win = evaluation.win(features)
        judged.append(replace(each, candidate=replace(each.candidate, win=win)))
    # In the core estimates are made of 32-bit numbers: that much less of them is certain.
    judged.sort(key=lambda each: -level((each.candidate.win or 0.0) * 1e-3))
    return judged + looked[len(judged) :]
