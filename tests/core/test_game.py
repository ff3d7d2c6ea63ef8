"""Games by example: starts, floods, flags, chords, goals, explosions and extreme boards."""

from __future__ import annotations

import pytest
from moves import chord_cell, mark_cell, open_cell, unmark_cell

from mineproof.core.board import Board
from mineproof.core.clues import EXPLODED, UNOPENED
from mineproof.core.errors import IllegalMoveError, InputError, RulesError
from mineproof.core.game import Game, Outcome, Result
from mineproof.core.move import Move
from mineproof.core.rules import ANY, EXPERT, OPENING, Rules, Start, with_options

STRIP = Board.from_mines(1, 5, [2])
"""A one-row board that shows 0, 1, mine, 1, 0."""


def strip(mines: int = 1, **options: str | bool) -> Game:
    """Return a game on the one-row board, started at its left end."""
    rules = with_options(Rules(1, 5, mines), **options)
    return Game(rules, first=(0, 0), board=STRIP)


def rows(game: Game) -> list[list[int]]:
    """Return the codes that the game shows, row by row."""
    shown, columns = game.observation.shown, game.rules.columns
    return [list(shown[start : start + columns]) for start in range(0, len(shown), columns)]


def test_the_first_cell_is_the_start_and_no_move() -> None:
    """Opening the first cell deals the board and is not counted as a move."""
    game = Game(EXPERT, 7)
    assert (game.board, game.first, game.has_started) == (None, None, False)
    game.play(open_cell(3, 4))
    assert (game.first, game.moves, game.has_started) == ((3, 4), [], True)
    same = Game(EXPERT, 7, (3, 4))
    assert same.board == game.board
    assert same.observation == game.observation


def test_the_first_move_opens() -> None:
    game = Game(EXPERT, 7)
    for move in (mark_cell(0, 0), unmark_cell(0, 0), chord_cell(0, 0)):
        with pytest.raises(IllegalMoveError, match="the first move must open a cell"):
            game.play(move)
    assert not game.has_started


def test_flood_opens_the_opening_and_its_rim() -> None:
    """Opening a 0 also opens its neighbours, and this continues from every 0 among them."""
    board = Board.from_mines(4, 4, [(0, 0), (3, 3)])
    game = Game(Rules(4, 4, 2), first=(0, 3), board=board)
    assert rows(game) == [
        [9, 1, 0, 0],
        [1, 1, 0, 0],
        [0, 0, 1, 1],
        [0, 0, 1, 9],
    ]
    assert game.outcome == Outcome(Result.WIN, 0, 0, 0.0)


def test_without_flood_each_cell_is_opened_alone() -> None:
    assert rows(strip(flood=False)) == [[0, 9, 9, 9, 9]]


@pytest.mark.parametrize("clues", ["optimistic", "cautious"])
def test_a_doubtful_zero_does_not_flood(clues: str) -> None:
    """Under clue rules that can show a false 0, a 0 does not open its neighbours."""
    rules = with_options(Rules(6, 6, 0, ANY), clues=clues)
    for seed in range(20):
        game = Game(rules, seed, (2, 2))
        assert game.observation.shown.count(UNOPENED) == 35


def test_a_withheld_zero_does_not_flood() -> None:
    """A 0 opens its neighbours only if its clue is shown."""
    rules = with_options(Rules(6, 6, 0, ANY), clues="withheld:0")
    assert Game(rules, 1, (2, 2)).observation.shown.count(UNOPENED) == 35


def test_marks_protect_from_opening_and_flood() -> None:
    """A flagged cell cannot be opened, either directly or by a flood."""
    board = Board.from_mines(2, 5, [(0, 2)])
    game = Game(Rules(2, 5, 1), first=(0, 1), board=board)
    game.play(mark_cell(1, 4))
    with pytest.raises(IllegalMoveError, match=r"\(1, 4\) is flagged"):
        game.play(open_cell(1, 4))
    game.play(open_cell(0, 4))
    assert rows(game) == [[9, 1, 9, 1, 0], [9, 9, 9, 1, 9]]
    game.play(unmark_cell(1, 4))
    game.play(open_cell(1, 4))
    assert game.observation[1, 4] == 0


