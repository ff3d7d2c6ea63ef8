"""Boards to order: by rules, difficulty and 3BV, each with what it took to find it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from mineproof.core.board import Board, check_start, deal
from mineproof.core.demand import demand
from mineproof.core.errors import InputError, RulesError, WorkLimitError
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.random import MASK, check_seed, mix
from mineproof.core.rules import NO_GUESS, Rules, StartKind, as_rules, with_options
from mineproof.generate.making import make_no_guess
from mineproof.generate.solvability import Solvability, solvability
from mineproof.proof.kinds import ReasoningKind

MOST_SEEDS = 10_000
"""Boards that are looked at for one that fits."""


@dataclass(frozen=True)
class Order:
    """What boards are wanted."""

    rules: Rules
    first: Cell
    hardest: tuple[ReasoningKind, ReasoningKind] | None = None
    """The hardest kind of reasoning that a board may need: from, to. Boards must be solvable."""
    bbbv: tuple[int, int] | None = None
    """Its 3BV: from, to."""
    made: bool = False
    """Whether mines may be moved to make a board solvable: faster, but not uniform."""

    def __post_init__(self) -> None:
        """Refuse what no board can be."""
        check_start(self.rules.start)
        self.rules.grid.index(self.first)
        if self.rules.start.kind is StartKind.GIVEN:
            raise RulesError("expected a start with a first cell, got given:K")
        if self.made and self.rules.start != NO_GUESS:
            raise RulesError(f"expected the start no-guess to make boards, got {self.rules.start}")

    def fits(self, ordered: OrderedBoard) -> bool:
        """Say whether a board is what is wanted; the quickest questions come first."""
        if self.bbbv is not None and not self.bbbv[0] <= ordered.bbbv <= self.bbbv[1]:
            return False
        if self.hardest is None:
            return True
        found = ordered.solvability
        return found.is_solved and self.hardest[0] <= found.hardest <= self.hardest[1]


@dataclass(frozen=True)
class OrderedBoard:
    """A board, and how it is solved, worked out when it is asked for."""

    rules: Rules
    seed: int
    """The seed that deals it: `Game(rules, seed, first)` has this board, unless it was made."""
    first: Cell
    board: Board

    @cached_property
    def solvability(self) -> Solvability:
        """The moves that solve it, in order, with the reasoning that each needs."""
        return solvability(self.board, self.first)

    @cached_property
    def bbbv(self) -> int:
        """Its 3BV."""
        return demand(self.rules, self.board, self.seed).bbbv

    def game(self) -> Game:
        """Begin a game on it, with the first cell open."""
        return Game(self.rules, self.seed, self.first, self.board)


def seeds(seed: int, index: int) -> Iterator[int]:
    """Give the seeds to look at for board `index`: seed + index first, then others of its own."""
    first = (seed + index) & MASK
    yield first
    for number in range(1, MOST_SEEDS):
        yield mix((mix(first) + number) & MASK)


def find_board(order: Order, seed: int, index: int = 0) -> OrderedBoard:
    """Give board `index` of an order: a pure function of order, seed and index.

    Raises:
        WorkLimitError: no board was found in as many tries as are made; it says how many.
    """
    for found in ordered_boards(order, seed, index):
        if order.fits(found):
            return found
    raise WorkLimitError(
        f"expected a board of {order.rules.level} that fits among {MOST_SEEDS:,}, got none: "
        "ask for other difficulties or another 3BV"
    )


def ordered_boards(order: Order, seed: int, index: int) -> Iterator[OrderedBoard]:
    """Give the boards that are looked at for board `index` of an order, whether they fit or not."""
    for number in seeds(check_seed(seed), index):
        yield OrderedBoard(order.rules, number, order.first, _board(order, number))


def _board(order: Order, seed: int) -> Board:
    if order.made:
        return make_no_guess(order.rules, seed, order.first)
    return deal(order.rules, seed, order.first)


def deal_no_guess(
    rules: Rules | str = "expert", seed: int = 0, first: tuple[int, int] | None = None
) -> OrderedBoard:
    """Deal a board that is won without a guess, uniform among all such boards.

    Args:
        rules: rules, a level's name or `ROWSxCOLUMNS/MINES`; their start is `no-guess`, unless
            they name it with another agent.
        seed: which one.
        first: the first cell; the usual one by default.

    Returns:
        The board with `game()` to play it, and `solvability`: its moves in order.

    Raises:
        InputError: the rules, seed or first cell are wrong.
        WorkLimitError: none was found in as many tries as are stated.
    """
    found = as_rules(rules)
    if found.start.kind is not StartKind.NO_GUESS:
        found = with_options(found, start="no-guess")
    cell = found.first_cell if first is None else Cell(*first)
    if cell is None:
        raise InputError("expected a first cell, got none")
    return find_board(Order(found, cell), seed)
