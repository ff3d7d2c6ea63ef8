"""The examples of learning agents do what they claim, and the benchmark runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import mineproof
from mineproof.agents.loading import load_module
from mineproof.match.checker import check_agent

ROOT = Path(__file__).parents[2]
AGENT = ROOT / "examples" / "gym_policy_agent.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    return load_module(ROOT / "examples" / "train_5x5.py")


def test_training_helps(example: ModuleType, tmp_path: Path) -> None:
    """After short training, the agent in the file wins far more games than random play."""
    untrained = example.win_rate(example.Policy(), "4x4/2", games=300)
    policy = example.train("4x4/2", steps=250, boards=128)
    trained = example.win_rate(policy, "4x4/2", games=300)
    assert trained > untrained + 0.2
    policy.save(tmp_path / "policy.npz")
    name = f"{AGENT}:PolicyAgent:weights={tmp_path / 'policy.npz'}"
    result = mineproof.play_games(name, "4x4/2", count=100)
    assert result.rate > untrained + 0.1
    assert all(row.guesses == row.moves for row in result.rows)


def test_imitation_helps(example: ModuleType) -> None:
    """After short training on moves of `champion`, the network wins far more games."""
    imitation = load_module(ROOT / "examples" / "imitate_champion.py")
    boards, cells = imitation.positions("4x4/2", games=150)
    assert (boards.reshape(len(cells), -1)[range(len(cells)), cells] == 9).all()
    policy = imitation.imitate(boards, cells, steps=200)
    untrained = example.win_rate(example.Policy(), "4x4/2", games=300)
    assert example.win_rate(policy, "4x4/2", games=300) > untrained + 0.2


def test_the_gradient_is_right(example: ModuleType) -> None:
    """A training step follows the gradient of the log-probability of the chosen cell."""
    policy = example.Policy(seed=3)
    policy.weights["out"] = np.linspace(-1, 1, example.HIDDEN).astype(np.float32)
    board = np.full((1, 3, 3), 9, np.int8)
    board[0, 0, 0] = 1
    mask = (board.reshape(1, -1) == 9).astype(np.int8)
    chances, inputs, hidden = policy.chances(board, mask)
    slopes = -chances
    slopes[0, 4] += 1
    policy.improve(slopes, inputs, hidden, 1e-3)
    after = policy.chances(board, mask)[0]
    assert after[0, 4] > chances[0, 4]
    assert after[0, 0] == 0
    assert after.sum() == pytest.approx(1)


def test_the_policy_agent_passes_the_checker() -> None:
    assert check_agent(f"{AGENT}:PolicyAgent", games=1).findings == []


def test_the_benchmark_prints_one_line_per_level() -> None:
    command = [
        sys.executable,
        str(ROOT / "benchmarks" / "gym.py"),
        "--seconds",
        "0.01",
        "--boards",
        "4",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert [line.split()[1] for line in lines[1:7]] == ["single", "vector"] * 3
