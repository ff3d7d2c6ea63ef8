"""Games by property: random play under every combination of rules, checked by a slow model."""

from __future__ import annotations

import itertools
import random
from contextlib import suppress
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import first_cells, games, legal_moves, new_game, play_on, rules, seeds

from mineproof.core.board import Board
from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.errors import IllegalMoveError
from mineproof.core.game import Game, Outcome, Result
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move
from mineproof.core.rules import Explosion, Goal, Rules, with_options

COMBINATIONS = list(
    itertools.product(
        ["any", "safe", "opening", "given:0.5", "given:2"],
        ["open", "mark"],
        ["lose", "continue"],
        ["exact", "withheld:0.7", "optimistic", "cautious"],
        ["known", "unknown"],
        [True, False],
    )
)
SIZES = ["1x1/0", "1x8/2", "8x1/2", "4x4/3", "4x5/19", "3x3/4", "5x6/0", "6x6/5"]


def shows(game: Game, index: int) -> int:
    """Return the code that an open cell shows, computed from the board and the clue rule."""
    board = _board(game)
    if board.mined[index]:
        return EXPLODED
    degree = len(board.grid.neighbours(index))
    return game.rules.clues.show(game.seed, index, board.clues[index], degree)


def _board(game: Game) -> Board:
    assert game.board is not None
    return game.board


def opened_by(game: Game, targets: set[int], open_before: set[int], marked: set[int]) -> set[int]:
    """Return all cells that open, including a flood, when the targets are opened."""
    reached = set(targets)
    floods = game.rules.flood and game.rules.clues.name in ("exact", "withheld")
    while floods:
        zeros = {index for index in reached if shows(game, index) == 0}
        rim = {near for zero in zeros for near in _board(game).grid.neighbours(zero)}
        more = rim - reached - open_before - marked
        if not more:
            break
        reached |= more
    return reached


def verdict(game: Game) -> Outcome | None:
    """Return the result of a game according to the documented rules."""
    seen, mines = game.observation, set(_board(game).mine_indices)
    marked = {index for index, mark in enumerate(seen.marks) if mark}
    opened = {index for index, code in enumerate(seen.shown) if code != UNOPENED}
    hits = opened & mines
    right, false = marked & mines, marked - mines
    every_safe_open = set(range(len(seen.shown))) - mines <= opened
    score = len(right) / len(mines) if mines else 1.0
    result = None
    if game.rules.explosion is Explosion.LOSE:
        done = every_safe_open and (game.rules.goal is Goal.OPEN or marked == mines)
        result = Result.LOSS if hits else (Result.WIN if done else None)
    elif opened | marked == set(range(len(seen.shown))):
        result = Result.LOSS if hits or false else Result.WIN
    return None if result is None else Outcome(result, len(hits), len(false), score)


def check(game: Game) -> None:
    """Check that all codes, hits and the result follow from the board and the rules."""
    seen = game.observation
    for index, code in enumerate(seen.shown):
        assert code in (UNOPENED, shows(game, index))
        assert not (seen.marks[index] and code != UNOPENED)
    assert game.hits == seen.shown.count(EXPLODED)
    assert game.outcome == verdict(game)


def targets_of(game: Game, move: Move) -> set[int]:
    """Return the cells that a move opens directly, without a flood."""
    seen = game.observation
    index = seen.grid.index(move.cell)
    if move.action is Action.OPEN:
        return {index}
    if move.action is not Action.CHORD:
        return set()
    near = seen.grid.neighbours(index)
    return {other for other in near if seen.shown[other] == UNOPENED and not seen.marks[other]}


def step(game: Game, move: Move) -> None:
    """Play a legal move and check that it changes exactly the expected cells."""
    before = game.observation
    opened = {index for index, code in enumerate(before.shown) if code != UNOPENED}
    marked = {index for index, mark in enumerate(before.marks) if mark}
    expected = opened_by(game, targets_of(game, move), opened, marked)
    game.play(move)
    after = game.observation
    assert {i for i, code in enumerate(after.shown) if code != UNOPENED} == opened | expected
    index = after.grid.index(move.cell)
    if move.action is Action.MARK:
        marked |= {index}
    elif move.action is Action.UNMARK:
        marked -= {index}
    assert {i for i, mark in enumerate(after.marks) if mark} == marked
    check(game)


