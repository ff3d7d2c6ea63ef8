"""The CS50 window, driven by synthetic events on an invisible screen."""

from __future__ import annotations

import itertools
import random
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture
def window(runner: ModuleType) -> Any:
    fresh = runner.Window()
    runner.pygame.event.clear()
    return fresh


def click(runner: ModuleType, window: Any, position: tuple[int, int], button: int = 1) -> None:
    pygame = runner.pygame
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=position, button=button))
    window.step()


def press(runner: ModuleType, window: Any, name: str) -> None:
    click(runner, window, window.buttons()[name][1].center)


def place(window: Any, cell: tuple[int, int]) -> tuple[int, int]:
    left, top, size = window.board_place()
    return left + cell[1] * size + size // 2, top + cell[0] * size + size // 2


def test_start_screen(runner: ModuleType, window: Any) -> None:
    window.step()
    assert set(window.buttons()) == {"Play Game", "CS50", "Easy", "Medium", "Hard"}
    press(runner, window, "Medium")
    assert window.player.level == "Medium"
    press(runner, window, "Play Game")
    assert {"AI Move", "Reset", "Autoplay", "Show inference"} <= set(window.buttons())


def test_clicks_open_and_flag(runner: ModuleType, window: Any) -> None:
    press(runner, window, "Play Game")
    current = window.player.round
    safe = min({(i, j) for i in range(8) for j in range(8)} - current.game.mines)
    click(runner, window, place(window, safe))
    assert set(current.clues) == {safe}
    mine = min(current.game.mines)
    click(runner, window, place(window, mine), button=3)
    assert current.flags == {mine}
    click(runner, window, place(window, mine))
    assert not current.lost
    click(runner, window, place(window, mine), button=3)
    click(runner, window, place(window, mine))
    assert current.exploded == mine


def test_zeros_are_shown_and_open_nothing_else(runner: ModuleType, window: Any) -> None:
    press(runner, window, "Play Game")
    current = window.player.round
    cells = set(itertools.product(range(8), range(8)))
    zero = min(c for c in cells - current.game.mines if not current.game.nearby_mines(c))
    click(runner, window, place(window, zero))
    assert current.clues == {zero: 0}
    middle = place(window, zero)
    square = runner.pygame.Rect(0, 0, 40, 40)
    square.center = middle
    drawn = window.screen.subsurface(square)
    colours = {tuple(drawn.get_at(one))[:3] for one in itertools.product(range(40), range(40))}
    assert runner.NUMBERS[0] in colours


def test_the_exploded_mine_is_red(runner: ModuleType, window: Any) -> None:
    press(runner, window, "Play Game")
    mine = min(window.player.round.game.mines)
    click(runner, window, place(window, mine))
    left, top, size = window.board_place()
    corner = (left + mine[1] * size + size // 5, top + mine[0] * size + size // 5)
    assert window.screen.get_at(corner)[:3] == runner.EXPLODED


def test_inference_is_shown_when_asked(runner: ModuleType, window: Any) -> None:
    press(runner, window, "Play Game")
    window.player.round.ai.mark_safe((0, 0))
    window.player.round.ai.mark_mine((0, 1))
    corners = [(x - 20, y - 20) for x, y in (place(window, (0, 0)), place(window, (0, 1)))]
    window.step()
    assert [window.screen.get_at(corner)[:3] for corner in corners] == [runner.CLOSED] * 2
    press(runner, window, "Show inference")
    assert [window.screen.get_at(corner)[:3] for corner in corners] == [runner.SAFE, runner.MINED]


def test_ai_move_and_reset(runner: ModuleType, window: Any) -> None:
    press(runner, window, "Play Game")
    first = window.player.round
    press(runner, window, "AI Move")
    assert len(first.clues) + first.lost == 1
    press(runner, window, "Reset")
    assert window.player.round is not first
    assert not window.player.round.clues


def test_keys(runner: ModuleType, window: Any) -> None:
    pygame = runner.pygame
    for key in (pygame.K_RETURN, pygame.K_a, pygame.K_i, pygame.K_PLUS):
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key))
    before = window.player.speed
    window.step()
    assert window.started
    assert len(window.player.round.clues) + window.player.round.lost == 1
    assert "Show inference" in window.player.on
    assert window.player.speed == before + 1


def test_autoplay_at_full_speed(
    runner: ModuleType, window: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    random.seed(1)
    # The clock advances one millisecond per reading, however busy the machine is.
    monkeypatch.setattr(runner.pygame.time, "get_ticks", itertools.count(1).__next__)
    press(runner, window, "Play Game")
    press(runner, window, "Loop games")
    for _ in runner.SPEEDS:
        press(runner, window, "+")
    press(runner, window, "Autoplay")
    for _ in range(40):
        window.step()
    assert window.player.games > 5
    assert window.buttons()["Autoplay"][0] == "Stop"
    press(runner, window, "Autoplay")
    assert not window.player.playing


@pytest.mark.parametrize("size", [(500, 300), (1600, 900)])
def test_any_size(runner: ModuleType, window: Any, size: tuple[int, int]) -> None:
    window.screen = runner.pygame.display.set_mode(size, runner.pygame.RESIZABLE)
    press(runner, window, "Play Game")
    window.player.choose("Hard")
    assert window.cell_at(place(window, (15, 29))) == (15, 29)
    assert place(window, (15, 29))[0] < size[0] - window.PANEL
    assert window.cell_at((0, 0)) is None
    window.step()


def test_closing(runner: ModuleType, window: Any) -> None:
    window.step()
    assert window.running
    runner.pygame.event.post(runner.pygame.event.Event(runner.pygame.QUIT))
    window.step()
    assert not window.running
