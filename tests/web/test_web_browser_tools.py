"""Lessons, analysis, races, saved games and sharing, in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
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
    solution,
    until,
    wrong_cell,
)
from playwright.sync_api import Browser, FilePayload, Page, expect
from web_server import WebServer, web_server

import mineproof as mw
from mineproof.core.rules import with_options
from mineproof.generate import DrillKind
from mineproof.generate.drills import drill_at
from mineproof.inference.counting import count
from mineproof.notation.position_text import parse_position
from mineproof.notation.records import Record, Step, format_record, make_record
from mineproof.service.lessons import lessons as lessons_of_the_page


def set_position(page: Page, text: str) -> None:
    """Type a position into the field of the analysis."""
    page.click("#tab-analyse")
    page.fill("#position", text)


# ---- learning


def test_lessons_check_the_answer(page: Page) -> None:
    """Clicking a wrong cell shows a message. Clicking a correct one shows a tick and its proof."""
    page.click("#tab-learn")
    expect(page.locator("#lessons li")).to_have_count(len(lessons_of_the_page()))
    lessons = page.evaluate("mineproof.learn.lessons")
    lesson = next(i for i, one in enumerate(lessons) if one["answer"] == "safe" and not one["then"])
    page.locator("#lessons button").nth(lesson).click()
    expect(page.locator("#lesson-question")).to_have_text("Click a cell that is proved safe.")
    position = parse_position(lessons[lesson]["position"])
    found = mw.analyse(position, moves=False)
    board = Board(page)
    cells = [(r, c) for r in range(position.rules.rows) for c in range(position.rules.columns)]
    wrong = next(cell for cell in cells if (found.risk[cell[0]][cell[1]] or 0) > 0)
    place = page.locator("#lesson-next").bounding_box()
    board.click(wrong, wait=False)
    expect(page.locator("#lesson-answer")).to_contain_text("Not this one")
    expect(page.locator("#lessons .tick")).to_have_count(0)
    right = lessons[lesson]["cell"]
    board.click((right[0], right[1]), wait=False)
    expect(page.locator("#lesson-answer")).to_contain_text("Right:")
    expect(page.locator("#advice-body .proof li").first).to_be_visible()
    expect(page.locator("#lessons .tick")).to_have_count(1)
    assert page.locator("#lesson-next").bounding_box() == place  # the answers have their own place
    page.click("#lesson-next")
    expect(page.locator("#lesson-title")).to_have_text(lessons[lesson + 1]["title"])


def test_lesson_0_teaches_the_rules_by_doing(page: Page) -> None:
    """The learner opens a cell, flags a mine and uses a chord, on one board."""
    page.click("#tab-learn")
    board = Board(page)
    heading, question = page.locator("#lesson-heading"), page.locator("#lesson-question")
    answer = page.locator("#lesson-answer")
    expect(heading).to_have_text("The rules, step 1 of 3")
    board.click((0, 0))
    expect(heading).to_have_text("The rules, step 2 of 3")
    expect(answer).to_contain_text("A 0 opens all its neighbours")
    expect(page.locator("#message")).to_have_attribute("data-kind", "good")
    expect(question).to_contain_text("Right-click the mine")
    board.click((2, 2), wait=False)
    expect(answer).to_contain_text("open a cell yet.")
    board.mark((2, 2))
    expect(heading).to_have_text("The rules, step 3 of 3")
    board.click((2, 3), wait=False)
    expect(answer).to_contain_text("(2, 3) is safe, but try a chord.")
    board.click((1, 2), wait=False)
    board.wait_for(lambda letters: letters == "000000112101F2H")
    expect(answer).to_contain_text("you would have won")
    expect(page.locator("#lessons .tick")).to_have_count(1)


@on_server
def test_the_next_task_is_in_view_on_a_phone(browser: Browser, home: Home) -> None:
    """After a step, the panel shows the next task. The next lesson is offered at the end."""
    with open_page(browser, home, **PHONE) as page:
        page.tap("#tab-learn")
        expect(page.locator("#lesson-heading")).to_have_text("The rules, step 1 of 3")
        page.touchscreen.tap(*Board(page).point((0, 0)))
        expect(page.locator("#lesson-heading")).to_have_text("The rules, step 2 of 3")
        expect(page.locator("#lesson-answer")).to_contain_text("A 0 opens all its neighbours")
        for part in ("heading", "text", "question", "answer"):
            expect(page.locator(f"#lesson-{part}")).to_be_in_viewport(ratio=1)
        edge = "document.querySelector('#{}').getBoundingClientRect().{}"
        for above, below in (("sections", "lesson-heading"), ("advice-body", "course")):
            first = edge.format(above, "top" if above == "sections" else "bottom")
            assert page.evaluate(f"{first} <= {edge.format(below, 'top')}"), below
        expect(page.locator("#lesson-next")).not_to_have_class("main")


def answer_drill(page: Page) -> None:
    """Open a cell that is proved safe in the current puzzle."""
    fields = page.evaluate("mineproof.app.position.fields")
    row, column = mw.analyse(fields["at"], moves=False).safe[0]
    Board(page).click((row, column), wait=False)
    expect(page.locator("#puzzle-answer")).to_contain_text("Solved:")


def test_puzzles_have_a_rating_a_streak_and_a_run(page: Page) -> None:
    """A solved puzzle raises the rating, a missed one lowers it and shows the proof."""
    page.click("#tab-learn")
    page.evaluate("mineproof.app.remember({ drills: null })")
    page.click("#learn-puzzles")
    text, rating = page.locator("#puzzle-text"), page.locator("#puzzle-rating")
    expect(text).to_contain_text("One clue proves a cell safe.")
    expect(rating).to_have_text("1,000")
    answer_drill(page)
    expect(page.locator("#puzzle-streak")).to_have_text("1")
    expect(page.locator("#puzzle-change")).to_contain_text("+")
    box = page.locator("#board").bounding_box()
    page.keyboard.press("Enter")
    expect(text).to_contain_text("A pattern of two clues proves a cell safe.")
    wrong, risk = wrong_cell(page)
    Board(page).click(wrong, wait=False)
    answer = page.locator("#puzzle-answer")
    expect(answer).to_contain_text("It is a mine." if risk == 1 else "It could be a mine:")
    expect(answer).to_contain_text("It comes back tomorrow.")
    expect(page.locator("#puzzle-streak")).to_have_text("0")
    expect(page.locator("#puzzle-best")).to_have_text("best 1")
    expect(page.locator("#puzzle-change")).to_contain_text("\N{MINUS SIGN}")
    expect(page.locator("#advice-body .proof li").first).to_be_in_viewport()
    assert page.locator("#board").bounding_box() == box
    page.click("#puzzle-run")
    expect(page.locator("#puzzle-clock")).to_have_text(re.compile("^(3:00|2:)"))
    expect(answer).to_be_empty()  # the next puzzle has come
    answer_drill(page)
    expect(page.locator("#puzzle-clock")).to_contain_text("1 puzzle solved, 0 missed")
    page.click("#puzzle-run")
    expect(page.locator("#message")).to_contain_text("1 solved, 0 missed. That is your best.")


def own_games() -> bytes:
    """Return two games of a player who misses a pattern, as a file of records."""
    found: list[Record] = []
    for seed in range(300):
        game = mw.Game(with_options(mw.BEGINNER, start="opening"), seed)
        game.play(mw.Move("open", (4, 4)))
        while not game.is_over and (facts := count(game.observation)).safe:
            drill = drill_at(game.observation)
            risky = [i for i in game.observation.unopened if 0 < facts.risk[i] < 1]
            if drill is not None and drill.kind is DrillKind.PATTERN and risky:
                game.play(mw.Move("open", game.observation.grid.cell(risky[0])))
                found.append(make_record(game, tuple(Step(move) for move in game.moves)))
                break
            game.play(mw.Move("open", game.observation.grid.cell(facts.safe[0])))
        if len(found) == 2:
            break
    return "".join(f"{format_record(one)}\n" for one in found).encode()


@pytest.fixture
def lone_page(browser: Browser, home: Home, tmp_path: Path) -> Iterator[Page]:
    """Return a page whose service has no games of other tests."""
    with ExitStack() as stack:
        is_server = isinstance(home, WebServer)
        own = stack.enter_context(web_server(tmp_path)) if is_server else home
        yield stack.enter_context(open_page(browser, own, viewport=DESKTOP))


def test_the_coach_has_seen_the_games_and_offers_practice(lone_page: Page) -> None:
    """The coach checks a lost game: one finding, its price, an example, and one main button."""
    page = lone_page
    record = own_games().decode().splitlines()[0]
    page.evaluate("text => mineproof.app.command('load', { text })", record)
    page.evaluate("mineproof.app.command('undo')")
    until(page, "mineproof.app.view.end === null")
    page.evaluate("mineproof.app.command('redo')")
    until(page, "mineproof.app.view.end !== null")
    page.click("#tab-learn")
    page.click("#learn-coach")
    found = page.locator("#coach-found")
    expect(found.locator(".title")).to_have_text("A pattern of two clues")
    expect(found.locator(".lead")).to_contain_text("After 10 games, the coach estimates")
    expect(found).not_to_contain_text("as expected")
    expect(found.locator("figcaption", has_text="Each game")).to_be_visible()
    expect(page.locator("#coach .main")).to_have_count(1)
    expect(found.locator(".example canvas")).to_be_in_viewport()
    expect(page.locator("#column")).to_be_hidden()
    note = page.locator("#coach-note")
    expect(note).to_contain_text("All your saved games are checked.")
    page.click("#coach-pause")
    expect(note).to_contain_text("Paused.")
    page.click("#coach-pause")
    expect(note).to_contain_text("All your saved games are checked.")
    found.locator(".costly button").first.click()
    expect(page.locator("#advice-body .mistake")).to_contain_text("You opened")
    page.click("#tab-learn")
    page.click("#practise")
    text = "A pattern of two clues proves a cell safe. From your own games"
    expect(page.locator("#puzzle-text")).to_contain_text(text)
    expect(page.locator("#puzzle-text")).to_contain_text("Proved mines are flagged.")
    expect(page.locator("#learn-puzzles")).to_have_attribute("aria-pressed", "true")


def test_the_coach_reads_files(page: Page, request: pytest.FixtureRequest) -> None:
    """Reviewing files gives a summary and games to open. Damaged files are skipped."""
    page.click("#tab-learn")
    page.click("#learn-coach")
    games: FilePayload = {"name": "a.jsonl", "mimeType": "text/plain", "buffer": own_games()}
    broken: FilePayload = {"name": "b.avf", "mimeType": "text/plain", "buffer": b"nonsense" * 50}
    page.set_input_files("#coach-files", [broken, games])
    expect(page.locator("#coach-found .lead")).to_contain_text("2 games")
    note = page.locator("#coach-note")
    expect(note).to_contain_text("Skipped b.avf: ")
    if request.node.callspec.params["home"] == "site" or find_spec("ms_toollib") is None:
        expect(note).to_contain_text("pip install 'mineproof[replays]'")
    expect(page.locator("#coach-games li")).to_have_count(2)
    page.locator("#coach-games").get_by_text("Open").first.click()
    expect(page.locator("#result-title")).to_be_visible()
    page.click("#tab-learn")
    costly = page.locator("#coach-found .costly button").first
    expect(costly).to_contain_text("a.jsonl, game 1, move")
    costly.click()
    expect(page.locator("#advice-body .mistake")).to_contain_text("You opened")
    page.click("#tab-learn")
    page.get_by_role("button", name="My games").click()
    expect(page.locator("#coach-games li")).to_have_count(0)
    expect(page.locator("#coach-pause")).to_have_text("Pause")


def test_a_deep_analysis_can_be_cancelled(page: Page) -> None:
    """A deep analysis shows progress, and the game continues while it runs."""
    text = "\n".join(["60x60x1200", *["H" * 60, "H3" * 30] * 30, ""])
    set_position(page, text)
    page.click("#deep")
    expect(page.locator("#progress")).to_be_visible()
    page.evaluate("mineproof.app.command('open', { cell: [4, 4] })")
    Board(page).steps(1)
    # The quick analysis was cancelled, but no message may say so.
    expect(page.locator("#message")).not_to_contain_text("cancelled")
    page.click("#analysis-cancel")
    for place in ("#message", "#deep-result"):
        expect(page.locator(place)).to_have_text("Deep analysis was cancelled.")
    expect(page.locator("#progress")).to_be_hidden()
    expect(page.locator("#deep")).to_be_enabled()


@on_server
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("4x1x1\nH1HH\n", "100.0 %"),
        ("2x1x1\n0H\n", "No mine layout fits these clues"),
    ],
)
def test_a_deep_analysis_ends_with_words_in_view(page: Page, text: str, words: str) -> None:
    """On a small window too, the result stands next to the button, even if nothing changed."""
    page.set_viewport_size({"width": 1024, "height": 768})
    set_position(page, text)
    page.locator("#deep").scroll_into_view_if_needed()
    page.click("#deep")
    expect(page.locator("#deep-result")).to_contain_text(words)
    expect(page.locator("#deep-result")).to_be_in_viewport(ratio=0.9)
    expect(page.locator("#progress")).to_be_hidden()


@on_server
def test_a_position_comes_from_the_game(browser: Browser, home: Home) -> None:
    """The position in view is analysed. On a phone, the analysis scrolls into view."""
    with open_page(browser, home, **PHONE) as page:
        board = Board(page)
        board.new_game("beginner", 7)
        page.evaluate("mineproof.app.command('open', { cell: [4, 4] })")
        board.steps(1)
        played = board.letters()
        page.tap("#tab-analyse")
        page.tap("#sheet")
        page.tap("#from-game")
        board.wait_for(lambda letters: letters == played)
        expect(page.locator("#board")).to_be_in_viewport(ratio=1)
        page.tap("#tab-play")
        expect(page.locator("#column")).to_have_attribute("data-open", "no")
        page.tap("#sheet")
        page.locator("#move-list li").first.scroll_into_view_if_needed()
        page.evaluate("mineproof.moves.goTo(0)")
        page.tap("#now")
        until(page, "mineproof.app.position.source === 'game'")


# ---- racing


def test_a_race_in_step(page: Page) -> None:
    """A race starts from an opening and can be paused and stepped back. Lanes explain cells."""
    page.click("#tab-race")
    for place, name in enumerate(("basic", "sentences", "exact")):
        page.get_by_label(f"Agent {place + 1}", exact=True).select_option(name)
    page.fill("#race-seed", "3")
    page.fill("#race-speed", "21")
    page.click("#race-start")
    badges = page.locator(".lane .badge")
    expect(badges).to_have_count(3)
    expect(page.locator("#race-play")).to_have_text("Replay")
    for place in range(3):
        expect(badges.nth(place)).to_have_text(re.compile("won|lost|stuck"))
    assert "0" in "".join(page.evaluate("mineproof.race.player.tape.start"))
    tops = "[...document.querySelectorAll('.spot')].map((one) => one.getBoundingClientRect().top)"
    assert len(set(page.evaluate(tops))) == 1
    page.fill("#race-round", "1")
    expect(page.locator("#race-count")).to_have_text(re.compile("^1 of"))
    page.locator(".lane .choose").nth(1).click()
    expect(page.locator("#win")).to_have_text(re.compile("%"))
    page.click("#hint")
    expect(page.locator("#advice-title")).to_contain_text(re.compile("hint 1|nothing", re.I))
    at = page.evaluate(
        """(() => {
          const { board } = mineproof.race.lanes[1];
          const cell = board.grid.cell(board.grid.letters.indexOf('H'));
          const [box, point] = [board.canvas.getBoundingClientRect(), board.point(cell)];
          return [box.x + point.x, box.y + point.y, ...cell];
        })()"""
    )
    page.mouse.click(at[0], at[1])
    expect(page.locator("#advice-title")).to_contain_text(f"({at[2]}, {at[3]})")
    assert page.evaluate("mineproof.app.position.source") == "lane"
    page.fill("#race-seed", "none")
    page.click("#race-start")
    expect(page.locator("#message")).to_contain_text("expected a whole number")
    expect(page.locator("#lanes")).to_contain_text("Choose them under Racers, beside the board.")
    expect(page.locator(".lane")).to_have_count(0)
    expect(page.locator("#race-play")).to_be_disabled()
    assert page.evaluate("mineproof.app.closed.words") == "There is no board yet."


@on_server
def test_a_race_comes_into_view_on_a_phone(browser: Browser, home: Home) -> None:
    """The settings sheet closes to make room for the lanes, each with the name of its agent."""
    with open_page(browser, home, **PHONE) as page:
        page.tap("#tab-race")
        expect(page.locator("#lanes")).to_contain_text("under Racers, in the panel below.")
        page.tap("#sheet")
        page.locator("#race-start").scroll_into_view_if_needed()
        page.tap("#race-start")
        expect(page.locator(".lane").first).to_be_in_viewport(ratio=0.9)
        assert page.evaluate("document.querySelector('.lane header').offsetHeight") > 30
        expect(page.locator("#column")).to_have_attribute("data-open", "no")


# ---- games


def test_statistics_have_trends(page: Page) -> None:
    """Statistics and plots include a finished game. Results can be exported and erased."""
    board, truth = Board(page), solution()
    board.click(FIRST)
    board.click(truth.grid.cell(truth.mine_indices[0]))
    expect(page.locator("[data-figure=Luck]")).not_to_have_text("…")
    page.click("#open-games")
    expect(page.locator("#game-list li", has_text="lost").first).to_be_visible()
    page.click("#games-tab-numbers")
    expect(page.locator("#numbers-level")).to_contain_text("Beginner")
    page.select_option("#numbers-level", "beginner")
    expect(page.locator(".plot")).to_have_count(4)
    expect(page.locator(".plot svg path").first).to_be_attached()
    with page.expect_download() as saved:
        page.click("#export")
    assert json.loads(saved.value.path().read_text())
    page.click("#erase")
    page.click("#confirm [data-answer=yes]")
    expect(page.locator("#numbers")).to_contain_text("No games yet")


def test_an_old_game_opens_with_its_moves(page: Page) -> None:
    board, truth = Board(page), solution()
    board.click(FIRST)
    board.click(truth.grid.cell(truth.mine_indices[0]))
    lost, key = board.letters(), page.evaluate("mineproof.app.view.key")
    page.keyboard.press("n")  # a game that has ended stays in the list
    board.wait_for(lambda letters: set(letters) == {"H"})
    page.click("#open-games")
    page.select_option("#filter-result", "loss")
    page.locator(f"#game-list [data-key='{key}']").get_by_text("Replay").click()
    board.wait_for(lambda letters: letters == lost)
    expect(page.locator("#move-list li")).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    until(page, "mineproof.app.position.source === 'past'")
    assert "M" not in board.letters()


def test_links_hold_a_position_and_a_game(page: Page) -> None:
    """A link restores its position or game. It contains no token and has a limited size."""
    board = Board(page)
    board.click(FIRST)
    board.agent_moves(2)
    played = board.letters()
    link = page.evaluate(
        "mineproof.app.ask('share').then(texts => mineproof.link.makeLink('game', texts.record))"
    )
    assert re.fullmatch(r"#g=[A-Za-z0-9_-]{20,4000}", link)
    board.new_game("beginner", 1)
    page.evaluate("hash => { location.hash = hash; }", link)
    board.wait_for(lambda letters: letters == played)
    assert page.evaluate("location.hash") == ""
    position = page.evaluate("mineproof.link.makeLink('position', '2x1x1\\n1H\\n')")
    page.evaluate("hash => { location.hash = hash; }", position)
    expect(page.locator("#facts")).to_have_text("1 layout")
    assert page.evaluate("mineproof.link.readLink('#p=AAAA')") is None
    long = "9" * 60_001
    assert page.evaluate("text => mineproof.link.makeLink('position', text)", long) is None


def test_a_game_goes_through_text_and_files(page: Page, tmp_path: Path) -> None:
    """A game is saved and shared as a file, a position, an id and a picture."""
    board = Board(page)
    board.click(FIRST)
    board.agent_moves(1)
    played = board.letters()
    page.click("#open-games")
    page.click("#games-tab-share")
    with page.expect_download() as saved:
        page.click("#save-record")
    path = tmp_path / "game.json"
    saved.value.save_as(path)
    with page.expect_download() as picture:
        page.click("#save-picture")
    assert picture.value.path().read_bytes().startswith(b"\x89PNG")
    page.click("#save-board")
    expect(page.locator("#share-note")).to_contain_text("once the game is over")
    page.keyboard.press("Escape")
    board.new_game("beginner", 1)
    page.click("#open-games")
    page.click("#games-tab-share")
    page.set_input_files("#file", path)
    board.wait_for(lambda letters: letters == played)
    board.new_game("beginner", 1)
    page.click("#open-games")
    page.click("#games-tab-share")
    page.fill("#paste", "9x9/10:s7:f4,4")
    page.click("#open-paste")
    board.steps(1)
    page.click("#open-games")
    page.click("#games-tab-share")
    page.fill("#paste", "2x1x1\n1H\n")
    page.click("#open-paste")
    expect(page.locator("#facts")).to_have_text("1 layout")
    page.click("#open-games")
    page.click("#games-tab-share")
    page.fill("#paste", "no such thing")
    page.click("#open-paste")
    expect(page.locator("#share-note")).to_contain_text("Expected")


@on_server
def test_every_rule_can_be_chosen(page: Page) -> None:
    page.click("#open-custom")
    page.fill("#rows", "12")
    page.fill("#columns", "14")
    page.fill("#mine-number", "0.25")
    page.select_option("#goal", "mark")
    page.select_option("#explosion", "continue")
    page.select_option("#clues", "withheld")
    page.fill("#clue-parameter", "0.75")
    page.select_option("#mine-count", "unknown")
    page.fill("#seed", "123")
    page.click("#custom-form [type=submit]")
    expect(page.locator("#custom")).to_be_hidden()
    words = "12x14/42:opening:mark:continue:withheld-0.75:mines-unknown:s123"
    expect(page.locator("#game-id")).to_have_text(words)
    expect(page.locator("#mines")).to_have_text("?")


def test_coming_back_and_second_tabs(browser: Browser, server: WebServer) -> None:
    """A reload, or a new tab after closing, finds the game. A second tab has a separate game.

    Browsers share the data of a server. The static site stores data separately in each browser.
    """
    with open_page(browser, server, viewport=DESKTOP) as page:
        board = Board(page)
        board.new_game(level="beginner", seed=11)
        board.click(FIRST)
        played = board.letters()
        reload(page)
        board.wait_for(lambda letters: letters == played)
        with open_page(browser, server, viewport=DESKTOP) as other:
            assert Board(other).letters() != played
    with open_page(browser, server, viewport=DESKTOP) as page:
        Board(page).wait_for(lambda letters: letters == played)


# ---- look


@on_server
def test_light_dark_and_reduced_motion(browser: Browser, home: Home) -> None:
    """The system's colour theme is the default. Choosing another theme overrides it permanently."""
    options: dict[str, Any] = {"viewport": DESKTOP, "color_scheme": "dark"}
    with open_page(browser, home, reduced_motion="reduce", **options) as page:
        html = page.locator("html")
        expect(html).to_have_attribute("data-theme", "dark")
        moving = "getComputedStyle(document.getElementById('win-bar')).transitionDuration"
        assert page.evaluate(moving) == "0s"
        page.click("#open-settings")
        page.select_option("#theme", "light")
        page.select_option("#numbers-look", "distinct")
        page.select_option("#cell-size", "22")
        expect(html).to_have_attribute("data-theme", "light")
        until(page, "mineproof.boards.main.camera.size === 22")
        reload(page)
        expect(html).to_have_attribute("data-theme", "light")
        expect(html).to_have_attribute("data-numbers", "distinct")
        until(page, "mineproof.boards.main.camera.size === 22")