@pytest.mark.parametrize("combination", COMBINATIONS)
def test_every_combination_of_rules_plays_to_an_end(
    combination: tuple[str, str, str, str, str, bool],
) -> None:
    """Under every combination of rules, random play ends, even on tiny and crowded boards."""
    names = ("start", "goal", "explosion", "clues", "mine_count", "flood")
    options = dict(zip(names, combination, strict=True))
    for number, size in enumerate(SIZES):
        setting = with_options(Rules.parse(size), **options)  # type: ignore[arg-type]
        game = new_game(setting, number, Cell(0, 0))
        check(game)
        chooser = random.Random(number)
        for _ in range(2000):
            if game.is_over:
                break
            play_on(game, chooser, 1)
        assert game.is_over
        check(game)


@given(rules(), seeds(), st.data())
def test_each_move_does_exactly_what_the_rules_say(
    setting: Rules, seed: int, data: st.DataObject
) -> None:
    """The slow model predicts the effect of every move."""
    game = new_game(setting, seed, data.draw(first_cells(setting)))
    chooser = data.draw(st.randoms(use_true_random=False))
    check(game)
    for _ in range(15):
        legal = legal_moves(game)
        if not legal:
            break
        step(game, chooser.choice(legal))
    assert game.is_over == (not legal_moves(game))


@given(games(), st.sampled_from(Action), st.integers(-1, 7), st.integers(-1, 7))
def test_illegal_moves_change_nothing(game: Game, action: Action, row: int, column: int) -> None:
    """An illegal move raises `IllegalMoveError` and leaves the game unchanged."""
    move = Move(action, Cell(row, column))
    before, moves, outcome = game.observation, list(game.moves), game.outcome
    if move in legal_moves(game):
        game.play(move)
        assert game.moves == [*moves, move]
        return
    with pytest.raises(IllegalMoveError):
        game.play(move)
    assert game.observation is before
    assert (game.moves, game.outcome) == (moves, outcome)


@given(games())
def test_replaying_gives_the_same_game(game: Game) -> None:
    """Replaying the moves gives the same board, observation and outcome."""
    again = Game(game.rules, game.seed, game.first)
    for move in game.moves:
        again.play(move)
    assert again.board == game.board
    assert again.observation == game.observation
    assert (again.outcome, again.hits) == (game.outcome, game.hits)


@given(games())
def test_stopping_ends_every_game(game: Game) -> None:
    """A stopped game is over. The result is a win, a loss after a hit, or stuck."""
    judged = game.outcome
    game.stop()
    assert game.outcome is not None
    if judged is not None:
        assert game.outcome == judged
        return
    seen, board = game.observation, _board(game)
    all_open = all(mine or seen.shown[i] != UNOPENED for i, mine in enumerate(board.mined))
    marked = bytes(seen.marks) == board.mined
    done = all_open and (game.rules.goal is Goal.OPEN or marked)
    expected = Result.LOSS if game.hits else (Result.WIN if done else Result.STUCK)
    assert game.outcome.result is expected


@given(rules(), seeds(), st.data())
def test_what_a_cell_shows_does_not_depend_on_the_path(
    setting: Rules, seed: int, data: st.DataObject
) -> None:
    """In two games on the same board, a cell that is open in both shows the same clue."""
    first = data.draw(first_cells(setting))
    one, other = new_game(setting, seed, first), new_game(setting, seed, first)
    for game in (one, other):
        play_on(game, data.draw(st.randoms(use_true_random=False)), 10)
    for here, there in zip(one.observation.shown, other.observation.shown, strict=True):
        assert UNOPENED in (here, there) or here == there


@given(st.integers(0, 10**6))
def test_a_large_flood_opens_what_a_small_one_would(seed: int) -> None:
    """The code for large floods opens the same cells as the code for small floods."""
    draw = random.Random(seed)
    size = draw.randint(1, 12), draw.randint(2, 12)
    rules = with_options(
        Rules(*size, draw.randint(0, size[0] * size[1] // 6)),
        start="any",
        explosion=draw.choice(["lose", "continue"]),
    )
    games = [Game(rules, seed), Game(rules, seed)]
    for _ in range(20):
        action = draw.choice(list(Action))
        move = Move(action, (draw.randrange(size[0]), draw.randrange(size[1])))
        for game, searched in zip(games, (0, 10**6), strict=True):
            with (
                mock.patch("mineproof.core.game.SEARCHED_CELLS", searched),
                suppress(IllegalMoveError),
            ):
                game.play(move)
    one, other = (game.observation for game in games)
    assert (one, set(one.changes)) == (other, set(other.changes))
    assert games[0].outcome == games[1].outcome
    assert games[0].legal_moves == games[1].legal_moves
