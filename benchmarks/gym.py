"""Steps a second of the Gymnasium environments, on one core: `python benchmarks/gym.py`.

Actions are random cells that can be opened. Beside ours, a public Minesweeper environment
is measured where one is installed (`minesweeper-gym`, `gym-minesweeper`).
"""

from __future__ import annotations

import argparse
import importlib
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import mineproof
from mineproof.gym import MinesweeperVectorEnv

PEERS = ("gym_minesweeper", "minesweeper_gym", "gymnasium_minesweeper")
LEVELS = ("5x5/3", "beginner", "expert")


def single(rules: str) -> Callable[[], int]:
    """Give a function that makes 1,000 steps of one environment, made as users make it."""
    env = gymnasium.make("mineproof/Minesweeper-v0", rules=rules)
    chance = np.random.default_rng(1)
    drawn = chance.random(1000).tolist()
    _, info = env.reset(seed=1)
    masks = [info["action_mask"]]

    def steps() -> int:
        for share in drawn:
            cells = np.flatnonzero(masks[0])
            _, _, ended, cut, info = env.step(int(cells[int(share * len(cells))]))
            if ended or cut:
                _, info = env.reset()
            masks[0] = info["action_mask"]
        return len(drawn)

    return steps


def vector(rules: str, boards: int) -> Callable[[], int]:
    """Give a function that makes 16 steps of many boards; the actions are drawn before."""
    env = MinesweeperVectorEnv(boards, rules)
    env.reset(seed=1)
    chance = np.random.default_rng(1)
    cells = mineproof.Rules.parse(rules).grid.size
    actions = [chance.integers(cells, size=boards) for _ in range(16)]

    def steps() -> int:
        for each in actions:
            env.step(each)
        return len(actions) * boards

    return steps


def rate(steps: Callable[[], int], seconds: float) -> float:
    """Give the steps a second of CPU time."""
    steps()
    done, started = 0, time.process_time()
    while time.process_time() - started < seconds:
        done += steps()
    return done / (time.process_time() - started)


def peer() -> tuple[str, Callable[[], int]] | None:
    """Give a public environment that is installed, or None."""
    for name in PEERS:
        try:
            importlib.import_module(name)
            found = next(i for i in gymnasium.registry if "minesweeper" in i.lower() and "mineproof" not in i)
            env: Any = gymnasium.make(found)
        except (ImportError, StopIteration, gymnasium.error.Error):
            continue
        return f"{name} ({found})", lambda: _sampled(env)
    return None


def _sampled(env: Any) -> int:
    env.reset(seed=1)
    for _ in range(200):
        if any(env.step(env.action_space.sample())[2:4]):
            env.reset()
    return 200


def main() -> None:
    """Print one line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="of CPU time for each line")
    parser.add_argument("--boards", type=int, default=1024)
    options = parser.parse_args()
    print(f"{mineproof.backend()} backend, steps a second of CPU time")
    for rules in LEVELS:
        print(f"{rules:10} single {rate(single(rules), options.seconds):14,.0f}")
        many = rate(vector(rules, options.boards), options.seconds)
        print(f"{rules:10} vector {many:14,.0f}  ({options.boards} boards)")
    found = peer()
    if found is None:
        print("no public environment is installed to compare with")
    else:
        print(f"{found[0]} {rate(found[1], options.seconds):14,.0f}")


if __name__ == "__main__":
    main()
