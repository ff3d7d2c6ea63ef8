"""The game logic behind the CS50 window, tested without a window."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import pytest


def round_with(rounds: ModuleType, *mines: tuple[int, int], **options: bool) -> Any:
    current = rounds.Round("CS50", **options)
    lay(current.game, mines)
    return current


def lay(game: Any, mines: tuple[tuple[int, int], ...]) -> None:
    game.mines = set(mines)
    game.board = [[(i, j) in game.mines for j in range(game.width)] for i in range(game.height)]


def test_levels(rounds: ModuleType) -> None:
    assert next(iter(rounds.LEVELS.items())) == ("CS50", (8, 8, 8))
    for level, (height, width, mines) in rounds.LEVELS.items():
        game = rounds.Round(level).game
        assert (game.height, game.width, len(game.mines)) == (height, width, mines)


def test_opening_tells_the_ai(rounds: ModuleType) -> None:
    current = round_with(rounds, (0, 1), (1, 1))
    current.open((0, 0))
    assert current.clues == {(0, 0): 2}
    assert current.ai.moves_made == {(0, 0)}
    assert not current.over


def test_a_mine_loses(rounds: ModuleType) -> None:
    current = round_with(rounds, (0, 1))
    current.open((0, 1))
    assert current.lost
    assert current.exploded == (0, 1)
    current.open((5, 5))
    current.flag((5, 5))
    assert not current.clues
    assert not current.flags


def test_flags_protect_and_win(rounds: ModuleType) -> None:
    current = round_with(rounds, (0, 1), (4, 4))
    current.flag((0, 1))
    current.open((0, 1))
    assert not current.over
    current.flag((3, 3))
    current.flag((4, 4))
    assert not current.won
    current.flag((3, 3))
    assert current.won


def test_flood_fill(rounds: ModuleType) -> None:
    plain = round_with(rounds, (0, 7))
    plain.open((7, 0))
    assert len(plain.clues) == 1
    flooded = round_with(rounds, (0, 7), flood=True)
    flooded.flag((3, 3))
    flooded.open((7, 0))
    assert len(flooded.clues) == 64 - 2


def test_safe_first_click(rounds: ModuleType) -> None:
    cells = [(i, j) for i in range(8) for j in range(8)]
    for _ in range(20):
        current = round_with(rounds, *cells[:8], safe_start=True)
        current.open((0, 0))
        assert not current.lost
        assert len(current.game.mines) == 8


def test_ai_move_says_safe_or_random(
    rounds: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    current = round_with(rounds, (0, 7))
    assert current.ai_move() in ("random", "safe")
    assert "random" in capsys.readouterr().out
    current = round_with(rounds, (0, 7))
    current.open((7, 0))
    assert current.ai_move() == "safe"
    assert "known to be safe" in capsys.readouterr().out


def test_no_move_left_flags_the_mines(
    rounds: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    current = round_with(rounds, (0, 7))
    current.open((7, 0))
    while current.ai_move() == "safe":
        assert not current.over
    assert current.flags == {(0, 7)}
    assert current.won
    assert "No moves left to make." in capsys.readouterr().out


def test_stuck_is_said(rounds: ModuleType) -> None:
    current = round_with(rounds, (0, 7))
    current.open((0, 6))
    assert current.ai_move(may_guess=False) == "stuck"
    assert "Stuck" in current.message
    assert set(current.clues) == {(0, 6)}


def test_an_ai_that_repeats_itself(rounds: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    current = round_with(rounds, (0, 7))
    current.open((7, 0))
    monkeypatch.setattr(current.ai, "make_safe_move", lambda: (7, 0))
    assert current.ai_move() == "stuck"
    assert "already open" in current.message


def test_an_ai_that_is_not_written_yet(rounds: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def unwritten(*_arguments: object) -> None:
        raise NotImplementedError

    current = round_with(rounds, (0, 7))
    for name in ("add_knowledge", "make_safe_move"):
        monkeypatch.setattr(current.ai, name, unwritten)
    current.open((7, 0))
    assert (7, 0) in current.clues
    assert current.ai_move() == "stuck"
    assert "not finished" in current.message


def test_autoplay_plays_to_the_end(rounds: ModuleType) -> None:
    player = rounds.Player()
    player.autoplay(0)
    player.tick(0)
    assert len(player.round.clues) + player.round.lost == 1
    before = len(player.round.clues)
    player.tick(1)  # it is too early for the next move
    assert len(player.round.clues) == before
    now = 0
    while player.playing:
        now += 10_000
        player.tick(now)
    assert player.round.over
    assert player.games == 1


def test_loop_counts_wins(rounds: ModuleType) -> None:
    random.seed(1)
    player = rounds.Player()
    player.speed = rounds.SPEEDS.index(0)
    player.switch("Loop games")
    player.autoplay(0)
    while player.games < 20:
        player.tick(0)
    assert player.playing
    assert 0 < player.wins <= 20
    assert player.score.startswith(f"Won {player.wins} of 20 ({5 * player.wins} %)")
    player.autoplay(0)
    assert not player.playing


def test_stuck_games_are_counted(rounds: ModuleType) -> None:
    player = rounds.Player()
    player.switch("Stop when stuck")
    lay(player.round.game, ((0, 7),))
    player.round.open((0, 6))
    player.autoplay(0)
    player.tick(0)
    assert not player.playing
    assert (player.games, player.wins, player.stuck) == (1, 0, 1)
    assert "1 stuck" in player.score


def test_given_cells(rounds: ModuleType) -> None:
    numbers = {0: 0, 0.5: 5, 1: 9, 2: 18, 5: 45, 10: 71}
    for times in rounds.GIVEN:
        current = rounds.Round("Easy", times=times)
        assert len(current.clues) == current.given == numbers[times]
        assert set(current.clues) == current.ai.moves_made
        assert not current.lost
    assert len(rounds.Round("Hard", times=0.5).clues) == 11


def test_a_loop_that_stops_when_stuck_wins_games(rounds: ModuleType) -> None:
    """In a loop of games that stop when stuck, some games are won."""
    random.seed(1)
    for times in (1, 0):
        player = rounds.Player()
        player.speed = len(rounds.SPEEDS) - 1
        player.choose("Easy")
        while player.times != times:
            player.give()
        for name in ("Stop when stuck", "Loop games"):
            player.switch(name)
        player.autoplay(0)
        while player.games < 15:
            player.tick(0)
        assert player.playing
        assert player.stuck < 15
        assert player.wins > 0 or times == 0


def test_the_next_number_of_given_cells(rounds: ModuleType) -> None:
    player = rounds.Player()
    seen = []
    for _ in rounds.GIVEN:
        player.give()
        seen.append(player.times)
    assert seen == [*rounds.GIVEN[1:], 0]
    player.give()
    player.switch("Flood fill")
    assert player.round.flood
    assert player.round.given >= 4


def test_choosing_a_level_starts_anew(rounds: ModuleType) -> None:
    player = rounds.Player()
    player.round.open((0, 0))
    player.games = 5
    player.choose("Hard")
    assert (player.round.height, player.round.width) == (16, 30)
    assert player.score == ""


def test_switching_a_rule(rounds: ModuleType) -> None:
    """A changed rule applies immediately to a new game, and otherwise to the next game."""
    player = rounds.Player()
    player.switch("Flood fill")
    assert player.round.flood
    lay(player.round.game, ((0, 0),))
    player.round.open((7, 7))
    player.switch("Flood fill")
    assert player.round.flood
    player.reset()
    assert not player.round.flood
