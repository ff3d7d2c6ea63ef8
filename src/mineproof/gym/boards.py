"""Boards that are played side by side, a move on each at once, in flat arrays of numpy."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineproof.backend import native
from mineproof.core.clues import EXACT, UNOPENED
from mineproof.core.errors import InputError, RulesError
from mineproof.core.game import Game
from mineproof.core.random import GOLDEN, MASK, mix
from mineproof.core.rules import Explosion, Goal, Rules, StartKind, as_rules

ILLEGAL_REWARD = -0.1
"""For opening a cell that is open, which changes nothing."""
LOSS_REWARD = -1.0


def episode_seed(seed: int, episode: int) -> int:
    """Give the seed of an episode's game.

    Episode 0 follows `reset(seed=s)` and has the seed s itself; each `reset()` without a seed
    begins the next one. Its seed fits into 63 bits, as Gymnasium keeps numbers of `info`.
    """
    return seed if episode == 0 else mix((seed + episode * GOLDEN) & MASK) >> 1


def playable(rules: Rules | str) -> Rules:
    """Give rules that the environments can play.

    Raises:
        RulesError: they are not exact clues, the goal `open`, and a loss at the first explosion.
    """
    found = as_rules(rules)
    usual = replace(found, clues=EXACT, goal=Goal.OPEN, explosion=Explosion.LOSE, flood=True)
    if found != usual:
        raise RulesError(
            "expected exact clues, the goal open, explosions that lose and flood for an "
            f"environment, got {found}"
        )
    return found


class Boards:
    """Many games side by side, by `Game`: the twin of the native core's `VectorEnv`.

    The arrays hold, for each cell, its code and whether it can be opened; for each game, the
    reward of its last move, whether it has ended, took too long, was won, and its seed.
    """

    def __init__(self, rules: Rules, boards: int) -> None:
        """Begin with the seed 0 on all boards."""
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
        """Begin episode 0 of a seed on a board."""
        self._bases[board], self._episodes[board] = seed, -1
        self.next_episode(board)

    def next_episode(self, board: int) -> None:
        """Begin the next episode on a board."""
        self._episodes[board] += 1
        seed = episode_seed(self._bases[board], self._episodes[board])
        self._games[board] = Game(self.rules, seed)
        self._moves[board] = 0
        self.seeds[board] = seed
        self.rewards[board] = 0
        self.terminated[board] = self.truncated[board] = self.won[board] = False
        self._show(board)

    def step(self, cells: NDArray[np.int64]) -> None:
        """Open a cell on each board; where the game has ended, begin the next episode."""
        if cells.min() < 0 or cells.max() >= self.shown.shape[1]:
            raise ValueError("expected a cell on the board for each board")
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
            self._show(board)
            opened = before - int(self.mask[board].sum())
            safe = self.rules.grid.size - self.rules.mines
            self.rewards[board] = LOSS_REWARD if game.hits else opened / safe
        else:
            self.rewards[board] = ILLEGAL_REWARD
        self.terminated[board] = game.is_over
        self.won[board] = game.outcome is not None and game.outcome.result == "win"
        limit = 2 * self.rules.grid.size
        self.truncated[board] = not game.is_over and self._moves[board] >= limit

    def _show(self, board: int) -> None:
        self.shown[board] = np.frombuffer(self._games[board].observation.shown, np.int8)
        self.mask[board] = self.shown[board] == UNOPENED


class NativeBoards(Boards):
    """The same inside the native core: a step of all boards is one call."""

    def _begin(self) -> None:
        assert native is not None
        rules, given = self.rules, self.rules.start.kind is StartKind.GIVEN
        arrays = (self.shown, self.mask, self.rewards, self.terminated, self.truncated, self.won)
        self._core = native.VectorEnv(
            rules.rows,
            rules.columns,
            rules.mines,
            "any" if given else rules.start.kind.value,
            rules.given_count,
            len(self.seeds),
            (*arrays, self.seeds),
        )
        # What is called most goes there straight away.
        self.step = self._core.step  # type: ignore[method-assign]
        self.reset = self._core.reset  # type: ignore[method-assign]
        self.next_episode = self._core.next_episode  # type: ignore[method-assign]


def make_boards(rules: Rules, boards: int) -> Boards:
    """Give boards in the native core, or in Python where there is none."""
    if isinstance(boards, bool) or not isinstance(boards, int) or boards < 1:
        raise InputError(f"expected 1 or more environments, got {boards!r}")
    fast = native is not None and hasattr(native, "VectorEnv")
    fast = fast and rules.start.kind is not StartKind.NO_GUESS  # dealt by proofs, not there
    return NativeBoards(rules, boards) if fast else Boards(rules, boards)


def _references(arrays: list[NDArray[Any]], index: int) -> int:
    return sys.getrefcount(arrays[index])


ALONE = _references([np.empty(0)], 0)
"""What `_references` counts of an array that nobody else holds."""


class Copies:
    """Copies of one array; memory whose copy nobody holds any more is written again.

    Fresh memory for thousands of boards costs the system more time than all their moves.
    """

    SPARE = 3
    """Copies to know of: a learner holds the answers of this step and of the one before."""

    def __init__(self) -> None:
        """Begin without any."""
        self._given: list[NDArray[Any]] = []

    def copy(self, array: NDArray[Any]) -> NDArray[Any]:
        """Give a copy that stays as it is for as long as it, or a view of it, is held."""
        given = self._given
        for index in range(len(given)):
            if _references(given, index) == ALONE:
                np.copyto(given[index], array)
                return given[index]
        fresh = array.copy()
        self._given = [*given[1 - self.SPARE :], fresh]
        return fresh