def test_chord_opens_the_unmarked_neighbours_of_a_satisfied_clue() -> None:
    """If the number of flags equals the clue, a chord opens the other neighbours, with flood."""
    board = Board.from_mines(3, 4, [(0, 0)])
    game = Game(with_options(Rules(3, 4, 1)), first=(1, 1), board=board)
    with pytest.raises(IllegalMoveError, match=r"chord \(1, 1\): expected 1 flag .*, got 0"):
        game.play(chord_cell(1, 1))
    game.play(mark_cell(0, 0))
    game.play(chord_cell(1, 1))
    assert game.outcome == Outcome(Result.WIN, 0, 0, 1.0)
    assert len(game.moves) == 2


def test_a_chord_with_too_many_marks_is_refused() -> None:
    """A chord is rejected if there are too many flags."""
    game = Game(Rules(1, 3, 1), first=(0, 1), board=Board.from_mines(1, 3, [2]))
    game.play(mark_cell(0, 0))
    game.play(mark_cell(0, 2))
    with pytest.raises(IllegalMoveError, match=r"chord \(0, 1\): expected 1 flag .*, got 2"):
        game.play(chord_cell(0, 1))


def test_a_chord_on_a_wrong_mark_explodes() -> None:
    game = Game(Rules(1, 3, 1), first=(0, 1), board=Board.from_mines(1, 3, [2]))
    game.play(mark_cell(0, 0))
    game.play(chord_cell(0, 1))
    assert rows(game) == [[9, 1, EXPLODED]]
    assert game.outcome == Outcome(Result.LOSS, 1, 1, 0.0)


def test_a_chord_counts_mines_that_are_shown() -> None:
    """Under `continue`, an exploded mine counts as a flag."""
    board = Board.from_mines(1, 4, [2])
    game = Game(with_options(Rules(1, 4, 1), explosion="continue"), first=(0, 1), board=board)
    game.play(open_cell(0, 2))
    game.play(chord_cell(0, 1))
    assert rows(game) == [[0, 1, EXPLODED, 9]]


def test_moves_that_are_impossible_say_why() -> None:
    """Each impossible move has its own message and changes nothing."""
    game = strip()
    cases = [
        (open_cell(0, 0), "cell (0, 0) is already open"),
        (open_cell(1, 0), "expected a cell on the 1x5 board"),
        (mark_cell(0, 0), "cannot mark (0, 0): it is open"),
        (unmark_cell(0, 2), "cannot unmark (0, 2): it is not flagged"),
        (chord_cell(0, 2), "cannot chord (0, 2): it shows no clue"),
        (chord_cell(0, 0), "cannot chord (0, 0): no neighbour is left to open"),
        (chord_cell(0, 1), "cannot chord (0, 1): expected 1 flag next to it, got 0"),
    ]
    before = game.observation
    for move, message in cases:
        with pytest.raises(IllegalMoveError) as caught:
            game.play(move)
        assert message in str(caught.value)
    assert game.observation is before
    assert game.moves == []
    game.play(mark_cell(0, 2))
    with pytest.raises(IllegalMoveError, match=r"cannot mark \(0, 2\): it is already flagged"):
        game.play(mark_cell(0, 2))


def test_no_moves_after_the_end() -> None:
    game = strip()
    game.play(open_cell(0, 2))
    assert game.is_over
    with pytest.raises(IllegalMoveError, match="the game is over"):
        game.play(open_cell(0, 3))
    game.stop()
    assert game.outcome == Outcome(Result.LOSS, 1, 0, 0.0)


