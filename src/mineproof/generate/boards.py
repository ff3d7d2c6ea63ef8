"""Boards made to order, by rules, difficulty and 3BV."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from mineproof.core.board import Board, check_start, deal
from mineproof.core.demand import demand
from mineproof.core.errors import RulesError, WorkLimitError
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.random import MASK, check_seed, mix
from mineproof.core.rules import NO_GUESS, Rules, StartKind, as_rules, with_options
from mineproof.generate.making import make_no_guess
from mineproof.generate.solvability import Solvability, solvability
from mineproof.proof.kinds import ReasoningKind

MOST_SEEDS = 10_000
"""The maximum number of boards to try until one matches."""


@dataclass(frozen=True)
class Order:
    """The requirements for boards."""

    rules: Rules
    first: Cell
    hardest: tuple[ReasoningKind, ReasoningKind] | None = None
    """The allowed range for a board's hardest kind of reasoning. Boards must be solvable."""
    bbbv: tuple[int, int] | None = None
    """The allowed range of the 3BV."""
    made: bool = False
    """Whether mines may be moved to make a board solvable, which is faster but not uniform."""

    def __post_init__(self) -> None:
        """Reject requirements that no board can meet."""
        check_start(self.rules.start)
        self.rules.grid.index(self.first)
        if self.rules.start.kind is StartKind.GIVEN:
            raise RulesError(
                "cannot generate boards with the start given:K, which has no first cell"
            )
        if self.made and self.rules.start != NO_GUESS:
            raise RulesError(f"--make works only with --start no-guess, not {self.rules.start}")

    def fits(self, ordered: OrderedBoard) -> bool:
        """Return whether a board meets the requirements, testing the cheapest ones first."""
        if self.bbbv is not None and not self.bbbv[0] <= ordered.bbbv <= self.bbbv[1]:
            return False
        if self.hardest is None:
            return True
        found = ordered.solvability
        return found.is_solved and self.hardest[0] <= found.hardest <= self.hardest[1]


@dataclass(frozen=True, repr=False)
class OrderedBoard:
    """A board whose solution and 3BV are computed when first used."""

    rules: Rules
    seed: int
    """The seed of the board. `Game(rules, seed, first)` has the same board unless mines were moved.
    """
    first: Cell
    board: Board

    @cached_property
    def solvability(self) -> Solvability:
        """The moves that solve the board, in order, with the reasoning that each needs."""
        return solvability(self.board, self.first)

    @cached_property
    def bbbv(self) -> int:
        """The 3BV of the board."""
        return demand(self.rules, self.board, self.seed).bbbv

    def game(self) -> Game:
        """Return a game on this board, with the first cell open."""
        return Game(self.rules, self.seed, self.first, self.board)

    def _repr_svg_(self) -> str | None:
        return self.board._repr_svg_()

    def __repr__(self) -> str:
        return f"<OrderedBoard {self.rules.level}, seed {self.seed}, first cell {self.first}>"

    def __str__(self) -> str:
        """Return the whole board as text, with its level, seed and first cell."""
        return f"{self.board}\n{repr(self)[14:-1]}"


def seeds(seed: int, index: int) -> Iterator[int]:
    """Yield the seeds to try for board `index`: seed + index first, then seeds derived from it."""
    first = (seed + index) & MASK
    yield first
    for number in range(1, MOST_SEEDS):
        yield mix((mix(first) + number) & MASK)


def find_board(order: Order, seed: int, index: int = 0) -> OrderedBoard:
    """Return board `index` that meets an order. The same arguments always return the same board.

    Raises:
        WorkLimitError: none of `MOST_SEEDS` boards meets the requirements.
    """
    for found in ordered_boards(order, seed, index):
        if order.fits(found):
            return found
    raise WorkLimitError(
        f"none of {MOST_SEEDS:,} boards of {order.rules.level} meets the requirements: "
        "try a wider range of difficulties or 3BV"
    )


def ordered_boards(order: Order, seed: int, index: int) -> Iterator[OrderedBoard]:
    """Yield candidates for board `index` of an order. They need not match the order."""
    find = make_no_guess if order.made else deal
    for number in seeds(check_seed(seed), index):
        board = find(order.rules, number, order.first)
        yield OrderedBoard(order.rules, number, order.first, board)


def deal_no_guess(
    rules: Rules | str = "expert", seed: int = 0, first: tuple[int, int] | None = None
) -> OrderedBoard:
    """Deal a board that can be won without a guess, uniformly among all such boards.

    Args:
        rules: rules, a level's name or `ROWSxCOLUMNS/MINES`. The start becomes `no-guess`,
            unless it is already `no-guess:AGENT`.
        seed: the seed of the board.
        first: the first cell; by default the cell that agents open first.

    Returns:
        The board. Its method `game()` returns a game on it, and `solvability` lists the moves
        that solve it.

    Raises:
        InputError: the rules, seed or first cell are not valid.
        WorkLimitError: no board was found within the maximum number of tries.
    """
    found = as_rules(rules)
    if found.start.kind is not StartKind.NO_GUESS:
        found = with_options(found, start="no-guess")
    cell = found.first_cell if first is None else Cell(*first)
    assert cell is not None  # only `given` has no first cell
    return find_board(Order(found, cell), seed)
