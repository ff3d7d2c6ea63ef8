"""Boards, and how they are dealt."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, cast

from mineproof.core.board_text import HasPicture, board_text
from mineproof.core.clues import UNOPENED
from mineproof.core.errors import RulesError, wrong_type
from mineproof.core.grid import BoardSize, Cell, grid
from mineproof.core.random import MAX_GAME_SEED, Purpose, Stream, check_seed, short_seed
from mineproof.core.rules import AROUND_FIRST, Rules, Start, StartKind, as_rules, check_size


@dataclass(frozen=True, repr=False)
class Board(HasPicture, BoardSize):
    """The mines of a board: one byte per cell in row order, 1 for a mine."""

    mined: bytes

    def __post_init__(self) -> None:
        """Reject bytes that do not describe a board of this size."""
        check_size(self.rows, self.columns)
        if not isinstance(self.mined, bytes):
            raise wrong_type("mined as bytes", self.mined)
        others = self.mined.translate(None, b"\0\1")
        if len(self.mined) != self.rows * self.columns or others:
            raise RulesError(
                f"expected {self.rows * self.columns} bytes, each 0 or 1, got {len(self.mined)} "
                f"bytes with values up to {max(self.mined, default=0)}"
            )

    @classmethod
    def from_mines(cls, rows: int, columns: int, mines: Iterable[int | tuple[int, int]]) -> Board:
        """Return the board with these mines, given as cells or as indices.

        Raises:
            InputError: the size is out of range, or a mine is off the board or listed twice.
        """
        check_size(rows, columns)
        mined = bytearray(rows * columns)
        for mine in mines:
            index = mine if isinstance(mine, int) else grid(rows, columns).index(mine)
            if not 0 <= index < len(mined):
                raise RulesError(f"expected mines from 0 to {len(mined) - 1}, got {index}")
            if mined[index]:
                raise RulesError(f"expected distinct mines, got {index} twice")
            mined[index] = 1
        return cls(rows, columns, bytes(mined))

    @cached_property
    def mine_indices(self) -> tuple[int, ...]:
        """The indices of all mines, in increasing order."""
        return tuple(index for index, mine in enumerate(self.mined) if mine)

    @cached_property
    def mines(self) -> frozenset[Cell]:
        """The cells of all mines."""
        return frozenset(self.grid.cell(index) for index in self.mine_indices)

    @cached_property
    def clues(self) -> bytes:
        """For each cell, mines included, the number of mines next to it."""
        return self.grid.count_neighbours(self.mined)

    @property
    def shown(self) -> bytes:
        """The codes of an observation in which every safe cell is open."""
        pairs = zip(self.clues, self.mined, strict=True)
        return bytes(UNOPENED if mine else clue for clue, mine in pairs)

    def __repr__(self) -> str:
        return f"<Board {self.rows}x{self.columns}/{len(self.mine_indices)}>"

    def __str__(self) -> str:
        """Return the whole board as text: every clue, and `m` for each mine."""
        return board_text(self.grid, self.shown, bytes(len(self.mined)), self)


def deal(rules: Rules | str, seed: int, first: tuple[int, int] | None = None) -> Board:
    """Deal a board, uniformly among those that the start rule allows.

    The same arguments always give the same board.

    Args:
        rules: rules, a level's name, or `ROWSxCOLUMNS/MINES`.
        seed: 0 to 2**128 - 1.
        first: the first cell. `safe`, `opening` and `no-guess` need it, other starts ignore it.

    Raises:
        RulesError: the first cell is missing or off the board, or the start's agent is unknown.
        WorkLimitError: no `no-guess` board was found within the maximum number of tries.
    """
    rules = as_rules(rules)
    if rules.start.kind is not StartKind.NO_GUESS:
        return deal_attempt(rules, seed, first)
    mine_pools(rules, first)  # check the first cell before loading the dealer
    assert first is not None
    return _no_guess_dealer().deal(rules, short_seed(check_seed(seed, MAX_GAME_SEED)), Cell(*first))


class NoGuessDealer(Protocol):
    """An interface for dealing no-guess boards.

    Dealing them needs agents, which the core cannot import.
    """

    def check_start(self, start: Start) -> None:
        """Reject a start whose agent does not exist."""

    def deal(self, rules: Rules, seed: int, first: Cell) -> Board:
        """Deal a board that the start's agent wins from the first cell without a guess."""

    def deals(self, board: Board, rules: Rules, seed: int, first: Cell) -> bool:
        """Return whether `deal` would return this board; False if checking takes too long."""


def _no_guess_dealer() -> NoGuessDealer:
    return cast("NoGuessDealer", importlib.import_module("mineproof.generate.no_guess"))


def is_dealt(board: Board, rules: Rules, seed: int, first: tuple[int, int] | None) -> bool:
    """Return whether rules, seed and first cell reproduce the board.

    If they do, its mines need not be stored. Under `no-guess`, also return False if the check would
    take long, or if the board depends on an agent other than `exact`, because that agent may change
    between versions.
    """
    if rules.start.kind is not StartKind.NO_GUESS:
        return deal(rules, seed, first) == board
    if first is None or rules.start.has_own_agent:
        return False
    return _no_guess_dealer().deals(board, rules, seed, Cell(*first))


def check_start(start: Start) -> None:
    """Reject a start whose agent does not exist.

    Raises:
        RulesError: the agent does not exist.
    """
    if start.kind is StartKind.NO_GUESS:
        _no_guess_dealer().check_start(start)


def deal_attempt(
    rules: Rules, seed: int, first: tuple[int, int] | None = None, attempt: int = 0
) -> Board:
    """Deal the board of one attempt. Only `no-guess` makes more than one attempt.

    Each attempt uses a separate random stream. Attempt 0 of `no-guess` deals the same board as
    `opening`.
    """
    stream = Stream(check_seed(seed, MAX_GAME_SEED), Purpose.DEAL, attempt)
    forced, free = mine_pools(rules, first)
    chosen = stream.choose(free, rules.mines - len(forced))
    return Board.from_mines(rules.rows, rules.columns, forced + chosen)


def mine_pools(rules: Rules, first: tuple[int, int] | None) -> tuple[list[int], list[int]]:
    """Return the cells that must be mines, and the cells among which the other mines are drawn."""
    cells = range(rules.rows * rules.columns)
    if rules.start.kind not in AROUND_FIRST:
        return [], list(cells)
    if first is None:
        raise RulesError(f"the start {rules.start} needs a first cell")
    index = rules.grid.index(first)
    if rules.start.kind is StartKind.SAFE:
        return [], [cell for cell in cells if cell != index]
    near = list(rules.grid.neighbours(index))
    kept = {index, *near}
    far = [cell for cell in cells if cell not in kept]
    return (far, near) if rules.mines > len(far) else ([], far)


def deal_given(rules: Rules, board: Board, seed: int) -> tuple[int, ...]:
    """Draw the safe cells that `given:K` opens at the start. Other starts open none."""
    safe = [index for index, mine in enumerate(board.mined) if not mine]
    return tuple(sorted(Stream(seed, Purpose.GIVEN).choose(safe, rules.given_count)))