@pytest.mark.parametrize(
    ("options", "moves", "outcome"),
    [
        ({}, ["open 0,4"], Outcome(Result.WIN, 0, 0, 0.0)),
        ({}, ["mark 0,3", "open 0,4"], None),
        ({}, ["open 0,2"], Outcome(Result.LOSS, 1, 0, 0.0)),
        ({"goal": "mark"}, ["open 0,4"], None),
        ({"goal": "mark"}, ["open 0,4", "mark 0,2"], Outcome(Result.WIN, 0, 0, 1.0)),
        ({"goal": "mark"}, ["mark 0,2", "open 0,4"], Outcome(Result.WIN, 0, 0, 1.0)),
        ({"goal": "mark"}, ["mark 0,2", "mark 0,3", "open 0,4"], None),
        ({"explosion": "continue"}, ["open 0,4"], None),
        ({"explosion": "continue"}, ["open 0,4", "mark 0,2"], Outcome(Result.WIN, 0, 0, 1.0)),
        ({"explosion": "continue"}, ["open 0,2"], None),
        ({"explosion": "continue"}, ["open 0,2", "open 0,4"], Outcome(Result.LOSS, 1, 0, 0.0)),
        (
            {"explosion": "continue"},
            ["mark 0,2", "mark 0,3", "open 0,4"],
            Outcome(Result.LOSS, 0, 1, 1.0),
        ),
        (
            {"explosion": "continue", "goal": "mark"},
            ["open 0,4", "mark 0,2"],
            Outcome(Result.WIN, 0, 0, 1.0),
        ),
    ],
)
def test_goals_and_explosions(
    options: dict[str, str | bool], moves: list[str], outcome: Outcome | None
) -> None:
    game = strip(**options)  # type: ignore[arg-type]
    for move in moves:
        game.play(Move.parse(move))
    assert game.outcome == outcome


@pytest.mark.parametrize(
    ("options", "moves", "outcome"),
    [
        ({}, [], Outcome(Result.STUCK, 0, 0, 0.0)),
        ({}, ["mark 0,2", "mark 0,3"], Outcome(Result.STUCK, 0, 1, 1.0)),
        ({"goal": "mark"}, ["open 0,4"], Outcome(Result.STUCK, 0, 0, 0.0)),
        ({"explosion": "continue"}, ["open 0,4"], Outcome(Result.WIN, 0, 0, 0.0)),
        ({"explosion": "continue", "goal": "mark"}, ["open 0,4"], Outcome(Result.STUCK, 0, 0, 0.0)),
        ({"explosion": "continue"}, ["open 0,2"], Outcome(Result.LOSS, 1, 0, 0.0)),
        ({"explosion": "continue"}, ["mark 0,2"], Outcome(Result.STUCK, 0, 0, 1.0)),
    ],
)
def test_a_player_who_stops(
    options: dict[str, str | bool], moves: list[str], outcome: Outcome
) -> None:
    """Stopping counts as a win if nothing was left to do, and as a loss after a hit.

    Otherwise the player is stuck.
    """
    game = strip(**options)  # type: ignore[arg-type]
    for move in moves:
        game.play(Move.parse(move))
    game.stop()
    assert game.outcome == outcome


def test_stopping_before_the_start() -> None:
    game = Game(EXPERT, 1)
    game.stop()
    assert game.outcome == Outcome(Result.STUCK, 0, 0, 0.0)


def test_the_first_cell_may_be_a_mine_only_under_any() -> None:
    """Under `any`, opening the first cell can lose the game."""
    board = Board.from_mines(1, 2, [0])
    game = Game(Rules(1, 2, 1, ANY), first=(0, 0), board=board)
    assert game.outcome == Outcome(Result.LOSS, 1, 0, 0.0)
    with pytest.raises(
        RulesError, match=r"expected a first cell without a mine, but \(0, 0\) is a mine"
    ):
        Game(Rules(1, 2, 1), first=(0, 0), board=board)
    game = Game(Rules(1, 2, 1), board=board)
    with pytest.raises(IllegalMoveError, match=r"expected a first cell without a mine"):
        game.play(open_cell(0, 0))
    game.play(open_cell(0, 1))
    assert game.outcome is not None


def test_given_cells_are_open_at_the_start() -> None:
    """Given cells are open from the start, and such a game has no first cell."""
    rules = with_options(EXPERT, start="given:5", flood=False)
    game = Game(rules, 3)
    shown = game.observation.shown
    assert len(shown) - shown.count(UNOPENED) == rules.given_count == 110
    assert EXPLODED not in shown
    assert (game.first, game.has_started, game.moves) == (None, True, [])
    with pytest.raises(
        RulesError, match=r"expected no first cell with start given:K, got \(0, 0\)"
    ):
        Game(rules, 3, (0, 0))


