"""The exact engine: how many layouts fit a position, and which cells are the same in all of them.

`count` returns `Facts`. It uses the native core if it is available, otherwise its twin in plain
Python. `backend` returns which one is used.
"""

from __future__ import annotations

import importlib
import warnings
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from mineproof.backend import backend as _backend
from mineproof.backend import native as _core
from mineproof.core.errors import ContradictionError, WorkLimitError
from mineproof.inference.budget import Budget
from mineproof.inference.counting.facts import Facts
from mineproof.inference.counting.prior import Density, Known, Prior, Range
from mineproof.inference.local import ImpossibleError

if TYPE_CHECKING:
    from mineproof.core.observation import Observation

CELL_BYTES = 50
"""Bytes of memory to reserve per cell, regardless of the clues."""
EXACT_SHARE = 0.25
"""The share of the time limit for an exact answer, if an estimate is acceptable."""

__all__ = ["Density", "Facts", "Known", "Prior", "Range", "backend", "count", "count_text", "load"]


def count(
    observation: Observation,
    *,
    prior: Prior | None = None,
    budget: Budget | None = None,
    sampled: bool = False,
    **old: Any,
) -> Facts:
    """Return the facts of a position.

    Args:
        observation: the position. Flags are ignored.
        prior: the prior over the number of mines. By default it is the number that the rules state,
            or an estimated density if they state none.
        budget: limits on the work; by default only on nodes and memory.
        sampled: whether to return estimated risks instead of an error if a limit is reached. Three
            quarters of the time is reserved for the estimate.
        old: `nodes` and `seconds`, the deprecated limits.

    Raises:
        ContradictionError: no layout fits the clues.
        WorkLimitError: the answer takes more work than allowed.
    """
    if old:
        warnings.warn("use budget=Budget(...) instead", DeprecationWarning, stacklevel=2)
        budget = Budget(old.get("seconds"), nodes=old.get("nodes"))
    budget = budget or Budget()
    try:
        work = budget.reserve(CELL_BYTES * observation.grid.size)
        if sampled:
            work = work.share(EXACT_SHARE)
        if prior is None:
            prior = _default_prior(observation, work)
        return _engine(observation).count(observation, prior, work)  # type: ignore[no-any-return]
    except ImpossibleError:
        raise _contradiction(observation, prior, budget) from None
    except WorkLimitError:
        if not sampled:
            raise
    from mineproof.inference.counting.bands import BandFacts

    return BandFacts(observation, prior, budget)


def count_text(text: str, budget: Budget) -> Facts | None:
    """Return the facts of a position directly from its text, without creating other objects.

    Only the native core can do this, and only for a single position with exact clues and a known
    number of mines. Return None in all other cases.
    """
    found = _native()
    if found is None:
        return None
    try:
        return found.count_text(text, budget)  # type: ignore[no-any-return]
    except ImpossibleError:
        from mineproof.notation.position_text import parse_position

        raise _contradiction(parse_position(text), None, budget) from None


def backend() -> str:
    """Return the implementation that counts: `native`, `wasm` or `python`."""
    return "python" if _native() is None else _backend()


def _default_prior(observation: Observation, budget: Budget) -> Prior:
    if observation.rules.mines is not None:
        return Known(observation.rules.mines)
    from mineproof.inference.counting.density import estimate_density

    return Density(estimate_density(observation, budget))


def _contradiction(
    observation: Observation, prior: Prior | None, budget: Budget
) -> ContradictionError:
    from mineproof.inference.contradiction import explain_contradiction

    if prior is None and observation.rules.mines is not None:
        prior = Known(observation.rules.mines)
    return explain_contradiction(observation, prior, budget)


@cache
def _native() -> ModuleType | None:
    """Return the adapter of the native core, if there is a core that can count."""
    if _core is None:
        return None
    try:
        adapter = importlib.import_module("mineproof.inference.counting.native")
    except ImportError:
        return None
    return adapter if adapter.AVAILABLE else None


def _engine(observation: Observation) -> ModuleType:
    """Return the native engine if it supports the clue rule, otherwise the one in Python."""
    found = load()
    if observation.rules.clues.name in getattr(found, "CLUE_RULES", ()):
        return found
    return importlib.import_module("mineproof.inference.counting.reference")


@cache
def load() -> ModuleType:
    """Import and return the engine. Call this before measuring time."""
    return _native() or importlib.import_module("mineproof.inference.counting.reference")
