"""From the command line to a window: games, rules, what is remembered, what is missing."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from importlib.machinery import PathFinder
from pathlib import Path

import pytest
from click.testing import CliRunner

from mineproof.cli.main import mineproof_command
from mineproof.core.errors import InputError
from mineproof.core.rules import EXPERT, INTERMEDIATE
from mineproof.session import Session, State
from mineproof.window import opening, settings
from mineproof.window.opening import Wishes, open_session


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINEPROOF_DATA", str(tmp_path / "data"))


def invoke(*args: str) -> tuple[int, str]:
    """Run a command and give its status and all that it printed."""
    result = CliRunner().invoke(mineproof_command, ["window", *args])
    return result.exit_code, result.output


def wishes_of(monkeypatch: pytest.MonkeyPatch, *args: str) -> Wishes:
    """Give what the command line asks for, without opening a window."""
    caught: list[Wishes] = []
    monkeypatch.setattr(opening, "run", caught.append)
    assert invoke(*args)[0] == 0
    return caught[0]


def test_flags(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules, seed, agent and theme come from flags; what is not said is left open."""
    assert wishes_of(monkeypatch) == Wishes()
    wishes = wishes_of(
        monkeypatch, "--level", "intermediate", "--seed", "5", "--agent", "basic", "--theme", "dark"
    )
    assert wishes == Wishes(None, INTERMEDIATE, 5, "basic", "dark")


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--level", "nonsense"), "expected a level"),
        (("nonsense",), "not a game id"),
        (("--agent", "nobody"), "expected an agent"),
        (("9x9/10:s7", "--level", "easy"), "got both"),
        (("9x9/10:s7", "--seed", "3"), "got both"),
    ],
)
def test_bad_input(args: tuple[str, ...], told: str) -> None:
    """What is wrong with the command line is said, with status 2."""
    status, output = invoke(*args)
    assert status == 2
    assert told in output


def test_without_pygame(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra the exact line that installs it is printed."""
    monkeypatch.setattr("mineproof.cli.window.find_spec", lambda name: None)
    status, output = invoke()
    assert status == 2
    assert "pygame-ce" in output
    assert "python -m pip install 'mineproof[window]'" in output


def test_with_the_older_pygame(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other pygame is recognised, and how to get rid of it is said."""
    assert importlib.util.find_spec("pygame") is not None
    monkeypatch.setattr(PathFinder, "find_spec", staticmethod(lambda *_: None))
    status, output = invoke()
    assert status == 2
    assert "pip uninstall pygame" in output


def test_without_a_screen(tmp_path: Path) -> None:
    """Where no window can be opened, that is said instead of a traceback."""
    env = {**os.environ, "SDL_VIDEODRIVER": "x11", "DISPLAY": ":987"}
    run = [sys.executable, "-m", "mineproof", "window"]
    done = subprocess.run(run, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "expected a screen" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_importing_the_command_loads_no_pygame() -> None:
    """Help stays fast: pygame is loaded when a window opens."""
    check = "import sys, mineproof.cli.window; sys.exit('pygame' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_open_a_game_id() -> None:
    """An id gives its game."""
    session = open_session(Wishes("9x9/10:s7"), {})
    assert (session.rules.level, session.seed, session.state) == ("9x9/10", 7, State.READY)


def test_open_a_saved_game(tmp_path: Path) -> None:
    """A file gives the game that was saved in it; one with something else is refused."""
    played = Session(EXPERT, 3)
    played.open((4, 4))
    path = tmp_path / "game.json"
    path.write_text(played.save())
    session = open_session(Wishes(str(path)), {})
    assert session.observation == played.observation
    path.write_text("no game")
    with pytest.raises(InputError):
        open_session(Wishes(str(path)), {})


def test_defaults_are_remembered() -> None:
    """What was chosen last is there the next time, unless the user says otherwise."""
    settings.save({"theme": "dark", "level": "intermediate", "agent": "basic", "speed": 6})
    app = opening.open_window(Wishes())
    assert (app.theme, app.controller.agent, app.controller.pace.place) == ("dark", "basic", 6)
    assert app.controller.session.rules == INTERMEDIATE
    assert opening.remembered_of(app) == settings.load()
    app.screen.close()
    app = opening.open_window(Wishes(rules=EXPERT, agent="random", theme="light"))
    assert (app.theme, app.controller.agent) == ("light", "random")
    assert app.controller.session.rules == EXPERT
    app.screen.close()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"theme": 5, "level": [], "agent": "nobody", "speed": "fast"}', "\x00"],
)
def test_damaged_settings_do_no_harm(text: str) -> None:
    """A file that is damaged is as good as none."""
    path = settings.folder() / settings.FILE
    path.parent.mkdir(parents=True)
    path.write_text(text)
    app = opening.open_window(Wishes())
    assert app.theme == "light"
    assert app.controller.session.rules == EXPERT
    app.screen.close()


def test_a_folder_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Then nothing is remembered, and nobody is bothered."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("MINEPROOF_DATA", str(blocked / "data"))
    settings.save({"theme": "dark"})
    assert settings.load() == {}
