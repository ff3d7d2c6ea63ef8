"""Gymnasium environments pass Gymnasium's own check and play the same games as `Game`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv

import mineproof
from mineproof.backend import native
from mineproof.core.rules import LEVELS, Rules, Start, with_options
from mineproof.gym import MinesweeperEnv, MinesweeperVectorEnv, boards
from mineproof.gym.boards import (
    ILLEGAL_REWARD,
    LOSS_REWARD,
    Boards,
    Copies,
    NativeBoards,
    episode_seed,
)

STARTS = ("any", "safe", "opening", "given:1")
RULES = [
    *(replace(mineproof.Rules.parse("6x7/9"), start=Start.parse(start)) for start in STARTS),
    mineproof.Rules.parse("1x1/0"),
    mineproof.Rules.parse("2x3/5"),
    with_options(mineproof.Rules.parse("3x3/6"), start="opening"),
    with_options(mineproof.Rules.parse("4x4/3"), start="given:9"),
    with_options(mineproof.EXPERT, start="opening"),
]
"""Rules with every start, boards without room for an opening, and games that end at the start."""
IDS = [f"{rules.level}-{rules.start}" for rules in RULES]


@pytest.fixture(params=["native", "python"])
def _backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "python":
        monkeypatch.setattr(boards, "native", None)
    elif native is None:
        pytest.skip("the native core is not built")


def every_id() -> list[str]:
    return sorted(name for name in gymnasium.registry if name.startswith("mineproof/"))


def test_every_level_and_start_has_an_id() -> None:
    wanted = {"mineproof/Minesweeper-v0"}
    for level in LEVELS:
        name = "".join(part.title() for part in level.split("-"))
        ends = ("", "Any", "Safe", "Opening", "Given", "NoGuess")
        wanted |= {f"mineproof/{name}{end}-v0" for end in ends}
    assert set(every_id()) == wanted
    made: Any = gymnasium.make("mineproof/ClassicBeginnerOpening-v0").unwrapped
    assert made.rules == with_options(mineproof.CLASSIC_BEGINNER, start="opening")
    fair: Any = gymnasium.make("mineproof/BeginnerNoGuess-v0").unwrapped
    assert fair.rules == with_options(mineproof.BEGINNER, start="no-guess")
    own: Any = gymnasium.make("mineproof/Easy-v0").unwrapped
    assert own.rules == mineproof.EASY


@pytest.mark.parametrize("name", every_id())
def test_gymnasiums_checker_passes(name: str) -> None:
    check_env(gymnasium.make(name, render_mode="ansi").unwrapped, skip_render_check=False)


@pytest.mark.usefixtures("_backend")
@pytest.mark.parametrize("rules", RULES, ids=IDS)
def test_an_episode_is_a_game(rules: Rules) -> None:
    env = MinesweeperEnv(rules)
    for episode in range(6):
        shown, info = env.reset(seed=3) if episode == 0 else env.reset()
        assert info["seed"] == episode_seed(3, episode)
        game = mineproof.Game(rules, info["seed"])
        ended, total = False, 0.0
        while not ended:
            assert shown.tobytes() == game.observation.shown
            assert list(np.flatnonzero(info["action_mask"])) == list(game.observation.unopened)
            assert env.observation_space.contains(shown)
            action = int(env.action_space.sample(info["action_mask"]))
            over_before = game.is_over
            if not over_before:
                game.open(*rules.grid.cell(action))
            shown, reward, ended, cut, info = env.step(action)
            total += reward
            assert not cut
            assert ended == game.is_over
            if ended:
                assert game.outcome is not None
                assert info["won"] == (game.outcome.result == "win")
                if info["won"] and not over_before and rules.given_count == 0:
                    assert total == pytest.approx(1)


@pytest.mark.usefixtures("_backend")
@pytest.mark.parametrize("rules", RULES, ids=IDS)
def test_vector_and_single_environments_agree(rules: Rules) -> None:
    """After every move, the vector environment returns the same as separate environments."""
    many = MinesweeperVectorEnv(5, rules)
    single = SyncVectorEnv([lambda: MinesweeperEnv(rules)] * 5)
    assert many.metadata["autoreset_mode"] == single.metadata["autoreset_mode"]
    assert many.observation_space == single.observation_space
    assert many.action_space == single.action_space
    chance = np.random.default_rng(1)
    answers: tuple[Any, Any] = (many.reset(seed=8), single.reset(seed=8))
    for _ in range(60):
        for ours, theirs in zip(*answers, strict=True):
            if isinstance(ours, dict):
                assert set(ours) == set(theirs)
                for name, array in ours.items():
                    assert np.array_equal(array, theirs[name]), name
            else:
                assert np.array_equal(ours, theirs)
        actions = chance.integers(rules.grid.size, size=5)
        answers = many.step(actions), single.step(actions)


def test_native_and_python_boards_agree(require: Any) -> None:
    """All arrays are equal after every step, even after illegal moves and ended games."""
    require("native", native is not None, "the native core is not built")
    chance = np.random.default_rng(2)
    for rules in RULES:
        core, twin = NativeBoards(rules, 9), Boards(rules, 9)
        for board in range(9):
            core.reset(board, 2**64 - 1 - board)
            twin.reset(board, 2**64 - 1 - board)
        for _ in range(80):
            cells = chance.integers(rules.grid.size, size=9)
            core.step(cells)
            twin.step(cells)
            for name in ("shown", "mask", "rewards", "terminated", "truncated", "won", "seeds"):
                assert np.array_equal(getattr(core, name), getattr(twin, name)), (rules, name)


@pytest.mark.usefixtures("_backend")
def test_rewards_and_ends() -> None:
    board_seed = 1
    game = mineproof.Game("4x4/3", board_seed, first=(0, 0))
    assert game.board is not None
    mine = game.board.mine_indices[0]
    env = MinesweeperEnv("4x4/3")
    env.reset(seed=board_seed)
    shown, reward, ended, cut, _ = env.step(0)
    assert reward == pytest.approx(np.count_nonzero(shown < 9) / 13)
    assert env.step(0)[1] == ILLEGAL_REWARD
    shown, reward, ended, cut, info = env.step(mine)
    assert (reward, ended, cut, info["won"]) == (LOSS_REWARD, True, False, False)
    assert shown.flat[mine] == 11
    with pytest.raises(mineproof.InputError, match=r"call reset\(\) first"):
        env.step(1)


@pytest.mark.usefixtures("_backend")
def test_endless_episodes_are_truncated() -> None:
    env = MinesweeperEnv("5x5/12")
    env.reset(seed=4)
    ends = [env.step(12)[2:4] for _ in range(50)]
    assert ends == [(False, False)] * 49 + [(False, True)]


@pytest.mark.usefixtures("_backend")
def test_seeds_are_reproducible() -> None:
    env = MinesweeperEnv("beginner")
    runs = []
    for seed in (5, 5, 6):
        env.reset(seed=seed)
        runs.append([env.step(40)[0].tobytes(), env.reset()[1]["seed"]])
    assert runs[0] == runs[1] != runs[2]
    first, second = MinesweeperEnv("beginner").reset()[1], MinesweeperEnv("beginner").reset()[1]
    assert first["seed"] != second["seed"]
    vector = MinesweeperVectorEnv(3, "beginner")
    assert len(set(vector.reset()[1]["seed"].tolist())) == 3
    assert vector.reset(seed=[7, 8, 9])[1]["seed"].tolist() == [7, 8, 9]
    mask = np.array([False, True, False])
    seeds = vector.reset(options={"reset_mask": mask})[1]["seed"].tolist()
    assert seeds == [7, episode_seed(8, 1), 9]


def test_render() -> None:
    env = gymnasium.make("mineproof/Beginner-v0", render_mode="ansi")
    env.reset(seed=7)
    env.step(0)
    wanted = str(mineproof.Game("beginner", 7, first=(0, 0)).observation)
    assert env.render() == wanted.rpartition("\n")[0]
    picture: Any = MinesweeperEnv("3x4/2", render_mode="rgb_array")
    picture.reset(seed=1)
    pixels = picture.render()
    assert (pixels.shape, pixels.dtype) == ((48, 64, 3), np.uint8)
    assert MinesweeperEnv("3x4/2").render() is None
    vector = MinesweeperVectorEnv(2, "3x4/2", render_mode="rgb_array")
    vector.reset(seed=1)
    frames = vector.render()
    assert frames is not None
    assert np.array_equal(frames[0], pixels)
    with pytest.raises(mineproof.InputError, match="expected render_mode to be 'ansi'"):
        MinesweeperVectorEnv(2, render_mode="human")


@pytest.mark.usefixtures("_backend")
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: MinesweeperEnv(with_options(mineproof.EXPERT, goal="mark")),
            "exact clues, goal=open",
        ),
        (lambda: MinesweeperEnv("exprt"), "expected a level"),
        (lambda: MinesweeperVectorEnv(0), "expected 1 or more environments, got 0"),
        (lambda: MinesweeperEnv().step(0), r"call reset\(\)"),
        (lambda: MinesweeperVectorEnv(2).step(np.zeros(2, int)), r"call reset\(\)"),
        (lambda: stepped(1.5), "expected an action from 0 to 80, got 1.5"),
        (lambda: stepped(2**64), "expected an action from 0 to 80, got 18446744073709551616"),
        (lambda: vector_stepped([0, 1.5]), "expected whole numbers as actions, got an array of f"),
        (lambda: MinesweeperEnv().reset(seed=2**64), "expected a seed from 0"),
        (lambda: MinesweeperVectorEnv(2).reset(seed=2**64), "expected a seed from 0"),
        (lambda: stepped(-1), "expected an action from 0 to 80, got -1"),
        (lambda: stepped(81), "expected an action from 0 to 80, got 81"),
        (lambda: vector_stepped([0, 81]), "got 81 for environment 1"),
        (lambda: vector_stepped([0]), r"expected 2 actions, got an array of shape \(1,\)"),
        (
            lambda: MinesweeperVectorEnv(2).reset(seed=True),
            "expected a seed .* got bool",
        ),
        (lambda: MinesweeperVectorEnv(2).reset(seed=1.5), "expected a seed .* got float"),  # type: ignore[arg-type]
        (lambda: MinesweeperVectorEnv(2).reset(seed=[1]), "expected 2 seeds, got 1"),
        (lambda: MinesweeperVectorEnv(2).reset(seed=[1, -1]), "expected a seed from 0"),
    ],
)
def test_bad_input_is_named(call: Any, message: str) -> None:
    with pytest.raises(mineproof.InputError, match=message):
        call()


def stepped(action: Any) -> None:
    env = MinesweeperEnv("beginner")
    env.reset(seed=1)
    env.step(action)


def vector_stepped(actions: list[Any]) -> None:
    env = MinesweeperVectorEnv(2, "beginner")
    env.reset(seed=1)
    env.step(np.array(actions))


def test_vector_environments_are_made_by_name() -> None:
    made: Any = gymnasium.make_vec("mineproof/Beginner-v0", num_envs=3)
    assert isinstance(made, MinesweeperVectorEnv)
    made.reset(seed=1)
    first = made.step(np.array([0, 0, 0]))[0]
    before = first.copy()
    made.step(np.array([80, 80, 80]))
    assert np.array_equal(first, before)
    live = MinesweeperVectorEnv(3, "beginner", copy=False)
    seen = live.reset(seed=1)[0]
    live.step(np.array([0, 0, 0]))
    assert seen[0, 0, 0] != 9


def test_copies_reuse_unreferenced_memory() -> None:
    """The memory of a copy is reused only if nothing refers to the copy or to a view of it."""
    copies, source = Copies(), np.zeros(4)
    held = copies.copy(source)[1:]
    dropped = copies.copy(source).ctypes.data
    source += 1
    assert copies.copy(source).ctypes.data == dropped
    assert (held == 0).all()
    many = [copies.copy(source + turn) for turn in range(9)]
    assert [each[0] for each in many] == list(range(1, 10))


@pytest.mark.parametrize(
    "change",
    [{"rows": 0}, {"mines": 9}, {"given": 1}, {"boards": 0}, {"boards": 2**40}, {"arrays": ()}],
)
def test_the_core_rejects_bad_arrays(require: Any, change: dict[str, Any]) -> None:
    """Wrong numbers and arrays raise an error and do not corrupt memory."""
    require("native", native is not None, "the native core is not built")
    assert native is not None
    arrays = (
        *(np.zeros(9, np.int8) for _ in range(2)),
        np.zeros(1),
        *(np.zeros(1, bool) for _ in range(3)),
        np.zeros(1, np.uint64),
    )
    usual: dict[str, Any] = {
        "rows": 3, "columns": 3, "mines": 2, "start": "safe", "given": 0, "boards": 1,
        "arrays": arrays,
    }  # fmt: skip
    core = native.VectorEnv(**usual)
    with pytest.raises(ValueError, match="expected"):
        native.VectorEnv(**usual | change)
    for wrong in (np.zeros(2, np.int64), np.zeros(1, np.int8), np.array([9]), np.array([-1])):
        with pytest.raises(ValueError, match="expected"):
            core.step(wrong)
    with pytest.raises(ValueError, match="expected one of the boards"):
        core.reset(1, 0)
    with pytest.raises(ValueError, match="expected arrays"):
        native.VectorEnv(**usual | {"arrays": (bytes(9), *arrays[1:])})
