"""Games by example: starts, floods, marks, chords, goals, explosions, extremes."""

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
"""One row: 0 1 mine 1 0."""


def strip(mines: int = 1, **options: str | bool) -> Game:
    """Begin a game on the strip at its left end."""
    rules = with_options(Rules(1, 5, mines), **options)
    return Game(rules, first=(0, 0), board=STRIP)


def rows(game: Game) -> list[list[int]]:
    """Give what the game shows, row by row."""
    shown, columns = game.observation.shown, game.rules.columns
    return [list(shown[start : start + columns]) for start in range(0, len(shown), columns)]


def test_the_first_cell_is_the_start_and_no_move() -> None:
    """The first open deals the board and is not counted."""
    game = Game(EXPERT, 7)
    assert (game.board, game.first, game.has_started) == (None, None, False)
    game.play(open_cell(3, 4))
    assert (game.first, game.moves, game.has_started) == ((3, 4), [], True)
    same = Game(EXPERT, 7, (3, 4))
    assert same.board == game.board
    assert same.observation == game.observation


def test_the_first_move_opens() -> None:
    """Marks and chords wait until something is open."""
    game = Game(EXPERT, 7)
    for move in (mark_cell(0, 0), unmark_cell(0, 0), chord_cell(0, 0)):
        with pytest.raises(IllegalMoveError, match="expected the first move to open a cell"):
            game.play(move)
    assert not game.has_started


def test_flood_opens_the_opening_and_its_rim() -> None:
    """A zero opens its neighbours, and zeros among them go on."""
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
    """Flood off: a zero opens nothing else."""
    assert rows(strip(flood=False)) == [[0, 9, 9, 9, 9]]


@pytest.mark.parametrize("clues", ["optimistic", "cautious"])
def test_a_doubtful_zero_does_not_flood(clues: str) -> None:
    """Where a 0 proves nothing, it opens nothing."""
    rules = with_options(Rules(6, 6, 0, ANY), clues=clues)
    for seed in range(20):
        game = Game(rules, seed, (2, 2))
        assert game.observation.shown.count(UNOPENED) == 35


def test_a_withheld_zero_does_not_flood() -> None:
    """Only a zero that is shown opens its neighbours."""
    rules = with_options(Rules(6, 6, 0, ANY), clues="withheld:0")
    assert Game(rules, 1, (2, 2)).observation.shown.count(UNOPENED) == 35


def test_marks_protect_from_opening_and_flood() -> None:
    """A marked cell is not opened, by hand or by flood."""
    board = Board.from_mines(2, 5, [(0, 2)])
    game = Game(Rules(2, 5, 1), first=(0, 1), board=board)
    game.play(mark_cell(1, 4))
    with pytest.raises(IllegalMoveError, match=r"expected an unmarked cell, got \(1, 4\)"):
        game.play(open_cell(1, 4))
    game.play(open_cell(0, 4))
    assert rows(game) == [[9, 1, 9, 1, 0], [9, 9, 9, 1, 9]]
    game.play(unmark_cell(1, 4))
    game.play(open_cell(1, 4))
    assert game.observation[1, 4] == 0


def test_chord_opens_the_unmarked_neighbours_of_a_satisfied_clue() -> None:
    """As many marks as the clue, then the others are opened, with flood."""
    board = Board.from_mines(3, 4, [(0, 0)])
    game = Game(with_options(Rules(3, 4, 1)), first=(1, 1), board=board)
    with pytest.raises(IllegalMoveError, match=r"expected 1 mark next to \(1, 1\) .*, got 0"):
        game.play(chord_cell(1, 1))
    game.play(mark_cell(0, 0))
    game.play(chord_cell(1, 1))
    assert game.outcome == Outcome(Result.WIN, 0, 0, 1.0)
    assert len(game.moves) == 2


def test_a_chord_with_too_many_marks_is_refused() -> None:
    """More marks than the clue are as wrong as fewer."""
    game = Game(Rules(1, 3, 1), first=(0, 1), board=Board.from_mines(1, 3, [2]))
    game.play(mark_cell(0, 0))
    game.play(mark_cell(0, 2))
    with pytest.raises(IllegalMoveError, match=r"expected 1 mark next to \(0, 1\) .*, got 2"):
        game.play(chord_cell(0, 1))


