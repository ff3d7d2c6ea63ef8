"""From what stands on the command line to a window with a game."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mineproof.agents.loading import parse_agent
from mineproof.agents.registry import strongest
from mineproof.core.errors import InputError
from mineproof.core.rules import LEVELS, Rules
from mineproof.notation.text import read_text
from mineproof.session import Session
from mineproof.window import settings
from mineproof.window.app import App
from mineproof.window.colours import THEMES
from mineproof.window.controller import Controller
from mineproof.window.pace import SPEEDS
from mineproof.window.panel import level_name
from mineproof.window.screen import Screen

HELPER = "random"
"""The session's own agent, which is never asked: the one that helps has its own process."""


@dataclass(frozen=True)
class Wishes:
    """What the user asked for; None where nothing was said."""

    game: str | None = None
    """A game id, or the path of a saved game."""
    rules: Rules | None = None
    seed: int | None = None
    agent: str | None = None
    theme: str | None = None


def open_session(wishes: Wishes, remembered: dict[str, Any]) -> Session:
    """Begin the game that was asked for.

    Raises:
        InputError: the text is no game id, or the file holds no saved game.
        OSError: the file cannot be read.
    """
    level = LEVELS.get(str(remembered.get("level")), LEVELS["expert"])
    session = Session(wishes.rules or level, wishes.seed, agent=HELPER)
    if wishes.game is not None:
        path = Path(wishes.game)
        if path.is_file():
            session.load(read_text(path))
        else:
            session.new_from_id(wishes.game)
    return session


def open_window(wishes: Wishes) -> App:
    """Open a window.

    Raises:
        InputError: the game or the agent is not what was expected.
        OSError: there is no screen, or a file cannot be read.
    """
    remembered = settings.load()
    controller = Controller(
        open_session(wishes, remembered), wishes.agent or _remembered_agent(remembered)
    )
    speed = remembered.get("speed")
    if isinstance(speed, int) and 0 < speed < len(SPEEDS):
        controller.pace.choose(speed)
    theme = wishes.theme or str(remembered.get("theme"))
    return App(Screen(), controller, theme=theme if theme in THEMES else "light")


def run(wishes: Wishes) -> None:
    """Show a window until it is closed, and remember its defaults."""
    app = open_window(wishes)
    try:
        app.run()
    finally:
        app.controller.close()
        settings.save(remembered_of(app))
        app.screen.close()


def remembered_of(app: App) -> dict[str, Any]:
    """Give the defaults to begin with the next time."""
    controller = app.controller
    level = level_name(controller.session.rules)
    return {
        "theme": app.theme,
        "level": level if level in LEVELS else settings.load().get("level", "expert"),
        "agent": controller.agent,
        "speed": controller.pace.place,
    }


def _remembered_agent(remembered: dict[str, Any]) -> str:
    """Give the agent of the last time, if it is still there; the strongest otherwise."""
    name = remembered.get("agent")
    if isinstance(name, str) and ".py" not in name:
        try:
            parse_agent(name)
        except InputError:
            return strongest()
        return name
    return strongest()
