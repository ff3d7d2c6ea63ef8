"""A page in the browser, as the tests see it: cells to click, letters to read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from playwright.sync_api import Browser, CDPSession, Page
from web_server import PATIENCE

import mineproof as mw
from mineproof.core.board import Board as Truth
from mineproof.core.grid import Cell

DESKTOP = {"width": 1366, "height": 768}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
FIRST = (4, 4)


def solution(rules: mw.Rules = mw.BEGINNER, seed: int = 7) -> mw.Board:
    """Give the mines of a game that began in the middle."""
    board = mw.Game(rules, seed, FIRST).board
    assert board is not None
    return board


def safe_cells(board: mw.Board) -> list[mw.Cell]:
    """List all cells without a mine."""
    return [cell for cell in board.grid.cells() if cell not in board.mines]


FIRST_SETTINGS: dict[str, Any] = {
    **{f"{name}-{tab}": False for name in ("risks", "best") for tab in ("play", "learn", "race")},
    **{"risks-analyse": True, "best-analyse": True, "knowledge": False, "verdicts": False},
    **{"liveWin": False, "askFirst": True, "theme": "", "numbers": "", "cellSize": ""},
    **{"solved": [], "speed": 5, "stopAtGuesses": True, "sound": False},
}
"""What a page remembers at first: tests share one server."""


class Home(Protocol):
    """Where the page comes from: the local server, or a static site."""

    address: str


@contextmanager
def open_page(browser: Browser, home: Home, **options: Any) -> Iterator[Page]:
    """Open the page in a context of its own; an error in it fails the test."""
    context = browser.new_context(accept_downloads=True, service_workers="block", **options)
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(home.address)
    page.wait_for_selector("html[data-ready=yes]")
    page.evaluate("values => mineproof.bench.remember(values)", FIRST_SETTINGS)
    try:
        yield page
    finally:
        context.close()
    assert not errors, errors


def until(page: Page, script: str, argument: Any = None) -> None:
    """Wait until a script gives true.

    Playwright's own `wait_for_function` evaluates text inside the page, which the page's
    content security policy forbids.
    """
    deadline = time.monotonic() + PATIENCE
    while not page.evaluate(script, argument):
        assert time.monotonic() < deadline, f"expected {script}"
        page.evaluate("() => new Promise(requestAnimationFrame)")


class Board:
    """The board of a page."""

    def __init__(self, page: Page) -> None:
        """Find the board of the stage."""
        self.page = page
        self._canvas = page.locator("#board canvas")
        self._screen: CDPSession | None = None

    def new_game(self, level: str, seed: int, **fields: str) -> None:
        """Begin a game without the buttons."""
        self.page.evaluate(
            "fields => mineproof.bench.command('new', fields)",
            {"level": level, "seed": str(seed), **fields},
        )
        until(
            self.page,
            "seed => mineproof.bench.view.seed === seed && mineproof.bench.view.step === 0",
            str(seed),
        )

    def letters(self) -> str:
        """Give all letters that are drawn, in row order."""
        found: str = self.page.evaluate("mineproof.stage.main.grid.letters.join('')")
        return found

    def letter(self, cell: tuple[int, int]) -> str:
        """Give the letter of one cell."""
        found: str = self.page.evaluate("([r, c]) => mineproof.stage.main.grid.at(r, c)", [*cell])
        return found

    def marks(self, name: str) -> Any:
        """Give the cells that carry a mark on the board in view."""
        return self.page.evaluate("name => mineproof.stage.board.overlays[name] ?? []", name)

    def wait_for(self, wanted: Callable[[str], bool]) -> None:
        """Wait until the board looks as wanted."""
        deadline = time.monotonic() + PATIENCE
        while not wanted(self.letters()):
            assert time.monotonic() < deadline, f"expected another board, got {self.letters()}"
            self.page.evaluate("() => new Promise(requestAnimationFrame)")

    def point(self, cell: tuple[int, int]) -> tuple[float, float]:
        """Give the middle of a cell in the window."""
        place = self.page.evaluate("c => mineproof.stage.main.point(c)", list(cell))
        box = self._canvas.bounding_box()
        assert box is not None
        return box["x"] + place["x"], box["y"] + place["y"]

    def click(self, cell: tuple[int, int], *, wait: bool = True, button: Any = "left") -> None:
        """Click a cell and wait until it looks different."""
        before = self.letter(cell)
        self.page.mouse.click(*self.point(cell), button=button)
        if wait:
            changed = "([r, c, was]) => mineproof.stage.main.grid.at(r, c) !== was"
            until(self.page, changed, [*cell, before])

    def mark(self, cell: tuple[int, int]) -> None:
        """Click a cell with the right button."""
        self.click(cell, button="right")

    def hover(self, cell: tuple[int, int]) -> None:
        """Put the mouse over a cell."""
        self.page.mouse.move(*self.point(cell))

    def steps(self, count: int) -> None:
        """Wait until the game has so many steps."""
        until(self.page, "count => mineproof.bench.view.step === count", count)

    def agent_moves(self, count: int) -> None:
        """Let the agent make moves by its key."""
        for _ in range(count):
            before = self.page.evaluate("mineproof.bench.view.step")
            self.page.keyboard.press("a")
            until(self.page, "n => mineproof.bench.view.step > n", before)

    def visible(self) -> list[Cell]:
        """List the cells that lie well inside the window."""
        rows, columns = self.page.evaluate(
            "(({rows, columns}) => [rows, columns])(mineproof.stage.main.grid)"
        )
        box = self._canvas.bounding_box()
        assert box is not None
        found = []
        for row in range(rows):
            for column in range(columns):
                x, y = self.point((row, column))
                if box["x"] + 50 < x < box["x"] + box["width"] - 40 and (
                    box["y"] + 40 < y < box["y"] + box["height"] - 40
                ):
                    found.append(Cell(row, column))
            if found:
                return found
        return found

    def clues_with_mines(self, truth: Truth) -> Iterator[tuple[Cell, list[Cell]]]:
        """Give opened numbers with their mines, where marking them lets a chord open something."""
        letters = self.letters()
        for index, letter in enumerate(letters):
            near = truth.grid.neighbours(index)
            closed = [other for other in near if letters[other] == "H"]
            mines = [other for other in closed if truth.mined[other]]
            if letter in "12345678" and len(closed) > len(mines):
                yield truth.grid.cell(index), [truth.grid.cell(mine) for mine in mines]

    def touch(self, kind: str, points: list[tuple[float, float]]) -> None:
        """Send a touch as the screen would."""
        if self._screen is None:
            self._screen = self.page.context.new_cdp_session(self.page)
        places = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})
