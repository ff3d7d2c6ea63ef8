"""The chance of winning a position under best play.

`win_chances` uses the C++ core if it is available, otherwise pure Python. Both list layouts and
search them to the end (`endgame`), part by part (`best_play`), within limits. Larger positions can
be estimated by the evaluation of guesses, or by playouts, which need the C++ core.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from contextlib import suppress
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
from mineproof.search.best_play import solve_groups
from mineproof.search.choice import USUAL, GuessSettings
from mineproof.search.guessing import choose, core_settings, load_evaluation
from mineproof.search.layouts import DividedPosition

MOST_LAYOUTS = 20_000
"""The largest number of layouts that can be listed at a time."""
MOST_PLAYED = 40_000
"""Use playouts only on boards with at most this many cells. A playout then takes less than 1 s."""
MOST_UNOPENED = 2_000
"""The pure-Python search skips positions with more unopened cells than this."""


NATIVE = replace(USUAL, layouts=5_000, endgame_work=6_000_000)
"""The default limits of the C++ core: at most about 0.3 s."""
PYTHON = replace(USUAL, layouts=1_000, endgame_work=500_000)
"""The default limits of pure Python: at most about 1 s."""
COMPARING = replace(USUAL, endgame_layouts=0)
"""Compare guesses without solving the endgame."""
PLAYOUT = replace(USUAL, layouts=100, endgame_work=20_000, margin=0.0)
PLAYOUTS = 64
PLAYOUT_SECONDS = 1.0
"""The time limit for playouts, in seconds. Only huge or dense boards reach it."""
DEEP = replace(USUAL, layouts=MOST_LAYOUTS, endgame_work=60_000_000)
"""The limits of a deep search: about ten times the default, at most about 4 s."""
DEEP_MOVES = 6
"""Number of moves that `deepen_win` plays out."""
FAMILIAR_CELLS, FAMILIAR_DENSITY = 480, 0.21
"""The evaluation was trained on boards up to expert size and density. On larger or denser boards,
it ranks guesses well, but its values are unreliable.
"""


@dataclass(frozen=True)
class WinChances:
    """The chances of winning a position under best play."""

    win: float | None = None
    """The chance of opening all safe cells; None if unknown. If it is not exact, it is
    either a chance that some policy reaches or an estimate.
    """
    exact: bool = False
    moves: dict[int, float] = field(default_factory=dict)
    """The chance of winning after opening a cell: for all cells if the budget sufficed, and at
    least for the best one if `exact`. If `win` is an estimate, so are these chances.
    """
    best: int | None = None
    """A best move if one is known. It may be the best move of a separate part, even if the rest of
    the board is too large.
    """
    steps: int = 0
    """The work done."""
    playouts: int = 0
    """The number of playouts whose mean result is `win`, if it comes from playouts alone."""
    error: float = 0.0
    """The standard error of that mean."""


UNKNOWN = WinChances()


class WeighedMove(NamedTuple):
    """The chance of winning with the best move, and with another move."""

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
    """Return the chances of winning under best play.

    All layouts that fit the position are considered equally likely, under any start rule. The
    result is `UNKNOWN` if clues are unreliable, the mine count is unknown, the facts are
    estimates, or the goal is not to open all safe cells without a hit.

    Args:
        facts: the facts of the position.
        settings: the number of layouts to list at a time and the work limit; the default
            depends on the backend.
        moves: whether to return the chance after every move.
        budget: further limits on the work.

    Raises:
        InputError: the settings ask for more than `MOST_LAYOUTS` layouts.
        WorkLimitError: counting the layouts takes too many nodes.
    """
    if not _is_known(facts):
        return UNKNOWN
    budget = budget or Budget()
    if facts.solved is None:
        return search_in_python(facts.observation, settings or PYTHON, moves, budget)
    return _search_in_core(facts, settings or NATIVE, moves, budget)


def applies(rules: PublicRules) -> bool:
    """Return whether the search supports these rules."""
    return (
        rules.clues == EXACT
        and rules.mines is not None
        and rules.goal is Goal.OPEN
        and rules.explosion is Explosion.LOSE
    )


def _is_known(facts: Facts) -> bool:
    """Return whether all layouts are equally likely and the search supports the rules."""
    return facts.exact and isinstance(facts.prior, Known) and applies(facts.observation.rules)


def _search_in_core(
    facts: Facts, settings: GuessSettings, moves: bool, budget: Budget
) -> WinChances:
    with CoreQuestion(_search_budget(settings, budget)) as limits:
        win, exact, best, wins, steps = facts.solved.win_chances(settings.layouts, moves, limits)
    chances = enumerate(array("d", wins) if exact else ())  # if not exact, no move has a value
    found = {i: chance for i, chance in chances if not math.isnan(chance)}
    return _chances(win, exact, found, best, steps)


def search_in_python(
    observation: Observation,
    settings: GuessSettings,
    moves: bool = True,
    budget: Budget | None = None,
) -> WinChances:
    """Search for best play in pure Python; see `win_chances`."""
    budget = budget or Budget()
    work = _search_budget(settings, budget)
    if len(observation.unopened) > MOST_UNOPENED:
        return UNKNOWN
    try:
        position = DividedPosition(observation, budget.fork())
    except ImpossibleError:
        raise InputError("no mine layout fits these clues") from None
    found = solve_groups(position, settings.layouts, moves, work)
    win = None if found.win is None else float(found.win)
    wins = {index: float(chance) for index, chance in found.moves.items()}
    best = None if found.cell < 0 else found.cell
    return _chances(win, found.exact, wins, best, work.spent)


def _search_budget(settings: GuessSettings, budget: Budget) -> Budget:
    """Return a part of the budget that does not exceed the limits in the settings."""
    if not 1 <= settings.layouts <= MOST_LAYOUTS:
        raise InputError(f"expected 1 to {MOST_LAYOUTS} layouts, got {settings.layouts}")
    most = settings.endgame_work
    return budget.fork(most if budget.nodes is None else min(most, budget.nodes))


def _chances(
    win: float | None, exact: bool, moves: dict[int, float], best: int | None, steps: int
) -> WinChances:
    """Return the chances of winning. The best move's chance equals that of the position."""
    if exact and win is not None and best is not None:
        moves.setdefault(best, win)
    return WinChances(win, exact, moves, best, steps)