def test_given_more_than_there_are_wins_at_once() -> None:
    """If `given:K` requires more cells than are safe, all safe cells are given."""
    game = Game(with_options(Rules(3, 3, 4), start="given:9"), 1)
    assert game.outcome == Outcome(Result.WIN, 0, 0, 0.0)
    still = Game(with_options(Rules(3, 3, 4), start="given:9", goal="mark"), 1)
    assert not still.is_over


@pytest.mark.parametrize("start", ["any", "safe", "opening", "given:1"])
@pytest.mark.parametrize("goal", ["open", "mark"])
@pytest.mark.parametrize("explosion", ["lose", "continue"])
def test_a_board_without_mines_is_won_by_the_start(start: str, goal: str, explosion: str) -> None:
    """One flood opens the whole board, and the score is 1 because there are no mines."""
    for size in ("1x1/0", "1x9/0", "9x1/0", "5x6/0"):
        rules = with_options(Rules.parse(size), start=start, goal=goal, explosion=explosion)
        game = Game(rules, 2, None if start.startswith("given") else (0, 0))
        assert game.outcome == Outcome(Result.WIN, 0, 0, 1.0)


@pytest.mark.parametrize("start", ["safe", "opening", "given:1"])
def test_all_cells_mined_but_one(start: str) -> None:
    """Opening the only safe cell, which is the first cell, wins the game."""
    rules = with_options(Rules(3, 4, 11), start=start)
    game = Game(rules, 5, None if start.startswith("given") else (1, 2))
    assert game.outcome == Outcome(Result.WIN, 0, 0, 0.0)


def test_an_opening_without_room_keeps_its_first_cell() -> None:
    """Mines are next to the first cell only if the other cells have no room for them."""
    game = Game(Rules(3, 4, 5, OPENING), 1, (1, 1))
    assert game.board is not None
    assert all(game.board.mined[index] for index in (3, 7, 11))
    assert game.observation[1, 1] == 2


def test_an_opening_with_room_opens_a_zero() -> None:
    """The first clue is a 0 if the cells around it can be free of mines."""
    for seed in range(30):
        assert Game(Rules(5, 5, 16, OPENING), seed, (2, 2)).observation[2, 2] == 0


def test_a_board_that_does_not_fit_the_rules() -> None:
    """A given board must have the size and the number of mines that the rules state."""
    with pytest.raises(RulesError, match=r"mines\) \(1, 5, 2\), got \(1, 5, 1\)"):
        Game(Rules(1, 5, 2), board=STRIP)


@pytest.mark.parametrize("first", [(1, 0), (0, -1), (0, 5)])
def test_a_first_cell_off_the_board(first: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="expected a cell on the 1x5 board"):
        Game(Rules(1, 5, 1), first=first)
    with pytest.raises(IllegalMoveError, match="expected a cell on the 1x5 board"):
        Game(Rules(1, 5, 1)).play(open_cell(*first))


def test_a_wrong_seed() -> None:
    """A seed is a whole number of at most 128 bits."""
    with pytest.raises(InputError, match="expected a seed"):
        Game(EXPERT, -1)


def test_the_same_seed_pairs_games_under_different_rules() -> None:
    """The goal, explosion, clue and mine count rules do not change the board."""
    board = Game(EXPERT, 9, (0, 0)).board
    changes = ({"goal": "mark"}, {"explosion": "continue"}, {"clues": "cautious"})
    for change in (*changes, {"mine_count": "unknown"}):
        assert Game(with_options(EXPERT, **change), 9, (0, 0)).board == board


def test_a_given_board_shows_given_cells_of_the_seed() -> None:
    """If the board is given, the given cells under `given:K` still depend on the seed."""
    rules = Rules(1, 5, 1, Start.parse("given:1"), flood=False)
    seen = {Game(rules, seed, board=STRIP).observation.shown for seed in range(30)}
    assert len(seen) == 6
