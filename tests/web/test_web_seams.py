"""Seams of the page: nothing overlaps or is cut off, and keys follow the mouse."""

from __future__ import annotations

import re
import signal
from contextlib import ExitStack
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import replay_files
from browser_page import (
    DESKTOP,
    FIRST,
    PHONE,
    Board,
    Home,
    new_page,
    on_server,
    open_page,
    reload,
    safe_cells,
    solution,
    until,
)
from conftest import import_extra
from playwright.sync_api import Browser, Page, expect
from web_server import web_server

import mineproof as mw

STATIC = Path(__file__).parents[2] / "src" / "mineproof" / "web" / "static"
WIDTHS = (360, 390, 480, 600, 683, 740, 768, 820, 900, 1024, 1093, 1200, 1366, 1920, 3840)
CLASHES = """
() => {
  const found = [];
  const kinds = 'header button, .tools :is(button, label, .figure, strong)';
  const controls = [...document.querySelectorAll(kinds)].filter((one) => one.checkVisibility());
  const boxes = controls.map(
    (one) => [one.id || one.textContent.trim(), one.getBoundingClientRect(), one]);
  boxes.forEach(([name, a, one], i) => {
    if (a.left < -1 || a.right > innerWidth + 1) found.push(`${name} is outside`);
    const cut = one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 2;
    if (cut) found.push(`${name} is cut off`);
    for (const [other, b] of boxes.slice(i + 1)) {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 2 && high > 2) found.push(`${name} overlaps ${other}`);
    }
  });
  return found;
}
"""


REPLAYED = """
() => {
  Object.assign(globalThis, { places: new Set(), steps: new Set() });
  const { app } = mineproof;
  app.on('position', () => app.position.source === 'past' && steps.add(app.position.fields.at));
  const pointer = document.getElementById('pointer');
  const note = () => pointer.style.display === 'block' && places.add(pointer.style.left);
  new MutationObserver(note).observe(pointer, { attributes: true });
}
"""
"""Script that records the steps and the pointer's positions while a short replay runs."""


