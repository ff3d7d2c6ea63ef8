"""Many boards that are played in parallel, one move on each per step, in NumPy arrays."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineproof.backend import native
from mineproof.core.board import Board
from mineproof.core.clues import EXACT, UNOPENED
from mineproof.core.errors import InputError, RulesError
from mineproof.core.game import Game
from mineproof.core.random import GOLDEN, MASK, mix
from mineproof.core.rules import ANY, Explosion, Goal, Rules, StartKind, as_rules

ILLEGAL_REWARD = -0.1
"""Reward for opening a cell that is already open, which changes nothing."""
LOSS_REWARD = -1.0
ARRAYS = ("shown", "mask", "rewards", "terminated", "truncated", "won", "seeds")
"""The arrays that boards show, in the core's order."""
STATE = np.dtype(
    [("seed", "u8"), ("episode", "u8"), ("safe_left", "i4"), ("moves", "i4"), ("is_dealt", "?")],
    align=True,
)
"""The core's state of a board, as in `native/vector_env.hpp`."""
MINE = 9
"""The core's code for a mine, next to the clues 0 to 8."""


def episode_seed(seed: int, episode: int) -> int:
    """Return the seed of an episode's game.

    `reset(seed=s)` starts episode 0, which has the seed s. Each `reset()` without a seed starts
    the next episode. Its seed fits into 63 bits, because Gymnasium stores it as an int64.
    """
    return seed if episode == 0 else mix((seed + episode * GOLDEN) & MASK) >> 1


def playable(rules: Rules | str) -> Rules:
    """Return the rules if the environments can play them.

    Raises:
        RulesError: they lack exact clues, the goal `open`, losing at a mine, or flood.
    """
    found = as_rules(rules)
    usual = replace(found, clues=EXACT, goal=Goal.OPEN, explosion=Explosion.LOSE, flood=True)
    if found != usual:
        raise RulesError(
            "expected rules with exact clues, goal=open, explosion=lose and flood=True, "
            f"got {found}"
        )
    return found


class Boards:
    """Many games in parallel, played by `Game`: the Python twin of the native `VectorEnv`.

    For each cell, the arrays hold its code and whether it can be opened. For each game, they hold
    the reward for the last move, whether the game has ended, is too long or is won, and its seed.
    """

    def __init__(self, rules: Rules, boards: int) -> None:
        self.rules = rules
        size = (boards, rules.rows * rules.columns)
        self.shown = np.full(size, UNOPENED, np.int8)
        self.mask = np.ones(size, np.int8)
        self.rewards = np.zeros(boards)
        self.terminated, self.truncated, self.won = (np.zeros(boards, bool) for _ in range(3))
        self.seeds = np.zeros(boards, np.uint64)
        self._begin()

    def _begin(self) -> None:
        boards = len(self.seeds)
        self._games = [Game(self.rules) for _ in range(boards)]
        self._bases, self._episodes, self._moves = ([0] * boards for _ in range(3))
        for board in range(boards):
            self.reset(board, 0)

    def reset(self, board: int, seed: int) -> None:
        """Start episode 0 of a seed on a board."""
        self._bases[board], self._episodes[board] = seed, -1
        self.next_episode(board)

    def next_episode(self, board: int) -> None:
        """Start the next episode on a board."""
        self._episodes[board] += 1
        seed = episode_seed(self._bases[board], self._episodes[board])
        self._moves[board] = 0
        self.seeds[board] = seed
        self.rewards[board] = 0
        self.terminated[board] = self.truncated[board] = self.won[board] = False
        self._adopt(board, Game(self.rules, seed))

    def place(self, board: int, truth: Board | None, first: tuple[int, int] | None) -> None:
        """Use this board for the episode that has just started, and open the cell `first`."""
        rules = self.rules
        if truth is not None and rules.start.kind is not StartKind.GIVEN:
            rules = replace(rules, start=ANY)  # the first action may hit a mine
        game = Game(rules, int(self.seeds[board]), first, truth)
        if game.hits:
            raise InputError(f"expected a first cell without a mine, got {game.first}")
        self._adopt(board, game)

    def _adopt(self, board: int, game: Game) -> None:
        self._games[board] = game
        self._show(board, game)

    def step(self, cells: NDArray[np.int64]) -> None:
        """Open a cell on each board, or start its next episode if the game has ended."""
        if cells.min() < 0 or cells.max() >= self.shown.shape[1]:
            raise ValueError("a cell is not on the board")
        for board, cell in enumerate(cells.tolist()):
            if self.terminated[board] or self.truncated[board]:
                self.next_episode(board)
            else:
                self._move(board, cell)

    def _move(self, board: int, cell: int) -> None:
        game, before = self._games[board], int(self.mask[board].sum())
        self._moves[board] += 1
        if self.mask[board, cell] and not game.is_over:
            game.open(*self.rules.grid.cell(cell))
            self._show(board, game)
            opened = before - int(self.mask[board].sum())
            safe = self.rules.grid.size - self.rules.mines
            self.rewards[board] = LOSS_REWARD if game.hits else opened / safe
        else:
            self.rewards[board] = ILLEGAL_REWARD
        self.terminated[board] = game.is_over
        self.won[board] = game.outcome is not None and game.outcome.result == "win"
        limit = 2 * self.rules.grid.size
        self.truncated[board] = not game.is_over and self._moves[board] >= limit

    def _show(self, board: int, game: Game) -> None:
        self.shown[board] = np.frombuffer(game.observation.shown, np.int8)
        self.mask[board] = self.shown[board] == UNOPENED


