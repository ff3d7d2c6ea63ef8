"""Helpers for browser tests: they open the page, click cells and read the board's letters."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from site_server import StaticSite
from web_server import PATIENCE

import mineproof as mw
from mineproof.core.board import Board as Truth
from mineproof.core.grid import Cell

if TYPE_CHECKING:  # an optional package
    from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

on_server = pytest.mark.parametrize("home", ["server"], indirect=True)
"""Marks tests that run only against the server.

The static site has the same page, so running them there too would show nothing new.
"""
DESKTOP = {"width": 1366, "height": 768}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
FIRST = (4, 4)
DELAY = int(os.environ.get("MINEPROOF_TEST_DELAY", "0"))
"""Delay of the service's messages, in milliseconds. Tests that do not wait then fail."""
LATE = """
const { addEventListener: listen } = EventTarget.prototype;
EventTarget.prototype.addEventListener = function (type, act, ...rest) {
  const late = (event) => setTimeout(() => act(event), DELAY);
  listen.call(this, type, type === 'message' && 'readyState' in this ? late : act, ...rest);
};
"""


def solution(rules: mw.Rules = mw.BEGINNER, seed: int = 7) -> mw.Board:
    """Return the mines of a game whose first cell is in the middle."""
    board = mw.Game(rules, seed, FIRST).board
    assert board is not None
    return board


def safe_cells(board: mw.Board) -> list[mw.Cell]:
    return [cell for cell in board.grid.cells() if cell not in board.mines]


FIRST_SETTINGS: dict[str, Any] = {
    **{f"{name}-{tab}": False for name in ("risks", "best") for tab in ("play", "learn", "race")},
    **{"risks-analyse": True, "best-analyse": True, "knowledge": False, "verdicts": False},
    **{"liveWin": False, "askFirst": True, "theme": "", "numbers": "", "cellSize": ""},
    **{"solved": [], "speed": 5, "stopAtGuesses": True, "sound": False, "visited": True},
    **{"chording": True, "flagWins": True, "coach": True, "large": False, "ideaAgent": "sentences"},
    **{"questionMarks": False, "noGuess": False},
}
"""The initial settings of a page. Tests share one server."""


class Home(Protocol):
    """The source of the page: the local server, or a static site."""

    address: str


def new_page(context: BrowserContext) -> Page:
    """Return an empty page in a browser context. The page is slowed down if `DELAY` is set."""
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    if DELAY:
        page.add_init_script(LATE.replace("DELAY", str(DELAY)))
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 3})
    return page


@contextmanager
def open_page(browser: Browser, home: Home, **options: Any) -> Iterator[Page]:
    """Open the page as a new visitor. An error in the page fails the test."""
    is_site = isinstance(home, StaticSite)
    context = site_context(browser, home, options) if is_site else new_context(browser, options)
    page = new_page(context)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(home.address)
    page.wait_for_selector("html[data-ready=yes]")
    page.evaluate("values => mineproof.app.remember(values)", FIRST_SETTINGS)
    page.evaluate("mineproof.agent.choose('champion')")  # an earlier test may have left another
    try:
        yield page
    finally:
        page.close() if is_site else context.close()
    assert not errors, errors


def new_context(browser: Browser, options: dict[str, Any]) -> BrowserContext:
    """Return a separate browser context without service workers."""
    return browser.new_context(accept_downloads=True, service_workers="block", **options)


SITE_CONTEXTS: dict[str, BrowserContext] = {}
HAS_SNAPSHOT = "caches.open('python of mineproof').then(c => c.keys()).then(k => k.length > 0)"
FORGET = """
() => new Promise((done, fail) => {
  const request = indexedDB.deleteDatabase('mineproof');
  [request.onsuccess, request.onerror] = [() => done(), () => fail(request.error)];
})
"""


def site_context(browser: Browser, site: Home, options: dict[str, Any]) -> BrowserContext:
    """Return the browser context that all tests of the static site with these options share.

    It contains a snapshot of Python, so that pages start much faster. Data kept by earlier tests is
    deleted.
    """
    key = repr((site.address, options))
    if key not in SITE_CONTEXTS:
        SITE_CONTEXTS[key] = new_context(browser, options)
        first = new_page(SITE_CONTEXTS[key])
        first.goto(site.address)
        until(first, HAS_SNAPSHOT)
        first.close()
    cleaner = SITE_CONTEXTS[key].new_page()
    cleaner.goto(f"{site.address}NOTICES.txt")
    cleaner.evaluate(FORGET)
    cleaner.close()
    return SITE_CONTEXTS[key]


def until(page: Page, script: str, argument: Any = None) -> None:
    """Wait until a script returns true.

    Playwright's own `wait_for_function` evaluates text inside the page, which the page's content
    security policy forbids.
    """
    deadline = time.monotonic() + PATIENCE
    while not page.evaluate(script, argument):
        assert time.monotonic() < deadline, f"expected {script}"
        page.evaluate("() => new Promise(requestAnimationFrame)")


def reload(page: Page) -> None:
    """Reload the page after the service has answered and saved everything."""
    page.evaluate("mineproof.app.ask('settings', { values: {} })")
    page.reload()
    page.wait_for_selector("html[data-ready=yes]")


def choose_agent(page: Page, name: str) -> None:
    """Choose the agent next to the board, and wait until it is active."""
    page.select_option("#agent-picker select", name)
    until(page, "name => mineproof.app.view.agent === name", name)


