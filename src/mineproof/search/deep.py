"""Which cell to guess when there is time: playouts on layouts that all candidates share.

If the endgame can be solved, it is. Otherwise the cells that come near the best are played to
the end of the game by the fast policy, on layouts drawn from all that are possible, until all
but one have left: a cell leaves when the playouts that are left are not expected to show a gain
worth them. Only the native core does it, on several cores: there is no twin in plain Python, which
would play a hundred times fewer games.
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

SECONDS = 0.2
"""How long a guess may take where nothing else is said."""
UNLIMITED = 100_000_000
MOST_CORES = 256

GoesOn = Callable[[], bool]
"""Asked now and then; False ends the search, which answers with what it has."""


WIDE = replace(USUAL, margin=0.3, finalists=100)
ENDGAME = replace(USUAL, layouts=5000, endgame_work=3_000_000)
PLAYOUT = replace(
    USUAL,
    layouts=100,
    endgame_work=20_000,
    reach=0.90,
    inner_reach=0.95,
    margin=0.015,
    finalists=2,
)


@dataclass(frozen=True)
class DeepSettings:
    """How candidates are found and played."""

    fast: GuessSettings = USUAL
    """The policy whose choice is kept unless another cell is better."""
    wide: GuessSettings = WIDE
    """What finds the candidates."""
    endgame: GuessSettings = ENDGAME
    """What is solved exactly instead."""
    playout: GuessSettings = PLAYOUT
    """The policy that plays on: the trained value decides between the two that survive most,
    which is faster than among all, and says as much."""
    candidates: int = 16
    doubt: float = 0.03
    """How far apart two candidates may be against all expectation, as a share of the chance to
    win (less where a game begins): the larger, the more is left to the playouts."""


DEEP = DeepSettings()
"""What the agent `deep` plays with."""


def choose_deep(  # noqa: PLR0913  (each bounds or directs the search in its own way)
    facts: Facts,
    *,
    playouts: int | None = None,
    seconds: float | None = None,
    cores: int = 1,
    seed: int = 0,
    settings: DeepSettings = DEEP,
    evaluation: Evaluation | None = None,
    goes_on: GoesOn | None = None,
) -> Choice | None:
    """Choose a guess; None if no cell is left.

    Args:
        facts: the exact facts of a position with exact clues and a known number of mines, in
            which no cell is proved safe, counted by the native core.
        playouts: how many in all at most, but one for each candidate: then equal seeds give
            equal answers, on any number of cores.
        seconds: how long at most; without either it is `SECONDS`.
        cores: threads of the native core.
        seed: decides which layouts are drawn.
        settings: how candidates are found and played.
        evaluation: a trained value that guesses are judged by.
        goes_on: a function that can end the search early.

    Raises:
        InputError: some cell is proved safe, or the facts are of another kind.
        WorkLimitError: counting once more takes too many states.
    """
    check_facts(facts)
    if facts.solved is None or not isinstance(facts.prior, Known):
        raise InputError("expected native facts with a known count of mines, got others")
    if playouts is None and seconds is None:
        seconds = SECONDS
    count = UNLIMITED if playouts is None else playouts
    time = math.inf if seconds is None else seconds
    _check_limits(count, time, cores)
    with CoreQuestion(Budget()) as limits:
        answer = facts.solved.guess_deep(
            *(_core_deep_settings(settings, evaluation), count, time),
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
        raise InputError(f"expected seconds from 0 on, got {seconds}")
    if not 1 <= cores <= MOST_CORES:
        raise InputError(f"expected 1 to {MOST_CORES} cores, got {cores}")
