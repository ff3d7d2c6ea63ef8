"""The page in a real browser, by clicking and looking."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from browser_page import Board, open_page, until
from conftest import Require
from playwright.sync_api import Browser, Page, expect
from web_server import WebServer

import mineproof as mw

STATIC = Path(mw.__file__).parent / "web" / "static"
DESKTOP = {"width": 1280, "height": 800}
FIRST = (4, 4)


def solution(rules: mw.Rules = mw.BEGINNER, seed: int = 7) -> mw.Board:
    """Give the mines of a game that began in the middle."""
    board = mw.Game(rules, seed, FIRST).board
    assert board is not None
    return board


def safe_cells(board: mw.Board) -> list[mw.Cell]:
    """List all cells without a mine."""
    return [cell for cell in board.grid.cells() if cell not in board.mines]


def test_the_first_screen_is_calm(page: Page) -> None:
    """A board, a status line, five buttons; the rest is folded away in named groups."""
    shown = page.locator("button:visible")
    assert shown.count() == 5
    assert page.locator("details[open]").count() == 0
    assert page.locator("aside > details > summary").count() == 10
    expect(page.locator("#state")).to_have_text("Open a cell to begin")
    expect(page.locator("#mines")).to_have_text("10")


def test_a_seeded_game_is_won_by_clicking(page: Page) -> None:
    """Every safe cell is clicked; the page says won, with the figures of the game."""
    board = Board(page)
    board.click(FIRST)
    for cell in safe_cells(solution()):
        if board.letter(cell) == "H":
            board.click(cell)
    expect(page.locator("#state")).to_contain_text("Won after")
    result = page.locator("#result")
    expect(result).to_contain_text("3BV")
    expect(result).to_contain_text("Efficiency")
    expect(page.locator("[data-figure='Luck it took']")).not_to_have_text("…")
    expect(page.locator("[data-figure='Proved moves']")).to_have_text(re.compile(r"\d+ of \d+"))
    assert board.letters().count("m") == 10


def test_a_game_is_lost_and_taken_back(page: Page) -> None:
    """A mine ends the game and all mines show; undo goes on and counts the death."""
    board, truth = Board(page), solution()
    board.click(FIRST)
    mine = truth.grid.cell(truth.mine_indices[0])
    wrong = next(cell for cell in safe_cells(truth) if board.letter(cell) == "H")
    board.mark(wrong)
    board.click(mine)
    expect(page.locator("#state")).to_contain_text("Lost")
    assert board.letter(mine) == "M"
    assert board.letter(wrong) == "x"
    assert board.letters().count("m") == 9
    page.click("#undo")
    expect(page.locator("#state")).to_contain_text("1 death")
    assert board.letter(mine) == "H"


def test_marks_and_chords(page: Page) -> None:
    """Right click marks and unmarks; a click on a satisfied number, or the middle one, chords."""
    board, truth = Board(page), solution()
    board.click(FIRST)
    clue, mines = next(found for found in board.clues_with_mines(truth) if found[1])
    for mine in mines:
        board.mark(mine)
    expect(page.locator("#mines")).to_have_text(str(10 - len(mines)))
    before = board.letters().count("H")
    board.click(clue, wait=False)
    until(page, "n => mineproof.app.board.grid.letters.filter(x => x === 'H').length < n", before)
    page.click("#undo")
    board.wait_for(lambda letters: letters.count("H") == before)
    board.click(clue, wait=False, button="middle")
    board.wait_for(lambda letters: letters.count("H") < before)
    page.click("#undo")
    board.wait_for(lambda letters: letters.count("H") == before)
    board.mark(mines[0])
    assert board.letter(mines[0]) == "H"
    board.click(clue, wait=False)
    expect(page.locator("#message")).to_contain_text("marks next to")


def test_hints_in_steps_and_why(page: Page) -> None:
    """Each press of Hint says more; the last names a cell, and Why names its clues."""
    board = Board(page)
    board.click(FIRST)
    page.click("#hint")
    expect(page.locator("#message")).to_contain_text("Hint 1 of")
    steps = int(page.inner_text("#message").split(" of ")[1].split(":")[0])
    for step in range(2, steps + 1):
        page.click("#hint")
        expect(page.locator("#message")).to_contain_text(f"Hint {step} of")
    target = page.evaluate("mineproof.app.board.overlays.targets[0]")
    assert tuple(target) not in solution().mines
    board.group("help")
    page.click("#why")
    board.click(target, wait=False)
    expect(page.locator("#message")).to_contain_text("safe")
    assert page.evaluate("mineproof.app.board.overlays.clues.length") >= 1
    page.click("#may-guess")
    expect(page.locator("#message")).to_contain_text("May I guess now? No")


def test_verdicts(page: Page) -> None:
    """A verdict follows each own move when it is switched on, and only then."""
    board, truth = Board(page), solution()
    board.click(FIRST)
    board.group("help")
    page.check("#verdicts")
    risk = mw.analyse(mw.Game(mw.BEGINNER, 7, FIRST).observation, moves=False).risk
    unproved = next(c for c in safe_cells(truth) if (risk[c.row][c.column] or 0) > 0)
    board.click(unproved)
    expect(page.locator("#message")).to_contain_text("was proved safe")


def test_heat_map_and_inference(page: Page) -> None:
    """Risks appear as colours, numbers and words on hover; proved cells get their signs."""
    board = Board(page)
    board.click(FIRST)
    board.group("know")
    page.check("#heat")
    until(page, "mineproof.app.board.overlays.risk != null")
    position = mw.Game(mw.BEGINNER, 7, FIRST).observation
    found = mw.analyse(position, moves=False)
    row, column = next(
        (r, c) for r in range(9) for c in range(9) if 0 < (found.risk[r][c] or 0) < 1
    )
    board.hover((row, column))
    words = f"row {row}, column {column}: risk {100 * found.risk[row][column]:.1f} %"  # type: ignore[operator]
    expect(page.locator("#tip")).to_have_text(words)
    expect(page.locator("#legend canvas")).to_be_visible()
    page.check("#inference")
    until(page, "mineproof.app.board.overlays.safe?.length > 0")
    safe = set(page.evaluate("mineproof.app.board.overlays.safe"))
    assert safe <= {cell.row * 9 + cell.column for cell in found.safe}
    expect(page.locator("#knowledge-next")).to_contain_text("Next step")
    page.uncheck("#heat")
    until(page, "mineproof.app.board.overlays.risk == null")
    page.uncheck("#inference")


def test_an_agents_own_knowledge(page: Page) -> None:
    """The sentences in play are listed."""
    board = Board(page)
    board.group("ai")
    page.select_option("#agent", "sentences")
    expect(page.locator("#agent-idea")).to_contain_text("subset rule")
    board.new_game(level="expert", seed=7)
    board.click((8, 15))
    board.group("know")
    expect(page.locator("#knowledge-lines li").first).to_contain_text("=")
    board.group("ai")
    page.select_option("#agent", "exact")


def test_ai_move_and_autoplay(page: Page) -> None:
    """One move with its reason; then a whole game, which stops at a guess if it is told to."""
    board = Board(page)
    board.group("ai")
    page.select_option("#agent", "exact")
    page.click("#ai-move")
    expect(page.locator("#message")).to_contain_text("Open (0, 0)")
    page.fill("#speed", "21")
    page.uncheck("#stop-guess")
    page.click("#autoplay")
    until(page, "mineproof.app.view.end !== null")
    expect(page.locator("#autoplay")).to_have_attribute("aria-pressed", "false")
    board.new_game(level="expert", seed=3)
    board.group("ai")
    page.select_option("#agent", "random")
    page.check("#stop-guess")
    board.click((8, 8))
    page.click("#autoplay")
    expect(page.locator("#message")).to_contain_text("Stopped before a guess")
    page.select_option("#agent", "exact")


def test_pause_hides_the_board(page: Page) -> None:
    """No thinking while the clock stands."""
    board = Board(page)
    board.click(FIRST)
    before = board.letters()
    page.click("#pause")
    expect(page.locator("#state")).to_have_text("Paused")
    assert set(board.letters()) == {"H"}
    page.click("#pause")
    board.wait_for(lambda letters: letters == before)


def test_scores_are_shown_exported_and_erased(page: Page) -> None:
    """A game that ended is counted."""
    board, truth = Board(page), solution()
    board.click(FIRST)
    board.click(truth.grid.cell(truth.mine_indices[0]))
    expect(page.locator("[data-figure='Luck it took']")).not_to_have_text("…")
    board.group("scores")
    expect(page.locator("#scores")).to_contain_text("Beginner")
    with page.expect_download() as saved:
        page.click("#export-scores")
    assert json.loads(saved.value.path().read_text())
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("#erase-scores")
    expect(page.locator("#scores")).to_contain_text("No games yet")


def test_keyboard_alone(page: Page) -> None:
    """From the first Tab to a marked cell, a hint and a new game without a mouse."""
    board = Board(page)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    for _ in range(6):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "board":
            break
    expect(page.locator("#board")).to_be_focused()
    page.keyboard.press("Enter")
    until(page, "mineproof.app.view.step === 1")
    expect(page.locator("#live")).to_contain_text("row 4, column 4: ")
    row, column = next((c.row, c.column) for c in solution().grid.cells() if board.letter(c) == "H")
    for key, times in (
        ("ArrowUp", 4),
        ("ArrowLeft", 4),
        ("ArrowDown", row),
        ("ArrowRight", column),
    ):
        for _ in range(times):
            page.keyboard.press(key)
    expect(page.locator("#live")).to_have_text(f"row {row}, column {column}: unopened")
    page.keyboard.press("f")
    expect(page.locator("#live")).to_have_text(f"row {row}, column {column}: marked")
    page.keyboard.press("h")
    expect(page.locator("#message")).to_contain_text("Hint 1")
    page.keyboard.press("w")
    expect(page.locator("#message")).to_contain_text(f"({row}, {column})")
    page.keyboard.press("u")
    until(page, "mineproof.app.view.step === 1")
    page.focus("#hint")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#board")).to_be_focused()
    page.keyboard.press("n")
    until(page, "mineproof.app.view.step === 0")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#group-game")).to_have_attribute("open", "")


def test_a_phone_with_touch(browser: Browser, server: WebServer) -> None:
    """Tap opens, a long press marks, two fingers zoom, one finger moves a large board."""
    phone: dict[str, Any] = {
        "viewport": {"width": 390, "height": 844},
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 2,
    }
    with open_page(browser, server, **phone) as page:
        board = Board(page)
        board.new_game(level="expert", seed=7)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        x, y = board.point((8, 15))
        page.touchscreen.tap(x, y)
        until(page, "mineproof.app.view.step === 1")
        touch = board.touch
        cell = next(c for c in board.visible() if board.letter(c) == "H")
        at = board.point(cell)
        touch("touchStart", [at])
        until(page, "mineproof.app.view.moves === 1")
        touch("touchEnd", [])
        assert board.letter(cell) == "F"
        size = page.evaluate("mineproof.app.board.camera.size")
        touch("touchStart", [(150, 300), (200, 300)])
        touch("touchMove", [(100, 300), (250, 300)])
        touch("touchEnd", [])
        until(page, "s => mineproof.app.board.camera.size > s * 1.5", size)
        before = page.evaluate("mineproof.app.board.camera.x")
        touch("touchStart", [(300, 300)])
        touch("touchMove", [(260, 300)])
        touch("touchMove", [(200, 300)])
        touch("touchEnd", [])
        until(page, "x => mineproof.app.board.camera.x < x - 50", before)
        assert page.evaluate("mineproof.app.view.step") == 2


def test_light_dark_and_reduced_motion(browser: Browser, server: WebServer) -> None:
    """The system's wish is followed, a choice wins and is remembered."""
    with open_page(
        browser, server, viewport=DESKTOP, color_scheme="dark", reduced_motion="reduce"
    ) as page:
        expect(page.locator("html")).to_have_attribute("data-theme", "dark")
        moving = "getComputedStyle(document.querySelector('summary'), '::after').transitionDuration"
        assert page.evaluate(moving) in ("0s", "0s, 0s") or page.evaluate(moving).startswith("0")
        Board(page).group("look")
        page.select_option("#theme", "light")
        expect(page.locator("html")).to_have_attribute("data-theme", "light")
        page.reload()
        page.wait_for_selector("html[data-ready=yes]")
        expect(page.locator("html")).to_have_attribute("data-theme", "light")
        Board(page).group("look")
        page.select_option("#theme", "")


