"""What a lecture needs: arrow keys, agents' ideas, large text, links and series, in a browser."""

from __future__ import annotations

import re

from browser_page import Board, Home, on_server, open_page, reload, until
from playwright.sync_api import Browser, Page, expect

SMALLEST_TEXT = """
() => [...document.querySelectorAll('body *')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 1
    && [...one.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()))
  .map((one) => [parseFloat(getComputedStyle(one).fontSize), one.outerHTML.slice(0, 80)])
  .sort((a, b) => a[0] - b[0])[0]
"""


def test_agents_ideas_have_one_set_of_controls(page: Page) -> None:
    """`sentences` comes first. Another agent plays the same board. Items light their cells."""
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
    for key, count in (("ArrowRight", 1), (".", 2), ("ArrowLeft", 1), ("ArrowRight", 2)):
        page.keyboard.press(key)
        expect(page.locator("#idea-count")).to_have_text(re.compile(f"^{count} of"))
    expect(page.locator("#message")).to_contain_text("sentences: open")
    expect(page.locator("#knowledge-next")).to_contain_text("Next:")
    page.locator("#knowledge-items li:not(.note)").first.hover()
    assert Board(page).marks("lit")
    picker.select_option("basic")
    until(page, "mineproof.learn.player.tape?.names[0] === 'basic'")
    until(page, "mineproof.learn.player.tape?.done === true")
    assert page.evaluate("mineproof.learn.player.tape.start") == start
    expect(page.locator("#idea-count")).to_have_text(re.compile("^0 of"))
    page.click("#tab-play")
    expect(picker).to_have_value(played)


@on_server
def test_arrow_keys_step_through_a_race(page: Page) -> None:
    """Left and right step all lanes by one round, and a finished lane is not analysed."""
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
