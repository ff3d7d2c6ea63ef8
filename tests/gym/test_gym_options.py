"""Environments can be copied, and return what their options ask for."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import mineproof
from mineproof.backend import native
from mineproof.gym import MinesweeperEnv, MinesweeperVectorEnv, boards

BOARD = mineproof.Board.from_mines(4, 5, [(0, 0), (3, 4), (1, 2)])


@pytest.fixture(params=["native", "python"], autouse=True)
def _backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "python":
        monkeypatch.setattr(boards, "native", None)
    elif native is None:
        pytest.skip("the native core is not built")


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("played", [0, 3])
def test_copies_continue_the_same_games(twin: Any, played: int) -> None:
    """A copy continues in the same way, across episodes, independently of the original."""
    env = MinesweeperVectorEnv(4, "5x5/6", start="opening")
    env.reset(seed=3)
    chance = np.random.default_rng(1)
    for _ in range(played):
        env.step(chance.integers(25, size=4))
    other = twin(env)
    actions = [chance.integers(25, size=4) for _ in range(60)]
    first = [env.step(cells) for cells in actions]
    assert first[-1][4]["seed"].tolist() != env.reset(seed=3)[1]["seed"].tolist()
    for cells, wanted in zip(actions, first, strict=True):
        found = other.step(cells)
        assert all(np.array_equal(*pair) for pair in zip(found[:4], wanted[:4], strict=True))
        assert np.array_equal(found[4]["seed"], wanted[4]["seed"])


def test_single_environments_made_by_name_are_copied() -> None:
    env = gymnasium.make("mineproof/BeginnerOpening-v0")
    env.reset(seed=5)
    env.step(40)
    other = pickle.loads(pickle.dumps(env))
    seen = other.step(0)[0]
    assert np.array_equal(env.step(0)[0], seen)
    assert np.array_equal(env.reset()[1]["seed"], other.reset()[1]["seed"])


def test_specs_are_json() -> None:
    for name in ("mineproof/ExpertNoGuess-v0", "mineproof/Easy-v0"):
        made: Any = gymnasium.make(name, rewards={"win": 1}, observations="one-hot")
        again: Any = gymnasium.make(
            gymnasium.envs.registration.EnvSpec.from_json(made.spec.to_json())
        )
        assert again.unwrapped.rules == made.unwrapped.rules
        assert again.observation_space == made.observation_space


def test_gymnasium_imports_the_environments_by_name() -> None:
    code = "import gymnasium; gymnasium.make('mineproof.gym:mineproof/Expert-v0').reset(seed=1)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("kind", ["one-hot", "planes"])
def test_encodings(kind: str) -> None:
    env = MinesweeperEnv("4x5/3", observations=kind)
    check_env(env, skip_render_check=True)
    many = MinesweeperVectorEnv(2, "4x5/3", observations=kind)
    plain = MinesweeperEnv("4x5/3")
    for each in (env, plain, many):
        each.reset(seed=1, options={"board": BOARD, "first": (0, 4)})
    codes, found, both = plain.step(0)[0], env.step(0)[0], many.step(np.zeros(2, int))[0]
    assert env.observation_space.contains(found)
    assert many.observation_space.contains(both)
    assert all(np.array_equal(found, each) for each in both)
    if kind == "one-hot":
        assert np.array_equal(found.argmax(axis=0), np.where(codes == 11, 10, codes))
        assert (found.sum(axis=0) == 1).all()
    else:
        clues, unopened, density = found
        assert np.array_equal(unopened, codes == 9)
        assert clues[0, 0] == -1
        assert np.array_equal(clues[codes < 9], codes[codes < 9] / np.float32(8))
        assert density[0, 0] == np.float32(3 / (codes == 9).sum())


@pytest.mark.parametrize("is_vector", [False, True])
def test_rewards(is_vector: bool) -> None:
    """Each weight counts only for its own event."""
    rewards = {"progress": 0, "move": 1, "win": 10, "loss": -3, "illegal": -2}
    env: Any = MinesweeperEnv("4x5/3", rewards=rewards)
    if is_vector:
        env = MinesweeperVectorEnv(1, "4x5/3", rewards=rewards)

    def paid(*cells: int) -> list[float]:
        env.reset(seed=1, options={"board": BOARD})
        found = []
        for cell in cells:
            _, reward, ended, _, _ = env.step([cell] if is_vector else cell)
            found.append(float(np.sum(reward)))
            if np.any(ended):
                break
        return found

    assert paid(4, 4, 0) == [1, -2, -3]
    safe = [cell for cell in range(20) if cell not in BOARD.mine_indices]
    moves = [reward for reward in paid(4, *safe) if reward > 0]
    assert moves == [1] * (len(moves) - 1) + [11]


def test_a_board_and_a_first_cell_can_be_set() -> None:
    """The episode is `Game` on that board; the next one is dealt again."""
    env = MinesweeperEnv("4x5/3")
    shown, info = env.reset(seed=1, options={"board": BOARD, "first": (0, 4)})
    game = mineproof.Game("4x5/3", info["seed"], first=(0, 4), board=BOARD)
    assert shown.tobytes() == game.observation.shown
    assert env.step(0)[2]
    assert (env.reset()[0] == 9).all()
    dealt = env.reset(seed=8, options={"first": (2, 2)})[0]
    assert dealt.tobytes() == mineproof.Game("4x5/3", 8, first=(2, 2)).observation.shown
    env.reset(seed=1, options={"board": BOARD})
    assert env.step(0)[1:3] == (-1, True)  # nothing was open, so the first action may hit a mine
    many = MinesweeperVectorEnv(3, "4x5/3")
    mask = np.array([True, False, True])
    seen = many.reset(options={"reset_mask": mask, "board": BOARD, "first": (0, 4)})[0]
    assert [bool((each == 9).all()) for each in seen] == [False, True, False]


def test_exact_risks_in_info() -> None:
    env = MinesweeperEnv("4x5/3", risks=True)
    info = env.reset(seed=1, options={"board": BOARD, "first": (0, 4)})[1]
    position = mineproof.Game("4x5/3", first=(0, 4), board=BOARD).observation
    wanted = [[risk or 0 for risk in row] for row in mineproof.analyse(position, moves=False).risk]
    assert np.allclose(info["risks"], wanted)
    assert env.step(0)[4]["risks"][0, 0] == 1
    many = MinesweeperVectorEnv(2, "4x5/3", risks=True)
    info = many.reset(seed=1, options={"board": BOARD, "first": (0, 4)})[1]
    assert np.allclose(info["risks"], [wanted, wanted])
    assert info["_risks"].all()


def test_human_mode_prints_every_position(capsys: pytest.CaptureFixture[str]) -> None:
    env: Any = gymnasium.make("mineproof/Beginner-v0", render_mode="human")
    env.reset(seed=7)
    env.step(0)
    printed = capsys.readouterr().out
    assert printed.count("   0 1 2 3 4 5 6 7 8") == 2
    assert "1  1 1 3" in printed
    assert env.render() is None


def test_masks_for_sb3_contrib() -> None:
    env: Any = gymnasium.make("mineproof/Beginner-v0")
    info = env.reset(seed=7)[1]
    info = env.step(0)[4]
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == bool
    assert np.array_equal(masks, info["action_mask"])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: MinesweeperEnv(observations="pixels"), "'codes', 'one-hot' or 'planes'"),
        (lambda: MinesweeperEnv(rewards={"lost": 1}), "expected rewards for progress, .* got lost"),
        (lambda: MinesweeperEnv(start="sofe"), "expected"),
        (lambda: reset({"bord": BOARD}), "expected the options board and first, got bord"),
        (lambda: reset({"board": BOARD}), r"expected a board with .*got \(4, 5, 3\)"),
        (lambda: reset({"board": BOARD, "first": (0, 0)}, "4x5/3"), "without a mine"),
        (lambda: reset({"first": (9, 9)}), "9, 9"),
    ],
)
def test_bad_options_are_named(call: Any, message: str) -> None:
    with pytest.raises(mineproof.InputError, match=message):
        call()


def test_rewards_of_another_type_are_refused() -> None:
    rewards: Any = 3
    with pytest.raises(TypeError, match="expected rewards as a dictionary of weights, got int"):
        MinesweeperEnv(rewards=rewards)


def reset(options: dict[str, Any], rules: str = "beginner") -> None:
    MinesweeperEnv(rules).reset(seed=1, options=options)
