"""Which cell to guess when nothing is proved safe.

If few layouts are left, the rest of the game is solved exactly. Otherwise the safest cells are
opened for the sake of argument, one move ahead: what counts is the chance to survive this move
and the next. Among those that come close, a trained evaluation decides, if there is one.

The native core does it where it is there; here is the same in plain Python. They decide alike
unless the look-ahead runs out of work, which each measures in its own way.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import lru_cache
from typing import Any

from mineproof.backend import native
from mineproof.core.clues import EXACT
from mineproof.core.errors import InputError, WorkLimitError
from mineproof.inference.counting import NODES, Facts, Known
from mineproof.search.choice import Choice, GuessOption
from mineproof.search.endgame import Work
from mineproof.search.evaluation import Evaluation
from mineproof.search.features import Situation
from mineproof.search.layouts import Ground
from mineproof.search.lookahead import Outlook, look_ahead
from mineproof.search.parts import solve_parts
from mineproof.search.settings import USUAL, GuessSettings
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
    if native is not None:
        return _choose_native(native, facts, settings, evaluation)
    return choose_in_python(facts, settings, evaluation)


@lru_cache(maxsize=16)
def core_settings(settings: GuessSettings) -> Any:
    """Give settings as the native core takes them, which must be there."""
    assert native is not None
    return native.GuessSettings(**asdict(settings))


def _choose_native(
    core: Any, facts: Facts, settings: GuessSettings, evaluation: Evaluation | None
) -> Choice | None:
    from mineproof.inference.counting.native import plain_prior

    trained = None if evaluation is None else evaluation.native
    shown, prior = facts.observation.shown, plain_prior(facts.prior)
    assert prior is not None
    try:
        answer = core.guess(
            facts.rows, facts.columns, shown, *prior, core_settings(settings), trained, NODES
        )
    except core.WorkLimit:
        raise WorkLimitError(f"expected at most {NODES} states to count, got more") from None
    if answer is None:
        return None
    index, win, exact, options = answer
    return Choice(index, win, exact, tuple(GuessOption(*each) for each in options))


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
        index = survey.safest()
        return Choice(index, None, False, ())
    looked = _look(survey, settings)
    options = [option for option, _ in looked]
    if evaluation is not None:
        options = _evaluate(survey, settings, evaluation, looked)
    return Choice(options[0].index, options[0].win, False, tuple(options))


def endgame_scale(cells: int) -> int:
    """Give the endgames of small boards, which have short games, more work."""
    return min(max(100 // cells, 1), 3)


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
    found = solve_parts(Ground(survey.observation), scale * settings.layouts, False, work)
    if found.cell < 0:
        return None
    exact = found.exact and found.win is not None
    return Choice(found.cell, float(found.win or 0) if exact else None, exact, ())


def _look(survey: Survey, settings: GuessSettings) -> list[tuple[GuessOption, Outlook]]:
    """Look ahead from the safest cell on, until no other can come near, or enough is done."""
    seeds = survey.candidates(settings)
    first = seeds[0]
    looked: list[tuple[GuessOption, Outlook]] = []
    most, work = 0.0, 0
    for seed in seeds:
        if level(seed.safety) <= level(most - settings.margin):
            break
        if looked and work >= settings.look_work:
            break
        try:
            outlook = look_ahead(survey, seed.index, NODES)
        except WorkLimitError:  # what was looked at has to do
            break
        survival = seed.safety * outlook.next
        looked.append((GuessOption(seed.index, seed.safety, outlook.next, survival, None), outlook))
        if not outlook.is_dead:
            most = max(most, survival)
        work += outlook.nodes
    # Cells that tell nothing come last, since they can wait.
    looked.sort(key=lambda each: (each[1].is_dead, -level(each[0].survival)))
    return looked or [(GuessOption(first.index, first.safety, 0.0, 0.0, None), Outlook())]


def _evaluate(
    survey: Survey,
    settings: GuessSettings,
    evaluation: Evaluation,
    looked: list[tuple[GuessOption, Outlook]],
) -> list[GuessOption]:
    """Put the candidate with the best estimate first, of those that come close."""
    options = [option for option, _ in looked]
    most, is_dead = options[0].survival, looked[0][1].is_dead
    least = level(most - settings.margin)
    close = [
        (option, outlook)
        for option, outlook in looked
        if level(option.survival) >= least and outlook.is_dead == is_dead
    ]
    finalists = close[: settings.finalists]
    assert isinstance(survey.facts.prior, Known)
    situation = Situation(survey, survey.facts.prior.mines)
    judged = [
        replace(option, win=evaluation.win(situation.features(option.index, outlook, most)))
        for option, outlook in finalists
    ]
    # In the core estimates are made of 32-bit numbers: that much less of them is certain.
    judged.sort(key=lambda option: -level((option.win or 0.0) * 1e-3))
    return judged + options[len(finalists) :]
