r"""Train a small agent on 5x5 boards with 3 mines: a tiny network, numpy, and REINFORCE.

    python examples/train_5x5.py --out policy.npz
    mineproof games --count 1000 --level 5x5/3 \
        --agent examples/gym_policy_agent.py:PolicyAgent:weights=policy.npz

The network looks at each unopened cell separately. It maps the 5x5 window around the cell through
48 hidden units to a score. The cell to open is drawn from the softmax of the scores. All cells
share the same weights, so boards of any size can be played.

REINFORCE (Williams, 1992) makes moves more likely if they went better than usual. A mine ends the
game immediately, so the reward of the next move alone is a good guide: 1 for a safe cell, 0 for a
mine, minus the recent average. First moves are always safe, so nothing can be learned from them,
and they are left out.

The script needs the extra `gym`. The native core makes the moves on all boards together.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineproof.gym import MinesweeperVectorEnv

Array = NDArray[Any]
WINDOW = 5
CODES = 13
"""Number of codes: clues 0 to 8, unopened, two unused codes, and 12 for cells outside the board."""
HIDDEN = 48


class Policy:
    """A network that scores unopened cells by the window around them."""

    def __init__(self, weights: dict[str, Array] | None = None, seed: int = 0) -> None:
        """Set the weights, by default small random ones."""
        chance = np.random.default_rng(seed)
        size = WINDOW * WINDOW * CODES
        self.weights = weights or {
            "into": chance.normal(0, 0.15, (size, HIDDEN)).astype(np.float32),
            "bias": np.zeros(HIDDEN, np.float32),
            "out": np.zeros(HIDDEN, np.float32),
        }

    @classmethod
    def load(cls, path: str | Path) -> Policy:
        """Return the policy that `save` wrote to a file."""
        with np.load(path) as file:
            return cls({name: file[name] for name in ("into", "bias", "out")})

    def save(self, path: str | Path) -> None:
        """Write the weights to a file."""
        np.savez(path, **self.weights)  # type: ignore[arg-type]

    def scores(self, boards: Array) -> tuple[Array, Array, Array]:
        """Return the score of each cell, and the inputs and hidden units for `improve`."""
        inputs = windows(boards)
        hidden = np.tanh(inputs @ self.weights["into"] + self.weights["bias"])
        return hidden @ self.weights["out"], inputs, hidden

    def chances(self, boards: Array, mask: Array) -> tuple[Array, Array, Array]:
        """Return the chance of drawing each cell. It is 0 for cells outside the mask."""
        scores, inputs, hidden = self.scores(boards)
        scores = np.where(mask == 1, scores.reshape(mask.shape), -np.inf)
        raised = np.exp(scores - scores.max(axis=1, keepdims=True))
        return raised / raised.sum(axis=1, keepdims=True), inputs, hidden

    def best(self, boards: Array, mask: Array) -> Array:
        """Return the cell with the highest score on each board."""
        scores = self.scores(boards)[0].reshape(mask.shape)
        return np.asarray(np.where(mask == 1, scores, -np.inf).argmax(axis=1))

    def improve(self, slopes: Array, inputs: Array, hidden: Array, rate: float) -> None:
        """Take a step of gradient ascent. `slopes` is the gradient for the score of each cell."""
        rises = slopes.reshape(-1, 1).astype(np.float32)
        below = rises * self.weights["out"] * (1 - hidden**2)
        self.weights["out"] += rate * (hidden * rises).sum(axis=0)
        self.weights["into"] += rate * (inputs.T @ below)
        self.weights["bias"] += rate * below.sum(axis=0)


def windows(boards: Array) -> Array:
    """Return the window of each cell of each board, one-hot encoded by code."""
    margin = WINDOW // 2
    around = np.pad(boards, ((0, 0), (margin, margin), (margin, margin)), constant_values=12)
    views = np.lib.stride_tricks.sliding_window_view(around, (WINDOW, WINDOW), axis=(1, 2))
    codes = views.reshape(-1, WINDOW * WINDOW)
    found: Array = codes[:, :, None] == np.arange(CODES)
    return found.reshape(len(codes), -1).astype(np.float32)


def train(level: str, steps: int, boards: int = 256, rate: float = 0.5, seed: int = 0) -> Policy:
    """Train a policy for a number of steps on many boards."""
    env = MinesweeperVectorEnv(boards, level)
    policy, chance = Policy(seed=seed), np.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    usual, every = 0.5, np.arange(boards)
    ended = np.zeros(boards, bool)
    for _ in range(steps):
        mask = info["action_mask"]
        is_first = mask.sum(axis=1) == mask.shape[1]
        chances, inputs, hidden = policy.chances(seen, mask)
        cells = (chances.cumsum(axis=1) > chance.random((boards, 1))).argmax(axis=1)
        teaches = ~is_first & ~ended  # after the end of a game, this step only starts the next one
        seen, rewards, lost, cut, info = env.step(cells)
        ended = lost | cut
        safe = rewards > 0
        slopes = -chances
        slopes[every, cells] += 1  # the gradient of the logarithm of the drawn cell's chance
        slopes *= ((safe - usual) * teaches)[:, None]
        policy.improve(slopes / boards, inputs, hidden, rate)
        if teaches.any():
            usual += 0.02 * (float(safe[teaches].mean()) - usual)
    return policy


def win_rate(policy: Policy, level: str, games: int = 1000, seed: int = 1_000_000) -> float:
    """Return the win rate of a policy's best moves on boards not used in training.

    The policy also chooses the first cell. `mineproof games` opens the default one instead.
    """
    env = MinesweeperVectorEnv(games, level)
    seen, info = env.reset(seed=seed)
    over, won = np.zeros(games, bool), np.zeros(games, bool)
    while not over.all():
        seen, _, ended, cut, info = env.step(policy.best(seen, info["action_mask"]))
        won |= info["won"] & ~over
        over |= ended | cut
    return float(won.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a small agent with REINFORCE.")
    parser.add_argument("--level", default="5x5/3")
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", default="policy.npz")
    options = parser.parse_args()
    before = win_rate(Policy(seed=options.seed), options.level)
    policy = train(options.level, options.steps, seed=options.seed)
    policy.save(options.out)
    after = win_rate(policy, options.level)
    rates = f"{100 * before:.1f} % won untrained, {100 * after:.1f} %"
    print(f"{options.level}: {rates} after {options.steps} steps")


if __name__ == "__main__":
    main()
