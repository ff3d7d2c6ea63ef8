"""Agents on the page: knowledge, reasons, and keys after a choice by mouse, in a browser."""

from __future__ import annotations

import re
from typing import Any

from browser_page import FIRST, Board, choose_agent, on_server, reload, until
from playwright.sync_api import Page, expect

KNOWN = """
async () => {
  const { app, boards } = mineproof;
  await app.connection.ask('settings', { values: {} });
  const { safe, mined } = boards.highlights.layer('knowledge');
  return [`${safe}`, `${mined}`, document.getElementById('knowledge-next').textContent];
}
"""


def known(page: Page) -> Any:
    """Return the proved cells that the board marks, and the agent's next move."""
    until(page, "mineproof.boards.highlights.layer('knowledge') !== null")
    expect(page.locator("#knowledge-next")).to_contain_text("Next:")
    return page.evaluate(KNOWN)


def step_agent(page: Page) -> None:
    """Let the agent make a move, and wait until it has been made."""
    before = page.evaluate("mineproof.app.view.step")
    page.keyboard.press("a")
    until(page, "step => mineproof.app.view.step === step + 1", before)


def go_to(page: Page, step: int) -> None:
    """Show a step of the game, and wait for the agent's knowledge there."""
    page.evaluate("step => mineproof.moves.goTo(step)", step)
    until(page, "step => mineproof.moves.at === step", step)
    page.evaluate("document.getElementById('knowledge-next').textContent = ''")
    page.evaluate("mineproof.app.tell('position')")


@on_server
def test_one_move_has_one_knowledge(page: Page) -> None:
    """Steps back and forward, other questions and a reload do not change what an agent knows."""
    board = Board(page)
    board.new_game("intermediate", 7)
    choose_agent(page, "exact")
    page.evaluate("document.getElementById('stop-guess').checked = false")
    board.click(FIRST)
    page.evaluate("mineproof.agent.showKnowledge(true)")
    live = {}
    for _ in range(8):
        live[page.evaluate("mineproof.app.view.step")] = known(page)
        page.evaluate("document.getElementById('knowledge-next').textContent = ''")
        step_agent(page)
    for step in (5, 3, 4, 8, 1, 5):
        go_to(page, step)
        assert known(page) == live[step], step
    reload(page)
    go_to(page, 5)
    assert known(page) == live[5]


@on_server
def test_an_idea_shows_the_move_that_follows(page: Page) -> None:
    """In Agents' ideas, the next move is the one that the agent makes, guesses included."""
    page.click("#tab-learn")
    page.click("#learn-ideas")
    page.fill("#idea-seed", "1")
    page.click("#idea-start")
    until(page, "mineproof.learn.player.tape?.done === true")
    turns = page.evaluate("mineproof.learn.player.tape.frames.map((frame) => frame[0])")
    guesses = [i for i, turn in enumerate(turns) if turn.get("proved") is False]
    assert guesses
    for number in (guesses[0], 2, guesses[0], 0):
        page.evaluate("document.getElementById('knowledge-next').textContent = ''")
        page.evaluate("number => mineproof.learn.player.goTo(number)", number)
        row, column = turns[number]["cell"]
        expect(page.locator("#knowledge-next")).to_contain_text(f"open ({row}, {column})")


@on_server
def test_another_agent_looks_at_the_same_position(page: Page) -> None:
    """Choosing another agent keeps the step. The link restores both agents."""
    page.click("#tab-learn")
    page.click("#learn-ideas")
    page.fill("#idea-seed", "5")
    page.click("#idea-start")
    until(page, "mineproof.learn.player.tape?.done === true")
    page.fill("#idea-round", "3")
    page.locator("#agent-picker select").select_option("exact")
    expect(page.locator("#idea-let")).to_have_text("Let exact play this board")
    expect(page.locator("#idea-count")).to_have_text(re.compile("^3 of"))
    expect(page.locator("#knowledge-next")).to_contain_text("Next:")
    fields = page.evaluate("mineproof.learn.linkFields")
    assert (fields["agent"], fields["player"], fields["step"]) == ("exact", "sentences", "3")
    page.evaluate("fields => mineproof.learn.openIdea({ ...fields, step: 2 })", fields)
    expect(page.locator("#idea-count")).to_have_text(re.compile("^2 of"))
    expect(page.locator("#agent-picker select")).to_have_value("exact")
    assert page.evaluate("mineproof.learn.player.tape.names[0]") == "sentences"
    page.click("#idea-let")
    until(page, "mineproof.learn.player.tape.names[0] === 'exact'")
    expect(page.locator("#idea-let")).to_be_hidden()


CHANGE_BY_MOUSE = """
([selector, value]) => {
  const list = document.querySelector(selector);
  list.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  list.focus();
  if (value === null) return;
  list.value = value;
  list.dispatchEvent(new Event('change', { bubbles: true }));
}
"""


