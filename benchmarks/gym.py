"""Steps per second of the Gymnasium environments on one core: `python benchmarks/gym.py`.

The single environment opens random unopened cells, the vectorised one random cells. The public
environment of the package `gym-minesweeper` is measured for comparison if it is installed.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Callable

import gymnasium
import numpy as np

import mineproof
from mineproof.gym import MinesweeperVectorEnv

LEVELS = ("5x5/3", "beginner", "expert")


def single(rules: str) -> Callable[[], int]:
    """Return a function that makes 1,000 steps in one environment, created as users create it."""
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
    """Return a function that makes 16 steps on many boards.

    The actions are drawn in advance. Each call uses new ones, because repeated actions would hit
    only open cells.
    """
    env = MinesweeperVectorEnv(boards, rules)
    env.reset(seed=1)
    chance = np.random.default_rng(1)
    cells = mineproof.Rules.parse(rules).grid.size
    actions = [chance.integers(cells, size=boards) for _ in range(509)]
    turn = itertools.cycle(actions)

    def steps() -> int:
        for each in itertools.islice(turn, 16):
            env.step(each)
        return 16 * boards

    return steps


def rate(steps: Callable[[], int], seconds: float) -> float:
    """Return the steps per second of CPU time."""
    steps()
    done, started = 0, time.process_time()
    while time.process_time() - started < seconds:
        done += steps()
    return done / (time.process_time() - started)


def peer() -> Callable[[], int] | None:
    """Return a function that steps the public environment on beginner boards, if installed."""
    try:
        from gym_minesweeper.envs import MinesweeperEnv as PublicEnv
    except ImportError:
        return None
    env = PublicEnv(9, 9, 10)
    env.reset()
    drawn = np.random.default_rng(1).random(200).tolist()

    def steps() -> int:
        for share in drawn:
            cells = np.flatnonzero(env.state == -1)
            cell = divmod(int(cells[int(share * len(cells))]), 9)
            if env.step(cell)[2]:
                env.reset()
        return len(drawn)

    return steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds of CPU time per line")
    parser.add_argument("--boards", type=int, default=4096)
    options = parser.parse_args()
    print(f"{mineproof.backend()} backend, steps per second of CPU time")
    for rules in LEVELS:
        print(f"{rules:10} single {rate(single(rules), options.seconds):14,.0f}")
        many = rate(vector(rules, options.boards), options.seconds)
        print(f"{rules:10} vector {many:14,.0f}  ({options.boards} boards)")
    found = peer()
    if found is None:
        print("gym-minesweeper is not installed")
    else:
        print(f"{'beginner':10} gym-minesweeper {rate(found, options.seconds):7,.0f}")


if __name__ == "__main__":
    main()
