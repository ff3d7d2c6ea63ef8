"""Gymnasium environments with one board, or with thousands of boards in the native core.

Importing this module registers `mineproof/Minesweeper-v0`, which takes `rules`, and one id per
level and start rule. For example, `mineproof/Expert-v0` uses the level's own start rule;
`mineproof/ExpertAny-v0`, `ExpertSafe-v0`, `ExpertOpening-v0` and `ExpertGiven-v0` use the rule in
their name.
It needs the extra `gym`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

try:
    import gymnasium
    import numpy as np
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray
except ImportError as error:
    raise ImportError(f"{error}. Run: pip install 'mineproof[gym]'") from error

from mineproof.core.board_text import board_text, sign_of
from mineproof.core.clues import EXPLODED
from mineproof.core.errors import InputError
from mineproof.core.random import MASK, check_seed
from mineproof.core.rules import LEVELS, Rules, Start
from mineproof.gym.boards import Copies, episode_seed, make_boards, playable

__all__ = ["MinesweeperEnv", "MinesweeperVectorEnv", "env_id", "episode_seed"]

SIDE = 16
"""Pixels per cell in `rgb_array`."""
Codes = NDArray[np.int8]
VERSION = "v0"


def env_id(level: str, start: str | None = None) -> str:
    """Return the environment id for a level and a start rule, by default the level's own rule."""
    name = "".join(part.title() for part in level.split("-"))
    return f"mineproof/{name}{(start or '').title().replace('-', '')}-{VERSION}"


def spaces(rules: Rules) -> tuple[Any, Any]:
    """Return the observation space and the action space of one board."""
    board = gymnasium.spaces.Box(0, EXPLODED, (rules.rows, rules.columns), np.int8)
    return board, gymnasium.spaces.Discrete(rules.grid.size)


def rendered(rules: Rules, shown: Codes, mode: str | None) -> Any:
    """Return one board as text for `ansi`, as pixels for `rgb_array`, otherwise None."""
    codes = shown.tobytes()
    if mode == "ansi":
        return board_text(rules.grid, codes, bytes(len(codes)))
    if mode != "rgb_array":
        return None
    from mineproof.draw.pixels import pixels
    from mineproof.draw.tiles import Tile

    tiles = [Tile(sign_of(codes, bytes(len(codes)), index)) for index in range(len(codes))]
    width, height, painted = pixels(tiles, rules.columns, SIDE)
    return np.frombuffer(painted, np.uint8).reshape(height, width, 3).copy()


def check_mode(mode: str | None) -> str | None:
    """Return the render mode unchanged if it is valid, otherwise raise an InputError."""
    if mode not in (None, "ansi", "rgb_array"):
        raise InputError(f"expected render_mode to be 'ansi', 'rgb_array' or None, got {mode!r}")
    return mode


