r"""Use any policy for the Gymnasium environments as a Mineproof agent.

    mineproof games --count 1000 --level 5x5/3 \
        --agent examples/gym_policy_agent.py:PolicyAgent:weights=policy.npz
    mineproof lab compare basic examples/gym_policy_agent.py:PolicyAgent:weights=policy.npz

A policy is a function. Its arguments are the codes of a board and the cells that can be opened, in
the form that the environments return. It returns a cell. Replace `load_policy` with your own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from train_5x5 import Policy

from mineproof import Decision, Move, Observation, PublicRules, Reason
from mineproof.core.clues import UNOPENED

Codes = NDArray[np.int8]


def load_policy(weights: str) -> Callable[[Codes, Codes], int]:
    """Return a policy: a function of the codes (rows x columns) and the mask of cells to open."""
    policy = Policy.load(weights) if weights else Policy()

    def choose(codes: Codes, mask: Codes) -> int:
        return int(policy.best(codes[None], mask[None])[0])

    return choose


class PolicyAgent:
    """An agent that follows a policy. Every move is a guess, because a policy proves nothing."""

    def __init__(
        self,
        weights: Annotated[
            str, "the file with the weights; if empty, the policy is untrained"
        ] = "",
    ) -> None:
        """Load the policy."""
        self._choose: Any = load_policy(weights)

    def start(self, rules: PublicRules, seed: int) -> None:
        """Prepare for a new game. A policy keeps no state between moves."""

    def decide(self, observation: Observation) -> Decision | None:
        """Open the cell that the policy chooses, or stop if no cell can be opened."""
        grid = observation.grid
        codes = np.frombuffer(observation.shown, np.int8).reshape(grid.rows, grid.columns)
        marks = np.frombuffer(observation.marks, np.int8)
        mask = ((codes.reshape(-1) == UNOPENED) & (marks == 0)).astype(np.int8)
        if not mask.any():
            return None
        move = Move("open", grid.cell(self._choose(codes, mask)))
        return Decision(move, False, Reason("the policy gives it the highest score"))