def test_a_chord_on_a_wrong_mark_explodes() -> None:
    """A chord believes the marks."""
    game = Game(Rules(1, 3, 1), first=(0, 1), board=Board.from_mines(1, 3, [2]))
    game.play(mark_cell(0, 0))
    game.play(chord_cell(0, 1))
    assert rows(game) == [[9, 1, EXPLODED]]
    assert game.outcome == Outcome(Result.LOSS, 1, 1, 0.0)


def test_a_chord_counts_mines_that_are_shown() -> None:
    """Under `continue` an exploded mine counts like a mark."""
    board = Board.from_mines(1, 4, [2])
    game = Game(with_options(Rules(1, 4, 1), explosion="continue"), first=(0, 1), board=board)
    game.play(open_cell(0, 2))
    game.play(chord_cell(0, 1))
    assert rows(game) == [[0, 1, EXPLODED, 9]]


def test_moves_that_are_impossible_say_why() -> None:
    """Each impossible move has its message, and changes nothing."""
    game = strip()
    cases = [
        (open_cell(0, 0), "expected an unopened cell, got (0, 0), which is open"),
        (open_cell(1, 0), "expected a cell on the 1x5 board"),
        (mark_cell(0, 0), "expected an unopened cell to mark, got (0, 0)"),
        (unmark_cell(0, 2), "expected a marked cell to unmark, got (0, 2)"),
        (chord_cell(0, 2), "expected an opened cell with a clue to chord, got (0, 2)"),
        (chord_cell(0, 0), "expected an unmarked unopened cell next to (0, 0), got none"),
        (chord_cell(0, 1), "expected 1 mark next to (0, 1) to chord, its clue, got 0"),
    ]
    before = game.observation
    for move, message in cases:
        with pytest.raises(IllegalMoveError) as caught:
            game.play(move)
        assert message in str(caught.value)
    assert game.observation is before
    assert game.moves == []
    game.play(mark_cell(0, 2))
    with pytest.raises(IllegalMoveError, match=r"expected an unmarked cell to mark, got \(0, 2\)"):
        game.play(mark_cell(0, 2))


def test_no_moves_after_the_end() -> None:
    """An ended game stays as it is."""
    game = strip()
    game.play(open_cell(0, 2))
    assert game.is_over
    with pytest.raises(IllegalMoveError, match="expected no more moves, the game has ended"):
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
    """When each goal is reached, and what an explosion does."""
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
    """Won if nothing was left to do, lost after a hit, else stuck."""
    game = strip(**options)  # type: ignore[arg-type]
    for move in moves:
        game.play(Move.parse(move))
    game.stop()
    assert game.outcome == outcome


def test_stopping_before_the_start() -> None:
    """A player may stop before anything is open."""
    game = Game(EXPERT, 1)
    game.stop()
    assert game.outcome == Outcome(Result.STUCK, 0, 0, 0.0)


def test_the_first_cell_may_be_a_mine_only_under_any() -> None:
    """Under `any` the start can end the game."""
    board = Board.from_mines(1, 2, [0])
    game = Game(Rules(1, 2, 1, ANY), first=(0, 0), board=board)
    assert game.outcome == Outcome(Result.LOSS, 1, 0, 0.0)
    with pytest.raises(RulesError, match=r"expected a first cell without a mine, got \(0, 0\)"):
        Game(Rules(1, 2, 1), first=(0, 0), board=board)
    game = Game(Rules(1, 2, 1), board=board)
    with pytest.raises(IllegalMoveError, match=r"expected a first cell without a mine"):
        game.play(open_cell(0, 0))
    game.play(open_cell(0, 1))
    assert game.outcome is not None


def test_given_cells_are_open_at_the_start() -> None:
    """As many safe cells as the rule says, opened with flood; there is no first cell."""
    rules = with_options(EXPERT, start="given:5", flood=False)
    game = Game(rules, 3)
    shown = game.observation.shown
    assert len(shown) - shown.count(UNOPENED) == rules.given_count == 110
    assert EXPLODED not in shown
    assert (game.first, game.has_started, game.moves) == (None, True, [])
    with pytest.raises(RulesError, match=r"expected no first cell under given:K, got \(0, 0\)"):
        Game(rules, 3, (0, 0))