class MinesweeperEnv(gymnasium.Env[Codes, int]):
    """One game of Minesweeper.

    Description: open all safe cells. The board is the one that `Game` deals with `info["seed"]`.

    Action space: `Discrete(rows * columns)`. The action row * columns + column opens that cell.

    Observation space: one int8 code per cell: 0 to 8 for a clue, 9 for unopened, 11 for an
    exploded mine.

    Starting state: all cells are unopened, and the first action deals the board by the start
    rule. Under `given`, some safe cells are open.

    Rewards: the share of all safe cells that the action opened, so that a won game adds up to 1;
    -1 for a mine; -0.1 for a cell that is already open, which changes nothing.

    Episode end: terminated when the game is won or lost; truncated after 2 x cells actions.

    Information: `action_mask` has a 1 for each cell that can be opened, `seed` is the seed of the
    game, and `won` says whether the game is won.

    Arguments: `rules` (a level's name, `ROWSxCOLUMNS/MINES` or `Rules`) and `render_mode`.

    Version history: v0 is the first version.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(self, rules: Rules | str = "expert", render_mode: str | None = None) -> None:
        self.rules = playable(rules)
        self.render_mode = check_mode(render_mode)
        self.observation_space, self.action_space = spaces(self.rules)
        self._boards = make_boards(self.rules, 1)
        self._shown = self._boards.shown.reshape(self.rules.rows, self.rules.columns)
        self._mask = self._boards.mask[0]
        self._cell = np.zeros(1, np.int64)
        self._is_seeded = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Codes, dict[str, Any]]:
        """Start episode 0 of a seed or, without a seed, the next episode of the last seed."""
        super().reset(seed=seed)
        if seed is None and self._is_seeded:
            self._boards.next_episode(0)
        else:
            first = self.np_random.integers(1 << 63) if seed is None else seed
            self._boards.reset(0, check_seed(int(first)))
        self._is_seeded = True
        return self._shown.copy(), self._info()

    def step(self, action: int) -> tuple[Codes, float, bool, bool, dict[str, Any]]:
        """Open a cell.

        Raises:
            InputError: the action is not a cell, or the episode has ended.
        """
        boards = self._boards
        if boards.terminated[0] or boards.truncated[0] or not self._is_seeded:
            raise InputError("the episode is over or has not started: call reset() first")
        self._cell[0] = action
        try:
            boards.step(self._cell)
        except ValueError:
            cells = self.rules.grid.size
            raise InputError(f"expected an action from 0 to {cells - 1}, got {action}") from None
        ends = bool(boards.terminated[0]), bool(boards.truncated[0])
        return self._shown.copy(), float(boards.rewards[0]), *ends, self._info()

    def _info(self) -> dict[str, Any]:
        boards = self._boards
        return {
            "action_mask": self._mask.copy(),
            "seed": int(boards.seeds[0]),
            "won": bool(boards.won[0]),
        }

    def render(self) -> Any:
        """Return the board in the form that `render_mode` names."""
        return rendered(self.rules, self._shown, self.render_mode)


class MinesweeperVectorEnv(gymnasium.vector.VectorEnv[Codes, NDArray[np.int64], Any]):
    """Many games in parallel; after `reset(seed=s)`, environment i has the seed s + i.

    Everything works as in `MinesweeperEnv`, but in arrays with one item per environment. When an
    episode ends, the next step ignores the action and starts the next episode (Gymnasium's
    next-step autoreset).
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (as Gymnasium declares it)
        "render_modes": ["ansi", "rgb_array"],
        "autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | str = "expert",
        render_mode: str | None = None,
        copy: bool = True,
    ) -> None:
        """Set the rules. Without `copy`, each step overwrites the arrays returned before."""
        self.rules = playable(rules)
        self.render_mode = check_mode(render_mode)
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = spaces(self.rules)
        self._boards = make_boards(self.rules, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._shown = self._boards.shown.reshape(num_envs, self.rules.rows, self.rules.columns)
        self._copies = {"shown": Copies(), "action_mask": Copies()} if copy else None
        self._all = np.ones(num_envs, bool)
        self._is_seeded = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Codes, dict[str, Any]]:
        """Reset all environments, or only those that `options["reset_mask"]` selects."""
        if isinstance(seed, int):
            super().reset(seed=seed)
        where = (options or {}).get("reset_mask", self._all)
        for board, each in enumerate(self._seeds(seed)):
            if not where[board]:
                continue
            if each is None:
                self._boards.next_episode(board)
            else:
                self._boards.reset(board, check_seed(each))
        self._is_seeded = True
        return self._copied(self._shown, "shown"), self._info()

    def _seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None and not self._is_seeded:
            return [int(each) for each in self.np_random.integers(1 << 63, size=self.num_envs)]
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int):
            return [(seed + board) & MASK for board in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise InputError(f"expected {self.num_envs} seeds, got {len(seed)}")
        return seed

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Codes, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Open a cell on each board.

        Raises:
            InputError: there is not one action per board, or an action is not a cell.
        """
        cells = np.ascontiguousarray(actions, np.int64)
        boards, copied = self._boards, self._copied
        if cells.shape != (self.num_envs,):
            raise InputError(
                f"expected {self.num_envs} actions, got an array of shape {cells.shape}"
            )
        try:
            boards.step(cells)
        except ValueError:
            most = self.rules.grid.size - 1
            index = int(np.argmax((cells < 0) | (cells > most)))
            raise InputError(
                f"expected actions from 0 to {most}, got {cells[index]} for environment {index}"
            ) from None
        ends = copied(boards.terminated), copied(boards.truncated)
        return copied(self._shown, "shown"), copied(boards.rewards), *ends, self._info()

    def _copied(self, array: NDArray[Any], name: str = "") -> NDArray[Any]:
        """Return the array or a copy of it. Copies of large (named) arrays are reused."""
        if self._copies is None:
            return array
        return self._copies[name].copy(array) if name in self._copies else array.copy()

    def _info(self) -> dict[str, Any]:
        boards = self._boards
        arrays: dict[str, NDArray[Any]]
        arrays = {"action_mask": boards.mask, "seed": boards.seeds, "won": boards.won}
        copied = {name: self._copied(array, name) for name, array in arrays.items()}
        return copied | dict.fromkeys(("_action_mask", "_seed", "_won"), self._all)

    def render(self) -> tuple[Any, ...] | None:
        """Return all boards in the form that `render_mode` names."""
        if self.render_mode is None:
            return None
        return tuple(rendered(self.rules, shown, self.render_mode) for shown in self._shown)


def _register(name: str, **kwargs: Any) -> None:
    gymnasium.register(
        name,
        "mineproof.gym:MinesweeperEnv",
        vector_entry_point="mineproof.gym:MinesweeperVectorEnv",
        kwargs=kwargs,
    )


_register(f"mineproof/Minesweeper-{VERSION}")
for _level, _rules in LEVELS.items():
    _register(env_id(_level), rules=_rules)
    for _kind in ("any", "safe", "opening", "given", "no-guess"):
        _register(env_id(_level, _kind), rules=replace(_rules, start=Start.parse(_kind)))
