"""Makes the pictures of the window that the documentation shows.

    python docs/make_window_pictures.py [FOLDER]

It plays seeded games in a window that nobody sees and saves what is drawn, by default into
`docs/pictures`. The letters are those of the fonts that are installed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import pygame

from mineproof.core.board import deal
from mineproof.core.grid import Cell
from mineproof.core.rules import BEGINNER, EXPERT, INTERMEDIATE, Rules, with_options
from mineproof.session import Session
from mineproof.window.app import App
from mineproof.window.controller import Controller
from mineproof.window.pace import SPEEDS
from mineproof.window.screen import Screen

SIZE = (1160, 740)
FOLDER = Path(__file__).parent / "pictures"


class Studio:
    """One window, many pictures."""

    def __init__(self, folder: Path) -> None:
        """Save into a folder."""
        self._folder = folder
        self._screen = Screen(SIZE)
        folder.mkdir(parents=True, exist_ok=True)

    def open(
        self, rules: Rules, seed: int, agent: str = "exact", theme: str = "light", **more: bool
    ) -> App:
        """Begin a game."""
        rules = with_options(rules, start="opening")
        session = Session(rules, seed, agent="random", now=_clock())
        controller = Controller(session, agent)
        return App(self._screen, controller, theme=theme, **{"welcome": False, **more})

    def save(self, app: App, name: str) -> None:
        """Wait until nothing is thought about any more, and save what is seen."""
        settle(app)
        app.draw()
        path = self._folder / f"window-{name}.png"
        pygame.image.save(app.screen.surface(), path)
        print(path)

    def close(self, app: App) -> None:
        """End a game and its processes."""
        app.controller.close()


def _clock() -> Callable[[], float]:
    """Give a time that goes by evenly, so that the pictures are the same each time."""
    ticks = iter(range(10**9))
    return lambda: next(ticks) / 40


def settle(app: App) -> None:
    """Let everything that is being thought about come to its end."""
    controller = app.controller
    while controller.mind.busy or controller.analyst.busy or controller.autoplay:
        app.tick()
        time.sleep(0.002)


def autoplay(app: App, *, guesses: bool = False) -> None:
    """Let the agent play on."""
    app.controller.pace.choose(len(SPEEDS) - 1)
    app.controller.stops_at_guesses = not guesses
    app.controller.toggle_autoplay()
    settle(app)
    app.controller.pace.choose(SPEEDS.index(3.0))
    app.controller.stops_at_guesses = False


def point_at(app: App, cell: tuple[int, int]) -> None:
    """Move the mouse over a cell."""
    app.mouse = app.camera.rect_of(cell).center


def welcome(studio: Studio) -> None:
    """Show the first screen."""
    app = studio.open(INTERMEDIATE, 3, welcome=True)
    studio.save(app, "instructions")
    studio.close(app)


def why(studio: Studio) -> None:
    """Show an intermediate game with the reason for a cell, and what the agent has proved."""
    app = studio.open(INTERMEDIATE, 12)
    app.controller.click(Cell(8, 8))
    for _ in range(8):
        app.command("ai")
        settle(app)
    app.command("inference")
    settle(app)
    knowledge = app.controller.insight.knowledge
    assert knowledge is not None
    for index in sorted(knowledge.mined)[:4]:
        app.controller.mark(app.controller.session.rules.grid.cell(index))
    settle(app)
    app.command("why")
    knowledge = app.controller.insight.knowledge
    assert knowledge is not None
    best = max(knowledge.safe or knowledge.mined)
    point_at(app, app.controller.session.rules.grid.cell(best))
    app.tick()
    studio.save(app, "why")
    studio.close(app)


def heat(studio: Studio) -> None:
    """Show the heat map of an expert game, dark."""
    app = studio.open(EXPERT, 31, theme="dark")
    app.controller.click(Cell(8, 15))
    for _ in range(45):
        app.command("ai")
        settle(app)
    app.command("heat")
    studio.save(app, "heat-map")
    studio.close(app)


def ends(studio: Studio) -> None:
    """Show a game that was won, and one that was lost."""
    app = studio.open(BEGINNER, 20)
    app.controller.click(Cell(3, 3))
    autoplay(app, guesses=True)
    studio.save(app, "won")
    studio.close(app)
    app = studio.open(INTERMEDIATE, 5, theme="dark")
    app.controller.click(Cell(8, 8))
    for _ in range(20):
        app.command("ai")
        settle(app)
    session = app.controller.session
    board = deal(session.rules, session.seed, Cell(8, 8))
    shown = session.observation
    mine = board.mine_indices[len(board.mine_indices) // 2]
    safe = next(i for i in shown.unopened if not board.mined[i])
    app.controller.mark(shown.grid.cell(safe))
    app.controller.click(shown.grid.cell(mine))
    studio.save(app, "lost")
    studio.close(app)


def choosers(studio: Studio) -> None:
    """Show the list of agents."""
    app = studio.open(EXPERT, 7)
    app.controller.click(Cell(8, 15))
    app.command("agent")
    studio.save(app, "agents")
    studio.close(app)


def main(folder: Path) -> None:
    """Make all pictures."""
    studio = Studio(folder)
    for picture in (welcome, why, heat, ends, choosers):
        picture(studio)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