def find_win(facts: Facts, budget: Budget | None = None) -> WinChances:
    """Return the chance of winning: exact if the position can be searched, otherwise estimated.

    All chances of winning that are shown to users come from this function.
    """
    try:
        found = win_chances(facts, budget=budget)
        return found if found.win is not None else estimate_win(facts, found.best, budget)
    except WorkLimitError:
        return UNKNOWN


def estimate_win(facts: Facts, best: int | None = None, budget: Budget | None = None) -> WinChances:
    """Estimate the chance of winning by the evaluation of guesses, or by playouts.

    Args:
        facts: the exact facts of a position.
        best: the best move if it is known.
        budget: limits on the work. Playouts end after `PLAYOUT_SECONDS` in any case.
    """
    if not _is_known(facts) or facts.rows * facts.columns > MOST_PLAYED:
        return UNKNOWN
    budget = budget or Budget()
    return _play_on(facts, budget) if facts.safe else _evaluate(facts, best, budget)


def _evaluate(facts: Facts, best: int | None, budget: Budget) -> WinChances:
    """Estimate the chance by the trained evaluation of close guesses."""
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
    """Return whether the evaluation's values (not only their order) are reliable here."""
    cells = rules.rows * rules.columns
    return cells <= FAMILIAR_CELLS and (rules.mines or 0) <= FAMILIAR_DENSITY * cells


def _play_on(facts: Facts, budget: Budget) -> WinChances:
    """Estimate the chance by playouts from a proved safe cell. All safe cells are equally good."""
    wins = _playouts(facts, facts.safe[0], budget)
    if not wins:
        return UNKNOWN
    times = len(wins)
    win = sum(wins) / times
    error = math.sqrt(sum((one - win) ** 2 for one in wins) / times / max(1, times - 1))
    moves = dict.fromkeys(facts.safe, win)
    return WinChances(win, False, moves, facts.safe[0], playouts=times, error=error)


def _mean_playout(facts: Facts, index: int, budget: Budget) -> float | None:
    """Return the mean result of playouts that start with a cell; None without the C++ core."""
    wins = _playouts(facts, index, budget)
    return sum(wins) / len(wins) if wins else None


def _playouts(facts: Facts, index: int, budget: Budget) -> list[float]:
    """Return the results of playouts that start with a cell; none without the C++ core."""
    if facts.solved is None:
        return []
    seconds = min(budget.left, PLAYOUT_SECONDS)
    rows = facts.solved.play_layouts([index], core_settings(PLAYOUT), PLAYOUTS, seconds, 0)
    return [row[0] for row in rows]


def deepen_win(facts: Facts, found: WinChances, budget: Budget) -> Iterator[tuple[WinChances, int]]:
    """Yield better and better chances for an estimate, each with the playouts per move so far.

    First, a search with ten times the work, which may be exact. Otherwise, rounds of playouts of
    the best moves, without end: the caller stops.
    """
    if found.exact or found.win is None or facts.solved is None:
        return
    with suppress(WorkLimitError):
        exact = win_chances(facts, DEEP, budget=budget)
        if exact.exact:
            yield exact, 0
            return
    cells = facts.safe[:1] or sorted(found.moves, key=lambda index: -found.moves[index])
    cells, settings = list(cells[:DEEP_MOVES]), core_settings(PLAYOUT)
    sums, played = [0.0] * len(cells), 0
    while rows := facts.solved.play_layouts(cells, settings, PLAYOUTS, budget.left, played):
        played += len(rows)
        sums = [math.fsum(column) for column in zip(*rows, sums, strict=True)]
        wins = {cell: total / played for cell, total in zip(cells, sums, strict=True)}
        best = max(wins, key=wins.__getitem__)
        alike = dict.fromkeys(facts.safe, wins[best])  # all safe cells are equally good
        yield WinChances(wins[best], False, alike or wins, best), played


def weigh_move(facts: Facts, index: int, budget: Budget | None = None) -> WeighedMove | None:
    """Compare opening a cell with the best move, whose chance `find_win` returns.

    A move that is neither searched nor evaluated is played out on the same random layouts.

    Returns:
        None if the search does not support the rules, or an estimate needs the C++ core.
    """
    budget = budget or Budget()
    found = find_win(facts, budget)
    if found.win is None or found.best is None:
        return None
    if facts.risk[index] >= 1 or index in found.moves:
        return WeighedMove(found.win, found.moves.get(index, 0.0), found.exact)
    chosen = _mean_playout(facts, index, budget)
    if chosen is not None and not facts.safe:  # scale to the best guess, which has an evaluation
        best = _mean_playout(facts, found.best, budget)
        chosen = chosen * found.win / best if best else chosen
    return None if chosen is None else WeighedMove(found.win, chosen, False)
