"""Chooses a guess by playouts, on random layouts that all candidates share.

If the endgame can be solved, it is solved. Otherwise the best candidates are played to the end of
the game by the fast policy. A candidate is dropped when the expected gain from further playouts is
not worth their time. The search ends when one candidate is left. This runs only in the C++ core, on
several threads. There is no pure-Python version, because it would play a hundred times fewer games.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from mineproof.backend import native
from mineproof.core.decision import Candidate
from mineproof.core.errors import InputError
from mineproof.core.random import check_seed
from mineproof.inference.budget import Budget
from mineproof.inference.counting import Facts, Known
from mineproof.inference.counting.native import CoreQuestion
from mineproof.search.choice import USUAL, Choice, GuessSettings
from mineproof.search.guessing import Evaluation, check_facts, core_settings

UNLIMITED = 100_000_000
"""The largest number of playouts, which no search reaches."""
MOST_CORES = 256

GoesOn = Callable[[], bool]
"""A function that the search calls regularly. It returns False to end the search early."""


WIDE = replace(USUAL, margin=0.3, finalists=100)
ENDGAME = replace(USUAL, layouts=5000, endgame_work=3_000_000)
PLAYOUT = replace(
    USUAL, layouts=100, endgame_work=20_000, reach=0.90, inner_reach=0.95, margin=0.015, finalists=2
)


@dataclass(frozen=True)
class DeepSettings:
    """The settings for selecting and playing candidates."""

    fast: GuessSettings = USUAL
    """The policy whose choice is kept unless another cell is better."""
    wide: GuessSettings = WIDE
    """The settings that select the candidates."""
    endgame: GuessSettings = ENDGAME
    """The settings of the exact endgame."""
    playout: GuessSettings = PLAYOUT
    """The policy of the playouts. It evaluates only the two cells that survive most often, which is
    faster than evaluating all, and just as informative.
    """
    candidates: int = 16
    doubt: float = 0.03
    """The expected error of the estimates, as a share of the chance of winning (less at the start
    of a game). The larger it is, the more the playouts decide.
    """


DEEP = DeepSettings()
"""The settings of the agent `deep`."""


def choose_deep(  # noqa: PLR0913  (each bounds or directs the search in its own way)
    facts: Facts,
    *,
    playouts: int = UNLIMITED,
    seconds: float = math.inf,
    cores: int = 1,
    seed: int = 0,
    settings: DeepSettings = DEEP,
    evaluation: Evaluation | None = None,
    goes_on: GoesOn | None = None,
) -> Choice | None:
    """Choose a guess by playouts; None if no cell is left.

    Args:
        facts: the exact facts, counted by the C++ core, of a position with exact clues, a known
            mine count and no proved safe cells.
        playouts: the maximum number of playouts, but at least one per candidate. Equal seeds
            then give equal answers, on any number of cores.
        seconds: the time limit.
        cores: the number of threads.
        seed: determines which layouts are drawn.
        settings: how to select and play candidates.
        evaluation: the trained evaluation of guesses.
        goes_on: a function that can end the search early.

    Raises:
        InputError: a cell is proved safe, or the facts do not meet these conditions.
        WorkLimitError: counting the position again takes too many states.
    """
    check_facts(facts)
    if facts.solved is None or not isinstance(facts.prior, Known):
        raise InputError("expected facts counted by the C++ core, with a known mine count")
    _check_limits(playouts, seconds, cores)
    with CoreQuestion(Budget()) as limits:
        answer = facts.solved.guess_deep(
            *(_core_deep_settings(settings, evaluation), playouts, seconds),
            *(check_seed(seed), cores, goes_on, limits),
        )
    if answer is None:
        return None
    fast, exact, compared = answer
    candidates = tuple(_candidate(facts, plain, exact) for plain in compared)
    return Choice(candidates, exact, facts.observation.grid.cell(fast))


@lru_cache(maxsize=16)
def _core_deep_settings(settings: DeepSettings, evaluation: Evaluation | None) -> Any:
    assert native is not None
    return native.DeepSettings(
        core_settings(settings.fast, evaluation),
        core_settings(settings.wide, evaluation),
        core_settings(settings.endgame),
        core_settings(settings.playout, evaluation),
        settings.candidates,
        settings.doubt,
    )


def _candidate(facts: Facts, plain: tuple[Any, ...], exact: bool) -> Candidate:
    index, after, expected, win, error, playouts = plain
    cell = facts.observation.grid.cell(index)
    return Candidate(
        cell, facts.risk[index], None if exact else after, win, exact, expected, error, playouts
    )


def _check_limits(playouts: int, seconds: float, cores: int) -> None:
    if not 1 <= playouts <= UNLIMITED:
        raise InputError(f"expected 1 to {UNLIMITED} playouts, got {playouts}")
    if not seconds >= 0:
        raise InputError(f"expected 0 or more seconds, got {seconds}")
    if not 1 <= cores <= MOST_CORES:
        raise InputError(f"expected 1 to {MOST_CORES} cores, got {cores}")
