"""The chance of winning a position under best play.

`win_chances` asks the native core where it is there, and its twin in plain Python otherwise.
Both list layouts and search them to the end (`endgame`), part by part (`parts`), within limits:
what is larger stays unknown.
"""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field
from typing import Any

from mineproof.backend import native
from mineproof.core.clues import EXACT
from mineproof.core.errors import InputError, WorkLimitError
from mineproof.core.observation import Observation
from mineproof.core.rules import Explosion, Goal, PublicRules
from mineproof.inference.counting import NODES
from mineproof.inference.counting.budget import Budget
from mineproof.inference.local import ImpossibleError
from mineproof.search.endgame import Work
from mineproof.search.layouts import Ground
from mineproof.search.parts import solve_parts

MOST_LAYOUTS = 20_000
"""No more layouts are listed at a time."""
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


def default_limits() -> WinLimits:
    """Give the limits that suit the backend that runs."""
    return PYTHON if native is None else NATIVE


def win_chances(
    observation: Observation, limits: WinLimits | None = None, *, moves: bool = True
) -> WinChances:
    """Search for best play.

    Every layout that agrees with the position is as likely as another, whatever the start was.
    Where clues are unreliable, the mine count is unknown, or the rules have other aims than to
    open all safe cells without a hit, nothing is known.

    Args:
        observation: the position.
        limits: how much work to do; by default what suits the backend.
        moves: whether to give the chance after every move.

    Raises:
        InputError: no layout agrees with the position.
        WorkLimitError: counting its layouts takes too many states.
    """
    if not applies(observation.rules):
        return UNKNOWN
    limits = limits or default_limits()
    if native is not None:
        return search_in_core(native, observation, limits, moves)
    return search_in_python(observation, limits, moves)


def applies(rules: PublicRules) -> bool:
    """Say whether the search knows these rules."""
    return (
        rules.clues == EXACT
        and rules.mines is not None
        and rules.goal is Goal.OPEN
        and rules.explosion is Explosion.LOSE
    )


def search_in_core(
    core: Any, observation: Observation, limits: WinLimits, moves: bool = True
) -> WinChances:
    """Search with the native core; see `win_chances`."""
    rules, shown = observation.rules, observation.shown
    try:
        win, exact, best, wins, steps = core.win_chances(
            *(rules.rows, rules.columns, rules.mines, shown),
            *(limits.layouts, limits.work, NODES, moves, limits.seconds),
        )
    except ValueError:
        raise _no_layout() from None
    except core.WorkLimit:
        raise WorkLimitError(f"expected at most {NODES} states to count, got more") from None
    found = {i: chance for i, chance in enumerate(array("d", wins)) if not math.isnan(chance)}
    return _chances(win, exact, found, best, steps)


def search_in_python(observation: Observation, limits: WinLimits, moves: bool = True) -> WinChances:
    """Search in plain Python; see `win_chances`."""
    if len(observation.unopened) > MOST_UNOPENED:
        return UNKNOWN
    try:
        ground = Ground(observation, Budget(NODES, limits.seconds))
    except ImpossibleError:
        raise _no_layout() from None
    work = Work(limits.work, limits.seconds)
    found = solve_parts(ground, limits.layouts, moves, work)
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


def _no_layout() -> InputError:
    return InputError("expected a position that has layouts, got a contradiction")