@on_server
def test_keys_act_on_the_game_after_the_mouse_has_chosen(page: Page) -> None:
    """A and the arrows work after a choice by mouse. Choices by key keep the focus."""
    board = Board(page)
    board.click(FIRST)
    page.evaluate(CHANGE_BY_MOUSE, ["#agent-picker select", "exact"])
    until(page, "mineproof.app.view.agent === 'exact'")
    step_agent(page)
    page.keyboard.press("ArrowLeft")
    until(page, "mineproof.moves.at === 1")
    page.evaluate(CHANGE_BY_MOUSE, ["#agent-picker select", None])
    page.keyboard.press("ArrowRight")
    until(page, "mineproof.moves.at === 2")
    expect(page.locator("#agent-picker select")).to_have_value("exact")
    page.click("#tab-learn")
    page.click("#learn-ideas")
    until(page, "mineproof.learn.player.tape?.done === true")
    page.click("#tab-play")
    page.click("#tab-learn")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#idea-count")).to_have_text(re.compile("^1 of"))
    expect(page.locator("#tab-learn")).to_have_attribute("aria-selected", "true")
    page.locator("#agent-picker select").focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.tagName") == "SELECT"
    page.locator("#tab-learn").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-analyse")).to_be_focused()


@on_server
def test_knowledge_gives_no_answer_away(page: Page) -> None:
    """Lessons and puzzles never show what an agent knows, even if it is switched on."""
    Board(page).click(FIRST)
    page.evaluate("mineproof.agent.showKnowledge(true)")
    known(page)
    page.click("#tab-learn")
    until(page, "mineproof.app.position.source === 'lesson'")
    page.keyboard.press("i")
    page.evaluate("mineproof.app.ask('settings', { values: {} })")
    page.evaluate("mineproof.app.ask('risks', mineproof.app.position.fields)")
    assert page.evaluate("mineproof.boards.highlights.layer('knowledge')") is None
    page.click("#tab-play")
    known(page)


@on_server
def test_share_says_only_what_it_did(page: Page) -> None:
    """No old message is left in the window, and a saved picture is reported."""
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    page.click("#copy-link")
    expect(page.locator("#message")).to_contain_text("is in the text field under Games, Share")
    page.evaluate("navigator.clipboard.writeText = () => Promise.resolve()")
    page.click("#copy-link")
    expect(page.locator("#message")).to_contain_text("copied")
    page.click("#open-games")
    page.click("#games-tab-share")
    expect(page.locator("#share-note")).to_have_text("")
    with page.expect_download():
        page.click("#save-picture")
    expect(page.locator("#share-note")).to_have_text("Saved as mineproof.png.")
    page.keyboard.press("Escape")
    expect(page.locator("#share-note")).to_have_text("")


@on_server
def test_the_switch_shows_whether_the_game_needs_guesses(page: Page) -> None:
    """No-guess is on after a reload and after opening such a game, and New keeps to it."""
    board = Board(page)
    switch = page.locator("#no-guess")
    board.new_game("beginner", 7, start="no-guess")
    expect(switch).to_be_checked()
    board.click(FIRST)
    reload(page)
    expect(switch).to_be_checked()
    board.new_game("beginner", 8)
    expect(switch).not_to_be_checked()
    board.click(FIRST)
    switch.check()
    reload(page)
    expect(switch).to_be_checked()
    page.click("#new")
    page.click("text=Abandon it")
    until(page, "mineproof.app.view.rules.start.startsWith('no-guess')")


@on_server
def test_reasons_come_back_with_their_moves(page: Page) -> None:
    """Going back shows why the agent made a move, with its clue. Step stops before a guess."""
    board = Board(page)
    choose_agent(page, "basic")
    board.click(FIRST)
    step_agent(page)
    expect(page.locator("#advice-title")).to_contain_text("basic: open")
    reason = page.locator("#advice-body").text_content() or ""
    place = page.locator("#agent-step").bounding_box()
    step_agent(page)
    page.keyboard.press("ArrowLeft")
    until(page, "mineproof.moves.at === 2")
    expect(page.locator("#advice-body")).to_have_text(reason)
    assert board.marks("clues")
    page.evaluate("mineproof.agent.showKnowledge(true)")
    known(page)
    assert page.locator("#agent-step").bounding_box() == place
    page.evaluate("mineproof.app.toNow()")
    choose_agent(page, "random")
    page.keyboard.press("a")
    expect(page.locator("#message")).to_contain_text("Press A or Step again to make it.")
    step_agent(page)
    assert page.evaluate("mineproof.app.view.last.proved") is False
    expect(page.locator("#advice-body")).to_contain_text("A guess")
