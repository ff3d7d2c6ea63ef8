r"""Train a small network to imitate `champion`: supervised learning with numpy alone.

    python examples/imitate_champion.py --out imitation.npz
    mineproof games --count 1000 --level 5x5/3 \
        --agent examples/gym_policy_agent.py:PolicyAgent:weights=imitation.npz

`champion` plays games, and every move becomes a training example: the position, and the cell that
`champion` opened. Training makes these cells more likely (gradient ascent on their log-likelihood).
The network is the one of `train_5x5.py`, which learns the same game from rewards.
"""

from __future__ import annotations

import argparse

import numpy as np
from train_5x5 import Array, Policy, win_rate

import mineproof


def positions(level: str, games: int, seed: int = 0) -> tuple[Array, Array]:
    """Return the codes of positions from games of `champion`, and the cells that it opened."""
    rules, agent = mineproof.Rules.parse(level), mineproof.make_agent("champion")
    boards, cells = [], []
    for game in range(games):
        record = mineproof.play(mineproof.Game(rules, seed + game, rules.first_cell), agent)
        for position, step in zip(record, record.steps, strict=False):
            boards.append(np.frombuffer(position.shown, np.int8))
            cells.append(rules.grid.index(step.move.cell))
    return np.array(boards).reshape(-1, rules.rows, rules.columns), np.array(cells)


def imitate(boards: Array, cells: Array, steps: int, rate: float = 0.5, seed: int = 0) -> Policy:
    """Train a policy on random batches of positions."""
    policy, chance = Policy(seed=seed), np.random.default_rng(seed)
    for _ in range(steps):
        batch = chance.integers(len(boards), size=256)
        mask = (boards[batch] == 9).reshape(len(batch), -1)
        chances, inputs, hidden = policy.chances(boards[batch], mask)
        slopes = -chances
        slopes[np.arange(len(batch)), cells[batch]] += 1
        policy.improve(slopes / len(batch), inputs, hidden, rate)
    return policy


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Train a small network to imitate champion.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--level", default="5x5/3", help="a level, or ROWSxCOLUMNS/MINES")
    parser.add_argument("--games", type=int, default=3000, help="games of champion to learn from")
    parser.add_argument("--steps", type=int, default=3000, help="training steps of 256 positions")
    parser.add_argument("--out", default="imitation.npz", help="write the network to this file")
    options = parser.parse_args()
    boards, cells = positions(options.level, options.games)
    policy = imitate(boards, cells, options.steps)
    policy.save(options.out)
    won = f"{100 * win_rate(policy, options.level):.1f} % won"
    print(f"{options.level}: {len(cells)} positions, {won} after {options.steps} steps")
    print(f"wrote {options.out}")


if __name__ == "__main__":
    main()
