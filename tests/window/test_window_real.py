"""The real program on a real screen: a mouse clicks a game to its end, and what is seen is read."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from mineproof.core.board import deal
from mineproof.core.grid import Cell
from mineproof.core.rules import BEGINNER
from mineproof.window.camera import Camera
from mineproof.window.colours import LIGHT, Colour
from mineproof.window.layout import arrange
from mineproof.window.overlays import play_button

SCREEN = (1280, 800)
PATIENCE = 60.0
SEED = 20
FIRST = Cell(3, 3)


class RealScreen:
    """An X server without a monitor, with a window of the program on it."""

    def __init__(self, folder: Path, display: str) -> None:
        """Use a display whose pixels are kept in a file in a folder."""
        self._file = folder / "Xvfb_screen0"
        self.env = {**os.environ, "DISPLAY": display, "SDL_VIDEODRIVER": "x11"}
        self.env["MINEPROOF_DATA"] = str(folder / "data")

    def xdotool(self, *words: object) -> str:
        """Move the mouse, press keys, or ask about windows."""
        command = ["xdotool", *map(str, words)]
        done = subprocess.run(
            command, env=self.env, capture_output=True, text=True, check=True, timeout=PATIENCE
        )
        return done.stdout

    def windows(self) -> list[str]:
        """Give the windows of the program."""
        search = ["xdotool", "search", "--onlyvisible", "--class", "^mineproof$"]
        done = subprocess.run(search, env=self.env, capture_output=True, text=True, check=False)
        return done.stdout.split()

    def click(self, place: tuple[int, int], button: int = 1) -> None:
        """Click somewhere on the screen."""
        self.xdotool("mousemove", *place, "click", button)

    def picture(self) -> pygame.Surface:
        """Take a screenshot: the server keeps its pixels as a window dump."""
        data = self._file.read_bytes()
        header, _, _, _, width, height = struct.unpack(">6I", data[:24])
        (line,), (colours,) = struct.unpack(">I", data[48:52]), struct.unpack(">I", data[76:80])
        pixels = data[header + 12 * colours :][: line * height]
        raw = pygame.image.frombuffer(pixels, (width, height), "BGRA")
        raw.set_alpha(None)  # the fourth byte means nothing
        picture = pygame.Surface((width, height))
        picture.blit(raw, (0, 0))
        return picture


@pytest.fixture
def real(tmp_path: Path, require: Callable[..., None]) -> Iterator[RealScreen]:
    """Give a screen."""
    tools = ("Xvfb", "xdotool")
    require("window", all(map(shutil.which, tools)), f"{' or '.join(tools)} is not installed")
    read, write = os.pipe()
    size = f"{SCREEN[0]}x{SCREEN[1]}x24"
    options = ["-displayfd", str(write), "-screen", "0", size, "-fbdir", str(tmp_path), "-noreset"]
    server = subprocess.Popen(
        ["Xvfb", *options, "-nolisten", "tcp"], pass_fds=[write], stderr=subprocess.DEVNULL
    )
    os.close(write)
    with os.fdopen(read) as answer:
        display = f":{answer.readline().strip()}"
    yield RealScreen(tmp_path, display)
    server.terminate()
    server.wait(PATIENCE)


def until(condition: Callable[[], bool], program: subprocess.Popen[str]) -> None:
    """Wait until something is so, while the program runs."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert program.poll() is None, program.communicate()
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.02)


def has_colour(picture: pygame.Surface, rect: pygame.Rect, colour: Colour) -> bool:
    """Say whether a part of a picture has pixels of a colour."""
    part = picture.subsurface(rect)
    return pygame.mask.from_threshold(part, colour, (3, 3, 3, 255)).count() > 20


def test_a_real_game(real: RealScreen, tmp_path: Path) -> None:
    """The program is started, played with the mouse to a win, reset, lost, and closed."""
    command = [sys.executable, "-m", "mineproof", "window", f"9x9/10:s{SEED}", "--agent", "basic"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=real.env, stdout=pipe, stderr=pipe, text=True) as program:
        try:
            play(real, program)
            _, errors = program.communicate(timeout=PATIENCE)
        finally:
            program.kill()
    assert errors == ""
    assert program.returncode == 0
    assert (tmp_path / "data" / "window.json").is_file()


def play(real: RealScreen, program: subprocess.Popen[str]) -> None:
    """Do with the mouse what a person would do, and look at the screen."""
    found: list[str] = []

    def has_settled() -> bool:  # a window may be replaced by another one while it is set up
        before, found[:] = found[:], real.windows()
        time.sleep(0.2)
        return bool(found) and found == before

    until(has_settled, program)
    window = found[0]
    shell = real.xdotool("getwindowgeometry", "--shell", window)
    values = dict(line.split("=") for line in shell.splitlines())
    left, top = int(values["X"]), int(values["Y"])
    layout = arrange(int(values["WIDTH"]), int(values["HEIGHT"]))
    camera = Camera(BEGINNER.rows, BEGINNER.columns)
    camera.resize(layout.board, layout.scale)

    def on_screen(rect: pygame.Rect) -> pygame.Rect:
        return rect.move(left, top)

    def sees(rect: pygame.Rect, colour: Colour) -> bool:
        return has_colour(real.picture(), on_screen(rect), colour)

    def click(cell: Cell, button: int = 1) -> None:
        real.click(on_screen(camera.rect_of(cell)).center, button)

    button = play_button(layout).rect
    until(lambda: sees(button, LIGHT.accent), program)
    real.xdotool("mousemove", *on_screen(button).center)
    until(lambda: not sees(button, LIGHT.accent), program)  # it has noticed the mouse
    real.click(on_screen(button).center)
    until(lambda: sees(camera.rect_of(FIRST), LIGHT.closed), program)
    board = deal(BEGINNER, SEED, FIRST)
    cells = BEGINNER.grid.cells()
    mines = [cell for cell in cells if board.mined[BEGINNER.grid.index(cell)]]
    click(FIRST)
    until(lambda: sees(camera.rect_of(FIRST), LIGHT.opened), program)
    click(mines[0], 3)
    until(lambda: sees(camera.rect_of(mines[0]), LIGHT.flag), program)
    for cell in cells:
        if cell not in mines and not sees(camera.rect_of(cell), LIGHT.opened):
            click(cell)
    until(lambda: sees(layout.status, LIGHT.good), program)
    keep_picture(real, "won")
    real.xdotool("windowfocus", window, "key", "r")
    until(lambda: not sees(layout.status, LIGHT.good), program)
    click(mines[1])
    until(lambda: sees(camera.rect_of(mines[1]), LIGHT.exploded), program)
    until(lambda: sees(layout.status, LIGHT.bad), program)
    keep_picture(real, "lost")
    real.xdotool("windowfocus", window, "key", "ctrl+q")


def keep_picture(real: RealScreen, name: str) -> None:
    """Save a screenshot where `MINEPROOF_PICTURES` says, for somebody to look at."""
    if folder := os.environ.get("MINEPROOF_PICTURES"):
        pygame.image.save(real.picture(), Path(folder) / f"window-{name}.png")
