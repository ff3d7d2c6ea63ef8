"""Gymnasium environments with one board, or with thousands of boards in the native core.

Importing this module registers `mineproof/Minesweeper-v0`, which takes `rules`, and one id per
level and start rule. For example, `mineproof/Expert-v0` uses the level's own start rule;
`mineproof/ExpertAny-v0`, `ExpertSafe-v0`, `ExpertOpening-v0` and `ExpertGiven-v0` use the rule in
their name.
It needs the extra `gym`.
"""

from __future__ import annotations

import operator
import sys
import time
from collections.abc import Sequence
from typing import Any, Unpack

try:
    import gymnasium
    import numpy as np
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray
except ImportError as error:
    raise ImportError(f"{error}. Run: pip install 'mineproof[gym]'") from error

from mineproof.core.board_text import board_text, sign_of
from mineproof.core.errors import InputError
from mineproof.core.random import MASK, check_seed
from mineproof.core.rules import LEVELS, Rules
from mineproof.gym.boards import Boards, Copies, episode_seed, make_boards
from mineproof.gym.view import EnvOptions, EnvView

__all__ = ["MinesweeperEnv", "MinesweeperVectorEnv", "env_id", "episode_seed"]

SIDE = 16
"""Pixels per cell in `rgb_array`."""
FRAMES_PER_SECOND = 4
Array = NDArray[Any]
VERSION = "v0"
NOT_STARTED = "the episode is over or has not started: call reset() first"


def env_id(level: str, start: str | None = None) -> str:
    """Return the environment id for a level and a start rule, by default the level's own rule."""
    name = "".join(part.title() for part in level.split("-"))
    return f"mineproof/{name}{(start or '').title().replace('-', '')}-{VERSION}"


def rendered(rules: Rules, shown: Array, mode: str | None) -> Any:
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


def check_mode(mode: str | None, modes: Sequence[str]) -> str | None:
    """Return the render mode unchanged if it is valid, otherwise raise an InputError."""
    if mode is not None and mode not in modes:
        known = ", ".join(repr(each) for each in modes)
        raise InputError(f"expected render_mode to be {known} or None, got {mode!r}")
    return mode


def place(boards: Boards, board: int, options: dict[str, Any]) -> None:
    """Set up the board and the first cell that the options of `reset` name, if any."""
    if unknown := set(options) - {"board", "first", "reset_mask"}:
        raise InputError(f"expected the options board and first, got {', '.join(sorted(unknown))}")
    truth, first = options.get("board"), options.get("first")
    if truth is not None or first is not None:
        boards.place(board, truth, first)


