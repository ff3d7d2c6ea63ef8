"""A window that nobody sees, shared by the tests that click in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pygame
import pytest
from window_hand import FakeClock, Hand

from mineproof.core.rules import BEGINNER, Rules
from mineproof.session import Session
from mineproof.window.app import App
from mineproof.window.controller import Controller
from mineproof.window.screen import Screen
from mineproof.window.thinker import Thinker

SIZE = (1160, 740)


@pytest.fixture(scope="session")
def thinkers() -> Iterator[tuple[Thinker, Thinker]]:
    """Give processes that all tests share: starting them takes longer than most tests."""
    pair = (Thinker(), Thinker())
    yield pair
    for thinker in pair:
        thinker.close()


@pytest.fixture(scope="session")
def screen() -> Iterator[Screen]:
    """Give a window, the same for all tests."""
    os.environ["SDL_VIDEODRIVER"] = "dummy"  # read when the first window opens
    shared = Screen(SIZE)
    yield shared
    shared.close()


Opener = Callable[..., Hand]


@pytest.fixture
def open_app(thinkers: tuple[Thinker, Thinker], screen: Screen) -> Iterator[Opener]:
    """Give a function that begins a game in the window, past its first screen."""
    for thinker in thinkers:
        thinker.drop()
    screen.resize(SIZE)
    pygame.event.clear()

    def opened(
        rules: Rules = BEGINNER, seed: int = 20, agent: str = "exact", **more: object
    ) -> Hand:
        clock = FakeClock()
        session = Session(rules, seed, agent="random", now=clock)
        mind, analyst = thinkers
        controller = Controller(session, agent, mind=mind, analyst=analyst, now=clock)
        app = App(screen, controller, **{"welcome": False, **more})  # type: ignore[arg-type]
        app.tick()
        return Hand(app, clock)

    yield opened
    for thinker in thinkers:
        thinker.drop()


@pytest.fixture
def hand(open_app: Opener) -> Hand:
    """Give a hand in a beginner's game."""
    return open_app()