def test_nothing_comes_from_elsewhere(browser: Browser, home: Home) -> None:
    """All files come from the same address as the page."""
    with open_page(browser, home, viewport=DESKTOP) as page:
        seen: list[str] = []
        page.on("request", lambda request: seen.append(request.url))
        reload(page)
    assert len(seen) > 5
    assert all(url.startswith(home.address) for url in seen), seen


@on_server
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(  # noqa: PLR0915  (one visit of the whole page)
    browser: Browser, home: Home, axe: str, scheme: Any
) -> None:
    """axe-core finds no problem on any tab or dialog."""
    with open_page(browser, home, viewport=DESKTOP, color_scheme=scheme) as page:
        board = Board(page)
        page.evaluate(axe)

        def check(where: str) -> None:
            page.evaluate(
                "() => Promise.allSettled(document.getAnimations().map(one => one.finished))"
            )
            found = page.evaluate("axe.run()")["violations"]
            words = [(f["id"], [node["target"] for node in f["nodes"]]) for f in found]
            assert not words, (where, words)

        board.new_game(level="beginner", seed=7)
        check("the first screen")
        board.click(FIRST)
        for key in "mbih":
            page.keyboard.press(key)
        page.click("#agent-more summary")
        until(page, "mineproof.boards.main.overlays.risk !== null")
        expect(page.locator("#advice-title")).to_contain_text("Hint")
        check("a game under way")
        truth = solution()
        board.click(truth.grid.cell(truth.mine_indices[0]))
        expect(page.locator("[data-figure=Luck]")).not_to_have_text("…")
        check("the end")
        page.click("#review-risks")
        expect(page.locator("#stage")).to_have_attribute("data-past", "yes")
        check("the past")
        for opener in ("#open-games", "#open-settings", "#open-help", "#open-custom"):
            page.click(opener)
            check(opener)
            if opener == "#open-games":
                for tab in ("#games-tab-numbers", "#games-tab-share"):
                    page.click(tab)
                    check(tab)
            page.keyboard.press("Escape")
        page.click("#tab-learn")
        expect(page.locator("#lessons li").first).to_be_visible()
        check("the lessons")
        page.click("#learn-coach")
        expect(page.locator("#coach-found .title")).to_be_visible()
        check("the coach")
        page.click("#learn-ideas")
        until(page, "mineproof.learn.player.tape?.done === true")
        check("the ideas")
        set_position(page, "3x2x1\n2H0\nHHH\n")
        expect(page.locator("#message")).to_contain_text("(0, 2)")
        check("the analysis")
        page.click("#tab-race")
        check("before the race")
        page.fill("#race-speed", "21")
        page.click("#race-start")
        expect(page.locator("#race-play")).to_have_text("Replay")
        check("the race")
        page.click("#race-series")
        page.select_option("#series-boards-count", "50")
        page.click("#series-start")
        expect(page.locator("#series-count")).to_have_text("50 of 50")
        check("the series")
