"""Features for lectures: arrow keys, agents' ideas, large text, links and series, in a browser."""

from __future__ import annotations

import re

from browser_page import FIRST, Board, Home, choose_agent, on_server, open_page, reload, until
from playwright.sync_api import Browser, Page, expect

SMALLEST_TEXT = """
() => [...document.querySelectorAll('body *')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 1
    && [...one.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()))
  .map((one) => [parseFloat(getComputedStyle(one).fontSize), one.outerHTML.slice(0, 80)])
  .sort((a, b) => a[0] - b[0])[0]
"""


def test_agents_ideas_have_one_set_of_controls(page: Page) -> None:
    """`sentences` comes first. Another agent may play the same board. Items light their cells."""
    played = page.evaluate("mineproof.app.view.agent")
    page.click("#tab-learn")
    page.click("#learn-ideas")
    picker = page.locator("#agent-picker select")
    expect(picker).to_have_value("sentences")
    expect(page.locator("#agent-step")).to_be_hidden()
    page.fill("#idea-seed", "5")
    page.click("#idea-start")
    until(page, "mineproof.learn.player.tape?.done === true")
    start = page.evaluate("mineproof.learn.player.tape.start")
    place = page.locator("#idea-on").bounding_box()
    for key, count in (("ArrowRight", 1), (".", 2), ("ArrowLeft", 1), ("ArrowRight", 2)):
        page.keyboard.press(key)
        expect(page.locator("#idea-count")).to_have_text(re.compile(f"^{count} of"))
        assert page.locator("#idea-on").bounding_box() == place
    expect(page.locator("#message")).to_contain_text("sentences: open")
    row, column = page.evaluate("mineproof.learn.player.tape.frames[2][0].cell")
    expect(page.locator("#knowledge-next")).to_contain_text(f"({row}, {column})")
    parts = "[...document.querySelectorAll('#knowledge-items li')].map((i) => i.childNodes.length)"
    assert set(page.evaluate(parts)) == {1}  # each item is one text, not a row of columns
    page.locator("#knowledge-items li:not(.note)").first.hover()
    assert Board(page).marks("lit")
    picker.select_option("basic")
    expect(page.locator("#idea-count")).to_have_text(re.compile("^2 of"))
    expect(page.locator("#advice-title")).to_have_text(re.compile("^sentences: open"))
    page.click("#idea-let")
    until(page, "mineproof.learn.player.tape?.names[0] === 'basic'")
    until(page, "mineproof.learn.player.tape?.done === true")
    assert page.evaluate("mineproof.learn.player.tape.start") == start
    expect(page.locator("#idea-count")).to_have_text(re.compile("^0 of"))
    page.click("#tab-play")
    expect(picker).to_have_value(played)


def test_arrow_keys_step_through_a_race(page: Page) -> None:
    """The left and right keys step all lanes by one round. A finished lane is not analysed."""
    page.click("#tab-race")
    page.fill("#race-seed", "3")
    page.fill("#race-speed", "21")
    page.click("#race-start")
    expect(page.locator("#race-play")).to_have_text("Replay")
    expect(page.locator("#chances .win")).to_contain_text("this game is over")
    rounds = int(page.get_attribute("#race-round", "max") or 0)
    page.locator("#lanes").click(position={"x": 2, "y": 2})
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#race-count")).to_have_text(f"{rounds - 1} of {rounds}")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#race-count")).to_have_text(f"{rounds} of {rounds}")


@on_server
def test_large_text_is_for_a_projector(browser: Browser, home: Home) -> None:
    """At 1920 px, the base is 21 px and nothing is below 17 px. The choice is remembered."""
    with open_page(browser, home, viewport={"width": 1920, "height": 1080}) as page:
        Board(page).new_game("expert", 7)
        page.keyboard.press("l")
        expect(page.locator("#large")).to_have_attribute("aria-pressed", "true")
        for tab in ("play", "learn", "analyse", "race"):
            page.click(f"#tab-{tab}")
            size, element = page.evaluate(SMALLEST_TEXT)
            assert size >= 17, element
        reload(page)
        size = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
        assert 21 <= size < 22
        page.click("#large")
        expect(page.locator("#large")).to_have_attribute("aria-pressed", "false")