def test_given_more_than_there_are_wins_at_once() -> None:
    """All safe cells are given if K asks for more; nothing is left to do."""
    game = Game(with_options(Rules(3, 3, 4), start="given:9"), 1)
    assert game.outcome == Outcome(Result.WIN, 0, 0, 0.0)
    still = Game(with_options(Rules(3, 3, 4), start="given:9", goal="mark"), 1)
    assert not still.is_over


@pytest.mark.parametrize("start", ["any", "safe", "opening", "given:1"])
@pytest.mark.parametrize("goal", ["open", "mark"])
@pytest.mark.parametrize("explosion", ["lose", "continue"])
def test_a_board_without_mines_is_won_by_the_start(start: str, goal: str, explosion: str) -> None:
    """One flood opens it all; without mines the score is 1."""
    for size in ("1x1/0", "1x9/0", "9x1/0", "5x6/0"):
        rules = with_options(Rules.parse(size), start=start, goal=goal, explosion=explosion)
        game = Game(rules, 2, None if start.startswith("given") else (0, 0))
        assert game.outcome == Outcome(Result.WIN, 0, 0, 1.0)


@pytest.mark.parametrize("start", ["safe", "opening", "given:1"])
def test_all_cells_mined_but_one(start: str) -> None:
    """The one safe cell is the start, which wins."""
    rules = with_options(Rules(3, 4, 11), start=start)
    game = Game(rules, 5, None if start.startswith("given") else (1, 2))
    assert game.outcome == Outcome(Result.WIN, 0, 0, 0.0)


def test_an_opening_without_room_keeps_its_first_cell() -> None:
    """All other cells are mined first; the clue counts what did not fit elsewhere."""
    game = Game(Rules(3, 4, 5, OPENING), 1, (1, 1))
    assert game.board is not None
    assert all(game.board.mined[index] for index in (3, 7, 11))
    assert game.observation[1, 1] == 2


def test_an_opening_with_room_opens_a_zero() -> None:
    """The first clue is a 0 wherever the 3x3 can be kept free."""
    for seed in range(30):
        assert Game(Rules(5, 5, 16, OPENING), seed, (2, 2)).observation[2, 2] == 0


def test_a_board_that_does_not_fit_the_rules() -> None:
    """Size and mines of a brought board must be those of the rules."""
    with pytest.raises(RulesError, match=r"mines \(1, 5, 2\), got \(1, 5, 1\)"):
        Game(Rules(1, 5, 2), board=STRIP)


@pytest.mark.parametrize("first", [(1, 0), (0, -1), (0, 5)])
def test_a_first_cell_off_the_board(first: tuple[int, int]) -> None:
    """The start names the cell and the board."""
    with pytest.raises(InputError, match="expected a cell on the 1x5 board"):
        Game(Rules(1, 5, 1), first=first)
    with pytest.raises(IllegalMoveError, match="expected a cell on the 1x5 board"):
        Game(Rules(1, 5, 1)).play(open_cell(*first))


def test_a_wrong_seed() -> None:
    """A seed is a whole number of 64 bits."""
    with pytest.raises(InputError, match="expected a seed"):
        Game(EXPERT, -1)


def test_the_same_seed_pairs_games_under_different_rules() -> None:
    """Goal, explosion, clues, count and flood do not change the board."""
    board = Game(EXPERT, 9, (0, 0)).board
    changes = ({"goal": "mark"}, {"explosion": "continue"}, {"clues": "cautious"})
    for change in (*changes, {"mine_count": "unknown"}):
        assert Game(with_options(EXPERT, **change), 9, (0, 0)).board == board


def test_a_given_board_shows_given_cells_of_the_seed() -> None:
    """A brought board under `given:K` still takes its given cells from the seed."""
    rules = Rules(1, 5, 1, Start.parse("given:1"), flood=False)
    seen = {Game(rules, seed, board=STRIP).observation.shown for seed in range(30)}
    assert len(seen) == 6
