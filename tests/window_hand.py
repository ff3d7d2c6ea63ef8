"""A hand that clicks and types in a window, and knows where the mines are."""

from __future__ import annotations

import time
from collections.abc import Callable

import pygame

from mineproof.core.board import deal
from mineproof.core.grid import Cell
from mineproof.session import Session
from mineproof.window.app import App
from mineproof.window.controller import Controller

PATIENCE = 60.0
"""Seconds until a test gives up; nothing is measured."""


class FakeClock:
    """A time that goes by only when it is told to."""

    def __init__(self) -> None:
        """Begin at an arbitrary time."""
        self.time = 1000.0

    def __call__(self) -> float:
        """Give the time."""
        return self.time


class Hand:
    """Clicks and types, by events as the system sends them."""

    def __init__(self, app: App, clock: FakeClock) -> None:
        """Use a window."""
        self.app = app
        self.clock = clock

    @property
    def controller(self) -> Controller:
        """The controller of the window."""
        return self.app.controller

    @property
    def session(self) -> Session:
        """The session of the window."""
        return self.app.controller.session

    def send(self, kind: int, **values: object) -> None:
        """Post an event, and let the window take it from the queue."""
        pygame.event.post(pygame.event.Event(kind, **values))
        for event in pygame.event.get():
            self.app.handle(event)
        self.app.tick()

    def point(self, place: tuple[int, int]) -> None:
        """Move the mouse."""
        self.send(pygame.MOUSEMOTION, pos=place, rel=(0, 0), buttons=(0, 0, 0))

    def point_at(self, cell: tuple[int, int]) -> None:
        """Move the mouse over a cell."""
        self.point(self.app.camera.rect_of(cell).center)

    def click_place(self, place: tuple[int, int], button: int = 1) -> None:
        """Press a button of the mouse and let it go."""
        self.point(place)
        self.send(pygame.MOUSEBUTTONDOWN, pos=place, button=button)
        self.send(pygame.MOUSEBUTTONUP, pos=place, button=button)

    def click(self, cell: tuple[int, int], button: int = 1) -> None:
        """Click on a cell."""
        self.click_place(self.app.camera.rect_of(cell).center, button)

    def press(self, command: str) -> None:
        """Click on a control of the panel."""
        control = next(c for c in self.app.panel().controls if c.command == command)
        self.click_place(control.rect.center)

    def choose(self, name: str) -> None:
        """Click on an entry of the list that is open."""
        menu = self.app.menu
        assert menu is not None
        place = [entry.name for entry in menu.entries].index(name)
        self.click_place(menu.rects[place].center)

    def key(
        self, name: str, *, control: bool = False, shift: bool = False, held: bool = False
    ) -> None:
        """Press a key, and let it go unless it is held; a capital letter is one with Shift."""
        code = pygame.key.key_code(name)
        letter = name if len(name) == 1 else ""
        mod = pygame.KMOD_CTRL if control else 0
        mod |= pygame.KMOD_SHIFT if shift or letter.isupper() else 0
        self.send(pygame.KEYDOWN, key=code, mod=mod, unicode=letter)
        if not held:
            self.send(pygame.KEYUP, key=code, mod=mod)

    def settle(self) -> None:
        """Let all that is being thought about come to its end."""
        controller = self.controller
        self.until(lambda: not (controller.mind.busy or controller.analyst.busy))

    def until(self, condition: Callable[[], bool]) -> None:
        """Let time go by until something is so."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, f"it never came: {self.controller.note}"
            self.app.tick()
            time.sleep(0.002)

    def colour(self, cell: tuple[int, int]) -> tuple[int, int, int]:
        """Give the colour near the corner of a cell, where its ground is seen."""
        rect = self.app.camera.rect_of(cell)
        self.app.draw()
        place = (rect.x + rect.width // 5, rect.y + rect.height // 2)
        red, green, blue, _ = self.app.screen.surface().get_at(place)
        return red, green, blue


def mines_of(hand: Hand) -> list[Cell]:
    """Give the mines of a game that has begun."""
    session = hand.session
    first = session.record().first
    board = deal(session.rules, session.seed, first)
    return [session.rules.grid.cell(index) for index in board.mine_indices]


def safe_cells(hand: Hand) -> list[Cell]:
    """Give the safe cells of a game, which is begun at (3, 3) if it has not begun."""
    session = hand.session
    if session.step == 0:
        hand.click((3, 3))
    mines = set(mines_of(hand))
    return [cell for cell in session.rules.grid.cells() if cell not in mines]


def chord_place(hand: Hand) -> tuple[Cell, list[Cell], list[Cell]]:
    """Find a clue with unopened safe neighbours: it, its mines, and those neighbours."""
    observation, mines = hand.session.observation, set(mines_of(hand))
    grid = observation.grid
    for cell in grid.cells():
        near = [grid.cell(index) for index in grid.neighbours(grid.index(cell))]
        rest = [c for c in near if observation.is_unopened(c) and c not in mines]
        if observation.clue(cell) and rest:
            return cell, [c for c in near if c in mines], rest
    raise AssertionError("expected a clue to chord on; choose another seed")
