"""A sweep through windows of all sizes: no text or control overlaps another or is cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from browser_page import FIRST, Board, on_server, solution
from playwright.sync_api import Page, expect

CLASHES = Path(__file__).with_name("clashes.js").read_text("utf-8")
WINDOWS = ((360, 780), (600, 960), (740, 768), (820, 1180), (1024, 768), (1366, 768), (3840, 2160))
NARROWEST = 320
"""The width in CSS pixels below which the page scrolls sideways."""
SIZES = sorted(
    {
        (max(NARROWEST, round(width / zoom)), round(height / zoom))
        for width, height in WINDOWS
        for zoom in (1, 1.25, 2)
    }
)
"""All windows at 100, 125 and 200 %: a zoomed page has fewer CSS pixels."""


def views(page: Page) -> Iterator[str]:
    """Open every tab, view and dialog of the page in turn, and yield its name."""
    board, truth = Board(page), solution()

    def press(*ids: str) -> None:
        for name in ids:
            page.locator(f"#{name}").dispatch_event("click")  # it may be inside a closed sheet

    page.evaluate("mineproof.app.remember({ 'risks-play': true, 'best-play': true })")
    yield "a new game"
    board.click(FIRST)
    for stage in (1, 2, 3):
        page.keyboard.press("h")
        expect(page.locator("#advice-title")).to_contain_text(f"Hint {stage} of 3")
    press("knowledge")
    yield "a hint"
    page.keyboard.press("p")
    expect(page.locator("#cover")).to_be_visible()
    yield "a pause"
    page.keyboard.press("p")
    press("knowledge")
    board.click(truth.grid.cell(truth.mine_indices[0]))
    expect(page.locator("[data-figure=Luck]")).not_to_have_text("…")
    yield "a lost game"
    page.locator("#move-list li").first.click()
    expect(page.locator("#past")).to_be_visible()
    yield "a past move"
    press("judge")
    expect(page.locator("#review-risks")).to_be_visible()
    press("review-risks")
    expect(page.locator(".mistake")).to_be_visible()
    yield "a mistake"
    for tab, parts in {
        "learn": ("puzzles", "coach", "ideas"),
        "analyse": (),
        "race": ("start",),
    }.items():
        press(f"tab-{tab}")
        yield tab
        for part in parts:
            press(f"{tab}-{part}")
            if part == "start":
                expect(page.locator("#race-count")).to_have_text(re.compile("^[1-9]"))
                press("race-play")
            yield part
    for name in ("custom", "settings", "help", "games"):
        page.evaluate("name => document.getElementById(name).showModal()", name)
        yield name
        for part in ("numbers", "share") if name == "games" else ():
            press(f"games-tab-{part}")
            yield part
        page.keyboard.press("Escape")


@on_server
def test_nothing_overlaps_or_is_cut_off(page: Page) -> None:
    """Every view has room for its texts and controls in windows of all sizes, zoomed or not."""
    schemes: list[Any] = ["light", "dark"]
    for name in views(page):
        schemes.reverse()
        for at, (width, height) in enumerate(SIZES):  # each size in both themes, alternately
            page.emulate_media(color_scheme=schemes[at % 2])
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("() => new Promise(requestAnimationFrame)")
            assert page.evaluate(CLASHES) == [], (name, width, height)
        page.set_viewport_size({"width": 1366, "height": 768})