def test_nothing_comes_from_elsewhere(browser: Browser, server: WebServer) -> None:
    """All files are the server's own, and small."""
    with open_page(browser, server, viewport=DESKTOP) as page:
        seen: list[str] = []
        page.on("request", lambda request: seen.append(request.url))
        page.reload()
        page.wait_for_selector("html[data-ready=yes]")
    assert len(seen) > 5
    assert all(url.startswith(server.address) for url in seen), seen
    assert sum(path.stat().st_size for path in STATIC.rglob("*") if path.is_file()) < 300_000


def test_a_large_board_draws_what_is_seen(page: Page) -> None:
    """A board of 100 x 100 can be played, and only cells in the window are drawn."""
    board = Board(page)
    board.new_game(level="100x100/1500", seed=1)
    board.click((50, 50))
    size = page.evaluate("mineproof.app.board.camera.size")
    assert size >= 16
    page.keyboard.press("0")
    until(page, "mineproof.app.board.camera.size <= 7")


def test_what_is_drawn_is_what_is_hit(browser: Browser, server: WebServer) -> None:
    """After any zoom, on a screen with odd pixels, a click opens the cell that is seen there."""
    with open_page(browser, server, viewport=DESKTOP, device_scale_factor=1.5) as page:
        board = Board(page)
        board.new_game(level="60x90/1", seed=1)
        page.mouse.move(*board.point((30, 45)))
        for _ in range(7):
            page.mouse.wheel(0, -37)
        until(page, "mineproof.app.board.camera.size > 17.5")
        size = page.evaluate("mineproof.app.board.camera.size * 1.5")
        assert size == pytest.approx(round(size))
        page.evaluate("mineproof.app.board.reveal([59, 89])")
        board.click((59, 89))
        assert page.evaluate("mineproof.app.view.last.cell") == [59, 89]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(
    browser: Browser, server: WebServer, axe: str, scheme: str, require: Require
) -> None:
    """axe-core finds nothing on the main screens."""
    with open_page(browser, server, viewport=DESKTOP, color_scheme=scheme) as page:
        board = Board(page)
        page.evaluate(axe)
        # The dark page is the same but for its colours.
        rules = {"runOnly": ["color-contrast"]} if scheme == "dark" else {}

        def check(where: str) -> None:
            found = page.evaluate("rules => axe.run(rules)", rules)["violations"]
            words = [(f["id"], [node["target"] for node in f["nodes"]]) for f in found]
            assert not words, (where, words)

        board.new_game(level="beginner", seed=7)
        check("the first screen")
        page.evaluate(
            "() => document.querySelectorAll('details').forEach(group => {"
            "  group.removeAttribute('name'); group.open = true; })"
        )
        check("all groups")
        board.click(FIRST)
        truth = solution()
        board.click(truth.grid.cell(truth.mine_indices[0]))
        check("the end")
        page.evaluate("mineproof.app.onPosition('3x2x1\\n2H0\\nHHH\\n')")
        expect(page.locator("#analysis-state")).to_contain_text("contradiction")
        check("the analysis")
        page.fill("#race-speed", "21")
        page.click("#race-start")
        expect(page.locator("#race-play")).to_have_text("From the start")
        check("the race")
