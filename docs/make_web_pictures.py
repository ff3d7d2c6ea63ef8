"""Take the pictures of the page for README and docs: `.venv/bin/python docs/make_web_pictures.py`.

A real server and a real browser play seeded games, so each picture always shows the same game.
This needs the extras `web` and `test`, and chromium. Pass a folder to write the pictures there,
and names such as `readme-light` to take only those.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any, Literal

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser_page import PHONE, Board, open_page, until
from jupyter_page import middle, open_notebook
from playwright.sync_api import Browser, Page, expect, sync_playwright
from web_server import WebServer, web_server

DESKTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
POSITION = "8x6x9\nHHHHHHHH\nH2113HHH\nH1001HHH\nH1001HHH\nH2112HHH\nHHHHHHHH\n"


def main(folder: Path, names: list[str]) -> None:
    """Take the named pictures, or all of them."""
    data = Path(tempfile.mkdtemp())
    with web_server(data) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        for name in names or PICTURES:
            PICTURES[name](browser, server, folder / f"web-{name}.png")
        browser.close()


def play(page: Page, level: str, seed: int, first: tuple[int, int], moves: int) -> Board:
    """Start a game and let the agent make this many moves."""
    board = Board(page)
    board.new_game(level=level, seed=seed, start="opening")
    board.click(first)
    board.agent_moves(moves)
    page.mouse.move(1, 1)
    return board


def prove(page: Page) -> None:
    """Show the easiest proof, with the mouse on its last step."""
    page.evaluate("mineproof.app.about('hint').then(hint => mineproof.advice.why(hint.cell))")
    page.locator(".proof li").last.hover()


def take_play(browser: Browser, server: WebServer, path: Path) -> None:
    """Show an expert game in progress, with a proof in steps and the moves so far."""
    with open_page(browser, server, color_scheme="dark", **DESKTOP) as page:
        board = play(page, "expert", 7, (8, 15), 24)
        risks = page.evaluate("mineproof.app.about('risks')")
        for index in risks["mined"][:9]:
            cell = index if isinstance(index, list) else divmod(index, 30)
            board.mark((cell[0], cell[1]))
        page.click("#live-win")
        expect(page.locator("#win")).to_contain_text("%")
        page.click("#judge")
        expect(page.locator("#move-list .dot[data-kind]").first).to_be_attached()
        prove(page)
        page.screenshot(path=path)


def take_heat(browser: Browser, server: WebServer, path: Path) -> None:
    """Show the heat map and the best moves."""
    with open_page(browser, server, color_scheme="light", **DESKTOP) as page:
        play(page, "intermediate", 21, (8, 8), 14)
        page.keyboard.press("m")
        page.keyboard.press("b")
        until(page, "mineproof.boards.main.overlays.risk !== null")
        expect(page.locator("#win")).to_contain_text("%")
        page.screenshot(path=path)


def take_readme(
    theme: Literal["light", "dark"], browser: Browser, server: WebServer, path: Path
) -> None:
    """Show an expert game with the risk of every cell, the best moves and a proof."""
    with open_page(browser, server, color_scheme=theme, **DESKTOP) as page:
        play(page, "expert", 7, (8, 15), 30)
        page.keyboard.press("m")
        page.keyboard.press("b")
        until(page, "mineproof.boards.main.overlays.risk !== null")
        expect(page.locator("#win")).to_contain_text("%")
        prove(page)
        page.screenshot(path=path)


def take_end(browser: Browser, server: WebServer, path: Path) -> None:
    """Show a lost game with its metrics and verdicts, and an avoidable risk."""
    with open_page(browser, server, color_scheme="light", **DESKTOP) as page:
        board = play(page, "intermediate", 5, (8, 8), 30)
        truth = page.evaluate("mineproof.app.view.cells.join('')")
        risks = page.evaluate("mineproof.app.about('risks')")
        worst = max(
            (i for i, risk in enumerate(risks["risk"]) if truth[i] == "H" and risk == 1),
            default=0,
        )
        board.click(divmod(worst, 16))
        expect(page.locator("[data-figure=Luck]")).not_to_have_text("…")
        until(page, "mineproof.moves.wins.size > 20")
        page.click("#review-risks")
        page.mouse.move(1, 1)
        page.screenshot(path=path)


def take_learn(browser: Browser, server: WebServer, path: Path) -> None:
    """Show a lesson after the right answer."""
    with open_page(browser, server, color_scheme="light", **DESKTOP) as page:
        page.click("#tab-learn")
        expect(page.locator("#lessons li").first).to_be_visible()
        page.locator("#lessons button").nth(3).click()
        cell = page.evaluate("mineproof.learn.lessons[3].cell")
        Board(page).click((cell[0], cell[1]), wait=False)
        expect(page.locator("#lesson-answer")).to_contain_text("Right")
        page.locator(".proof li").last.hover()
        page.screenshot(path=path)


def take_race(browser: Browser, server: WebServer, path: Path) -> None:
    """Show four agents on the same board."""
    with open_page(browser, server, color_scheme="dark", **DESKTOP) as page:
        page.click("#tab-race")
        for place, name in enumerate(("basic", "sentences", "backtracking", "champion")):
            page.get_by_label(f"Agent {place + 1}", exact=True).select_option(name)
        page.select_option("#race-level", "expert")
        page.fill("#race-seed", "7")
        page.fill("#race-speed", "21")
        page.click("#race-start")
        expect(page.locator("#race-play")).to_have_text("Replay", timeout=60_000)
        rounds = int(page.get_attribute("#race-round", "max") or 0)
        page.fill("#race-round", str(min(rounds, 60)))
        expect(page.locator("#win")).to_contain_text("%")
        page.screenshot(path=path)


def take_analysis(browser: Browser, server: WebServer, path: Path) -> None:
    """Show a position pasted as text, with its best moves."""
    with open_page(browser, server, color_scheme="light", **DESKTOP) as page:
        page.click("#tab-analyse")
        page.fill("#position", POSITION)
        expect(page.locator("#message")).to_contain_text("Proved: ")
        until(page, "mineproof.boards.main.overlays.best?.length > 0")
        page.screenshot(path=path)


def take_phone(browser: Browser, server: WebServer, path: Path) -> None:
    """Show a game on a phone, with a hint."""
    options = {**PHONE, "device_scale_factor": 1.5}
    with open_page(browser, server, color_scheme="dark", **options) as page:
        board = Board(page)
        board.new_game(level="beginner", seed=7, start="opening")
        page.touchscreen.tap(*board.point((4, 4)))
        board.steps(1)
        page.tap("#hint")
        until(page, "mineproof.advice.hinted !== null")
        for _ in range(page.evaluate("mineproof.advice.hinted.stages.length") - 1):
            page.tap("#hint")
        expect(page.locator(".proof li").first).to_be_visible()
        page.evaluate("() => Promise.allSettled(document.getAnimations().map(one => one.finished))")
        page.screenshot(path=path)


def take_notebook(browser: Browser, _server: WebServer, path: Path) -> None:
    """Show a board in JupyterLab, with a proof."""
    code = """import mineproof

game = mineproof.Game("beginner", seed=7, first=(0, 0))
mineproof.show(game)"""
    with open_notebook(browser, Path(tempfile.mkdtemp()), code) as page:
        board = page.locator(".mineproof .board")
        board.locator("[role=gridcell]").first.wait_for(state="attached", timeout=60_000)
        page.get_by_role("button", name="Why?").click()
        board.click(position=middle(board, 2, 2))
        page.locator(".mineproof .proof li").last.hover()
        page.locator(".jp-CodeCell").first.screenshot(path=path)


PICTURES = {
    "notebook": take_notebook,
    "readme-light": partial(take_readme, "light"),
    "readme-dark": partial(take_readme, "dark"),
    "play": take_play,
    "heat": take_heat,
    "end": take_end,
    "learn": take_learn,
    "race": take_race,
    "analysis": take_analysis,
    "phone": take_phone,
}

if __name__ == "__main__":
    main(
        Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures",
        sys.argv[2:],
    )
