"""Which cell to guess when nothing is proved safe.

If few layouts are left, the rest of the game is solved exactly. Otherwise the safest cells are
opened for the sake of argument, one move ahead: what counts is the chance to survive this move
and the next. In the C++ core a trained evaluation decides between cells that come close.

Uses the C++ core if it is available, otherwise this pure-Python version, which has no evaluation.
Without an evaluation both choose the same cell unless the look-ahead reaches its work limit, which
each counts in its own way.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from mineproof.backend import native
from mineproof.core.clues import EXACT
from mineproof.core.decision import Candidate
from mineproof.core.errors import InputError, WorkLimitError
from mineproof.inference.budget import Budget
from mineproof.inference.counting import Facts, Known
from mineproof.inference.counting.native import CoreQuestion
from mineproof.search.best_play import solve_parts
from mineproof.search.choice import USUAL, Choice, GuessSettings
from mineproof.search.guess_position import GuessPosition, rounded
from mineproof.search.layouts import DividedPosition
from mineproof.search.lookahead import look_ahead

Evaluation = Any
"""The C++ core's class of that name, in either of its forms."""


def choose(
    facts: Facts,
    settings: GuessSettings = USUAL,
    evaluation: Evaluation | None = None,
    budget: Budget | None = None,
) -> Choice | None:
    """Choose a guess; None if no cell is left.

    Args:
        facts: the exact facts of a position with exact clues in which no cell is proved safe.
        settings: how far to search, and what to compare.
        evaluation: decides between close candidates if the number of mines is known; the
            C++ core alone uses it.
        budget: limits on time and memory.

    Raises:
        InputError: some cell is proved safe, or the facts are of another kind.
        WorkLimitError: counting once more takes too many states.
    """
    check_facts(facts)
    if not isinstance(facts.prior, Known):
        evaluation = None
    if facts.solved is not None:
        return _choose_native(facts, core_settings(settings, evaluation), budget or Budget())
    return choose_in_python(facts, settings, budget)


def check_facts(facts: Facts) -> None:
    """Check that a guess can be searched for.

    Raises:
        InputError: some cell is proved safe, or the facts are of another kind.
    """
    if not facts.exact or facts.observation.rules.clues != EXACT:
        raise InputError("expected exact facts from exact clues, got others")
    if facts.safe:
        cell = facts.observation.grid.cell(facts.safe[0])
        raise InputError(f"expected a position in which no cell is proved safe, got {cell}")


@cache
def load_evaluation() -> Evaluation | None:
    """Return the trained evaluation; None without the C++ core, which alone can use it."""
    if native is None:
        return None
    data = resources.files("mineproof.search") / "evaluation.bin"
    return native.Evaluation(data.read_bytes())


@lru_cache(maxsize=16)
def core_settings(settings: GuessSettings, evaluation: Evaluation | None = None) -> Any:
    """Return settings for the C++ core, which must be available."""
    assert native is not None
    return native.GuessSettings(**asdict(settings), evaluation=evaluation)


def _choose_native(facts: Facts, settings: Any, budget: Budget) -> Choice | None:
    with CoreQuestion(budget.fork()) as limits:
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
    """Return a choice that was compared with no other."""
    cell = facts.observation.grid.cell(index)
    return Choice((Candidate(cell, facts.risk[index], win=win, win_exact=exact),), exact)


def choose_in_python(
    facts: Facts, settings: GuessSettings = USUAL, budget: Budget | None = None
) -> Choice | None:
    """Choose a guess without the C++ core's search and without an evaluation; see `choose`."""
    position, budget = GuessPosition(facts), (budget or Budget()).fork()
    if not position.unknown:
        return None
    solved = _solve(position, settings, budget)
    if solved is not None:
        return solved
    if settings.look_work == 0:
        return _alone(facts, position.safest(), None, False)
    return Choice(tuple(_look(position, settings, budget)))


def endgame_scale(cells: int) -> int:
    """Return how many times the usual work endgames get; small boards have short games.

    Between 50 and 100 cells it wins nothing (`docs/strength.md`). Up to 20 cells the C++ core takes
    three times as much again, which would take too long here.
    """
    return 3 if 100 < cells <= 256 else min(max(100 // cells, 1), 3)


def _solve(position: GuessPosition, settings: GuessSettings, budget: Budget) -> Choice | None:
    """Solve the endgame where little enough is left, or a part of it.

    A part that has nothing to do with the rest is played as if there were no rest.
    """
    facts = position.facts
    if len(position.unknown) > settings.endgame_cells or not isinstance(facts.prior, Known):
        return None
    if facts.layouts is None or facts.layouts > settings.endgame_layouts:
        return None
    scale = endgame_scale(position.observation.grid.size)
    divided, layouts = DividedPosition(position.observation, budget), scale * settings.layouts
    found = solve_parts(divided, layouts, False, budget.fork(scale * settings.endgame_work))
    if found.cell < 0:
        return None
    exact = found.exact and found.win is not None
    return _alone(facts, found.cell, float(found.win or 0) if exact else None, exact)


def _look(position: GuessPosition, settings: GuessSettings, budget: Budget) -> list[Candidate]:
    """Look ahead from the safest cell on, until no other can come near, or enough is done.

    Cells that turn out on the way to survive too rarely are left out.
    """
    cells = position.candidates(settings)
    compared: list[tuple[bool, int, Candidate]] = []
    best, work = 0.0, 0
    for index in cells:
        safety, least = position.safety[index], rounded(best - settings.margin)
        if rounded(safety) <= least or (compared and work >= settings.look_work):
            break
        enough = (least - 1) * 1e-9 / safety if safety else 0.0
        try:
            found = look_ahead(position, index, budget, enough)
        except WorkLimitError:  # make do with what was compared so far
            break
        work += found.nodes + 1
        if found.is_cut:
            continue
        survival = safety * found.safety
        candidate = _candidate(position, index, found.safety)
        compared.append((found.tells_nothing, -rounded(survival), candidate))
        if not found.tells_nothing:
            best = max(best, survival)
    # Put cells whose clue would tell nothing last: they can wait.
    compared.sort(key=lambda each: each[:2])
    return [candidate for *_, candidate in compared] or [_candidate(position, cells[0], 0.0)]


def _candidate(position: GuessPosition, index: int, next_safety: float) -> Candidate:
    cell = position.observation.grid.cell(index)
    return Candidate(cell, position.facts.risk[index], next_safety)
