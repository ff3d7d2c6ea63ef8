"""The proof that a board can be solved, in which each move uses the easiest reasoning."""

from __future__ import annotations

from dataclasses import replace

import pytest

import mineproof as mw
from mineproof.core.board import Board
from mineproof.core.rules import NO_GUESS, OPENING
from mineproof.generate.solvability import Solvability, solvability
from mineproof.inference.budget import Budget
from mineproof.inference.counting import count
from mineproof.proof.easiest import EasiestProofs
from mineproof.proof.kinds import ReasoningKind, kind_of
from mineproof.proof.statements import Reading

FIRST = (3, 3)


def solved(seed: int, level: mw.Rules = mw.INTERMEDIATE) -> Solvability:
    """Return the solution of the no-guess board that a seed deals."""
    return solvability(mw.deal(replace(level, start=NO_GUESS), seed, FIRST), FIRST)


@pytest.mark.parametrize("seed", range(4))
def test_every_move_is_proved_where_it_is_made(seed: int) -> None:
    """The exact engine confirms each proved cell, and at the end all safe cells are open."""
    found = solved(seed)
    assert found.is_solved
    grid = found.board.grid
    for number in range(0, len(found.moves), 5):
        position = found.position(number)
        assert grid.index(found.moves[number].cell) in count(position).safe
    assert found.position(len(found.moves)).shown.count(9) == len(found.board.mines)


def test_nothing_easier_proves_a_safe_cell() -> None:
    """If a move needs more than one clue, no easier kind of reasoning proves a safe cell."""
    checked: set[ReasoningKind] = set()
    for seed in range(12):
        found = solved(seed, mw.EXPERT)
        for number, move in enumerate(found.moves):
            before = found.moves[number - 1] if number else None
            if move.kind in checked or (before and before.proof is move.proof):
                continue
            proofs = EasiestProofs(Reading(found.position(number)), Budget())
            easiest = proofs.find_any()
            if move.kind is ReasoningKind.MINE_COUNT:
                assert easiest is None
            else:
                assert easiest is not None
                proof = proofs.find(easiest)
                # A move may use earlier conclusions, so a proof from scratch may need harder steps.
                assert proof is not None
                assert kind_of(proof) >= move.kind
            checked.add(move.kind)
    assert {ReasoningKind.ONE_CLUE, ReasoningKind.TWO_CLUES, ReasoningKind.MINE_COUNT} <= checked


def test_what_a_board_needs_is_put_together() -> None:
    """The hardest kind, the moves per kind and the difficulty agree with the list of moves."""
    found = solved(2, mw.EXPERT)
    assert sum(found.kinds.values()) == len(found.moves)
    assert found.hardest == max(move.kind for move in found.moves)
    assert found.hardest <= found.difficulty < found.hardest + 1
    plain = found.to_plain()
    assert plain["hardest"] == str(found.hardest)
    assert len(plain["moves"]) == len(found.moves)
    assert str(found).startswith(f"solved after {len(found.moves)} moves (one clue")


def test_a_board_that_needs_a_guess_says_so() -> None:
    """If a board needs a guess, the moves end when the exact engine proves no more cells."""
    board = mw.deal(replace(mw.EXPERT, start=OPENING), 1, FIRST)
    found = solvability(board, FIRST)
    assert not found.is_solved
    assert count(found.position(len(found.moves))).safe == ()
    assert str(found).startswith("a guess is needed after")


@pytest.mark.parametrize("size", [(1, 1, 0), (1, 5, 4), (4, 4, 0)])
def test_boards_that_are_won_at_once(size: tuple[int, int, int]) -> None:
    rows, columns, mines = size
    board = Board.from_mines(rows, columns, range(1, mines + 1))
    found = solvability(board, (0, 0))
    assert (found.is_solved, found.moves, found.difficulty) == (True, (), 0.0)


def test_a_mine_is_no_first_cell() -> None:
    board = Board.from_mines(3, 3, [0])
    for cell in ((0, 0), (3, 0)):
        with pytest.raises(mw.InputError, match="expected"):
            solvability(board, cell)
