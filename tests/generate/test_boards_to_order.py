"""Boards with a requested difficulty and 3BV, dealt or made by moving mines."""

from __future__ import annotations

from dataclasses import replace

import pytest

import mineproof as mw
from mineproof.core.rules import NO_GUESS, OPENING, Rules
from mineproof.generate import boards, making
from mineproof.generate.boards import Order, find_board
from mineproof.generate.making import make_no_guess
from mineproof.generate.no_guess import is_no_guess
from mineproof.proof.kinds import ReasoningKind

FIRST = mw.Cell(2, 2)
BEGINNER = replace(mw.BEGINNER, start=NO_GUESS)


def test_deal_no_guess_gives_a_game_and_its_proof() -> None:
    """`deal_no_guess` accepts a level's name or rules, and returns a board with its proof."""
    found = mw.deal_no_guess("beginner", 3)
    assert found.board == mw.deal(BEGINNER, 3, FIRST)
    assert found.solvability.is_solved
    game = found.game()
    assert (game.rules.start, game.first, game.board) == (NO_GUESS, FIRST, found.board)
    assert mw.deal_no_guess(BEGINNER, 3, (0, 0)).first == (0, 0)


def test_boards_fit_their_order() -> None:
    """The difficulty and the 3BV are in the requested ranges, and the seed reproduces the board."""
    kinds = (ReasoningKind.TWO_CLUES, ReasoningKind.SEVERAL_CLUES)
    order = Order(BEGINNER, FIRST, kinds, (8, 14))
    for index in range(5):
        found = find_board(order, 7, index)
        assert kinds[0] <= found.solvability.hardest <= kinds[1]
        assert 8 <= found.bbbv <= 14
        assert found.board == mw.deal(BEGINNER, found.seed, FIRST)
        assert found == find_board(order, 7, index)


def test_boards_that_need_a_guess_have_no_difficulty() -> None:
    """If a difficulty is requested, only boards that need no guess are returned."""
    order = Order(replace(BEGINNER, start=OPENING), FIRST, (ReasoningKind.NONE, ReasoningKind(5)))
    assert all(is_no_guess(find_board(order, 0, index).board, FIRST) for index in range(8))


def test_an_order_that_nothing_fits_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "MOST_SEEDS", 20)
    with pytest.raises(mw.WorkLimitError, match="none of 20 boards"):
        find_board(Order(BEGINNER, FIRST, None, (70, 71)), 1)


@pytest.mark.parametrize("rules", [BEGINNER, Rules(16, 30, 130, NO_GUESS)], ids=lambda r: r.level)
def test_made_boards_are_solvable_and_repeatable(rules: Rules) -> None:
    """Mines are moved until the board needs no guess, even on very dense boards."""
    for seed in range(3):
        found = make_no_guess(rules, seed, FIRST)
        assert len(found.mines) == rules.mines
        assert is_no_guess(found, FIRST)
        assert found.clues[rules.grid.index(FIRST)] == 0
        assert found == make_no_guess(rules, seed, FIRST)


def test_a_solvable_board_is_left_as_it_is() -> None:
    dealt = [mw.deal(replace(BEGINNER, start=OPENING), seed, FIRST) for seed in range(20)]
    for seed, board in enumerate(dealt):
        found = make_no_guess(BEGINNER, seed, FIRST)
        assert (found == board) == is_no_guess(board, FIRST)


def test_making_ends_where_it_does_not_succeed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "MOST_CELLS", 0)
    with pytest.raises(mw.WorkLimitError, match="with seed 0 in 100 changes"):
        make_no_guess(Rules(16, 30, 250, NO_GUESS), 0, FIRST)


def test_contradictory_orders_are_refused() -> None:
    """Orders reject the start `given:K`, and boards can be made only under `no-guess`."""
    with pytest.raises(mw.RulesError, match="start given:K"):
        Order(mw.EASY, FIRST)
    with pytest.raises(mw.RulesError, match="only with --start no-guess, not opening"):
        Order(replace(BEGINNER, start=OPENING), FIRST, made=True)
    with pytest.raises(mw.InputError, match="expected"):
        Order(BEGINNER, mw.Cell(9, 9))
