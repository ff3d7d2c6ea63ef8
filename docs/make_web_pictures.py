"""Make the pictures of the browser page: .venv/bin/python docs/make_web_pictures.py.

A real server and a real browser play seeded games, so the pictures are always the same game.
They need the extras `web` and `test`, and chromium. With a folder as argument they go there.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser_page import Board, open_page, until
from playwright.sync_api import Browser, Page, expect, sync_playwright
from web_server import WebServer, web_server

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 1.5,
}
POSITION = "8x6x9\nHHHHHHHH\nH2113HHH\nH1001HHH\nH1001HHH\nH2112HHH\nHHHHHHHH\n"


def main(folder: Path) -> None:
    """Take every picture."""
    data = Path(tempfile.mkdtemp())
    with web_server(data) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        for name, take in PICTURES.items():
            take(browser, server, folder / f"web-{name}.png")
        browser.close()


def play(page: Page, level: str, seed: int, first: tuple[int, int], moves: int) -> Board:
    """Let the agent make some moves of a game."""
    board = Board(page)
    board.new_game(level=level, seed=seed)
    board.click(first)
    for _ in range(moves):
        page.keyboard.press("a")
    until(page, f"mineproof.app.view.step === {moves + 1}")
    page.evaluate("document.getElementById('message').textContent = ''")
    return board


def take_play(browser: Browser, server: WebServer, path: Path) -> None:
    """Show a game under way, as it looks without any help."""
    with open_page(browser, server, **DESKTOP) as page:
        board = play(page, "expert", 7, (8, 15), 24)
        mines = page.evaluate("mineproof.app.wire.ask('heat').then(a => a.heat.mined)")
        for row, column in mines[:9]:
            board.mark((row, column))
        page.mouse.move(1, 1)
        page.screenshot(path=path)


def take_heat(browser: Browser, server: WebServer, path: Path) -> None:
    """Show the heat map, and the proof of a cell."""
    with open_page(browser, server, **DESKTOP) as page:
        board = play(page, "intermediate", 21, (8, 8), 14)
        board.group("know")
        page.check("#heat")
        until(page, "mineproof.app.board.overlays.risk != null")
        safe = page.evaluate("mineproof.app.wire.ask('heat').then(a => a.heat.safe)")
        page.evaluate("cell => mineproof.app.board.moveCursor(cell)", safe[0])
        page.locator("#board").focus()
        page.keyboard.press("w")
        expect(page.locator("#message")).not_to_be_empty()
        page.screenshot(path=path)
        page.uncheck("#heat")


def take_end(browser: Browser, server: WebServer, path: Path) -> None:
    """Show a game that was won, with its figures and verdicts."""
    with open_page(browser, server, **DESKTOP) as page:
        board = Board(page)
        board.new_game(level="beginner", seed=7)
        board.click((4, 4))
        board.group("ai")
        page.uncheck("#stop-guess")
        page.fill("#speed", "21")
        page.click("#autoplay")
        until(page, "mineproof.app.view.end !== null")
        expect(page.locator("[data-figure='Luck it took']")).not_to_have_text("…")
        board.group("time")
        page.evaluate("() => Promise.all(document.getAnimations().map(one => one.finished))")
        page.screenshot(path=path)


def take_race(browser: Browser, server: WebServer, path: Path) -> None:
    """Show four agents on one board."""
    with open_page(browser, server, color_scheme="dark", **DESKTOP) as page:
        board = Board(page)
        board.new_game(level="expert", seed=7)
        board.click((8, 15))
        board.group("race")
        for place, name in enumerate(("basic", "sentences", "backtracking", "exact")):
            page.select_option(f"[data-racer='{place}']", name)
        page.select_option("#race-board", "same")
        page.fill("#race-speed", "21")
        page.click("#race-start")
        expect(page.locator("#race-play")).to_have_text("From the start", timeout=30_000)
        rounds = int(page.get_attribute("#race-round", "max") or 0)
        page.fill("#race-round", str(min(rounds, 90)))
        page.screenshot(path=path)


def take_analysis(browser: Browser, server: WebServer, path: Path) -> None:
    """Show a position that was pasted."""
    with open_page(browser, server, **DESKTOP) as page:
        page.evaluate("text => mineproof.app.onPosition(text)", POSITION)
        expect(page.locator("#analysis-state")).to_contain_text("Valid")
        page.screenshot(path=path)


def take_phone(browser: Browser, server: WebServer, path: Path) -> None:
    """Show a game on a phone, with a hint."""
    with open_page(browser, server, color_scheme="dark", **PHONE) as page:
        board = Board(page)
        board.new_game(level="beginner", seed=7)
        page.touchscreen.tap(*board.point((4, 4)))
        until(page, "mineproof.app.view.step === 1")
        for _ in range(2):
            page.tap("#hint")
        expect(page.locator("#message")).to_contain_text("Hint 2")
        page.screenshot(path=path)


PICTURES = {
    "play": take_play,
    "heat": take_heat,
    "end": take_end,
    "race": take_race,
    "analysis": take_analysis,
    "phone": take_phone,
}

if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures")
