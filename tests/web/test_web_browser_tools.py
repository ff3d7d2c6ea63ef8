"""Beyond playing, in a real browser: races, analysis, timeline, sharing, rules."""

from __future__ import annotations

import re
from pathlib import Path

from browser_page import Board, open_page, until
from playwright.sync_api import Browser, Page, expect
from web_server import WebServer

import mineproof as mw

DESKTOP = {"width": 1280, "height": 800}
FIRST = (4, 4)


def test_a_race_in_step(page: Page) -> None:
    """Three agents on one board, with guesses and outcomes; it can be dragged back."""
    board = Board(page)
    board.group("race")
    page.select_option("[data-racer='0']", "random")
    page.select_option("[data-racer='1']", "sentences")
    page.select_option("[data-racer='2']", "exact")
    page.fill("#race-speed", "21")
    page.click("#race-start")
    badges = page.locator(".racer .badge")
    expect(badges).to_have_count(3)
    expect(page.locator("#race-play")).to_have_text("From the start")
    for place in range(3):
        expect(badges.nth(place)).to_have_text(re.compile("won|lost|stuck"))
    expect(page.locator(".racer").first).to_contain_text("guess")
    page.fill("#race-round", "0")
    expect(page.locator("#race-count")).to_have_text(re.compile("^0 of"))
    page.click("#race-back")
    expect(page.locator("#board")).to_be_visible()


def test_a_pasted_position_is_analysed(page: Page) -> None:
    """Layouts, proved cells, risks and best moves; what is drawn is analysed at once."""
    text = "5x3x4\n1H1HH\n1H3HH\n1HHHH\n"
    board = Board(page)
    board.group("analyse")
    page.fill("#position", text)
    page.click("#analyse")
    found = mw.analyse(text)
    facts = page.locator("#analysis-facts")
    expect(facts).to_contain_text(f"Layouts{found.layouts}")
    expect(facts).to_contain_text(f"Proved safe{len(found.safe)}")
    expect(page.locator("#analysis-moves li").first).to_contain_text("risk 0.0 %")
    drawn = Board(page, "analysis-board", "mineproof.analysis.board")
    page.get_by_role("radio", name="clue 2").click()
    drawn.click((0, 4))
    assert page.input_value("#position").split("\n")[1] == "1H1H2"
    expect(page.locator("#analysis-state")).to_contain_text(re.compile("Valid|contradiction"))


def test_a_contradiction_is_named(page: Page) -> None:
    """The clues that contradict each other are said and shown."""
    Board(page).group("analyse")
    page.fill("#position", "3x2x1\n2H0\nHHH\n")
    page.click("#analyse")
    state = page.locator("#analysis-state")
    expect(state).to_contain_text("the 2 at (0, 0) and the 0 at (0, 2)")
    assert page.evaluate("mineproof.analysis.board.overlays.conflict") == [[0, 0], [0, 2]]
    page.fill("#position", "3x2x1\n2H0\nHH\n")
    expect(state).to_contain_text("Line 3: expected 3 cells")


def test_a_deep_analysis_shows_progress_and_can_be_cancelled(page: Page) -> None:
    """While it runs the game goes on."""
    row, clues = "H" * 60, "H3" * 30
    text = "\n".join(["60x60x1200", *[row, clues] * 30, ""])
    board = Board(page)
    board.group("analyse")
    page.fill("#position", text)
    page.click("#analyse")
    expect(page.locator("#analysis-state")).to_contain_text("Counting layouts")
    page.evaluate("mineproof.app.command('open', { cell: [4, 4] })")
    until(page, "mineproof.app.view.step === 1")
    page.click("#analysis-cancel")
    expect(page.locator("#analysis-state")).to_have_text("Cancelled.")
    page.click("#analysis-back")


def test_going_back_in_time(page: Page) -> None:
    """Every move can be seen again, with verdicts; playing goes on at the last one."""
    board = Board(page)
    board.click(FIRST)
    for _ in range(3):
        page.keyboard.press("a")
        page.wait_for_load_state()
    until(page, "mineproof.app.view.step === 4")
    last = board.letters()
    board.group("time")
    page.fill("#step", "1")
    until(page, "mineproof.app.replay === 1")
    expected = mw.Game(mw.BEGINNER, 7, FIRST).observation.shown
    assert board.letters() == "".join("012345678H"[code] for code in expected)
    expect(page.locator("#step-note")).to_contain_text("Next: open")
    board.click((0, 0), wait=False)
    expect(page.locator("#message")).to_contain_text("earlier move")
    page.click("#review")
    expect(page.locator("#review-list li")).to_have_count(3)
    page.click("#step-last")
    board.wait_for(lambda letters: letters == last)