@on_server
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_control_overlaps_or_is_cut_off(browser: Browser, home: Home, scheme: Any) -> None:
    """At every width, in every tab, the header and the toolbar have room."""
    with open_page(browser, home, viewport=DESKTOP, color_scheme=scheme) as page:
        for part in ("tab-play", "tab-learn", "tab-analyse", "tab-race", "race-series"):
            page.click(f"#{part}")
            for width, large in product(WIDTHS, (False, True)):
                page.evaluate("large => mineproof.app.remember({ large })", large)
                page.set_viewport_size({"width": width, "height": max(768, width * 9 // 16)})
                assert page.evaluate(CLASHES) == [], (part, width, large)


def test_keys_follow_the_mouse_and_words_are_true(page: Page) -> None:
    """A click focuses the board, dialogs can be cancelled, and only proved cells look safe."""
    board = Board(page)
    page.click("[data-level=beginner]")
    board.new_game("beginner", 7)
    board.click(FIRST)
    expect(page.locator("#board")).to_be_focused()
    found = mw.analyse(mw.Game(mw.BEGINNER, 7, FIRST).observation, moves=False)
    page.mouse.move(5, 5)
    page.locator("#board").blur()
    page.keyboard.press("w")  # the mouse is not on the board: the next click asks
    expect(page.locator("#why")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    unknown = next(
        cell
        for cell in solution().grid.cells()
        if 0 < (found.risk[cell.row][cell.column] or 0) < 1 and board.letter(cell) == "H"
    )
    page.click("#why")
    board.click((unknown.row, unknown.column), wait=False)
    until(page, "mineproof.boards.main.overlays.asked?.length === 1")
    assert board.marks("targets") == []
    page.keyboard.press("f")  # the cell under the mouse, not the cursor's
    until(page, "([r, c]) => mineproof.boards.main.grid.at(r, c) === 'F'", [*unknown])
    page.keyboard.press("n")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#confirm")).to_be_hidden()
    page.click("#open-custom")
    for name, value in {"rows": "5", "columns": "5", "mine-number": "40"}.items():
        page.fill(f"#{name}", value)
    page.locator("#custom-form .main").click()
    expect(page.locator("#custom-error")).to_contain_text("These mines do not fit")
    expect(page.locator("#confirm")).to_be_hidden()
    page.keyboard.press("Escape")
    page.click("#no-guess-label")
    expect(page.locator("#message")).to_contain_text("never needs a guess")
    page.click("#tab-learn")
    expect(page.locator("#lessons button").first).to_have_text("0. The rules")
    expect(page.locator("#lesson-text")).to_contain_text("how many of its neighbours")
    expect(page.locator("#mines")).to_be_visible()
    expect(page.locator("#mines")).to_have_text(re.compile(r"^\d+$"))
    expect(page.locator("#clock")).to_be_hidden()


def test_a_finished_lane_is_not_analysed(page: Page) -> None:
    """A lane whose game is over shows no win chance and no risks, and gives no hint."""
    page.click("#tab-race")
    page.evaluate("mineproof.app.remember({ 'risks-race': true })")
    page.fill("#race-seed", "5")
    page.fill("#race-speed", "21")
    page.click("#race-start")
    expect(page.locator("#race-play")).to_have_text("Replay")
    until(page, "mineproof.app.position.over")
    expect(page.locator("#win")).to_have_text("\N{EN DASH}")
    expect(page.locator("#win-note")).to_have_text("this game is over")
    assert page.evaluate("mineproof.boards.current.overlays.risk ?? null") is None
    page.keyboard.press("h")
    expect(page.locator("#message")).to_contain_text("This game is over")


@on_server
def test_explained_cells_stay_above_the_sheet(browser: Browser, home: Home) -> None:
    """On a phone, the Why button scrolls the board until the cells it names are visible.

    A tap closes the sheet.
    """
    with open_page(browser, home, **PHONE) as page:
        board = Board(page)
        board.new_game("expert", 7, start="opening")
        page.evaluate("mineproof.app.command('open', { cell: [8, 15] })")
        board.steps(1)
        cell = (12, 16)
        page.evaluate("cell => mineproof.advice.why(cell)", [*cell])
        until(page, "document.getElementById('column').dataset.open === 'yes'")
        _, _, size = board.stand_still()
        sheet = page.evaluate("innerHeight * 0.54")
        for row, column in [cell, *board.marks("clues")]:
            assert board.point((row, column))[1] + size / 2 <= sheet + 1
        seen = next(one for one in board.visible() if board.letter(one) == "H")
        page.touchscreen.tap(*board.point(seen))
        until(page, "document.getElementById('column').dataset.open === 'no'")


@pytest.mark.parametrize(("where", "end"), [("server", "key"), ("server", "tab"), ("site", "cell")])
def test_a_first_visit_shows_a_proof_and_then_a_game_without_guesses(
    browser: Browser, tmp_path: Path, request: pytest.FixtureRequest, where: str, end: str
) -> None:
    """The demonstration highlights a proof. Any key, tab or cell ends it for good."""
    with ExitStack() as stack:
        own = stack.enter_context(web_server(tmp_path)) if where == "server" else None
        fresh: Home = own or request.getfixturevalue("site")
        still: Any = {"viewport": DESKTOP, "reduced_motion": "reduce"}
        context = browser.new_context(**still)
        page = new_page(context)
        page.goto(fresh.address)
        expect(page.locator("#welcome")).to_contain_text("Minesweeper that explains every move")
        expect(page.locator("#advice-title")).to_contain_text("is safe")
        assert len(Board(page).marks("numbers")) >= 2
        until(page, "(mineproof.boards.main.overlays.risk ?? []).some((one) => one > 0)")
        expect(page.locator("#demo-play")).to_be_in_viewport()
        if end == "key":
            page.keyboard.press("Escape")
        elif end == "tab":
            page.click("#tab-learn")
            page.click("#tab-play")
        else:
            Board(page).click((2, 25), wait=False)
        until(page, "mineproof.app.view.rules.start === 'no-guess'")
        assert page.evaluate("mineproof.app.view.step") == 0  # the click opened nothing
        expect(page.locator("#welcome")).to_be_hidden()
        expect(page.locator("#no-guess")).to_be_checked()
        until(page, "mineproof.app.settings.visited === true")
        reload(page)
        expect(page.locator("#welcome")).to_be_hidden()
        expect(page.locator("#no-guess")).to_be_checked()  # the next game needs no guess either
        page.click("[data-level=expert]")
        until(page, "mineproof.app.view.rules.start === 'opening'")  # only the first level
        context.close()


SLOW = """
{
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    if (!text.includes('"do":"race"')) send.call(this, text);
  };
}
"""
"""Keeps the moves of the demonstration from the page."""


@pytest.mark.parametrize("where", ["server", "site"])
@pytest.mark.parametrize("chosen", ["level", "cell"])
def test_an_early_choice_on_a_first_visit_counts(
    browser: Browser, tmp_path: Path, request: pytest.FixtureRequest, where: str, chosen: str
) -> None:
    """A level or a cell that is chosen before the demonstration is in view replaces it."""
    with ExitStack() as stack:
        own = stack.enter_context(web_server(tmp_path)) if where == "server" else None
        fresh: Home = own or request.getfixturevalue("site")
        options: dict[str, Any] = {"viewport": DESKTOP, "service_workers": "block"}
        context = browser.new_context(**options)
        page = new_page(context)
        page.add_init_script(SLOW)
        page.goto(fresh.address)
        page.wait_for_selector("html[data-ready]")
        if chosen == "level":
            page.click("[data-level=expert]")
            until(page, "mineproof.app.view.rules.columns === 30")
            expect(page.locator("#no-guess")).not_to_be_checked()
        else:
            Board(page).click(FIRST)
            assert page.evaluate("mineproof.app.view.rules.start") == "no-guess"
        assert page.evaluate("[mineproof.app.settings.visited, mineproof.demo.on]") == [True, False]
        page.wait_for_selector("html[data-ready=yes]")
        page.wait_for_timeout(200)
        assert page.evaluate("mineproof.app.position.source") == "game"
        context.close()


@on_server
def test_a_win_looks_like_one_and_terms_explain_themselves(page: Page) -> None:
    """All mines are flagged after a win, and a figure says what it means."""
    board = Board(page)
    board.click(FIRST)
    for cell in safe_cells(solution()):
        if board.letter((cell.row, cell.column)) == "H":
            board.click((cell.row, cell.column))
    until(page, "mineproof.app.view.end?.result === 'win'")
    shine = "getComputedStyle(document.querySelector('#board'), '::after').animationName"
    assert page.evaluate(shine) == "shimmer"
    board.wait_for(lambda letters: letters.count("F") == 10 and "m" not in letters)
    page.locator("[data-term=Luck]").focus()
    expect(page.locator("#term")).to_contain_text("all your guesses")


COPIED = """
navigator.clipboard.writeText = (text) => {
  globalThis.copied = text;
  return Promise.resolve();
};
"""


def test_the_daily_board_has_a_result_to_share(page: Page) -> None:
    """Its seed is the date, with and without guesses. The result can be copied as text."""
    today = datetime.now(UTC)
    dealt = "([seed, start]) => mineproof.app.view.seed === seed && mineproof.app.view.step === 1"
    dealt += " && mineproof.app.view.rules.start.startsWith(start)"
    page.evaluate("mineproof.app.remember({ askFirst: false })")
    for start in ("opening", "no-guess"):
        page.click("#open-custom")
        page.click("#daily")
        until(page, dealt, [f"{today:%Y%m%d}", start])
        page.evaluate(COPIED)
        page.evaluate("mineproof.app.command('stop')")
        page.click("#copy-result")
        until(page, "globalThis.copied !== undefined")
        text = page.evaluate("globalThis.copied")
        assert text.startswith(f"Mineproof daily board {today:%Y-%m-%d}, Intermediate")
        assert f":s{today:%Y%m%d}:" in text
        page.evaluate("delete globalThis.copied")
        page.click("#no-guess-label")


def test_the_daily_board_settings_best_times_and_a_replay(page: Page) -> None:
    """The daily board is the same for all, a fast win is a new best, and chords can be off."""
    page.click("#open-custom")
    page.click("#daily")
    today = datetime.now(UTC).strftime("%Y%m%d")
    until(page, "seed => mineproof.app.view.seed === seed && mineproof.app.view.step === 1", today)
    assert page.evaluate("mineproof.app.view.rules.rows") == 16
    board = Board(page)
    board.new_game(level="beginner", seed=7, start="opening")
    page.evaluate("mineproof.app.remember({ chording: false, flagWins: false })")
    board.click(FIRST)
    truth = solution(mw.Rules(9, 9, 10, start="opening"))
    clue, mines = next(iter(board.clues_with_mines(truth)))
    for mine in mines:
        board.mark((mine.row, mine.column))
    before = page.evaluate("mineproof.app.view.step")
    board.click((clue.row, clue.column), wait=False)
    for cell in safe_cells(truth):
        if board.letter((cell.row, cell.column)) == "H":
            board.click((cell.row, cell.column))
    until(page, "mineproof.app.view.end?.result === 'win'")
    assert page.evaluate("mineproof.moves.entries.every(({ action }) => action !== 'chord')")
    assert page.evaluate("mineproof.app.view.step") > before
    board.wait_for(lambda letters: "m" in letters)
    expect(page.locator("#result-title")).to_contain_text("new best")
    page.evaluate(REPLAYED)
    page.click("#replay")
    until(page, "globalThis.places.size > 2 && mineproof.app.position.source === 'game'")
    assert page.evaluate("globalThis.steps.size") >= 1
    expect(page.locator("#replay")).to_have_text("Replay")
    expect(page.locator("#pointer")).to_be_hidden()
    until(page, "mineproof.app.ask('statistics').then(({ count }) => count > 0)")
    page.click("#open-games")
    page.click("#games-tab-numbers")
    expect(page.locator(".best-times")).to_contain_text("Beginner")


@on_server
def test_playing_on_from_a_position(page: Page) -> None:
    """Play on suggests the best move, takes what the cell shows, and suggests the next one."""
    page.click("#tab-analyse")
    page.fill("#position", "4x1x1\nH1HH\n")
    page.click("#play-on")
    expect(page.locator("#message")).to_contain_text("Open (0, 3): it is safe.")
    page.keyboard.press("1")
    expect(page.locator("#position")).to_have_value("4x1x1\nH1H1\n")
    expect(page.locator("#message")).to_contain_text("Open (0, 0): it is safe.")
    page.click("#brushes [data-brush='0']")
    expect(page.locator("#position")).to_have_value("4x1x1\n01H1\n")


@on_server
def test_question_marks_are_notes_of_the_page_only(page: Page) -> None:
    """Marking cycles through flag and question mark, which the service never receives."""
    board = Board(page)
    page.click("#open-settings")
    page.check("#question-marks")
    page.keyboard.press("Escape")
    board.click(FIRST)
    one = (found for found in board.clues_with_mines(solution()) if len(found[1]) == 1)
    clue, [mine] = next(one)
    cell = mine.row, mine.column
    drawn = "([r, c]) => mineproof.boards.main.grid.drawn(r * 9 + c)"
    steps = []
    for letter in ("F", "?", "H", "F", "?"):
        page.mouse.click(*board.point(cell), button="right")
        until(page, f"([cell, letter]) => ({drawn})(cell) === letter", [[*cell], letter])
        steps.append(page.evaluate("mineproof.app.view.step"))
    assert steps == [2, 3, 3, 4, 5]
    assert "?" not in "".join(page.evaluate("mineproof.app.view.cells"))
    board.click((clue.row, clue.column), wait=False)  # no chord: its flag is missing
    reload(page)
    assert page.evaluate("mineproof.app.view.step") == 5
    assert page.evaluate(drawn, [*cell]) == "?"
    page.evaluate("mineproof.app.command('restart')")
    until(page, "mineproof.app.view.steps === 1")
    assert page.evaluate(drawn, [*cell]) == "H"


@on_server
def test_the_clock_stands_still_while_the_game_is_out_of_sight(page: Page) -> None:
    """Another tab of the page or a dialog stops the clock, also for what is stored."""
    Board(page).click(FIRST)
    until(page, "mineproof.app.view.clock_runs")
    page.click("#tab-analyse")
    until(page, "!mineproof.app.view.clock_runs")
    page.click("#tab-play")
    until(page, "mineproof.app.view.clock_runs")
    page.click("#open-help")
    until(page, "!mineproof.app.view.clock_runs")
    seconds = page.evaluate("mineproof.app.view.seconds")
    page.evaluate("() => new Promise((done) => setTimeout(done, 300))")
    view = page.evaluate("mineproof.app.ask('agent', { name: 'champion' }).then((a) => a.view)")
    assert view["seconds"] == seconds  # the service's own clock, which is stored
    assert view["state"] == "playing"
    page.keyboard.press("Escape")
    until(page, "mineproof.app.view.clock_runs")
    expect(page.locator("#advice-title")).to_have_text("Advice")


@on_server
def test_a_review_of_a_chord_names_the_chord_and_its_wrong_flag(page: Page) -> None:
    """Without a word that the open number was a mine, which would be false."""
    board, truth = Board(page), solution()
    board.click(FIRST)
    letters = board.letters()
    seen = mw.Game(mw.BEGINNER, 7, FIRST).observation
    safe = mw.analyse(seen, moves=False).safe
    near = truth.grid.neighbours
    for clue in (i for i, letter in enumerate(letters) if letter == "1"):
        closed = [i for i in near(clue) if letters[i] == "H"]
        wrong = [i for i in closed if truth.grid.cell(i) in safe]
        if wrong and any(truth.mined[i] for i in closed):
            break
    flag, number = truth.grid.cell(wrong[0]), truth.grid.cell(clue)
    board.mark((flag.row, flag.column))
    board.click((number.row, number.column), wait=False)
    until(page, "mineproof.app.view.end !== null")
    page.click("#review-risks")
    expect(page.locator(".mistake")).to_contain_text(
        f"You chorded ({number.row}, {number.column}). "
        f"The chord with a wrong flag on ({flag.row}, {flag.column})"
    )


@on_server
def test_a_small_window_keeps_the_moves_and_the_controls_of_a_replay(page: Page) -> None:
    """The list has a useful height, a replay can be stopped, and the clock follows it."""
    page.set_viewport_size({"width": 1024, "height": 768})
    board, truth = Board(page), solution()
    board.click(FIRST)
    safe = [cell for cell in safe_cells(truth) if board.letter((cell.row, cell.column)) == "H"]
    board.mark((safe[0].row, safe[0].column))
    page.keyboard.press("Control+z")
    until(page, "mineproof.app.view.step === 1")
    for cell in safe:
        if board.letter((cell.row, cell.column)) == "H":
            board.click((cell.row, cell.column))
    until(page, "mineproof.app.view.end?.result === 'win'")
    expect(page.locator("#result-title")).to_contain_text("with help (not counted)")
    box = page.locator("#move-list").bounding_box()
    assert box is not None
    assert box["height"] > 100
    page.select_option("#replay-speed", "0.5")
    page.click("#replay")
    until(page, "mineproof.app.replayed > 0")
    expect(page.locator("#replay")).to_be_in_viewport(ratio=0.9)
    until(page, "mineproof.dom.element('clock').textContent === '0:00'")
    page.click("#replay")
    until(page, "mineproof.app.replayed === null")
    page.click("#open-games")
    row = page.locator("#game-list li", has_text="In view")
    expect(row).to_contain_text("with help (not counted)")


@on_server
def test_a_contradiction_fits_the_panel_of_a_small_window(page: Page) -> None:
    """The buttons next to its title wrap; nothing is cut off to the right."""
    page.set_viewport_size({"width": 1024, "height": 768})
    page.click("#tab-analyse")
    page.fill("#position", "9x3x3\nHHHHHHHHH\n01H35HHHH\n000HHHHHH\n")
    expect(page.locator("#advice-title")).to_have_text("Contradiction")
    widths = "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])"
    scroll, client = page.evaluate(f"{widths}(document.getElementById('sections'))")
    assert scroll == client


@on_server
def test_an_opened_replay_keeps_its_time(page: Page) -> None:
    """The result, the speed and the list of games show the time of the player's replay."""
    import_extra("ms_toollib")
    clicks = ((0.0, "l", 0, 2), (0.5, "r", 1, 0), (1.25, "b", 1, 1), (2.5, "l", 3, 0))
    replay = replay_files.rmv(4, 4, (4, 15), clicks)
    page.click("#open-games")
    page.click("#games-tab-share")
    page.set_input_files("#file", {"name": "good.rmv", "mimeType": "", "buffer": replay})
    expect(page.locator("#result-title")).to_contain_text("Won in 2.5\N{NO-BREAK SPACE}s")
    expect(page.locator("[data-figure='3BV/s']")).to_have_text(re.compile(r"^\d+\.\d\d$"))
    page.click("#open-games")
    expect(page.locator("#game-list li", has_text="In view")).to_contain_text("2.5")
    page.click("#games-tab-share")
    expect(page.locator("#give-up")).to_be_disabled()  # the game has ended


RINGED = """
() => {
  globalThis.ringed = [0, 0];
  const look = () => {
    const { grid, overlays } = mineproof.boards.main;
    const rings = overlays.best ?? [];
    for (const { cell } of rings) ringed['HF'.includes(grid.at(...cell)) ? 0 : 1] += 1;
    requestAnimationFrame(look);
  };
  look();
}
"""
"""Script that counts the frames' rings around unopened cells, and those around open ones."""


@on_server
def test_rings_around_best_moves_are_on_unopened_cells(page: Page) -> None:
    """Also while an agent plays as fast as possible."""
    page.click("#best")
    page.click("#agent-more summary")
    page.fill("#speed", "21")
    page.uncheck("#stop-guess")
    Board(page).new_game("intermediate", 7, start="opening")
    page.evaluate(RINGED)
    Board(page).click((8, 8))
    until(page, "globalThis.ringed[0] > 0")
    page.click("#agent-play")
    expect(page.locator("#agent-play")).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("mineproof.app.view.step") > 5
    assert page.evaluate("globalThis.ringed[1]") == 0


ABOVE = """
((main) => {
  const { x, y } = main.point([0, 1]);
  const [ratio, size] = [devicePixelRatio, main.camera.size];
  const [across, down] = [x + 0.42 * size, y - size / 2 - 2].map((one) => Math.round(one * ratio));
  return [...main.context.getImageData(across, down, 1, 1).data];
})(mineproof.boards.main)
"""
"""Script that returns the colour two pixels above the right part of cell (0, 1)."""


@on_server
def test_a_badge_stands_out_from_the_first_row(page: Page) -> None:
    """The ruler above the board cuts nothing off the number of a step on a clue of row 0."""
    page.click("#tab-learn")
    expect(page.locator("#lesson-heading")).to_contain_text("The rules")
    Board(page).stand_still()
    plain = page.evaluate(ABOVE)
    page.evaluate(
        "mineproof.boards.highlights.set('lit', { numbers: [{ cell: [0, 1], number: 1 }] })"
    )
    until(page, f"plain => `${{{ABOVE}}}` !== `${{plain}}`", plain)


TYPED = """
(texts) => {
  const field = document.getElementById('position');
  for (field.value of texts) field.dispatchEvent(new Event('input'));
}
"""
"""Script that types texts one right after another, before any answer can arrive."""


@on_server
def test_the_editor_undoes_and_forgets_what_it_cannot_read(page: Page) -> None:
    """Ctrl+Z undoes a drawing. A text that cannot be read leaves no win chance and no rings."""
    page.click("#tab-analyse")
    page.fill("#position", "4x1x1\nH1HH\n")
    expect(page.locator("#win")).to_contain_text("%")
    expect(page.locator("#legend")).to_contain_text("● proved safe, ◆ proved mine")
    page.fill("#position", "4x1x1\nH1\n")
    expect(page.locator("#win")).to_have_text("\N{EN DASH}")
    expect(page.locator("#position-fault")).not_to_be_empty()
    assert not Board(page).marks("best")
    page.evaluate(TYPED, ["4x1x1\nHH1H\n", "4x1x1\nH1\n"])
    page.wait_for_timeout(1000)  # the answer about the first text arrives
    expect(page.locator("#win")).to_have_text("\N{EN DASH}")
    assert not Board(page).marks("best")
    page.fill("#position", "4x1x1\nH1HH\n")
    page.click("#brushes [data-brush='F']")
    Board(page).click((0, 0))
    expect(page.locator("#position")).to_have_value("4x1x1\nF1HH\n")
    page.keyboard.press("Control+z")
    expect(page.locator("#position")).to_have_value("4x1x1\nH1HH\n")


def test_a_server_that_is_gone_is_reported(browser: Browser, tmp_path: Path) -> None:
    """After some attempts, the page says what to do, because a new server has a new address."""
    with web_server(tmp_path / "data") as lost, open_page(browser, lost, viewport=DESKTOP) as page:
        lost.process.send_signal(signal.SIGINT)
        message = page.locator("#message")
        expect(message).to_contain_text("Reconnecting")
        expect(message).to_contain_text("If you restarted it, open the address that it printed.")


def test_the_page_describes_itself() -> None:
    """Search engines and messengers find a description."""
    html = (STATIC / "index.html").read_text("utf-8")
    for name in ('name="description"', 'property="og:title"', 'property="og:description"'):
        assert re.search(rf"<meta {name} content=\"[^\"]+\">", html), name
