"""The chance of winning a position under best play.

`win_chances` asks the native core where it is there, and its twin in plain Python otherwise.
Both list layouts and search them to the end (`endgame`), part by part (`best_play`), within
limits. What is larger can be estimated: by the evaluation of guesses, or by playouts, which only
the native core has.
"""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from mineproof.core.clues import EXACT
from mineproof.core.errors import InputError, WorkLimitError
from mineproof.core.observation import Observation
from mineproof.core.rules import Explosion, Goal, PublicRules
from mineproof.inference.budget import Budget
from mineproof.inference.counting import Facts, Known
from mineproof.inference.counting.native import CoreQuestion
from mineproof.inference.local import ImpossibleError
from mineproof.search.best_play import solve_parts
from mineproof.search.choice import USUAL, GuessSettings
from mineproof.search.guessing import choose, core_settings, load_evaluation
from mineproof.search.layouts import DividedPosition

MOST_LAYOUTS = 20_000
"""No more layouts are listed at a time."""
MOST_PLAYED = 40_000
"""Cells of a board on which a playout ends within a second."""
MOST_UNOPENED = 2_000
"""The twin in Python does not look at larger positions."""


NATIVE = replace(USUAL, layouts=5_000, endgame_work=6_000_000)
"""How far the native core searches by default: about 0.3 seconds at most."""
PYTHON = replace(USUAL, layouts=1_000, endgame_work=500_000)
"""The same without the core: about a second at most."""
COMPARING = replace(USUAL, endgame_layouts=0)
"""Compares guesses, and solves nothing."""
PLAYOUT = replace(USUAL, layouts=100, endgame_work=20_000, margin=0.0)
PLAYOUTS = 64
PLAYOUT_SECONDS = 1.0
"""Playouts end after this time, which only huge or crowded boards need."""
FAMILIAR_CELLS, FAMILIAR_DENSITY = 480, 0.21
"""The evaluation was trained on boards up to the expert's; on larger or more crowded ones it
ranks guesses well, but knows little of how much of the game is left."""


@dataclass(frozen=True)
class WinChances:
    """What best play makes of a position."""

    win: float | None = None
    """The chance to open all safe cells. If it is not exact, some policy reaches it, or it is an
    estimate; None: it is not known."""
    exact: bool = False
    moves: dict[int, float] = field(default_factory=dict)
    """For cells as the next move the chance after it: all cells if the work was enough, and if
    the position is exact then the best one at least. Estimates, where the win is one."""
    best: int | None = None
    """A best move, where one is known: also that of a part which has nothing to do with the
    rest, however large the rest is."""
    steps: int = 0
    """The work done."""


UNKNOWN = WinChances()


class WeighedMove(NamedTuple):
    """The chance to win with the best move, and with another."""

    best: float
    chosen: float
    exact: bool


def win_chances(
    facts: Facts,
    settings: GuessSettings | None = None,
    *,
    moves: bool = True,
    budget: Budget | None = None,
) -> WinChances:
    """Search for best play.

    All layouts that fit the position are equally likely, whatever the start was. If clues are
    unreliable, the mine count is unknown, the facts are estimates, or the rules have other aims
    than to open all safe cells without a hit, nothing is known.

    Args:
        facts: the facts of the position.
        settings: how many layouts to list at a time, and how far to search; by default what
            suits the backend.
        moves: whether to return the chance after every move.
        budget: further limits on the work.

    Raises:
        InputError: more layouts are to be listed than the search can take.
        WorkLimitError: counting the layouts takes too many nodes.
    """
    if not _is_known(facts):
        return UNKNOWN
    budget = budget or Budget()
    if facts.solved is None:
        return search_in_python(facts.observation, settings or PYTHON, moves, budget)
    return _search_in_core(facts, settings or NATIVE, moves, budget)


def applies(rules: PublicRules) -> bool:
    """Return whether the search knows these rules."""
    return (
        rules.clues == EXACT
        and rules.mines is not None
        and rules.goal is Goal.OPEN
        and rules.explosion is Explosion.LOSE
    )


def _is_known(facts: Facts) -> bool:
    """Return whether all layouts are equally likely, and best play is asked for."""
    return facts.exact and isinstance(facts.prior, Known) and applies(facts.observation.rules)


def _search_in_core(
    facts: Facts, settings: GuessSettings, moves: bool, budget: Budget
) -> WinChances:
    with CoreQuestion(_search_budget(settings, budget)) as limits:
        win, exact, best, wins, steps = facts.solved.win_chances(settings.layouts, moves, limits)
    chances = enumerate(array("d", wins) if exact else ())  # else no move has a value
    found = {i: chance for i, chance in chances if not math.isnan(chance)}
    return _chances(win, exact, found, best, steps)