@on_server
def test_large_gives_room_to_the_board_and_to_knowledge(browser: Browser, home: Home) -> None:
    """A small board grows, the bar stays low, and the agent's knowledge is in view."""
    with open_page(browser, home, viewport={"width": 1440, "height": 900}) as page:
        board = Board(page)
        choose_agent(page, "sentences")
        board.new_game("beginner", 7)
        board.click((4, 4))
        before = board.stand_still()[2]
        page.keyboard.press("l")
        page.keyboard.press("i")
        expect(page.locator("#knowledge-items li").first).to_be_in_viewport(ratio=1)
        assert board.stand_still()[2] > before
        assert page.evaluate("document.querySelector('.bar').offsetHeight") < 80


def test_a_series_of_boards(page: Page) -> None:
    """Curves, intervals and pairs follow the slider. Opening a board shows the loser's mistake."""
    page.click("#tab-race")
    page.click("#race-series")
    for place, name in enumerate(("random", "exact")):
        page.get_by_label(f"Agent {place + 1}", exact=True).select_option(name)
    page.get_by_label("Agent 3", exact=True).select_option("")
    page.select_option("#race-level", "beginner")
    page.fill("#race-seed", "7")
    page.select_option("#series-boards-count", "50")
    page.click("#series-start")
    expect(page.locator("#series-count")).to_have_text("50 of 50")
    row = page.locator("#standings-rows li").nth(1)
    expect(row).to_contain_text(re.compile(r"exact.*%.* of 50.* to .*%", re.S))
    expect(page.locator("#series-verdict")).to_contain_text(
        "which of the two best agents is stronger"
    )
    expect(page.locator("#curves .end")).to_have_count(2)
    expect(page.locator("#paired-coin")).to_contain_text("A fair coin splits")
    assert page.evaluate("new Set(mineproof.series.player.tape.boards.map(b => b.seed)).size") == 50
    page.locator("#series-title").click()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#standings-title")).to_have_text("After 49 boards")
    expect(page.locator("#series-verdict")).to_contain_text("after the last board")
    page.fill("#series-round", "10")
    expect(page.locator("#curves")).to_contain_text("The curves begin at board 20.")
    page.keyboard.press("h")
    expect(page.locator("#message")).to_contain_text("Open a board of the series")
    card = page.locator("#series-boards button").first
    expect(card).to_contain_text("✗ random")
    card.click()
    expect(page.locator("#advice-title")).to_contain_text("random")
    expect(page.locator("#advice-body")).to_contain_text("a mine")
    fatal = Board(page).marks("asked")[0]
    page.keyboard.press("ArrowRight")
    until(page, "mineproof.app.position.over")
    assert page.evaluate("mineproof.app.position.last") == fatal
    page.click("#race-series")
    expect(page.locator("#standings-title")).to_have_text("After 10 boards")


@on_server
def test_a_series_can_be_stopped(page: Page) -> None:
    """Stop ends the work. The boards played so far stay, without a verdict."""
    page.click("#tab-race")
    page.click("#race-series")
    page.select_option("#race-level", "expert")
    page.select_option("#series-boards-count", "1000")
    page.click("#series-start")
    until(page, "mineproof.series.player.tape?.rounds > 0")
    page.click("#series-stop")
    until(page, "mineproof.series.player.tape.done")
    assert page.evaluate("mineproof.series.player.tape.rounds") < 1000
    page.click("#series-on")
    expect(page.locator("#series-verdict")).to_contain_text(re.compile("ended early|last board"))


LINKED = """
(({ grid, overlays: { links = [] } }) => links.length > 0 && links.every(
  ({ clue, cell }) => '12345678'.includes(grid.at(...clue)) && grid.at(...cell) === 'H')
)(mineproof.boards.main)
"""
COPIED = """
navigator.clipboard.writeText = (text) => {
  globalThis.copied = text;
  return Promise.resolve();
};
"""


