"""The largest board can be dealt, flooded and observed in pure Python."""

from __future__ import annotations

from mineproof.core.board import Board, deal
from mineproof.core.clues import UNOPENED
from mineproof.core.game import Game
from mineproof.core.rules import Rules


def _openings(board: Board) -> list[set[int]]:
    """Return the connected regions of zeros."""
    neighbours, clues = board.grid.neighbours, board.clues
    zeros = {index for index, clue in enumerate(clues) if clue == 0 and not board.mined[index]}
    found = []
    while zeros:
        region, pending = set(), [zeros.pop()]
        while pending:
            index = pending.pop()
            region.add(index)
            more = zeros.intersection(neighbours(index))
            zeros -= more
            pending += more
        found.append(region)
    return found


def test_the_largest_opening_of_the_largest_board() -> None:
    """Opening a cell of the largest opening opens that opening with its rim, and nothing else."""
    rules = Rules.parse("1000x1000/0.12")
    board = deal(rules, 1, (0, 0))
    assert len(board.mine_indices) == 120_000
    region = max(_openings(board), key=len)
    start = board.grid.cell(min(region))
    observation = Game(rules, 1, start, board).observation
    rim = {near for index in region for near in board.grid.neighbours(index)}
    opened = {index for index, code in enumerate(observation.shown) if code != UNOPENED}
    assert opened == region | rim
    assert all(observation.shown[index] == board.clues[index] for index in opened)
    assert sorted(observation.changes) == sorted(opened)


def test_one_flood_over_the_whole_largest_board() -> None:
    """A million cells open in one move, without recursion."""
    game = Game(Rules(1000, 1000, 0), 1, (500, 500))
    assert game.observation.shown == bytes(1_000_000)
    assert game.is_over