class MinesweeperEnv(gymnasium.Env[Array, int]):
    """One game of Minesweeper.

    Description: open all safe cells. The board is the one that `Game` deals with `info["seed"]`.

    Action space: `Discrete(rows * columns)`. The action row * columns + column opens that cell.

    Observation space: one int8 code per cell: 0 to 8 for a clue, 9 for unopened, 11 for an
    exploded mine. `observations="one-hot"` returns 11 int8 planes: clues 0 to 8, unopened,
    exploded. `observations="planes"` returns 3 float32 planes: clue / 8 (-1 for an exploded mine),
    unopened, and the number of mines divided by the number of unopened cells.

    Starting state: all cells are unopened, and the first action deals the board by the start
    rule. Under `given`, some safe cells are open. `reset(options={"board": board, "first": (row,
    column)})` sets the board, opens the first cell, or both.

    Rewards: the share of all safe cells that the action opened, so that a won game adds up to 1;
    -1 for a mine; -0.1 for a cell that is already open, which changes nothing. `rewards` sets other
    weights for `progress`, `move`, `win`, `loss` and `illegal`.

    Episode end: terminated when the game is won or lost; truncated after 2 x cells actions.

    Information: `action_mask` has a 1 for each cell that can be opened, `seed` is the seed of the
    game, and `won` says whether the game is won. With `risks=True`, `risks` is the exact risk of
    every cell.

    Arguments: `rules` (a level's name, `ROWSxCOLUMNS/MINES` or `Rules`), `render_mode`, `start` (a
    start rule), `observations`, `rewards` and `risks`.

    Version history: v0 is the first version.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (as Gymnasium declares it)
        "render_modes": ["ansi", "rgb_array", "human"],
        "render_fps": FRAMES_PER_SECOND,
    }

    def __init__(
        self,
        rules: Rules | str = "expert",
        render_mode: str | None = None,
        **options: Unpack[EnvOptions],
    ) -> None:
        """Set the rules and what the environment returns."""
        self._view = EnvView(rules, **options)
        self.rules = self._view.rules
        self.render_mode = check_mode(render_mode, self.metadata["render_modes"])
        self.observation_space = self._view.space()
        self.action_space = gymnasium.spaces.Discrete(self.rules.grid.size)  # type: ignore[assignment]
        self._is_plain = self._view.observations == "codes"
        self._is_seeded = False
        self._attach(make_boards(self.rules, 1))

    def _attach(self, boards: Boards) -> None:
        self._boards = boards
        self._shown = boards.shown.reshape(self.rules.rows, self.rules.columns)
        self._mask = boards.mask[0]
        self._cell = np.zeros(1, np.int64)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a pickled or copied environment."""
        vars(self).update(state)
        self._attach(self._boards)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Start episode 0 of a seed or, without a seed, the next episode of the last seed.

        Args:
            seed: 0 to 2**64 - 1.
            options: `board`, the `Board` to play on; `first`, the cell to open at the start.
        """
        if seed is not None:
            seed = check_seed(seed)
        super().reset(seed=seed)
        if seed is None and self._is_seeded:
            self._boards.next_episode(0)
        else:
            first = self.np_random.integers(1 << 63) if seed is None else seed
            self._boards.reset(0, int(first))
        self._is_seeded = True
        place(self._boards, 0, options or {})
        return self._observe()

    def step(self, action: int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Open a cell.

        Raises:
            InputError: the action is not a cell, or the episode has ended.
        """
        boards = self._boards
        if boards.terminated[0] or boards.truncated[0] or not self._is_seeded:
            raise InputError(NOT_STARTED)
        try:
            self._cell[0] = operator.index(action)
            boards.step(self._cell)
        except (ValueError, TypeError, OverflowError):
            cells = self.rules.grid.size
            raise InputError(f"expected an action from 0 to {cells - 1}, got {action!r}") from None
        ends = bool(boards.terminated[0]), bool(boards.truncated[0])
        paid = boards.rewards if self._view.weights is None else self._view.reward(boards)
        shown, info = self._observe()
        return shown, float(paid[0]), *ends, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which cells can be opened. The maskable algorithms of sb3-contrib call this."""
        return np.array(self._mask, bool)

    def _observe(self) -> tuple[Array, dict[str, Any]]:
        boards = self._boards
        if self.render_mode == "human":
            self._print()
        info = {
            "action_mask": self._mask.copy(),
            "seed": int(boards.seeds[0]),
            "won": bool(boards.won[0]),
        }
        if self._view.risks:
            info["risks"] = self._view.exact_risks(self._shown)
        return self._shown.copy() if self._is_plain else self._view.encode(self._shown), info

    def _print(self) -> None:
        """Print the board, in a terminal always at the same place and slowly enough to watch."""
        is_screen = sys.stdout.isatty()
        clear = "\x1b[H\x1b[2J" if is_screen else ""
        print(clear + rendered(self.rules, self._shown, "ansi"), flush=True)
        time.sleep(is_screen / FRAMES_PER_SECOND)

    def render(self) -> Any:
        """Return the board in the form that `render_mode` names."""
        return rendered(self.rules, self._shown, self.render_mode)


class MinesweeperVectorEnv(gymnasium.vector.VectorEnv[Array, NDArray[np.int64], Any]):
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
        **options: Unpack[EnvOptions],
    ) -> None:
        """Set the rules. Without `copy`, each step overwrites the arrays returned before."""
        self._view = EnvView(rules, **options)
        self.rules = self._view.rules
        self.render_mode = check_mode(render_mode, self.metadata["render_modes"])
        self.num_envs = num_envs
        self._is_plain = self._view.observations == "codes"
        self._is_seeded = False
        self._copies = {"shown": Copies(), "action_mask": Copies()} if copy else None
        self._attach(make_boards(self.rules, num_envs))
        self.single_observation_space = self._view.space()
        self.single_action_space = gymnasium.spaces.Discrete(self.rules.grid.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._all = np.ones(num_envs, bool)

    def _attach(self, boards: Boards) -> None:
        self._boards = boards
        self._shown = boards.shown.reshape(self.num_envs, self.rules.rows, self.rules.columns)

    __setstate__ = MinesweeperEnv.__setstate__

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, dict[str, Any]]:
        """Reset all environments, or only those that `options["reset_mask"]` selects.

        The options `board` and `first` are the same as in `MinesweeperEnv`, for every board.
        """
        options = options or {}
        where = options.get("reset_mask", self._all)
        for board, each in enumerate(self._seeds(seed)):
            if not where[board]:
                continue
            if each is None:
                self._boards.next_episode(board)
            else:
                self._boards.reset(board, check_seed(each))
            place(self._boards, board, options)
        self._is_seeded = True
        return self._observe(), self._info()

    def _seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None and not self._is_seeded:
            return [int(each) for each in self.np_random.integers(1 << 63, size=self.num_envs)]
        if seed is None:
            return [None] * self.num_envs
        if not isinstance(seed, Sequence | np.ndarray):
            first = check_seed(seed)
            super().reset(seed=first)
            return [(first + board) & MASK for board in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise InputError(f"expected {self.num_envs} seeds, got {len(seed)}")
        return seed

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Array, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Open a cell on each board.

        Raises:
            InputError: there is not one action per board, an action is not a cell, or `reset` has
                not been called.
        """
        if not self._is_seeded:
            raise InputError(NOT_STARTED)
        found = np.asarray(actions)
        if found.dtype.kind not in "iu":
            raise InputError(f"expected whole numbers as actions, got an array of {found.dtype}")
        cells = np.ascontiguousarray(found, np.int64)
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
        is_usual = self._view.weights is None
        paid = copied(boards.rewards) if is_usual else self._view.reward(boards)
        return self._observe(), paid, *ends, self._info()

    def _observe(self) -> Array:
        if self._is_plain:
            return self._copied(self._shown, "shown")
        return self._view.encode(self._shown)

    def _copied(self, array: NDArray[Any], name: str = "") -> NDArray[Any]:
        """Return the array or a copy of it. Copies of large (named) arrays are reused."""
        if self._copies is None:
            return array
        return self._copies[name].copy(array) if name in self._copies else array.copy()

    def _info(self) -> dict[str, Any]:
        boards = self._boards
        arrays: dict[str, NDArray[Any]]
        arrays = {"action_mask": boards.mask, "seed": boards.seeds, "won": boards.won}
        info = {name: self._copied(array, name) for name, array in arrays.items()}
        if self._view.risks:
            info["risks"] = self._view.exact_risks(self._shown)
        return info | {f"_{name}": self._all for name in info}

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
for _level in LEVELS:
    _register(env_id(_level), rules=_level)
    for _kind in ("any", "safe", "opening", "given", "no-guess"):
        _register(env_id(_level, _kind), rules=_level, start=_kind)
