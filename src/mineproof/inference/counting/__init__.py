"""The exact engine: how many layouts agree with a position, and what they have in common.

`count` answers with `Facts`. The native core does the work where it is there, and its twin
in plain Python otherwise; `backend` says which.
"""

from __future__ import annotations

import importlib
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING

from mineproof.backend import backend as _backend
from mineproof.backend import native as _core
from mineproof.core.errors import WorkLimitError
from mineproof.inference.counting.facts import Facts
from mineproof.inference.counting.prior import Density, Known, Prior, Range
from mineproof.inference.counting.work import NODES, WorkBudget, reserved

if TYPE_CHECKING:
    from mineproof.core.observation import Observation

CELL_BYTES = 50
"""What a cell of a position takes, whatever its clues are."""

__all__ = [
    "NODES",
    "Density",
    "Facts",
    "Known",
    "Prior",
    "Range",
    "backend",
    "count",
    "count_text",
    "load",
]


def count(
    observation: Observation,
    *,
    prior: Prior | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    sampled: bool = False,
) -> Facts:
    """Work out what follows from a position.

    Args:
        observation: the position; marks are no facts.
        prior: what is known of the number of mines; by default the number that the rules
            tell, or else an estimated density.
        nodes: how much work to do at most, in states visited.
        seconds: how long to work at most.
        sampled: where that is not enough, give estimated risks instead of an error. Three
            quarters of the seconds are kept for them.

    Raises:
        ContradictionError: no layout agrees with the position.
        WorkLimitError: the answer takes more work than allowed.
    """
    limit = NODES if nodes is None else nodes
    exactly = seconds / 4 if sampled and seconds is not None else seconds
    try:
        with reserved(CELL_BYTES * observation.grid.size):
            if prior is None:
                prior = _default_prior(observation, WorkBudget(limit, exactly))
            return load().count(observation, prior, limit, exactly)  # type: ignore[no-any-return]
    except WorkLimitError:
        if not sampled:
            raise
    from mineproof.inference.counting.bands import BandFacts

    return BandFacts(observation, prior, seconds=seconds and 3 * seconds / 4)


def count_text(text: str) -> Facts | None:
    """Work out the facts of a plain position straight from its text, without any objects.

    Only the native core can do that, for one position with exact clues and a known number
    of mines; None says that the text must be read in the usual way.
    """
    found = _native()
    return None if found is None else found.count_text(text)


def backend() -> str:
    """Say which implementation counts: `native`, `wasm` or `python`."""
    return "python" if _native() is None else _backend()


def _default_prior(observation: Observation, budget: WorkBudget) -> Prior:
    if observation.rules.mines is not None:
        return Known(observation.rules.mines)
    from mineproof.inference.contradiction import explain_contradiction
    from mineproof.inference.counting.density import estimate_density
    from mineproof.inference.local import ImpossibleError

    try:
        return Density(estimate_density(observation, budget))
    except ImpossibleError:
        raise explain_contradiction(observation, None) from None


@cache
def _native() -> ModuleType | None:
    """Give the native adapter, if the native core is there and can count."""
    if _core is None:
        return None
    try:
        adapter = importlib.import_module("mineproof.inference.counting.native")
    except ImportError:
        return None
    return adapter if adapter.AVAILABLE else None


@cache
def load() -> ModuleType:
    """Load and give the engine that runs: nothing is imported later, when time is taken."""
    return _native() or importlib.import_module("mineproof.inference.counting.reference")
