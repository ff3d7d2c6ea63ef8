"""The window at any size: everything stays inside, and clicks hit what is seen."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st
from window_hand import Hand

from mineproof.core.grid import Cell
from mineproof.core.rules import EXPERT, Rules
from mineproof.window.camera import Camera
from mineproof.window.layout import SMALLEST, arrange, first_size

Opener = Callable[..., Hand]
SIZES = [SMALLEST, (800, 600), (1024, 768), (1280, 800), (1920, 1080), (700, 1200), (2560, 700)]


@pytest.mark.parametrize("size", SIZES)
def test_everything_is_inside_and_apart(open_app: Opener, size: tuple[int, int]) -> None:
    """At each size all controls lie in the panel, apart from each other, below the title."""
    hand = open_app(EXPERT)
    hand.app.screen.resize(size)
    hand.send(pygame.WINDOWSIZECHANGED, x=size[0], y=size[1])
    layout = hand.app.layout
    assert layout.window.size == size
    rects = [control.rect for control in hand.app.panel().controls]
    assert all(layout.panel.contains(rect) for rect in rects)
    assert not any(a.colliderect(b) for a, b in itertools.combinations(rects, 2))
    parts = [layout.status, layout.board, layout.note, layout.panel]
    assert all(layout.window.contains(part) for part in parts)
    assert not any(a.colliderect(b) for a, b in itertools.combinations(parts, 2))
    assert layout.board.contains(hand.app.camera.board)


@pytest.mark.parametrize("size", [SMALLEST, (1024, 768), (1920, 1080)])
def test_clicks_after_a_resize(open_app: Opener, size: tuple[int, int]) -> None:
    """After the window changed its size, the cell under the mouse is still the one meant."""
    hand = open_app(EXPERT)
    hand.app.screen.resize(size)
    hand.send(pygame.WINDOWSIZECHANGED, x=size[0], y=size[1])
    hand.click((5, 29))
    assert not hand.session.observation.is_unopened((5, 29))
    hand.press("undo")
    assert hand.session.step == 0
    for command in ("level", "agent"):
        hand.press(command)
        assert hand.app.layout.window.contains(hand.app.menu.frame)
        hand.app.draw()
        hand.key("escape")


def test_many_pixels() -> None:
    """Twice the pixels for the same points make everything twice as large."""
    plain, fine = arrange(1160, 740), arrange(2320, 1480, 2.0)
    assert fine.scale == 2 * plain.scale
    assert fine.panel.width == 2 * plain.panel.width


@pytest.mark.parametrize("desktop", [(1024, 600), (1366, 768), (1920, 1080), (3840, 2160)])
def test_the_first_window_fits_the_screen(desktop: tuple[int, int]) -> None:
    """A new window is never larger than the screen, and leaves room for bars."""
    width, height = first_size(desktop)
    assert SMALLEST[0] <= width < desktop[0]
    assert SMALLEST[1] <= height < desktop[1]


def test_a_big_board_is_moved_and_zoomed(open_app: Opener) -> None:
    """A board that does not fit can be dragged, which opens nothing, and zoomed."""
    hand = open_app(Rules(100, 100, 1500))
    camera = hand.app.camera
    assert camera.can_move
    start = hand.app.layout.board.center
    cell = camera.cell_at(start)
    hand.point(start)
    hand.send(pygame.MOUSEBUTTONDOWN, pos=start, button=1)
    for moved in range(0, 100, 10):
        hand.point((start[0] - moved, start[1] - moved))
    hand.send(pygame.MOUSEBUTTONUP, pos=(start[0] - 90, start[1] - 90), button=1)
    assert hand.session.step == 0
    assert camera.cell_at((start[0] - 90, start[1] - 90)) == cell
    hand.point(start)
    under, size = camera.cell_at(start), camera.size
    hand.send(pygame.MOUSEWHEEL, x=0, y=3, precise_y=3.0)
    assert camera.size > size
    assert camera.cell_at(start) == under
    hand.key("0")
    assert camera.size == size


def test_the_cursor_and_the_agent_stay_in_sight(open_app: Opener) -> None:
    """The board moves along with the keyboard's cursor and with the agent's moves."""
    hand = open_app(Rules(100, 100, 1500))
    hand.app.cursor = Cell(98, 98)
    hand.key("down")
    assert hand.app.layout.board.contains(hand.app.camera.rect_of((99, 98)))
    hand.key("a")
    assert hand.session.last.move.cell == (0, 0)
    assert hand.app.layout.board.contains(hand.app.camera.rect_of((0, 0)))


def test_a_huge_board(open_app: Opener) -> None:
    """Of the largest board only what is seen is drawn."""
    hand = open_app(Rules(1000, 1000, 120_000))
    rows, columns = hand.app.camera.visible()
    assert len(rows) * len(columns) < 5000
    hand.app.draw()


sides = st.integers(1, 300)


@given(sides, sides, st.integers(50, 2000), st.integers(50, 2000), st.lists(st.integers(-5, 5)))
def test_cells_and_places(
    rows: int, columns: int, width: int, height: int, zooms: list[int]
) -> None:
    """Whatever is zoomed, the middle of a visible cell is that cell, and nothing else is."""
    camera = Camera(rows, columns)
    area = pygame.Rect(10, 20, width, height)
    camera.resize(area, 1.0)
    for steps in zooms:
        camera.zoom(steps, area.center)
    seen_rows, seen_columns = camera.visible()
    assert seen_rows
    assert seen_columns
    for row in (seen_rows[0], seen_rows[-1]):
        for column in (seen_columns[0], seen_columns[-1]):
            place = camera.rect_of((row, column)).clip(area).center
            assert camera.cell_at(place) == (row, column)
    assert camera.cell_at((5, 5)) is None
    if not camera.can_move:
        assert area.contains(camera.board)
