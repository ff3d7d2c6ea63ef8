"""The exact engine: how many layouts agree with a position, and what they have in common.

`count` answers with `Facts`. The native core does the work where it is there, and its twin
in plain Python otherwise; `backend` says which.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from mineproof.backend import native as _core
from mineproof.inference.counting.budget import NODES
from mineproof.inference.counting.facts import Facts
from mineproof.inference.counting.prior import Density, Known, Prior, Range

if TYPE_CHECKING:
    from mineproof.core.observation import Observation

__all__ = ["NODES", "Density", "Facts", "Known", "Prior", "Range", "backend", "count"]


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
        sampled: where that is not enough, give estimated risks instead of an error.

    Raises:
        ContradictionError: no layout agrees with the position.
        WorkLimitError: the answer takes more work than allowed.
    """
    limit = NODES if nodes is None else nodes
    if prior is None:
        prior = _default_prior(observation, limit)
    return _engine().count(observation, prior, limit, seconds, sampled)  # type: ignore[no-any-return]


def backend() -> str:
    """Say which implementation counts: `native` or `python`."""
    return "python" if _native() is None else "native"


def _default_prior(observation: Observation, nodes: int) -> Prior:
    if observation.rules.mines is not None:
        return Known(observation.rules.mines)
    from mineproof.inference.contradiction import explain_contradiction
    from mineproof.inference.counting.estimate import estimate_density
    from mineproof.inference.local import ImpossibleError

    try:
        return Density(estimate_density(observation, nodes))
    except ImpossibleError:
        raise explain_contradiction(observation, None) from None


def _native() -> ModuleType | None:
    """Give the native adapter, if the native core is there and can count."""
    if _core is None:
        return None
    try:
        adapter = importlib.import_module("mineproof.inference.counting.native")
    except ImportError:
        return None
    return adapter if adapter.AVAILABLE else None


def _engine() -> ModuleType:
    found = _native()
    if found is not None:
        return found
    from mineproof.inference.counting import reference

    return reference
