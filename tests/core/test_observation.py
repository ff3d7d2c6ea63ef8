"""Observations reveal nothing hidden, never change, and list exactly the changed cells."""

from __future__ import annotations

import gc
import pickle
import random
from types import BuiltinFunctionType, FunctionType, ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moves import mark_cell, open_cell, unmark_cell
from strategies import games, legal_moves, seeds

from mineproof.core.board import Board, deal
from mineproof.core.clues import EXPLODED, UNOPENED, WITHHELD
from mineproof.core.errors import InputError
from mineproof.core.game import Game
from mineproof.core.move import Move
from mineproof.core.observation import Observation
from mineproof.core.random import Stream
from mineproof.core.rules import EXPERT, PublicRules, Rules, with_options

CODE = (type, ModuleType, FunctionType, BuiltinFunctionType)
"""Types that the search does not enter, because they refer to the whole program."""


def _reachable(start: object) -> list[object]:
    """Return all objects that can be reached from an object through references."""
    found: dict[int, object] = {}
    pending = [start]
    while pending:
        item = pending.pop()
        if id(item) in found or isinstance(item, CODE):
            continue
        found[id(item)] = item
        pending += gc.get_referents(item)
        if type(item).__module__.startswith("mineproof"):  # include property values
            pending += [getattr(item, name) for name in dir(item) if not name.startswith("__")]
    return list(found.values())


SETTINGS = [
    EXPERT,
    with_options(EXPERT, start="given:5"),
    with_options(EXPERT, goal="mark", explosion="continue", clues="cautious"),
    with_options(EXPERT, clues="withheld:0.8", mine_count="unknown", flood=False),
]


@pytest.mark.parametrize("setting", SETTINGS)
def test_no_way_leads_back_to_the_board(setting: Rules) -> None:
    """An observation has no reference to the game, the board, the mines or the seed."""
    seed = 0xFEED_BEEF_CAFE
    game = Game(setting, seed)
    if not game.has_started:
        game.play(open_cell(0, 0))
    board = game.board
    assert board is not None
    secrets = [board.mined, board.clues, board.mine_indices, board.mines, seed]
    reached = _reachable(game.observation)
    assert len(reached) > 20
    for item in reached:
        assert not isinstance(item, Game | Board | Rules | Stream)
        assert not any(type(item) is type(secret) and item == secret for secret in secrets)
        assert not (
            isinstance(item, set | frozenset | list) and set(item) == set(board.mine_indices)
        )


def test_the_walk_finds_what_is_there() -> None:
    """The search for hidden objects finds a board at any depth."""
    observation = Game(EXPERT, 1, (0, 0)).observation
    observation.__dict__["memo"] = [{"key": (deal(EXPERT, 1, (0, 0)),)}]
    assert any(isinstance(item, Board) for item in _reachable(observation))


def test_an_unknown_mine_count_makes_no_difference() -> None:
    """If the mine count is unknown, observations do not depend on the number of mines."""
    positions = [
        Game(
            with_options(Rules(1, 5, len(mines)), mine_count="unknown"),
            first=(0, 0),
            board=Board.from_mines(1, 5, mines),
        ).observation
        for mines in ([1], [1, 3], [1, 3, 4])
    ]
    assert positions[0] == positions[1] == positions[2]
    assert {position.mines_left for position in positions} == {None}


def test_a_pickled_observation_is_equal() -> None:
    observation = Game(EXPERT, 1, (0, 0)).observation
    again = pickle.loads(pickle.dumps(observation))
    assert again == observation
    assert hash(again) == hash(observation)


def test_an_observation_does_not_change_with_the_game() -> None:
    game = Game(Rules(1, 4, 1), first=(0, 0), board=Board.from_mines(1, 4, [2]))
    before = game.observation
    shown, marks = bytes(before.shown), bytes(before.marks)
    game.play(mark_cell(0, 2))
    game.play(unmark_cell(0, 2))
    game.play(open_cell(0, 3))
    assert (before.shown, before.marks) == (shown, marks)
    assert isinstance(before.shown, bytes)


@given(games(max_moves=0), seeds(), st.data())
def test_changes_are_what_differs_from_the_one_before(
    game: Game, seed: int, data: st.DataObject
) -> None:
    """After any number of moves, `changes` lists each changed cell once."""
    chooser = random.Random(seed)
    seen = game.observation
    assert seen.follows is None
    for _ in range(8):
        for _ in range(data.draw(st.integers(0, 3))):
            legal = _legal_moves_unseen(game)
            if legal:
                game.play(chooser.choice(legal))
        now = game.observation
        if now is seen:
            continue
        differ = [i for i, code in enumerate(now.shown) if code != seen.shown[i]]
        assert sorted(now.changes) == differ
        assert now.follows == seen.serial
        assert now.serial > seen.serial
        assert now is game.observation
        seen = now


def _legal_moves_unseen(game: Game) -> list[Move]:
    """Return the legal moves, found on a copy, without reading the game's own observation."""
    copy = Game(game.rules, game.seed, game.first, game.board)
    for move in game.moves:
        copy.play(move)
    return legal_moves(copy)


def test_the_same_object_until_something_changes() -> None:
    """Reading twice returns the same observation. After a flag, there is a new observation."""
    game = Game(EXPERT, 1, (0, 0))
    first = game.observation
    assert game.observation is first
    cell = first.grid.cell(first.unopened[0])
    game.play(mark_cell(*cell))
    second = game.observation
    assert (second.changes, second.follows) == ((), first.serial)
    assert second.marked == {cell}
    assert second != first


@given(games())
def test_questions_agree_with_the_bytes(game: Game) -> None:
    seen = game.observation
    for index, cell in enumerate(seen.grid.cells()):
        code = seen.shown[index]
        assert seen[cell] == code
        assert seen.clue(cell) == (code if code <= 8 else None)
        assert seen.is_unopened(cell) == (code == UNOPENED)
        assert seen.is_marked(cell) == bool(seen.marks[index]) == (cell in seen.marked)
        assert (index in seen.unopened) == (code == UNOPENED)
    assert seen.hits == seen.shown.count(EXPLODED) == game.hits
    if seen.rules.mines is not None:
        assert seen.mines_left == seen.rules.mines - seen.hits - len(seen.marked)


@pytest.mark.parametrize(
    ("shown", "marks", "message"),
    [
        (b"\0", None, "expected 2 cells and 2 marks, got 1 and 2"),
        (b"\0\0\0", None, "expected 2 cells and 2 marks, got 3"),
        (b"\0\0", b"\0", "expected 2 cells and 2 marks, got 2 and 1"),
        (b"\0\x0c", None, "expected codes from 0 to 11, got 12"),
    ],
)
def test_bytes_that_are_no_position(shown: bytes, marks: bytes | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Observation(PublicRules(1, 2, 0), shown, marks)


def test_a_position_put_together_by_hand() -> None:
    """An observation can be created without a game, from the codes of its cells."""
    position = Observation(PublicRules(1, 3, None), bytes([WITHHELD, EXPLODED, UNOPENED]))
    assert position.clue((0, 0)) is None
    assert not position.is_unopened((0, 0))
    assert (position.hits, position.mines_left, position.marked) == (1, None, frozenset())
    assert repr(position) == "<Observation 1x3/?, 1 unopened>"
    assert position != "something else"