def search_in_python(
    observation: Observation,
    settings: GuessSettings,
    moves: bool = True,
    budget: Budget | None = None,
) -> WinChances:
    """Search in plain Python; see `win_chances`."""
    budget = budget or Budget()
    work = _search_budget(settings, budget)
    if len(observation.unopened) > MOST_UNOPENED:
        return UNKNOWN
    try:
        position = DividedPosition(observation, budget.fork())
    except ImpossibleError:
        raise InputError("expected a position that has layouts, got a contradiction") from None
    found = solve_parts(position, settings.layouts, moves, work)
    win = None if found.win is None else float(found.win)
    wins = {index: float(chance) for index, chance in found.moves.items()}
    best = None if found.cell < 0 else found.cell
    return _chances(win, found.exact, wins, best, work.spent)


def _search_budget(settings: GuessSettings, budget: Budget) -> Budget:
    """Return the part of a budget for a search, no larger than its settings say."""
    if not 1 <= settings.layouts <= MOST_LAYOUTS:
        raise InputError(f"expected 1 to {MOST_LAYOUTS} layouts, got {settings.layouts}")
    most = settings.endgame_work
    return budget.fork(most if budget.nodes is None else min(most, budget.nodes))


def _chances(
    win: float | None, exact: bool, moves: dict[int, float], best: int | None, steps: int
) -> WinChances:
    """Put an answer together; the best move has the chance of the position."""
    if exact and win is not None and best is not None:
        moves.setdefault(best, win)
    return WinChances(win, exact, moves, best, steps)


def find_win(facts: Facts, budget: Budget | None = None) -> WinChances:
    """Return the chance of winning: exact if it can be searched, else an estimate.

    This is the one estimator: whoever states a chance of winning asks here.
    """
    try:
        found = win_chances(facts, budget=budget)
        return found if found.win is not None else estimate_win(facts, found.best, budget)
    except WorkLimitError:
        return UNKNOWN


def estimate_win(facts: Facts, best: int | None = None, budget: Budget | None = None) -> WinChances:
    """Estimate the chance of winning: by the evaluation of guesses, or by some playouts.

    Args:
        facts: the exact facts of a position.
        best: a cell that is known to be the best move, if there is one.
        budget: limits on the work; playouts end after `PLAYOUT_SECONDS` in any case.
    """
    if not _is_known(facts) or facts.rows * facts.columns > MOST_PLAYED:
        return UNKNOWN
    budget = budget or Budget()
    return _play_on(facts, budget) if facts.safe else _evaluate(facts, best, budget)


def _evaluate(facts: Facts, best: int | None, budget: Budget) -> WinChances:
    """Let the trained evaluation judge the guesses that come close."""
    evaluation = load_evaluation()
    choice = None if evaluation is None else choose(facts, COMPARING, evaluation, budget)
    if choice is None or choice.win is None:
        return UNKNOWN
    of = facts.observation.grid.index
    win: float | None = choice.win
    if not is_familiar(facts.observation.rules):
        win = _mean_playout(facts, of(choice.cell), budget)
    if win is None:
        return UNKNOWN
    scale = win / choice.win if choice.win > 0 else 0.0
    moves = {of(each.cell): each.win * scale for each in choice.candidates if each.win is not None}
    first = of(choice.cell) if best is None else best
    moves[first] = win
    return WinChances(win, False, moves, first)


def is_familiar(rules: PublicRules) -> bool:
    """Return whether the evaluation's values, not only their order, can be relied on."""
    cells = rules.rows * rules.columns
    return cells <= FAMILIAR_CELLS and (rules.mines or 0) <= FAMILIAR_DENSITY * cells


def _play_on(facts: Facts, budget: Budget) -> WinChances:
    """Play layouts on from a proved cell; all proved cells are worth the same."""
    win = _mean_playout(facts, facts.safe[0], budget)
    if win is None:
        return UNKNOWN
    return WinChances(win, False, dict.fromkeys(facts.safe, win), facts.safe[0])


def _mean_playout(facts: Facts, index: int, budget: Budget) -> float | None:
    """Return the mean of some playouts from a cell on; None without the native core."""
    if facts.solved is None:
        return None
    seconds = min(budget.left, PLAYOUT_SECONDS)
    rows = facts.solved.play_layouts([index], core_settings(PLAYOUT), PLAYOUTS, seconds, 0)
    return sum(row[0] for row in rows) / len(rows) if rows else None


def weigh_move(facts: Facts, index: int, budget: Budget | None = None) -> WeighedMove | None:
    """Compare opening a cell with the best move, whose chance is that of `find_win`.

    A move that is neither searched nor evaluated is played on over the same random layouts.

    Returns:
        None if best play is not known for the rules, or an estimate needs the native core.
    """
    budget = budget or Budget()
    found = find_win(facts, budget)
    if found.win is None or found.best is None:
        return None
    if facts.risk[index] >= 1 or index in found.moves:
        return WeighedMove(found.win, found.moves.get(index, 0.0), found.exact)
    chosen = _mean_playout(facts, index, budget)
    if chosen is not None and not facts.safe:  # the best guess has an evaluation: scale to that
        best = _mean_playout(facts, found.best, budget)
        chosen = chosen * found.win / best if best else chosen
    return None if chosen is None else WeighedMove(found.win, chosen, False)
