"""Chooses a guess when nothing is proved safe.

If few layouts are left, the rest of the game is solved exactly. Otherwise the search looks one move
ahead from the safest cells and compares the chance of surviving both moves. In the C++ core, a
trained evaluation decides between close candidates.

This module uses the C++ core if it is available, otherwise pure Python without an evaluation.
Without an evaluation, both choose the same cell unless the look-ahead reaches its work limit, which
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
from mineproof.search.best_play import solve_groups
from mineproof.search.choice import USUAL, Choice, GuessSettings
from mineproof.search.guess_position import GuessPosition, rounded
from mineproof.search.layouts import DividedPosition
from mineproof.search.lookahead import look_ahead

Evaluation = Any
"""The class `Evaluation` of the C++ core, native or WebAssembly."""


def choose(
    facts: Facts,
    settings: GuessSettings = USUAL,
    evaluation: Evaluation | None = None,
    budget: Budget | None = None,
) -> Choice | None:
    """Choose a guess; None if no cell is left.

    Args:
        facts: the exact facts of a position with exact clues and no proved safe cells.
        settings: the work limits, and the selection of candidates.
        evaluation: decides between close candidates if the mine count is known. Only the C++
            core uses it.
        budget: limits on time and memory.

    Raises:
        InputError: a cell is proved safe, or the facts are not of this kind.
        WorkLimitError: counting the position again takes too many states.
    """
    check_facts(facts)
    if not isinstance(facts.prior, Known):
        evaluation = None
    if facts.solved is not None:
        return _choose_native(facts, core_settings(settings, evaluation), budget or Budget())
    return choose_in_python(facts, settings, budget)


def check_facts(facts: Facts) -> None:
    """Check that these facts allow a search for a guess.

    Raises:
        InputError: a cell is proved safe, or the facts are not of this kind.
    """
    if not facts.exact or facts.observation.rules.clues != EXACT:
        raise InputError("expected exact facts about a position with exact clues")
    if facts.safe:
        cell = facts.observation.grid.cell(facts.safe[0])
        raise InputError(
            f"expected a position without proved safe cells, but {cell} is proved safe"
        )


@cache
def load_evaluation() -> Evaluation | None:
    """Return the trained evaluation; None if the C++ core, which it needs, is missing."""
    if native is None:
        return None
    data = resources.files("mineproof.search") / "evaluation.bin"
    return native.Evaluation(data.read_bytes())


@lru_cache(maxsize=16)
def core_settings(settings: GuessSettings, evaluation: Evaluation | None = None) -> Any:
    """Return the settings as an object of the C++ core, which must be available."""
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
    """Return a choice without other candidates."""
    cell = facts.observation.grid.cell(index)
    return Choice((Candidate(cell, facts.risk[index], win=win, win_exact=exact),), exact)


def choose_in_python(
    facts: Facts, settings: GuessSettings = USUAL, budget: Budget | None = None
) -> Choice | None:
    """Choose a guess without the C++ core and without an evaluation; see `choose`."""
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
    """Return the factor for the endgame work limit on a board with this many cells.

    Games on small boards are short, so their endgames may take more work. Between 50 and 100 cells,
    more work wins no more games (`docs/strength.md`). Up to 20 cells, the C++ core uses three times
    this factor, which would take too long in pure Python.
    """
    return 3 if 100 < cells <= 256 else min(max(100 // cells, 1), 3)


def _solve(position: GuessPosition, settings: GuessSettings, budget: Budget) -> Choice | None:
    """Solve the endgame, or a separate part of it, if few enough layouts are left.

    A separate part is played as if the rest of the board did not exist.
    """
    facts = position.facts
    if len(position.unknown) > settings.endgame_cells or not isinstance(facts.prior, Known):
        return None
    if facts.layouts is None or facts.layouts > settings.endgame_layouts:
        return None
    scale = endgame_scale(position.observation.grid.size)
    divided, layouts = DividedPosition(position.observation, budget), scale * settings.layouts
    found = solve_groups(divided, layouts, False, budget.fork(scale * settings.endgame_work))
    if found.cell < 0:
        return None
    exact = found.exact and found.win is not None
    return _alone(facts, found.cell, float(found.win or 0) if exact else None, exact)


def _look(position: GuessPosition, settings: GuessSettings, budget: Budget) -> list[Candidate]:
    """Look ahead from the safest cells until no other cell can come close or the budget is used up.

    Cells that turn out to survive too rarely are left out.
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
        except WorkLimitError:  # only use the cells compared so far
            break
        work += found.nodes + 1
        if found.is_cut:
            continue
        survival = safety * found.safety
        candidate = _candidate(position, index, found.safety)
        compared.append((found.tells_nothing, -rounded(survival), candidate))
        if not found.tells_nothing:
            best = max(best, survival)
    # Put cells whose clue would tell us nothing last: they can wait.
    compared.sort(key=lambda each: each[:2])
    return [candidate for *_, candidate in compared] or [_candidate(position, cells[0], 0.0)]


def _candidate(position: GuessPosition, index: int, next_safety: float) -> Candidate:
    cell = position.observation.grid.cell(index)
    return Candidate(cell, position.facts.risk[index], next_safety)
