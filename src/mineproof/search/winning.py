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

from mineproof.backend import native
from mineproof.core.clues import EXACT
from mineproof.core.errors import InputError
from mineproof.core.observation import Observation
from mineproof.core.rules import Explosion, Goal, PublicRules
from mineproof.inference.counting import NODES, Facts, Known
from mineproof.inference.counting.native import CoreQuestion
from mineproof.inference.counting.work import WorkBudget
from mineproof.inference.local import ImpossibleError
from mineproof.search.best_play import solve_parts
from mineproof.search.choice import USUAL
from mineproof.search.endgame import Work
from mineproof.search.guessing import choose, core_settings, load_evaluation
from mineproof.search.layouts import DividedPosition

MOST_LAYOUTS = 20_000
"""No more layouts are listed at a time."""
MOST_PLAYED = 40_000
"""Cells of a board on which a playout ends within a second."""
MOST_UNOPENED = 2_000
"""The twin in Python does not look at larger positions."""


@dataclass(frozen=True)
class WinLimits:
    """How much work the search may do."""

    layouts: int
    """Layouts that are listed at a time."""
    work: int
    """Steps: layouts looked at in a node of the search."""
    seconds: float | None = None
    """Time, where the answer need not be repeatable."""

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        if not 1 <= self.layouts <= MOST_LAYOUTS:
            raise InputError(f"expected 1 to {MOST_LAYOUTS} layouts, got {self.layouts}")
        if self.work < 0:
            raise InputError(f"expected an amount of work from 0 on, got {self.work}")


NATIVE = WinLimits(5_000, 6_000_000)
"""About 0.3 seconds at most, with the native core."""
PYTHON = WinLimits(1_000, 500_000)
"""About a second at most, without it."""
COMPARING = replace(USUAL, endgame_layouts=0)
"""Compares guesses, and solves nothing."""
PLAYOUT = replace(USUAL, layouts=100, endgame_work=20_000, margin=0.0)
PLAYOUTS = 64
PLAYOUT_SECONDS = 1.0
"""Playouts end after this time, which only huge or crowded boards need."""
WEIGHING = WinLimits(500, 200_000)
"""Solves small endgames only, in a moment."""
WEIGHED = replace(PLAYOUT, look_work=0)
"""Guesses the safest cell until the end can be solved: many such games are played in a moment."""
WEIGHED_LAYOUTS = 32
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


def default_limits() -> WinLimits:
    """Give the limits that suit the backend that runs."""
    return PYTHON if native is None else NATIVE


def win_chances(facts: Facts, limits: WinLimits | None = None, *, moves: bool = True) -> WinChances:
    """Search for best play.

    Every layout that agrees with the position is as likely as another, whatever the start was.
    Where clues are unreliable, the mine count is unknown, the facts are estimates, or the rules
    have other aims than to open all safe cells without a hit, nothing is known.

    Args:
        facts: the facts of the position.
        limits: how much work to do; by default what suits the backend.
        moves: whether to give the chance after every move.

    Raises:
        WorkLimitError: counting its layouts takes too many states.
    """
    if not _is_known(facts):
        return UNKNOWN
    if facts.solved is None:
        return search_in_python(facts.observation, limits or PYTHON, moves)
    return _search_in_core(facts, limits or NATIVE, moves)


def applies(rules: PublicRules) -> bool:
    """Say whether the search knows these rules."""
    return (
        rules.clues == EXACT
        and rules.mines is not None
        and rules.goal is Goal.OPEN
        and rules.explosion is Explosion.LOSE
    )


def _is_known(facts: Facts) -> bool:
    """Say whether all layouts are equally likely, and best play is asked for."""
    return facts.exact and isinstance(facts.prior, Known) and applies(facts.observation.rules)


def _search_in_core(facts: Facts, limits: WinLimits, moves: bool) -> WinChances:
    with CoreQuestion(limits.work, limits.seconds) as work:
        win, exact, best, wins, steps = facts.solved.win_chances(limits.layouts, moves, work)
    found = {i: chance for i, chance in enumerate(array("d", wins)) if not math.isnan(chance)}
    return _chances(win, exact, found, best, steps)


