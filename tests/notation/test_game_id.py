"""Game ids: a game in one short line."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import attempt, boards, first_cells, games, rules, seeds

from mineproof.core.board import Board
from mineproof.core.clues import Withheld
from mineproof.core.errors import NotationError
from mineproof.core.game import Game
from mineproof.core.grid import Cell
from mineproof.core.random import MAX_SEED
from mineproof.core.rules import (
    EXPERT,
    HARD,
    Explosion,
    Goal,
    MineCount,
    Rules,
    Start,
    StartKind,
)
from mineproof.notation.game_id import GameId, format_game_id, game_id, parse_game_id

EVERY_RULE = Rules(
    16,
    30,
    99,
    Start(StartKind.GIVEN, Fraction(1, 2)),
    Goal.MARK,
    Explosion.CONTINUE,
    Withheld(0.8),
    MineCount.UNKNOWN,
    False,
)


@pytest.mark.parametrize(
    ("identity", "text"),
    [
        (GameId(EXPERT, 7), "16x30/99:s7"),
        (GameId(EXPERT, 7, Cell(3, 4)), "16x30/99:s7:f3,4"),
        (GameId(HARD, MAX_SEED), "16x30/99:given-1:s18446744073709551615"),
        (
            GameId(EVERY_RULE, 0),
            "16x30/99:given-0.5:mark:continue:withheld-0.8:mines-unknown:flood-off:s0",
        ),
        (
            GameId(Rules(9, 9, 10, Start(StartKind.GIVEN, Fraction(1, 3))), 1),
            "9x9/10:given-1/3:s1",
        ),
        (
            GameId(Rules(2, 3, 2), 0, Cell(0, 0), Board.from_mines(2, 3, [2, 5])),
            "2x3/2:s0:f0,0:mJA",
        ),
    ],
)
def test_ids_are_short_and_say_only_what_is_unusual(identity: GameId, text: str) -> None:
    assert format_game_id(identity) == text
    assert parse_game_id(text) == identity


def test_usual_rules_and_level_names_may_be_written() -> None:
    """A person may also type a level's name and default rules."""
    assert parse_game_id(" expert:s7\n") == GameId(EXPERT, 7)
    assert parse_game_id("hard:safe:s7:f0,0") == GameId(EXPERT, 7, Cell(0, 0))
    usual = "16x30/99:safe:open:lose:exact:mines-known:flood-on:s07"
    assert parse_game_id(usual) == GameId(EXPERT, 7)


def test_a_dealt_game_needs_no_mines() -> None:
    game = Game(EXPERT, 5, (0, 0))
    assert str(game_id(game)) == "16x30/99:s5:f0,0"
    same = Game(EXPERT, 5, (0, 0), game.board)
    assert str(game_id(same)) == "16x30/99:s5:f0,0"


def test_a_brought_board_is_kept_before_the_first_cell() -> None:
    board = Board.from_mines(3, 3, [8])
    game = Game(Rules(3, 3, 1), board=board)
    assert parse_game_id(format_game_id(game)).game().board == board


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a level"),
        ("17", "expected a level"),
        ("16x30/99", "expected a seed such as s7 at the end, got ''"),
        ("16x30/99:safe", "expected a seed such as s7 at the end, got 'safe'"),
        ("16x30/99:", "expected a rule or a seed such as s7, got ''"),
        ("16x30/480:s1", "expected 0 to 479 mines"),
        ("1001x30/9:s1", "expected 1 to 1000 rows, got 1001"),
        ("16x30/99:fast:s1", "expected a rule or a seed such as s7, got 'fast'"),
        ("16x30/99:safe:any:s1", "the start rule is given twice: 'any'"),
        ("16x30/99:given-0:s1", "positive number"),
        ("16x30/99:given-1e99999999:s1", "expected given:K with a positive number K"),
        ("16x30/99:withheld-2:s1", "a probability P from 0 to 1"),
        (f"16x30/99:s{2**128}", r"expected a seed from 0 to 2\*\*128 - 1"),
        ("16x30/99:s-1", "a seed such as s7, got 's-1'"),
        ("16x30/99:s٣", "a seed such as s7"),
        ("16x30/99:s1:f16,0", r"expected a cell on the 16x30 board .*, got \(16, 0\)"),
        ("16x30/99:s1:f0,0:f0,0", "got 'f0,0'"),
        ("16x30/99:s1:safe", "expected a game id to end after rules, .*, got 'safe'"),
        ("hard:s1:f0,0", r"expected no first cell with start given, got \(0, 0\)"),
        ("2x3/2:s0:mJAA", "expected mines as 1 bytes of base64url for 6 cells, got 'JAA'"),
        ("2x3/2:s0:mJB", "expected mines as 1 bytes"),
        ("2x3/2:s0:mJ", "expected mines as 1 bytes"),
        ("2x3/2:s0:mJg", "outside the board of 6 cells"),
        ("2x3/2:s0:mAA", "expected 2 mines, got 0"),
        ("2x3/2:s0:f0,2:mJA", r"without a mine, but \(0, 2\) is a mine"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=f"^not a game id: .*{message}"):
        parse_game_id(text)


@given(rules(max_side=30), seeds(), st.data())
def test_any_rules_seed_and_first_cell_survive(
    setting: Rules, seed: int, data: st.DataObject
) -> None:
    """Any game id survives a round trip and needs no escaping in a URL's query."""
    first = None if setting.start.kind is StartKind.GIVEN else data.draw(first_cells(setting))
    identity = GameId(setting, seed, first)
    text = format_game_id(identity)
    assert parse_game_id(text) == identity
    assert re.fullmatch(r"[A-Za-z0-9/:,._-]+", text)


@given(boards(max_side=9), seeds())
def test_any_layout_survives(board: Board, seed: int) -> None:
    setting = Rules(board.rows, board.columns, len(board.mine_indices))
    identity = GameId(setting, seed, None, board)
    assert parse_game_id(format_game_id(identity)) == identity


@given(games())
def test_a_game_is_given_again(game: Game) -> None:
    again = parse_game_id(format_game_id(game)).game()
    assert (again.rules, again.seed, again.first) == (game.rules, game.seed, game.first)
    assert again.board == game.board
    for move in game.moves:
        again.play(move)
    assert again.observation == game.observation


@given(st.text() | st.text("16x30/9:safegivn-.,smf"), st.integers(0, 60))
def test_any_text_is_read_or_refused(text: str, place: int) -> None:
    """Any text is tried alone and inside a valid id."""
    good = "2x3/2:given-0.5:withheld-0.8:s7:mJA"
    for whole in (text, good[:place] + text + good[place:]):
        identity = attempt(parse_game_id, whole)
        assert identity is None or parse_game_id(str(identity)) == identity
