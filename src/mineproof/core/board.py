"""The full truth of a game, and how it is dealt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from mineproof.core.errors import RulesError
from mineproof.core.grid import Cell, Grid, grid
from mineproof.core.random import MAX_GAME_SEED, Purpose, Stream, check_seed, short_seed
from mineproof.core.rules import AROUND_FIRST, Rules, Start, StartKind, check_size


@dataclass(frozen=True)
class Board:
    """Where the mines are: one byte per cell in row order, 1 for a mine."""

    rows: int
    columns: int
    mined: bytes

    def __post_init__(self) -> None:
        """Reject bytes that are no board of this size."""
        check_size(self.rows, self.columns)
        others = self.mined.translate(None, b"\0\1")
        if len(self.mined) != self.rows * self.columns or others:
            raise RulesError(
                f"expected {self.rows * self.columns} bytes 0 or 1, got {len(self.mined)} "
                f"up to {max(self.mined, default=0)}"
            )

    @classmethod
    def from_mines(cls, rows: int, columns: int, mines: Iterable[int | tuple[int, int]]) -> Board:
        """Make a board from its mines, given as cells or as indices.

        Raises:
            InputError: a side is out of range, or a mine is off the board or named twice.
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

    @property
    def grid(self) -> Grid:
        """The geometry of the board."""
        return grid(self.rows, self.columns)

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
        """For each cell how many of its neighbours are mined (for mines too)."""
        return self.grid.count_neighbours(self.mined)


def deal(rules: Rules, seed: int, first: tuple[int, int] | None = None) -> Board:
    """Deal a board: a pure function of its arguments, uniform over what the start rule allows.

    Args:
        rules: size, mines and start rule.
        seed: 0 to 2**128 - 1.
        first: the first cell; `safe`, `opening` and `no-guess` need it, the others ignore it.

    Raises:
        RulesError: the first cell is missing or off the board, or there is no such agent.
        WorkLimitError: no board of `no-guess` was found in so many tries as it states.
    """
    if rules.start.kind is not StartKind.NO_GUESS:
        return deal_attempt(rules, seed, first)
    mine_pools(rules, first)  # the first cell is checked before anybody is asked
    assert first is not None
    return no_guess_dealer().deal(rules, short_seed(check_seed(seed, MAX_GAME_SEED)), Cell(*first))


class NoGuessDealer(Protocol):
    """An interface for dealing no-guess boards. It takes agents, which the core must not import."""

    def check_start(self, start: Start) -> None:
        """Reject a start whose agent does not exist."""

    def deal(self, rules: Rules, seed: int, first: Cell) -> Board:
        """Deal a board that the start's agent wins from the first cell without a guess."""

    def deals(self, board: Board, rules: Rules, seed: int, first: Cell) -> bool:
        """Return whether `deal` gives this board, as far as that is found out at once."""


_loaders: list[Callable[[], NoGuessDealer]] = []


def use_no_guess_dealer(load: Callable[[], NoGuessDealer]) -> None:
    """Let `load` provide what deals no-guess boards; it is called when one is first needed."""
    _loaders[:] = [load]


def no_guess_dealer() -> NoGuessDealer:
    """Return what deals no-guess boards; the package itself sets it."""
    return _loaders[0]()


def is_dealt(board: Board, rules: Rules, seed: int, first: tuple[int, int] | None) -> bool:
    """Return whether rules, seed and first cell tell the board, so that nobody need note its mines.

    Under `no-guess` the answer is no as well where it takes long to find out, and where an
    agent decides that may change.
    """
    if rules.start.kind is not StartKind.NO_GUESS:
        return deal(rules, seed, first) == board
    if first is None or rules.start.has_own_agent:
        return False
    return no_guess_dealer().deals(board, rules, seed, Cell(*first))


def check_start(start: Start) -> None:
    """Reject a start whose agent does not exist.

    Raises:
        RulesError: there is none of that name.
    """
    if start.kind is StartKind.NO_GUESS:
        no_guess_dealer().check_start(start)


def deal_attempt(
    rules: Rules, seed: int, first: tuple[int, int] | None = None, attempt: int = 0
) -> Board:
    """Deal the board of one attempt; attempt 0 is the only one, but for `no-guess`.

    Each attempt has a stream of its own under the seed: attempt 0 of `no-guess` is the board
    of `opening`.
    """
    stream = Stream(check_seed(seed, MAX_GAME_SEED), Purpose.DEAL, attempt)
    forced, free = mine_pools(rules, first)
    chosen = stream.choose(free, rules.mines - len(forced))
    return Board.from_mines(rules.rows, rules.columns, forced + chosen)


def mine_pools(rules: Rules, first: tuple[int, int] | None) -> tuple[list[int], list[int]]:
    """Return the cells that must be mined, and those among which the other mines are dealt."""
    cells = range(rules.rows * rules.columns)
    if rules.start.kind not in AROUND_FIRST:
        return [], list(cells)
    if first is None:
        raise RulesError(f"expected a first cell for the start {rules.start}, got none")
    index = rules.grid.index(first)
    if rules.start.kind is StartKind.SAFE:
        return [], [cell for cell in cells if cell != index]
    near = list(rules.grid.neighbours(index))
    kept = {index, *near}
    far = [cell for cell in cells if cell not in kept]
    return (far, near) if rules.mines > len(far) else ([], far)


def deal_given(rules: Rules, board: Board, seed: int) -> tuple[int, ...]:
    """Draw the safe cells that `given:K` opens at the start; none under other starts."""
    safe = [index for index, mine in enumerate(board.mined) if not mine]
    return tuple(sorted(Stream(seed, Purpose.GIVEN).choose(safe, rules.given_count)))