def search_in_python(observation: Observation, limits: WinLimits, moves: bool = True) -> WinChances:
    """Search in plain Python; see `win_chances`."""
    if len(observation.unopened) > MOST_UNOPENED:
        return UNKNOWN
    try:
        position = DividedPosition(observation, WorkBudget(NODES, limits.seconds))
    except ImpossibleError:
        raise InputError("expected a position that has layouts, got a contradiction") from None
    work = Work(limits.work, limits.seconds)
    found = solve_parts(position, limits.layouts, moves, work)
    win = None if found.win is None else float(found.win)
    wins = {index: float(chance) for index, chance in found.moves.items()}
    best = None if found.cell < 0 else found.cell
    return _chances(win, found.exact, wins, best, work.steps)


def _chances(
    win: float | None, exact: bool, moves: dict[int, float], best: int | None, steps: int
) -> WinChances:
    """Put an answer together; the best move has the chance of the position."""
    if exact and win is not None and best is not None:
        moves.setdefault(best, win)
    return WinChances(win, exact, moves, best, steps)


def estimate_win(
    facts: Facts, best: int | None = None, seconds: float = PLAYOUT_SECONDS
) -> WinChances:
    """Estimate the chance to win: by the evaluation of guesses, or by some playouts.

    Args:
        facts: the exact facts of a position.
        best: a cell that is known to be the best move, if there is one.
        seconds: how long playouts may take, at most.
    """
    if not _is_known(facts) or facts.rows * facts.columns > MOST_PLAYED:
        return UNKNOWN
    seconds = min(seconds, PLAYOUT_SECONDS)
    return _play_on(facts, seconds) if facts.safe else _evaluate(facts, best, seconds)


def _evaluate(facts: Facts, best: int | None, seconds: float) -> WinChances:
    """Let the trained evaluation judge the guesses that come close."""
    evaluation = load_evaluation()
    choice = None if evaluation is None else choose(facts, COMPARING, evaluation)
    if choice is None or choice.win is None:
        return UNKNOWN
    of = facts.observation.grid.index
    win: float | None = choice.win
    if not is_familiar(facts.observation.rules):
        win = _mean_playout(facts, of(choice.cell), seconds)
    if win is None:
        return UNKNOWN
    scale = win / choice.win if choice.win > 0 else 0.0
    moves = {of(each.cell): each.win * scale for each in choice.candidates if each.win is not None}
    first = of(choice.cell) if best is None else best
    moves[first] = win
    return WinChances(win, False, moves, first)


def is_familiar(rules: PublicRules) -> bool:
    """Say whether the evaluation's values, not only their order, can be relied on."""
    cells = rules.rows * rules.columns
    return cells <= FAMILIAR_CELLS and (rules.mines or 0) <= FAMILIAR_DENSITY * cells


def _play_on(facts: Facts, seconds: float) -> WinChances:
    """Play layouts on from a proved cell; all proved cells are worth the same."""
    win = _mean_playout(facts, facts.safe[0], seconds)
    if win is None:
        return UNKNOWN
    return WinChances(win, False, dict.fromkeys(facts.safe, win), facts.safe[0])


def _mean_playout(facts: Facts, index: int, seconds: float) -> float | None:
    """Give the mean of some playouts from a cell on; None without the native core."""
    if facts.solved is None:
        return None
    rows = facts.solved.play_layouts([index], core_settings(PLAYOUT), PLAYOUTS, seconds, 0)
    return sum(row[0] for row in rows) / len(rows) if rows else None


def weigh_move(facts: Facts, index: int) -> WeighedMove | None:
    """Compare opening a cell with the best move, at play speed.

    Small endgames are solved; otherwise both moves are played on over the same random layouts.

    Returns:
        None where best play is not known for the rules, or an estimate needs the native core.

    Raises:
        WorkLimitError: counting its layouts takes too many states.
    """
    if not _is_known(facts):
        return None
    found = win_chances(facts, WEIGHING)
    if found.exact and found.win is not None and (index in found.moves or facts.risk[index] >= 1):
        return WeighedMove(found.win, found.moves.get(index, 0.0), True)
    best = facts.safe[0] if facts.safe else found.best
    if best is None:
        best = estimate_win(facts).best
    if best is None or facts.solved is None:
        return None
    cells = [best] if facts.risk[index] >= 1 else [best, index]
    policy = core_settings(WEIGHED)
    rows = facts.solved.play_layouts(cells, policy, WEIGHED_LAYOUTS, PLAYOUT_SECONDS, 0)
    if not rows:
        return None
    means = [sum(row[place] for row in rows) / len(rows) for place in range(len(cells))]
    return WeighedMove(means[0], means[1] if len(means) > 1 else 0.0, False)
