r"""Train an agent on 5x5 boards with 3 mines with masked PPO, and draw its learning curve.

    pip install 'mineproof[gym]' sb3-contrib matplotlib
    python examples/ppo_5x5.py --steps 300000 --curve ppo_5x5.svg

sb3-contrib asks the environment for `action_masks()`, so the agent never opens an open cell. The
rewards count safe moves instead of opened cells, because the size of an opening is luck.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env

import mineproof
from mineproof.gym import MinesweeperEnv, MinesweeperVectorEnv

OPTIONS: dict[str, Any] = {
    "rules": "5x5/3",
    "observations": "one-hot",
    "rewards": {"progress": 0, "move": 0.2, "win": 1},
}


def win_rate(model: Any, games: int = 1000, seed: int = 1_000_000) -> float:
    """Return the win rate of the model's best moves on boards that it was not trained on."""
    env = MinesweeperVectorEnv(games, **OPTIONS)
    seen, info = env.reset(seed=seed)
    over, won = np.zeros(games, bool), np.zeros(games, bool)
    while not over.all():
        cells, _ = model.predict(seen, action_masks=info["action_mask"], deterministic=True)
        seen, _, ended, cut, info = env.step(cells)
        won |= info["won"] & ~over
        over |= ended | cut
    return float(won.mean())


class Curve(BaseCallback):
    """Measures the win rate after every 25,000 steps."""

    def __init__(self) -> None:
        super().__init__()
        self.points: list[tuple[int, float]] = []

    def _on_step(self) -> bool:
        if not self.points or self.num_timesteps >= self.points[-1][0] + 25_000:
            self.points.append((self.num_timesteps, win_rate(self.model)))
            won = f"{100 * self.points[-1][1]:.1f} % won"
            print(f"{self.num_timesteps:9,} steps: {won}", flush=True)
        return True


def draw(points: list[tuple[int, float]], path: str) -> None:
    """Draw the learning curve, with the win rates of two agents for comparison."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
    axes.plot([step / 1000 for step, _ in points], [100 * rate for _, rate in points], label="PPO")
    for name, style in (("champion", "--"), ("basic", ":")):
        rate = 100 * mineproof.play_games(name, "5x5/3", count=1000, seed=1_000_000).rate
        axes.axhline(rate, color="gray", linestyle=style, label=name)
    axes.set(xlabel="thousand steps", ylabel="games won, %", ylim=(0, 100))
    axes.legend(loc="lower right")
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train an agent with masked PPO.")
    parser.add_argument("--steps", type=int, default=300_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", default="ppo_5x5.zip")
    parser.add_argument("--curve", default="ppo_5x5.svg")
    options = parser.parse_args()
    torch.set_num_threads(1)  # more threads slow such a small network down
    env = make_vec_env(MinesweeperEnv, n_envs=32, seed=options.seed, env_kwargs=OPTIONS)
    network = {"net_arch": [256, 256]}
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=64,
        batch_size=512,
        policy_kwargs=network,
        ent_coef=0.01,
        seed=options.seed,
        device="cpu",
    )
    curve = Curve()
    model.learn(options.steps, callback=curve)
    model.save(options.out)
    draw(curve.points, options.curve)


if __name__ == "__main__":
    main()
