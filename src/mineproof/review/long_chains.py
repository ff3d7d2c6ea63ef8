"""A search for boards with especially long chains of influence.

`sample` deals boards and keeps the one with the longest chain. `improve` starts from the first of
these boards, moves one mine at a time, and keeps each change that does not shorten the longest
chain. Both play one game per try, so equal numbers of tries take equal effort.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mineproof.agents.protocol import Agent
from mineproof.core.board import Board, deal, mine_pools
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.random import Purpose, Stream
from mineproof.core.rules import Rules
from mineproof.review.chains import Chains, trace


@dataclass(frozen=True)
class LongChain:
    """The board with the longest chain that a search found."""

    board: Board
    chains: Chains
    lengths: tuple[int, ...]
    """The length of the longest chain after each try."""


Next = Callable[[Stream, Board], Board]
"""Returns the board for the next try, given the best one so far."""


def sample(rules: Rules, agent: Agent, seed: int, tries: int, first: Cell | None) -> LongChain:
    """Deal boards one after another and return the one with the longest chain."""
    begun = Game(rules, seed, first)
    return _search(begun, agent, tries, lambda stream, _: deal(rules, stream.next(), first))


def improve(rules: Rules, agent: Agent, seed: int, tries: int, first: Cell | None) -> LongChain:
    """Improve a board by moving one mine at a time. Undo each move that shortens the longest chain.

    Moves that leave the length unchanged are kept too: a later move may then lengthen the chain.
    """
    _, free = mine_pools(rules, first)
    begun = Game(rules, seed, first)
    return _search(begun, agent, tries, lambda stream, board: _moved(stream, board, free))


def _search(begun: Game, agent: Agent, tries: int, following: Next) -> LongChain:
    rules, seed, first = begun.rules, begun.seed, begun.first
    stream = Stream(seed, Purpose.SAMPLE)
    board = deal(rules, seed, first)
    chains = trace(Game(rules, seed, first, board), agent)
    lengths = [chains.length]
    for _ in range(tries - 1):
        other = following(stream, board)
        found = trace(Game(rules, seed, first, other), agent)
        if found.length >= chains.length:
            board, chains = other, found
        lengths.append(chains.length)
    return LongChain(board, chains, tuple(lengths))


def _moved(stream: Stream, board: Board, free: list[int]) -> Board:
    """Move one mine to an empty cell, among the cells where the start rule allows mines."""
    mined = bytearray(board.mined)
    mines = [cell for cell in free if mined[cell]]
    empty = [cell for cell in free if not mined[cell]]
    if mines and empty:
        mined[mines[stream.below(len(mines))]] = 0
        mined[empty[stream.below(len(empty))]] = 1
    return Board(board.rows, board.columns, bytes(mined))