def copied_link(page: Page) -> str:
    """Press "Copy link" and return the copied link."""
    page.evaluate(COPIED + "globalThis.copied = null;")
    page.click("#copy-link")
    until(page, "globalThis.copied !== null")
    found: str = page.evaluate("globalThis.copied")
    return found


def test_links_restore_what_is_in_view(page: Page, home: Home) -> None:
    """A link is a whole address without a token.

    It restores the agent, its options, the tab, the game and the step.
    """
    board = Board(page)
    page.evaluate("mineproof.agent.choose('backtracking:order=smallest')")
    board.click(FIRST)
    board.agent_moves(3)
    page.keyboard.press(",")
    page.keyboard.press(",")
    until(page, "mineproof.app.position.fields.at === 2")
    seen = board.letters()
    link = copied_link(page)
    token = home.address.rstrip("/").rpartition("/")[2]
    assert re.match(r"http://127\.0\.0\.1:\d+/", link)
    assert len(token) < 8 or token not in link
    page.click("#tab-learn")
    page.click("#learn-ideas")
    until(page, "mineproof.learn.player.tape?.done === true")
    page.fill("#idea-round", "4")
    idea = copied_link(page)
    idea_cells = page.evaluate("mineproof.app.position.fields.at")
    page.evaluate("mineproof.app.remember({ ideaAgent: 'basic', askFirst: false })")
    board.new_game("beginner", 1)
    page.goto(link)
    until(page, "globalThis.mineproof?.app.position.fields.at === 2")
    board.wait_for(lambda letters: letters == seen)
    assert page.evaluate("mineproof.agent.picker.value") == "backtracking:order=smallest"
    page.evaluate("hash => { location.hash = hash; }", idea.partition("#")[2])
    until(page, "at => mineproof.app.position.fields.at === at", idea_cells)
    expect(page.locator("#agent-picker select")).to_have_value("sentences")
    expect(page.locator("#idea-count")).to_have_text(re.compile("^4 of"))
    page.evaluate("mineproof.agent.choose('sentences')")


@on_server
def test_links_restore_races_and_lessons(page: Page) -> None:
    """Links restore a race or a series at its round, and a lesson by its name."""
    page.click("#tab-race")
    page.fill("#race-seed", "3")
    page.click("#race-start")
    until(page, "mineproof.race.player.tape?.done === true")
    page.locator(".lane .choose").nth(1).click()
    page.fill("#race-round", "5")
    race = copied_link(page)
    page.click("#race-series")
    page.select_option("#race-level", "beginner")
    page.select_option("#series-boards-count", "50")
    page.click("#series-start")
    until(page, "mineproof.series.player.tape?.done === true")
    page.fill("#series-round", "30")
    series = copied_link(page)
    page.click("#tab-learn")
    page.click("#lesson-next")
    title = page.inner_text("#lesson-title")
    lesson = copied_link(page)
    page.click("#lesson-next")
    go = "link => { location.hash = link.split('#')[1]; }"
    page.evaluate(go, lesson)
    expect(page.locator("#lesson-title")).to_have_text(title)
    page.evaluate(go, race)
    until(page, "mineproof.race.player.tape?.at === 5 && mineproof.app.tab === 'race'")
    expect(page.locator(".lane .choose").nth(1)).to_have_attribute("aria-pressed", "true")
    page.evaluate(go, series)
    until(page, "mineproof.series.player.tape?.at === 30")
    expect(page.locator("#standings-title")).to_have_text("After 30 boards")


@on_server
def test_backtracking_shows_its_graph_and_its_search(page: Page) -> None:
    """Lines connect clues with unknown cells, and the search lists every assignment."""
    page.click("#tab-learn")
    page.click("#learn-ideas")
    page.select_option("#agent-picker select", "backtracking")
    page.fill("#idea-seed", "2")
    page.click("#idea-start")
    until(page, "mineproof.learn.player.tape?.seed === '2'")
    until(page, LINKED)
    expect(page.locator("#knowledge-stats")).to_contain_text("Lines connect each clue")
    step = page.locator("#knowledge-items li", has_text=re.compile(r"^\(\d+, \d+\) = [01]")).first
    step.hover()
    assert Board(page).marks("lit")
