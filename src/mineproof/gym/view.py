"""The values that an environment returns: observations, rewards and exact risks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

import gymnasium
import numpy as np
from numpy.typing import NDArray

from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.errors import InputError, RulesError, wrong_type
from mineproof.core.observation import Observation
from mineproof.core.rules import MineCount, Rules, with_options
from mineproof.gym.boards import ILLEGAL_REWARD, LOSS_REWARD, Boards, playable
from mineproof.inference.counting import count

Array = NDArray[Any]
CODES = np.array([*range(UNOPENED + 1), EXPLODED], np.int8)
"""The codes that cells can have, in the order of the one-hot planes."""
REWARDS = {"progress": 1.0, "move": 0.0, "win": 0.0, "loss": LOSS_REWARD, "illegal": ILLEGAL_REWARD}
"""The default weights. `progress` is multiplied by the share of all safe cells that an action
opened. `illegal` is for a cell that is already open."""


class EnvOptions(TypedDict, total=False):
    """The options that all environments share."""

    start: str | None
    """A start rule to use instead of the rules' own."""
    observations: str
    """`codes`, `one-hot` or `planes`."""
    rewards: Mapping[str, float] | None
    """Weights that replace some of the default weights in `REWARDS`."""
    risks: bool
    """Whether `info["risks"]` holds the exact risk of every cell."""


class EnvView:
    """The rules of an environment, and how it shows its boards.

    All methods take the codes of one board or of many.
    """

    def __init__(
        self,
        rules: Rules | str,
        start: str | None = None,
        observations: str = "codes",
        rewards: Mapping[str, float] | None = None,
        risks: bool = False,
    ) -> None:
        """Check the options."""
        self.rules = playable(
            rules if start is None else with_options(playable(rules), start=start)
        )
        self.observations, self.risks = observations, risks
        if not isinstance(rewards, Mapping | None):
            raise wrong_type("rewards as a dictionary of weights", rewards)
        self.weights = None if rewards is None else REWARDS | dict(rewards)
        if unknown := set(rewards or ()) - set(REWARDS):
            raise InputError(
                f"expected rewards for {', '.join(REWARDS)}, got {', '.join(sorted(unknown))}"
            )
        if observations not in ("codes", "one-hot", "planes"):
            raise InputError(
                f"expected observations to be 'codes', 'one-hot' or 'planes', got {observations!r}"
            )
        if observations == "planes" and self.rules.mine_count is MineCount.UNKNOWN:
            raise RulesError("the observations 'planes' need a known mine count")

    def space(self) -> Any:
        """Return the observation space of one board."""
        size, box = (self.rules.rows, self.rules.columns), gymnasium.spaces.Box
        if self.observations == "codes":
            return box(0, EXPLODED, size, np.int8)
        if self.observations == "one-hot":
            return box(0, 1, (len(CODES), *size), np.int8)
        return box(-1, 1, (3, *size), np.float32)

    def encode(self, codes: Array) -> Array:
        """Return the observations `one-hot` or `planes` for codes."""
        if self.observations == "one-hot":
            return np.asarray(codes[..., None, :, :] == CODES[:, None, None], np.int8)
        unopened = codes == UNOPENED
        clues = np.where(unopened, 0, np.where(codes == EXPLODED, -1, codes / 8))
        left = unopened.sum(axis=(-1, -2), keepdims=True)
        density = np.broadcast_to(
            self.rules.mines / np.maximum(left, self.rules.mines), codes.shape
        )
        return np.stack([clues, unopened, density], axis=-3, dtype=np.float32)

    def reward(self, boards: Boards) -> Array:
        """Return the rewards of the last step by this view's weights."""
        weights, usual = self.weights or REWARDS, boards.rewards
        safe = weights["progress"] * usual + weights["move"] + weights["win"] * boards.won
        lost = np.where(usual == LOSS_REWARD, weights["loss"], weights["illegal"])
        return np.where(usual > 0, safe, np.where(usual == 0, 0.0, lost))

    def exact_risks(self, codes: Array) -> Array:
        """Return the risk of every cell: 0 if it is open, 1 if it exploded."""
        public, boards = self.rules.public(), codes.reshape(-1, self.rules.grid.size)
        risks = [count(Observation(public, board.tobytes())).risk for board in boards]
        found: Array = np.nan_to_num(np.array(risks)).reshape(codes.shape)
        found[codes == EXPLODED] = 1
        return found
