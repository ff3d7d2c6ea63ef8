"""The metrics of a game, compared with hand-counted boards and a brute-force definition."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moves import open_cell
from strategies import boards, new_game, play_on, rules, seeds

import mineproof as mw
from mineproof.core.board import Board
from mineproof.core.clues import UNOPENED
from mineproof.core.demand import demand
from mineproof.core.game import Game
from mineproof.core.rules import Rules, StartKind, with_options
from mineproof.notation.records import Step
from mineproof.review.metrics import count_guesses, measure


def plain_rules(board: Board) -> Rules:
    return Rules(board.rows, board.columns, len(board.mine_indices))


@pytest.mark.parametrize(
    ("rows", "columns", "mines", "bbbv", "openings"),
    [
        (1, 1, [], 1, 1),
        (3, 3, [], 1, 1),
        (3, 3, [4], 8, 0),
        (1, 5, [2], 2, 2),
        (1, 4, [1], 2, 1),
        (4, 4, [0], 1, 1),
        (5, 5, [12], 1, 1),
        (2, 2, [0, 1, 2], 1, 0),
        # A diagonal wall separates two corners of zeros. The cells (0, 3), (3, 0), (1, 4) and
        # (4, 1) next to its ends touch no zero.
        (5, 5, [4, 8, 12, 16, 20], 6, 2),
        # Opening the four zeros at the left edge and the four at the right opens everything else.
        (3, 6, [2, 15], 2, 2),
    ],
)
def test_hand_counted_boards(
    rows: int, columns: int, mines: list[int], bbbv: int, openings: int
) -> None:
    board = Board.from_mines(rows, columns, mines)
    found = demand(plain_rules(board), board)
    assert (found.bbbv, len(found.openings)) == (bbbv, openings)


def _opens(setting: Rules, board: Board, seed: int, order: list[int]) -> int:
    game = Game(setting, seed, None, board)
    opens = 0
    for index in order:
        if game.is_over:
            break
        if game.observation.shown[index] == UNOPENED:
            game.play(open_cell(*board.grid.cell(index)))
            opens += 1
    return opens


@given(boards(max_side=6), seeds(), st.sampled_from(["exact", "withheld:0.6", "cautious"]))
def test_3bv_is_the_least_number_of_opens(board: Board, seed: int, clues: str) -> None:
    """If all openings are opened first, opening all safe cells takes exactly 3BV moves."""
    setting = with_options(plain_rules(board), clues=clues)
    zeros_first = sorted(
        (i for i, mine in enumerate(board.mined) if not mine),
        key=lambda i: _shows_zero(setting, board, seed, i),
        reverse=True,
    )
    setting = with_options(setting, start="any")
    assert demand(setting, board, seed).bbbv == _opens(setting, board, seed, zeros_first)


def _shows_zero(setting: Rules, board: Board, seed: int, index: int) -> bool:
    shown = setting.clues.show(seed, index, board.clues[index], 8)
    return shown == 0 and setting.clues.floods


@given(boards(max_side=4), st.randoms(use_true_random=False))
def test_no_order_of_opens_is_shorter(board: Board, chooser: random.Random) -> None:
    setting = with_options(plain_rules(board), start="any")
    safe = [i for i, mine in enumerate(board.mined) if not mine]
    chooser.shuffle(safe)
    assert _opens(setting, board, 0, safe) >= demand(setting, board).bbbv


@given(boards())
def test_without_flood_every_safe_cell_counts(board: Board) -> None:
    setting = with_options(plain_rules(board), flood=False)
    assert demand(setting, board).bbbv == len(board.mined) - len(board.mine_indices)


@given(rules(plain=True), seeds(), st.randoms(use_true_random=False), st.integers(0, 12))
def test_solved_grows_to_the_whole(
    setting: Rules, seed: int, chooser: random.Random, moves: int
) -> None:
    """Once all safe cells are open, all of the board's 3BV is solved."""
    game = new_game(setting, seed, setting.first_cell or mw.Cell(0, 0))
    play_on(game, chooser, moves)
    found = measure(game)
    left = [i for i in game.observation.unopened if game.board and not game.board.mined[i]]
    assert found.solved <= found.bbbv
    if not left:
        assert found.solved == found.bbbv
    single = [i for i in left if i in demand(setting, game.board or Board(1, 1, b"\0")).singles]
    if single:
        assert found.solved < found.bbbv


def test_clicks_and_efficiency() -> None:
    game = mw.Game(Rules(1, 5, 1), 0, (0, 0), Board.from_mines(1, 5, [2]))
    game.play(mw.Move(mw.Action.MARK, mw.Cell(0, 2)))
    half = measure(game)
    assert (half.clicks, half.solved, half.bbbv, half.efficiency) == (2, 1, 2, 0.5)
    game.play(open_cell(0, 4))
    assert measure(game).efficiency == 2 / 3
    given_game = mw.Game(mw.EASY, 3)
    assert given_game.rules.start.kind is StartKind.GIVEN
    assert measure(given_game).clicks == 0
    assert measure(given_game).efficiency is None


def test_measuring_needs_a_board() -> None:
    with pytest.raises(ValueError, match="has not started"):
        measure(mw.Game(mw.EXPERT, 1))


def test_guesses_are_unknown_where_nobody_said() -> None:
    proved, guess = Step(open_cell(0, 0), True), Step(open_cell(0, 1), False)
    silent, mark = Step(open_cell(0, 2)), Step(mw.Move(mw.Action.MARK, mw.Cell(0, 3)))
    assert count_guesses([proved, guess, mark, guess]) == 2
    assert count_guesses([proved, silent]) is None
    assert count_guesses([]) == 0