def test_a_game_goes_through_text_and_back(page: Page, tmp_path: Path) -> None:
    """The whole game as text and file, the position, the id and a picture."""
    board = Board(page)
    board.click(FIRST)
    page.keyboard.press("a")
    until(page, "mineproof.app.view.step === 2")
    played = board.letters()
    board.group("share")
    with page.expect_download() as saved:
        page.click("#save-record")
    path = tmp_path / "game.json"
    saved.value.save_as(path)
    with page.expect_download() as picture:
        page.click("#save-picture")
    assert picture.value.path().read_bytes().startswith(b"\x89PNG")
    page.click("#new")
    board.wait_for(lambda letters: set(letters) == {"H"})
    page.fill("#paste", path.read_text())
    page.click("#open-paste")
    board.wait_for(lambda letters: letters == played)
    page.click("#new")
    page.set_input_files("#file", path)
    board.wait_for(lambda letters: letters == played)
    page.fill("#paste", "9x9/10:s7:f4,4")
    page.click("#open-paste")
    until(page, "mineproof.app.view.step === 1")
    page.fill("#paste", "no such thing")
    page.click("#open-paste")
    expect(page.locator("#message")).to_contain_text("Expected")
    page.fill("#paste", "2x1x1\n1H\n")
    page.click("#open-paste")
    expect(page.locator("#analysis-facts")).to_contain_text("Layouts1")


def test_every_rule_can_be_chosen(page: Page) -> None:
    """The form gives the game it names; what cannot be is said."""
    board = Board(page)
    board.group("game")
    page.select_option("#level", "custom")
    page.fill("#rows", "12")
    page.fill("#columns", "14")
    page.fill("#mine-number", "0.25")
    page.select_option("#start", "opening")
    page.click("text=Rarer rules")
    page.select_option("#goal", "mark")
    page.select_option("#explosion", "continue")
    page.select_option("#clues", "withheld")
    page.fill("#withheld-share", "0.75")
    page.select_option("#mine-count", "unknown")
    page.fill("#seed", "123")
    page.click("text=Start")
    words = "12x14/42:opening:mark:continue:withheld-0.75:mines-unknown:s123"
    expect(page.locator("#game-id")).to_have_value(words)
    expect(page.locator("#mines")).to_have_text("?")
    page.fill("#mine-number", "999")
    page.click("text=Start")
    expect(page.locator("#message")).to_contain_text("Expected 0 to 167 mines")
    page.select_option("#goal", "open")
    page.select_option("#explosion", "lose")
    page.select_option("#clues", "exact")
    page.select_option("#mine-count", "known")
    page.select_option("#start", "")


def test_a_game_is_given_up_and_its_board_saved(page: Page) -> None:
    """The mines are a file only when the game has ended; opened again, they are the same."""
    board = Board(page)
    board.click(FIRST)
    board.group("share")
    page.click("#save-board")
    expect(page.locator("#message")).to_contain_text("when its game has ended")
    board.group("game")
    page.click("#give-up")
    expect(page.locator("#state")).to_contain_text("Given up")
    mines = page.evaluate("mineproof.app.view.end.mines")
    board.group("share")
    with page.expect_download() as saved:
        page.click("#save-board")
    path = saved.value.path()
    page.set_input_files(
        "#file",
        {"name": "b.mbf", "mimeType": "application/octet-stream", "buffer": path.read_bytes()},
    )
    until(page, "mineproof.app.view.step === 0")
    board.click(FIRST)
    board.group("game")
    page.click("#give-up")
    until(page, "mineproof.app.view.end !== null")
    assert page.evaluate("mineproof.app.view.end.mines") == mines


def test_coming_back_and_second_tabs(browser: Browser, server: WebServer) -> None:
    """A reload and a new tab after closing find the game; a second tab has its own."""
    with open_page(browser, server, viewport=DESKTOP) as page:
        board = Board(page)
        board.new_game(level="beginner", seed=11)
        board.click(FIRST)
        played = board.letters()
        page.reload()
        page.wait_for_selector("html[data-ready=yes]")
        board.wait_for(lambda letters: letters == played)
        with open_page(browser, server, viewport=DESKTOP) as other:
            assert Board(other).letters() != played
    with open_page(browser, server, viewport=DESKTOP) as page:
        Board(page).wait_for(lambda letters: letters == played)