def wrong_cell(page: Page) -> tuple[tuple[int, int], float]:
    """Return a cell of the puzzle in view that is not proved safe, with its risk."""
    position = page.evaluate("mineproof.app.position.fields")["at"]
    rows = enumerate(mw.analyse(position, moves=False).risk)
    risks = {(r, c): risk for r, row in rows for c, risk in enumerate(row) if risk}
    return next(found for found in risks.items() if Board(page).letter(found[0]) == "H")


PLACE = """
async () => {
  const { main } = mineproof.boards;
  const place = () => {
    const [box, { x, y }] = [main.canvas.getBoundingClientRect(), main.point([0, 0])];
    return [box.x + x, box.y + y, main.camera.size];
  };
  const frame = () => new Promise(requestAnimationFrame);
  for (let [before, now] = [[], place()]; ; [before, now] = [now, place()]) {
    if (`${before}` === `${now}`) return now;
    await frame(); // the board is fitted after the layout, at the end of a frame
    await frame();
  }
}
"""
"""A script that returns the middle of the first cell and the cell size once both are stable."""


class Board:
    def __init__(self, page: Page) -> None:
        """Find the main board of a page."""
        self.page = page
        self._canvas = page.locator("#board canvas")
        self._screen: CDPSession | None = None

    def new_game(self, level: str, seed: int, **fields: str) -> None:
        """Start a game directly, without clicking buttons."""
        self.page.evaluate(
            "fields => mineproof.app.command('new', fields)",
            {"level": level, "seed": str(seed), **fields},
        )
        until(
            self.page,
            "seed => mineproof.app.view.seed === seed && mineproof.app.view.step === 0",
            str(seed),
        )

    def letters(self) -> str:
        """Return all drawn letters in row order."""
        found: str = self.page.evaluate("mineproof.boards.main.grid.letters.join('')")
        return found

    def letter(self, cell: tuple[int, int]) -> str:
        """Return the letter of one cell."""
        found: str = self.page.evaluate("([r, c]) => mineproof.boards.main.grid.at(r, c)", [*cell])
        return found

    def marks(self, name: str) -> Any:
        """Return the flagged cells of the visible board."""
        return self.page.evaluate("name => mineproof.boards.current.overlays[name] ?? []", name)

    def wait_for(self, wanted: Callable[[str], bool]) -> None:
        """Wait until the board looks as expected."""
        deadline = time.monotonic() + PATIENCE
        while not wanted(self.letters()):
            assert time.monotonic() < deadline, f"expected another board, got {self.letters()}"
            self.page.evaluate("() => new Promise(requestAnimationFrame)")

    def stand_still(self) -> tuple[float, float, float]:
        """Wait until the board stops moving. Return the first cell's middle and the cell size."""
        x, y, size = self.page.evaluate(PLACE)
        return x, y, size

    def point(self, cell: tuple[int, int]) -> tuple[float, float]:
        """Return the window coordinates of the middle of a cell."""
        x, y, size = self.stand_still()
        return x + cell[1] * size, y + cell[0] * size

    def click(self, cell: tuple[int, int], *, wait: bool = True, button: Any = "left") -> None:
        """Click a cell and wait until it looks different."""
        before = self.letter(cell)
        self.page.mouse.click(*self.point(cell), button=button)
        if wait:
            changed = "([r, c, was]) => mineproof.boards.main.grid.at(r, c) !== was"
            until(self.page, changed, [*cell, before])

    def mark(self, cell: tuple[int, int]) -> None:
        """Click a cell with the right button."""
        self.click(cell, button="right")

    def hover(self, cell: tuple[int, int]) -> None:
        """Move the mouse over a cell."""
        self.page.mouse.move(*self.point(cell))

    def steps(self, count: int) -> None:
        """Wait until the game has this many steps."""
        until(self.page, "count => mineproof.app.view.step === count", count)

    def agent_moves(self, count: int) -> None:
        """Press the key for an agent's move, this many times."""
        for _ in range(count):
            before = self.page.evaluate("mineproof.app.view.step")
            self.page.keyboard.press("a")
            until(self.page, "n => mineproof.app.view.step > n", before)

    def visible(self) -> list[Cell]:
        """Return the cells of the first row that is well inside the window."""
        rows, columns = self.page.evaluate(
            "(({rows, columns}) => [rows, columns])(mineproof.boards.main.grid)"
        )
        box = self._canvas.bounding_box()
        assert box is not None
        left, top, size = self.stand_still()
        for row in range(rows):
            points = [(left + column * size, top + row * size) for column in range(columns)]
            found = [
                Cell(row, column)
                for column, (x, y) in enumerate(points)
                if box["x"] + 50 < x < box["x"] + box["width"] - 40
                and box["y"] + 40 < y < box["y"] + box["height"] - 40
            ]
            if found:
                return found
        return []

    def clues_with_mines(self, truth: Truth) -> Iterator[tuple[Cell, list[Cell]]]:
        """Yield open numbers on which a chord opens a cell, each with the mines to flag first."""
        letters = self.letters()
        for index, letter in enumerate(letters):
            near = truth.grid.neighbours(index)
            closed = [other for other in near if letters[other] == "H"]
            mines = [other for other in closed if truth.mined[other]]
            if letter in "12345678" and len(closed) > len(mines):
                yield truth.grid.cell(index), [truth.grid.cell(mine) for mine in mines]

    def touch(self, kind: str, points: list[tuple[float, float]]) -> None:
        """Send a touch event."""
        if self._screen is None:
            self._screen = self.page.context.new_cdp_session(self.page)
        places = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})
