"""Phones and tablets: what teaches is in view next to the board it is about."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser_page import (
    FIRST,
    PHONE,
    Board,
    Home,
    on_server,
    open_page,
    solution,
    until,
    wrong_cell,
)
from playwright.sync_api import Browser, Page, expect

import mineproof as mw

LENGTHEN = """
(() => {
  const proof = document.querySelector('#advice-body .proof');
  const steps = Array.from({ length: 12 }, () => proof.lastElementChild.cloneNode(true));
  proof.append(...steps);
})()
"""
COVERED = """
(() => {
  const footer = document.getElementById('puzzle-buttons');
  const { x, y, width, height } = footer.getBoundingClientRect();
  const shares = Array.from({ length: 20 }, (_, i) => (i + 0.5) / 20);
  return shares.flatMap((across) => shares.map((down) => document.elementFromPoint(
    x + across * width, Math.min(y + down * height, innerHeight - 1))))
    .filter((one) => !footer.contains(one)).map((one) => one?.outerHTML.slice(0, 60));
})()
"""
"""Script that returns what lies over the buttons below a puzzle."""


def check_lit(page: Page) -> None:
    """Check that the board lights the clues of the proof that is unfolded."""
    steps = page.locator("#advice-body details[open] .proof")
    expect(steps).to_have_count(1)
    named = re.findall(r"\d at \((\d+), (\d+)\)", steps.inner_text())
    assert named
    assert all([int(row), int(column)] in Board(page).marks("clues") for row, column in named)


@on_server
def test_a_missed_puzzle_shows_board_and_proof_on_a_phone(browser: Browser, home: Home) -> None:
    """During a timed run too, the whole board and the first step of the proof are in view."""
    with open_page(browser, home, **PHONE) as page:
        page.evaluate("mineproof.app.remember({ drills: null })")
        page.click("#tab-learn")
        page.click("#learn-puzzles")
        expect(page.locator("#puzzle-text")).to_have_text("One clue proves a cell safe.")
        before = page.evaluate("mineproof.app.position.fields.at")
        page.click("#puzzle-run")
        until(page, "before => mineproof.app.position.fields.at !== before", before)
        until(page, "mineproof.boards.main.whole")
        Board(page).click(wrong_cell(page)[0], wait=False)
        expect(page.locator("#puzzle-answer")).to_contain_text("It comes back tomorrow.")
        assert page.evaluate("mineproof.boards.main.whole")
        expect(page.locator("#advice-body .proof li").first).to_be_in_viewport(ratio=1)
        expect(page.locator("#puzzle-next")).to_be_in_viewport(ratio=1)
        page.evaluate(LENGTHEN)
        assert page.evaluate(COVERED) == []


@on_server
def test_a_mistake_can_be_practised_on_a_phone(browser: Browser, home: Home) -> None:
    """The handle names the mistake, and the button for practice needs no scrolling."""
    with open_page(browser, home, **PHONE) as page:
        board = Board(page)
        board.new_game("beginner", 7)
        page.touchscreen.tap(*board.point(FIRST))
        board.steps(1)
        mine = mw.analyse(mw.Game(mw.BEGINNER, 7, FIRST).observation, moves=False).mined[0]
        assert mine in solution().mines
        page.touchscreen.tap(*board.point((mine.row, mine.column)))
        page.tap("#bar-review")
        expect(page.locator("#sheet-text")).to_have_text("Mistake 1 of 1 ??")
        expect(page.locator("#mistakes button:disabled")).to_have_count(2)
        expect(page.locator("#practise-this")).to_be_in_viewport(ratio=1)
        check_lit(page)  # why it was a mine
        page.tap("#advice-body .better summary")
        check_lit(page)
        page.tap("#sheet")
        page.tap("#to-now")
        expect(page.locator("#sheet-text")).to_contain_text("Lost in")


@on_server
@pytest.mark.parametrize("size", [(820, 1180), (1024, 768)])
def test_a_tablet_shows_a_whole_expert_board(
    browser: Browser, home: Home, size: tuple[int, int]
) -> None:
    """Fingers can still zoom in, or choose larger cells in Settings."""
    viewport: Any = {"width": size[0], "height": size[1]}
    with open_page(browser, home, viewport=viewport, has_touch=True, is_mobile=True) as page:
        Board(page).new_game("expert", 7)
        until(page, "mineproof.boards.main.whole")
        assert page.evaluate("mineproof.boards.main.camera.size") >= 20