class NativeBoards(Boards):
    """The native version, in which one call steps all boards."""

    def _begin(self) -> None:
        assert native is not None
        rules, given = self.rules, self.rules.start.kind is StartKind.GIVEN
        self._core = native.VectorEnv(
            rules.rows,
            rules.columns,
            rules.mines,
            "any" if given else rules.start.kind.value,
            rules.given_count,
            len(self.seeds),
            tuple(getattr(self, name) for name in ARRAYS),
        )
        # Frequent calls go directly to the core.
        self.step = self._core.step  # type: ignore[method-assign]
        self.reset = self._core.reset  # type: ignore[method-assign]
        self.next_episode = self._core.next_episode  # type: ignore[method-assign]

    def _memory(self) -> tuple[NDArray[Any], NDArray[np.uint8]]:
        """Return the core's states and boards, as arrays that can be written to."""
        states, truth = self._core.memory()
        return np.frombuffer(states, STATE), np.frombuffer(truth, np.uint8)

    def _adopt(self, board: int, game: Game) -> None:
        self._show(board, game)
        states, truth = self._memory()
        states["safe_left"][board] = int(self.mask[board].sum()) - self.rules.mines
        states["is_dealt"][board] = game.board is not None
        if game.board is not None:
            mined = np.frombuffer(game.board.mined, np.uint8)
            clues = np.frombuffer(game.board.clues, np.uint8)
            truth.reshape(self.shown.shape)[board] = np.where(mined, MINE, clues)

    def __getstate__(self) -> dict[str, Any]:
        """Return everything for `pickle` and `copy`, with the core's memory as arrays."""
        arrays = {name: getattr(self, name) for name in ARRAYS}
        return {"rules": self.rules, "arrays": arrays, "memory": self._memory()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make a new core, and copy the saved arrays over its own."""
        self.__init__(state["rules"], len(state["arrays"]["seeds"]))  # type: ignore[misc]
        for name, saved in state["arrays"].items():
            np.copyto(getattr(self, name), saved)
        for memory, saved in zip(self._memory(), state["memory"], strict=True):
            np.copyto(memory, saved)


def make_boards(rules: Rules, boards: int) -> Boards:
    """Return boards in the native core, or in Python if it is missing."""
    if isinstance(boards, bool) or not isinstance(boards, int) or boards < 1:
        raise InputError(f"expected 1 or more environments, got {boards!r}")
    # The core for browsers has no environments, and no core can deal no-guess boards.
    fast = hasattr(native, "VectorEnv") and rules.start.kind is not StartKind.NO_GUESS
    return NativeBoards(rules, boards) if fast else Boards(rules, boards)


def _references(arrays: list[NDArray[Any]], index: int) -> int:
    return sys.getrefcount(arrays[index])


ALONE = _references([np.empty(0)], 0)
"""The reference count of an array that only the list refers to."""


class Copies:
    """Copies of one array, which reuse the memory of copies that are no longer referenced.

    Allocating memory for thousands of boards takes more time than playing their moves.
    """

    SPARE = 3
    """Number of copies to keep. Learning algorithms use the current and the previous one."""

    def __init__(self) -> None:
        self._given: list[NDArray[Any]] = []

    def copy(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return a copy, which does not change while it, or a view of it, is referenced."""
        given = self._given
        for index in range(len(given)):
            if _references(given, index) == ALONE:
                np.copyto(given[index], array)
                return given[index]
        fresh = array.copy()
        self._given = [*given[1 - self.SPARE :], fresh]
        return fresh
