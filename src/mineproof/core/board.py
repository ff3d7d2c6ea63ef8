"""The full truth of a game, and how it is dealt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from mineproof.core.errors import RulesError
from mineproof.core.grid import Cell, Grid, grid
from mineproof.core.random import Purpose, Stream, check_seed
from mineproof.core.rules import Rules, StartKind, check_size


@dataclass(frozen=True)
class Board:
    """Where the mines are: one byte a cell in row order, 1 for a mine."""

    rows: int
    columns: int
    mined: bytes

    def __post_init__(self) -> None:
        """Refuse bytes that are no board of this size."""
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
        counts = bytearray(len(self.mined))
        neighbours = self.grid.neighbours
        for mine in self.mine_indices:
            for index in neighbours(mine):
                counts[index] += 1
        return bytes(counts)


def deal(rules: Rules, seed: int, first: tuple[int, int] | None = None) -> Board:
    """Deal a board: a pure function of its arguments, uniform over what the start rule allows.

    Args:
        rules: size, mines and start rule.
        seed: 0 to 2**64 - 1.
        first: the first cell; the starts `safe` and `opening` need it, the others ignore it.
    """
    check_seed(seed)
    stream = Stream(seed, Purpose.DEAL)
    forced, free = mine_pools(rules, first)
    chosen = stream.choose(free, rules.mines - len(forced))
    return Board.from_mines(rules.rows, rules.columns, forced + chosen)


def mine_pools(rules: Rules, first: tuple[int, int] | None) -> tuple[list[int], list[int]]:
    """Give the cells that must be mined, and those among which the other mines are dealt."""
    cells = range(rules.rows * rules.columns)
    if rules.start.kind not in (StartKind.SAFE, StartKind.OPENING):
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
    if rules.start.kind is not StartKind.GIVEN:
        return ()
    safe = [index for index, mine in enumerate(board.mined) if not mine]
    return tuple(sorted(Stream(seed, Purpose.GIVEN).choose(safe, rules.given_count)))
