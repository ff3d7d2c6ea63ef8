"""Boards of especially long chains of influence: dealt until one is found, or improved.

`sample` deals boards and keeps the one whose longest chain is longest. `improve` goes a directed
way: it begins with the first of the same boards, moves one mine at a time, and keeps what does
not shorten the longest chain. Both play one game a try, so equal tries are equal effort.
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
    """The best board of a search."""

    board: Board
    chains: Chains
    lengths: tuple[int, ...]
    """After each try, how long the longest chain of all boards so far is."""


Next = Callable[[Stream, Board], Board]
"""Gives the board of the next try from the one that is kept."""


def sample(rules: Rules, agent: Agent, seed: int, tries: int, first: Cell | None) -> LongChain:
    """Deal boards one after the other and keep the one of the longest chain."""
    begun = Game(rules, seed, first)
    return _search(begun, agent, tries, lambda stream, _: deal(rules, stream.next(), first))


def improve(rules: Rules, agent: Agent, seed: int, tries: int, first: Cell | None) -> LongChain:
    """Improve a board step by step: move a mine, keep what does not shorten the longest chain.

    Steps that change nothing are kept too: they lead across the plains between two gains.
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
    """Move one mine to a cell without one, among those where the start allows mines."""
    mined = bytearray(board.mined)
    mines = [cell for cell in free if mined[cell]]
    empty = [cell for cell in free if not mined[cell]]
    if mines and empty:
        mined[mines[stream.below(len(mines))]] = 0
        mined[empty[stream.below(len(empty))]] = 1
    return Board(board.rows, board.columns, bytes(mined))
