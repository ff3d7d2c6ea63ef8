"""Playing on the page in a real browser."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser_page import (
    DESKTOP,
    FIRST,
    PHONE,
    Board,
    Home,
    on_server,
    open_page,
    reload,
    safe_cells,
    solution,
    until,
)
from playwright.sync_api import Browser, Page, expect


@on_server
def test_what_matters_is_in_view_at_once(page: Page) -> None:
    """Without scrolling, a visitor sees four tabs, the levels and the column about the position."""
    expect(page.get_by_role("tab")).to_have_text(["Play", "Learn", "Analyse", "Race"])
    expect(page.locator(".levels .chip:visible")).to_have_text(
        ["Beginner", "Intermediate", "Expert", "Custom"]
    )
    for heading in ("Win chance", "Advice", "Moves", "Agent"):
        found = page.get_by_role("heading", name=heading, exact=True)
        expect(found).to_be_in_viewport()
    expect(page.locator("#message")).to_have_text("Open a cell to begin, 10 mines left.")
    expect(page.locator("#mines")).to_have_text("10")


def test_a_seeded_game_is_won_by_clicking(page: Page) -> None:
    """A player clicks every safe cell and wins. The result shows metrics, and 0 mines are left."""
    board, truth = Board(page), solution()
    board.click(FIRST)
    for cell in safe_cells(truth):
        if board.letter(cell) == "H":
            board.click(cell)
    expect(page.locator("#message")).to_have_text(re.compile(r"^Won after \d+ moves"))
    expect(page.locator("#result-title")).to_contain_text("Won in")
    expect(page.locator("#mines")).to_have_text("0")
    for figure in ("3BV", "3BV/s", "Efficiency"):
        expect(page.locator(f"[data-figure='{figure}']")).to_have_text(re.compile(r"\d"))
    expect(page.locator("[data-figure=Luck]")).not_to_have_text("…")
    expect(page.locator("[data-figure=Proved]")).to_have_text(re.compile(r"\d+ of \d+"))
    moves = page.inner_text("[data-figure=Moves]")
    assert page.locator("#move-list li").count() == int(moves) + 1
    assert board.letters().count("F") == 10  # a win flags every mine


def test_the_result_is_whole_after_a_reload(page: Page) -> None:
    """Luck, proved moves and the graph of win chances are shown again after a reload."""
    board, truth = Board(page), solution()
    board.click(FIRST)
    board.agent_moves(2)
    board.click(truth.grid.cell(truth.mine_indices[0]))
    expect(page.locator("#message")).to_have_text("Lost after 3 moves. You hit a mine.")
    assert page.inner_text("#mines") == str(10 - board.letters().count("F"))
    reload(page)
    expect(page.locator("#result-title")).to_contain_text("Lost in")
    expect(page.locator("[data-figure=Luck]")).not_to_have_text("…")
    expect(page.locator("#graph .wins")).to_have_attribute("d", re.compile("^M.*L"))


def test_a_game_is_lost_and_taken_back(page: Page) -> None:
    """Opening a mine ends the game and shows all mines. Undo resumes it and counts a death."""
    board, truth = Board(page), solution()
    board.click(FIRST)
    mine = truth.grid.cell(truth.mine_indices[0])
    wrong = next(cell for cell in safe_cells(truth) if board.letter(cell) == "H")
    board.mark(wrong)
    board.click(mine)
    expect(page.locator("#result")).to_be_visible()
    expect(page.locator("[data-figure='Wrong flags']")).to_have_text("1")
    assert board.letter(mine) == "M"
    assert board.letter(wrong) == "x"
    assert board.letters().count("m") == 9
    page.keyboard.press("u")
    expect(page.locator("#result")).to_be_hidden()
    assert board.letter(mine) == "H"
    assert page.evaluate("mineproof.app.view.deaths") == 1


@on_server
def test_marks_and_chords(page: Page) -> None:
    """A right click flags and unflags. A click on a satisfied number, or a middle click, chords."""
    board, truth = Board(page), solution()
    board.click(FIRST)
    clue, mines = next(found for found in board.clues_with_mines(truth) if found[1])
    for mine in mines:
        board.mark(mine)
    expect(page.locator("#mines")).to_have_text(str(10 - len(mines)))
    before = board.letters().count("H")
    for button in ("left", "middle"):
        board.click(clue, wait=False, button=button)
        board.wait_for(lambda letters: letters.count("H") < before)
        page.click("#undo")
        board.wait_for(lambda letters: letters.count("H") == before)


@on_server
def test_refusals_are_in_plain_words(page: Page) -> None:
    """An impossible move shows a message for players, which disappears after a while."""
    board, truth = Board(page), solution()
    board.click(FIRST)
    clue, mines = next(found for found in board.clues_with_mines(truth) if len(found[1]) == 1)
    board.click(clue, wait=False)
    expect(page.locator("#message")).to_have_text(
        "Too few flags around this number. Flag one more."
    )
    board.mark(mines[0])
    expect(page.locator("#message")).not_to_contain_text("Too few flags")
    page.click("#open-custom")
    page.fill("#rows", "")
    page.click("#custom-form [type=submit]")
    expect(page.locator("#custom-error")).to_have_text("Enter the number of rows.")
    page.fill("#rows", "9")
    page.fill("#columns", "9")
    page.fill("#mine-number", "999")
    page.click("#custom-form [type=submit]")
    expect(page.locator("#custom-error")).to_contain_text("The board has only 81 cells")


@on_server
@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_the_board_keeps_its_place(browser: Browser, home: Home, kind: str) -> None:
    """The board does not move during a game, even with hints, verdicts and long messages."""
    options: dict[str, Any] = PHONE if kind == "phone" else {"viewport": DESKTOP}
    with open_page(browser, home, **options) as page:
        board = Board(page)
        page.evaluate("mineproof.app.remember({ verdicts: true })")
        board.new_game("intermediate", 4, start="opening")
        board.stand_still()

        def place() -> Any:
            return [
                page.locator("#board").bounding_box(),
                page.evaluate("mineproof.boards.main.camera.size"),
            ]

        kept = place()
        counts = page.locator(".counts").bounding_box()
        assert counts is not None
        assert counts["y"] + counts["height"] <= kept[0]["y"]
        page.evaluate("mineproof.app.command('open', { cell: [8, 8] })")
        board.steps(1)
        for number in range(1, 60):
            if page.evaluate("mineproof.app.view.end !== null"):
                break
            if number % 7 == 1:
                page.evaluate("mineproof.advice.hint()")
                page.evaluate("mineproof.app.say('A long message. '.repeat(60), 'warn')")
                assert place() == kept, number
            page.evaluate("mineproof.agent.step()")
            assert place() == kept, number
            page.evaluate("() => new Promise(requestAnimationFrame)")
        page.evaluate("mineproof.app.command('stop')")
        expect(page.locator("#result")).not_to_have_attribute("hidden", "")
        assert place() == kept


@on_server
def test_rulers_name_rows_and_columns(page: Page) -> None:
    """Rows and columns are numbered from 0, as in all messages."""
    drawn = page.evaluate(
        """async () => {
          const drawn = [];
          const { fillText } = CanvasRenderingContext2D.prototype;
          CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
            if (this.canvas === mineproof.boards.main.canvas) drawn.push(text);
            return fillText.call(this, text, ...rest);
          };
          mineproof.boards.main.refresh();
          await new Promise(requestAnimationFrame);
          await new Promise(requestAnimationFrame);
          CanvasRenderingContext2D.prototype.fillText = fillText;
          return drawn;
        }"""
    )
    assert drawn[:18] == [str(n) for n in range(9)] * 2


@on_server
def test_pressing_is_seen_and_a_slip_counts(page: Page) -> None:
    """A held cell looks pressed, a hovered cell is lit, and a click may slip by 11 pixels."""
    board = Board(page)
    x, y = board.point(FIRST)
    assert page.evaluate("mineproof.boards.main.camera.size") == 52
    page.mouse.move(x - 8, y - 5)
    until(page, "mineproof.boards.main.hover !== null")
    assert page.evaluate("mineproof.boards.main.hover") == [*FIRST]
    page.mouse.down()
    until(page, "mineproof.boards.main.pressed.length === 1")
    page.mouse.move(x + 3, y - 3)
    page.mouse.up()
    board.steps(1)
    assert page.evaluate("mineproof.boards.main.pressed") == []


@on_server
@pytest.mark.parametrize("level", ["beginner", "intermediate", "expert"])
def test_a_level_is_one_click_and_opens_an_area(page: Page, level: str) -> None:
    """Each level button starts a game of that size, and the first click opens an area."""
    board = Board(page)
    for _ in range(4):
        page.click(f"[data-level={level}]")
        # Wait for the new game. The page's first game is also at step 0, but starts differently.
        until(page, "[mineproof.app.view].every((v) => !v.step && v.rules.start === 'opening')")
        rules = page.evaluate("mineproof.app.view.rules")
        board.click((rules["rows"] // 2, rules["columns"] // 2))
        assert board.letters().count("0") >= 1
        page.evaluate("mineproof.app.command('stop')")
        until(page, "mineproof.app.view.end !== null")
    expect(page.locator(f"[data-level={level}]")).to_have_class(re.compile(r"\bon\b"))


@on_server
def test_no_guess_is_offered_where_it_can_be_dealt(page: Page) -> None:
    """A switch for no-guess boards appears if the service offers them. It sets the start rule."""
    page.evaluate(
        "mineproof.app.hello.limits.no_guess = false; mineproof.app.tell('hello')",
    )
    expect(page.locator("#no-guess")).to_be_hidden()
    page.evaluate(
        "mineproof.app.hello.limits.no_guess = true; mineproof.app.tell('hello')",
    )
    page.check("#no-guess")
    sent = page.evaluate(
        """async () => {
          const { connection } = mineproof.app;
          const sent = [];
          connection.ask = (...asked) => {
            sent.push(asked);
            return new Promise(() => {});
          };
          document.querySelector('[data-level=expert]').click();
          await new Promise(requestAnimationFrame);
          delete connection.ask;
          return sent;
        }"""
    )
    assert sent[0][:2] == ["new", {"level": "expert", "start": "no-guess"}]


def test_a_running_game_is_not_dropped_unasked(page: Page) -> None:
    """The key N asks before leaving a game. A saved game is in the list and reopens unchanged."""
    board = Board(page)
    board.click(FIRST)
    played, key = board.letters(), page.evaluate("mineproof.app.view.key")
    page.keyboard.press("n")
    expect(page.locator("#confirm")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#confirm")).to_be_hidden()
    assert board.letters() == played
    page.keyboard.press("n")
    expect(page.locator("#confirm")).to_be_visible()
    # The browser reports late that a dialog was closed. By then, it is open again.
    page.locator("#confirm").dispatch_event("close")
    page.click("[data-answer=keep]")
    board.wait_for(lambda letters: set(letters) == {"H"})
    page.click("#open-games")
    kept = page.locator(f"#game-list [data-key='{key}']", has_text="in progress")
    kept.get_by_text("Resume").click()
    board.wait_for(lambda letters: letters == played)


@on_server
def test_pause_covers_the_board(page: Page) -> None:
    """The board is covered and gives no hints while the clock is stopped."""
    board = Board(page)
    page.keyboard.press("h")
    expect(page.locator("#message")).to_have_text("Your first click is always safe. Open any cell.")
    board.click(FIRST)
    before = board.letters()
    page.keyboard.press("p")
    expect(page.locator("#cover")).to_be_visible()
    expect(page.locator("#cover")).to_contain_text("Paused")
    page.keyboard.press("h")
    expect(page.locator("#message")).to_have_text("The game is paused. Press P to resume.")
    assert set(board.letters()) == {"H"}
    page.click("#resume")
    expect(page.locator("#cover")).to_be_hidden()
    board.wait_for(lambda letters: letters == before)


@on_server
def test_keyboard_alone(page: Page) -> None:
    """Games, hints, reasons and analyses work without a mouse. The grid announces its cells."""
    board = Board(page)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    grid = page.get_by_role("grid")
    expect(grid).to_be_focused()
    page.keyboard.press("ArrowUp")

    def heard() -> str:
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => done()))")
        name = grid.get_attribute("aria-activedescendant")
        return page.inner_text(f"#{name}")

    while not heard().startswith("row 4"):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    board.steps(1)
    expect(page.locator("#live")).to_contain_text("row 4, column 4: open")
    row, column = next((c.row, c.column) for c in solution().grid.cells() if board.letter(c) == "H")

    def go_to(row: int, column: int) -> None:
        for key, times in (("PageUp", 1), ("Home", 1), ("ArrowDown", row), ("ArrowRight", column)):
            for _ in range(times):
                page.keyboard.press(key)

    go_to(row, column)
    assert heard() == f"row {row}, column {column}: unopened"
    page.keyboard.press("f")
    expect(page.locator("#live")).to_have_text(f"row {row}, column {column}: flagged")
    page.keyboard.press("h")
    expect(page.locator("#message")).to_contain_text("Hint 1 of")
    page.keyboard.press("w")
    expect(page.locator("#advice-title")).to_contain_text(f"({row}, {column})")
    page.keyboard.press("f")
    until(page, "([r, c]) => mineproof.boards.main.grid.at(r, c) === 'H'", [row, column])
    for cell in safe_cells(solution()):
        if board.letter(cell) == "H":
            go_to(cell.row, cell.column)
            page.keyboard.press("Enter")
            until(page, "([r, c]) => mineproof.boards.main.grid.at(r, c) !== 'H'", [*cell])
    expect(page.locator("#result-title")).to_contain_text("Won in")
    page.focus("#tab-play")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-analyse")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#message")).to_contain_text("safe cells")
    page.locator("#board").focus()
    page.keyboard.press("3")
    until(page, "mineproof.boards.main.grid.letters.includes('3')")


HOLD_NEVER = """
() => {
  const { setTimeout } = window;
  window.setTimeout = (act, time) => setTimeout(act, time === 380 ? 2 ** 30 : time);
}
"""
"""Disables the long press: on a busy machine, touch events arrive late."""


@on_server
def test_a_phone_with_touch(browser: Browser, home: Home) -> None:
    """A tap opens, a long press or the switch flags, and fingers zoom and move a large board."""
    with open_page(browser, home, **PHONE) as page:
        board = Board(page)
        board.new_game(level="expert", seed=7)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.touchscreen.tap(*board.point((8, 15)))
        board.steps(1)
        touch = board.touch
        cell, other = [c for c in board.visible() if board.letter(c) == "H"][:2]
        touch("touchStart", [board.point(cell)])
        board.steps(2)
        touch("touchEnd", [])
        assert board.letter(cell) == "F"
        page.evaluate(HOLD_NEVER)
        page.tap("#tap-mark")
        page.touchscreen.tap(*board.point(other))
        board.steps(3)
        assert board.letter(other) == "F"
        size = page.evaluate("mineproof.boards.main.camera.size")
        touch("touchStart", [(150, 300), (200, 300)])
        touch("touchMove", [(100, 300), (250, 300)])
        touch("touchEnd", [])
        until(page, "s => mineproof.boards.main.camera.size > s * 1.5", size)
        before = page.evaluate("mineproof.boards.main.camera.x")
        touch("touchStart", [(300, 300)])
        touch("touchMove", [(220, 300)])
        touch("touchMove", [(160, 300)])
        touch("touchEnd", [])
        until(page, "x => mineproof.boards.main.camera.x < x - 50", before)
        assert page.evaluate("mineproof.app.view.step") == 3


@on_server
def test_double_zoom_and_large_screens(browser: Browser, home: Home) -> None:
    """At 200 % zoom, the last row of an expert board can be clicked. At 4K, cells are larger."""
    with open_page(browser, home, viewport={"width": 683, "height": 384}) as page:
        board = Board(page)
        board.new_game("expert", 7)
        page.locator("#board").scroll_into_view_if_needed()
        assert page.evaluate("mineproof.boards.main.whole")
        page.mouse.wheel(0, 200)
        until(page, "mineproof.boards.main.canvas.getBoundingClientRect().bottom <= innerHeight")
        board.click((15, 29))
        board.steps(1)
    with open_page(browser, home, viewport={"width": 3840, "height": 2160}) as page:
        board = Board(page)
        board.new_game("beginner", 7)
        assert board.stand_still()[2] > 100


@on_server
@pytest.mark.parametrize(("tab", "place"), [("Analyse", "#board"), ("Race", "#lanes")])
def test_every_tab_has_its_board_at_double_zoom(
    browser: Browser, home: Home, tab: str, place: str
) -> None:
    """At 200 %, the board stays visible on every tab."""
    with open_page(browser, home, viewport={"width": 683, "height": 384}) as page:
        page.get_by_role("tab", name=tab).click()
        if tab == "Race":
            page.get_by_role("button", name="Start race").first.click()
        expect(page.locator(place)).to_be_visible()
        height = "place => document.querySelector(place).getBoundingClientRect().height"
        until(page, f"place => ({height})(place) > 200", place)


@on_server
def test_a_large_board_draws_what_is_seen(page: Page) -> None:
    """A 100x100 board can be played, and the key 0 shows all of it."""
    board = Board(page)
    board.new_game(level="100x100/1500", seed=1)
    board.click((50, 50))
    assert page.evaluate("mineproof.boards.main.camera.size") >= 16
    page.keyboard.press("0")
    until(page, "mineproof.boards.main.camera.size <= 7")


@on_server
def test_what_is_drawn_is_what_is_hit(browser: Browser, home: Home) -> None:
    """After any zoom, on a screen with odd pixels, a click opens the cell under the pointer."""
    with open_page(browser, home, viewport=DESKTOP, device_scale_factor=1.5) as page:
        board = Board(page)
        board.new_game(level="60x90/1", seed=1)
        page.mouse.move(*board.point((30, 45)))
        page.keyboard.down("Control")
        for _ in range(7):
            page.mouse.wheel(0, -37)
        page.keyboard.up("Control")
        until(page, "mineproof.boards.main.camera.size > 17.5")
        size = page.evaluate("mineproof.boards.main.camera.size * 1.5")
        assert size == pytest.approx(round(size))
        page.evaluate("mineproof.boards.main.reveal([59, 89])")
        board.click((59, 89))
        assert page.evaluate("mineproof.app.view.last.cell") == [59, 89]
