"""The column next to the board, in a real browser.

It describes the position that the board shows.
"""

from __future__ import annotations

import re

from browser_page import FIRST, Board, Home, choose_agent, on_server, open_page, reload, until
from playwright.sync_api import Browser, Page, expect

import mineproof as mw

MIDDLE = {"width": 1440, "height": 900}


def position() -> mw.Observation:
    """Return the beginner game of seed 7 after its first click."""
    return mw.Game(mw.BEGINNER, 7, FIRST).observation


def test_a_hint_is_always_proved(page: Page) -> None:
    """With any agent, a hint names a cell with its easiest proof, or says that none is proved."""
    board = Board(page)
    choose_agent(page, "sentences")
    board.new_game("intermediate", 3)
    board.click((8, 8))
    for _ in range(4):
        hint = page.evaluate("mineproof.app.about('hint')")
        for _ in hint["stages"]:
            page.keyboard.press("h")
        if hint["why"] is None:
            expect(page.locator("#message")).to_contain_text("Nothing is proved safe")
            break
        cell = hint["cell"]
        expect(page.locator("#advice-title")).to_contain_text(f"({cell[0]}, {cell[1]}) is safe")
        assert board.marks("targets") == [cell]
        assert hint["why"]["proved"] == "safe"
        board.click((cell[0], cell[1]))
        assert page.evaluate("mineproof.app.view.hits") == 0


@on_server
def test_hints_come_in_stages(page: Page) -> None:
    """Each further hint reveals more: first where to look, then which clues, then the proof."""
    board = Board(page)
    board.click(FIRST)
    page.click("#hint")
    expect(page.locator("#advice-title")).to_have_text(re.compile(r"Hint 1 of \d"))
    stages = int((page.text_content("#advice-title") or "").split(" of ")[1])
    assert stages >= 2
    for stage in range(2, stages + 1):
        page.click("#hint")
        expect(page.locator("#advice-title")).to_contain_text(re.compile(f"Hint {stage} of", re.I))
    expect(page.locator("#advice-body .proof li").first).to_be_visible()


@on_server
def test_a_hint_on_its_way_swallows_no_other(page: Page) -> None:
    """A player who moves before the hint arrives gets the hint for the next position."""
    board = Board(page)
    board.click(FIRST)
    page.evaluate("() => { mineproof.app.connection.ask = () => new Promise(() => {}); }")
    page.keyboard.press("h")
    page.evaluate("() => { delete mineproof.app.connection.ask; }")
    board.agent_moves(1)
    page.keyboard.press("h")
    expect(page.locator("#advice-title")).to_have_text(re.compile("^Hint 1 of"))


@on_server
def test_steps_of_a_proof_light_their_cells(page: Page) -> None:
    """Why shows numbered steps. Pointing at a step lights its clues."""
    board = Board(page)
    board.click(FIRST)
    safe = mw.analyse(position(), moves=False).safe[0]
    page.click("#why")
    expect(page.locator("#why")).to_have_attribute("aria-pressed", "true")
    board.click((safe.row, safe.column), wait=False)
    expect(page.locator("#advice-title")).to_have_text(f"Why ({safe.row}, {safe.column}) is safe")
    all_clues = board.marks("clues")
    assert all_clues
    step = page.locator(".proof li").last
    step.hover()
    expect(step).to_have_class("on")
    assert board.marks("lit")
    named = re.findall(r"\d at \((\d+), (\d+)\)", step.inner_text())
    assert all([int(row), int(column)] in board.marks("clues") for row, column in named)
    page.mouse.move(5, 5)
    until(page, "mineproof.boards.current.overlays.lit === undefined")
    assert board.marks("clues") == all_clues
    step.focus()
    until(page, "mineproof.boards.current.overlays.lit?.length > 0")


WHOLE = """
([box, scroller]) => {
  const outer = document.querySelector(scroller).getBoundingClientRect().bottom;
  const one = document.querySelector(box);
  return one.scrollHeight <= one.clientHeight + 1 && one.getBoundingClientRect().bottom <= outer;
}
"""
"""A script that tells whether a box shows all it holds without being scrolled."""


@on_server
def test_boxes_grow_with_what_they_hold(browser: Browser, home: Home) -> None:
    """A proof is shown whole if there is room, and so is what an agent knows."""
    with open_page(browser, home, viewport=MIDDLE) as page:
        choose_agent(page, "sentences")
        board = Board(page)
        board.new_game("beginner", 7)
        board.click(FIRST)
        page.keyboard.press("i")
        expect(page.locator("#knowledge-items li")).not_to_have_count(0)
        assert page.evaluate(WHOLE, ["#knowledge-items", "#sections"])
        page.click("#tab-learn")
        page.click("#learn-ideas")
        steps = ["The 1 at (3, 0) needs one mine and has one unopened neighbour."] * 3
        items = "".join(f"<li>{step}</li>" for step in steps)
        page.evaluate(
            "html => document.querySelector('#advice-body').innerHTML = html",
            f'<ol class="proof">{items}</ol>',
        )
        assert page.evaluate(WHOLE, ["#advice-body", "#sections"])


@on_server
def test_may_i_guess(page: Page) -> None:
    """The answer to "May I guess?" is no if a cell is proved safe. Its proof is shown once."""
    board = Board(page)
    board.click(FIRST)
    page.keyboard.press("g")
    expect(page.locator("#advice-title")).to_have_text("May I guess? No")
    words = page.inner_text("#advice-body").lower()
    assert words.count(page.inner_text(".proof li >> nth=0").lower().rstrip(".")) == 1
    page.evaluate("document.getElementById('tap-mark').click()")
    target = tuple(board.marks("targets")[0])
    board.click(target)
    assert board.letter(target) in "012345678"  # a tap on a cell proved safe never flags it
    board.new_game("5x5/12", 1, start="safe")
    page.evaluate("document.getElementById('tap-open').click()")
    board.click(FIRST)
    assert board.letter(FIRST) in "12"
    page.click("#why")
    board.click(FIRST, wait=False)
    expect(page.locator("#message")).to_have_text(
        "The 2 at (4, 4) touches 2 mines. It has 3 unopened neighbours."
    )
    expect(page.locator("#message")).to_have_attribute("data-kind", "note")
    expect(page.locator("#why")).to_have_attribute("aria-pressed", "true")
    assert len(board.marks("lit")) == 3
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    expect(page.locator("#advice-title")).to_have_text("May I guess? Yes")
    expect(page.locator("#advice-body")).to_contain_text("The best guess is (")
    expect(page.locator("#message")).to_contain_text("Yes. No cell is proved safe. The best guess")


def test_the_win_chance_is_said_with_its_kind(page: Page) -> None:
    """The win chance is off by default during play, and labelled as exact or estimated."""
    Board(page).click(FIRST)
    expect(page.locator("#win-note")).to_have_text("hidden while you play")
    page.click("#live-win")
    expect(page.locator("#win")).to_have_text(re.compile(r"^\d+\.\d\s%$"))
    expect(page.locator("#win-note")).to_have_text(re.compile("exact|estimated"))
    page.click("#best")
    expect(page.locator("#best-moves li").first).to_contain_text("safe")
    assert page.evaluate("mineproof.boards.main.overlays.best.length") >= 1
    Board(page).new_game("beginner", 7, start="no-guess")
    Board(page).click(FIRST)
    expect(page.locator("#win-note")).to_contain_text("for a random board; yours needs no guess")


@on_server
def test_the_heat_map_is_on_the_frontier(page: Page) -> None:
    """Cells next to a clue show a risk. The common risk of all others is shown once."""
    board = Board(page)
    board.new_game("expert", 7, start="opening")
    board.click((8, 15))
    page.keyboard.press("m")
    until(page, "mineproof.boards.main.overlays.risk !== null")
    letters, risk = board.letters(), board.marks("risk")
    grid = mw.EXPERT.grid
    for index, value in enumerate(risk):
        near = any(letters[other] in "012345678" for other in grid.neighbours(index))
        assert (value is not None) == (near and letters[index] in "HF"), index
    expect(page.locator("#interior")).to_have_text(re.compile(r"no clue: \d+\.\d\s% each"))
    expect(page.locator("#legend canvas")).to_be_visible()
    assert "%" not in re.sub(r"\d\s%", "", page.inner_text("#column"))
    page.keyboard.press("m")
    until(page, "mineproof.boards.main.overlays.risk === null")


def test_verdicts_follow_moves(page: Page) -> None:
    """If verdicts are on, each of the player's moves gets one, with the better cell's proof."""
    board = Board(page)
    page.click("#open-settings")
    page.check("#verdicts")
    page.keyboard.press("Escape")
    board.click(FIRST)
    found = mw.analyse(position(), moves=False)
    truth = mw.Game(mw.BEGINNER, 7, FIRST).board
    assert truth is not None
    risky = next(
        cell
        for cell in mw.BEGINNER.grid.cells()
        if (found.risk[cell.row][cell.column] or 0) > 0 and cell not in truth.mines
    )
    board.click((risky.row, risky.column))
    expect(page.locator("#advice-title")).to_have_text("Move 1")
    expect(page.locator("#advice-body")).to_contain_text("proved safe")
    dot = page.locator("#move-list li .dot[data-kind]")
    expect(dot).to_have_attribute("data-kind", re.compile("avoidable risk|reckless"))


@on_server
def test_the_past_is_asked_about_itself(page: Page) -> None:
    """A past position is tinted and labelled. Flags, hints, reasons and knowledge refer to it."""
    board = Board(page)
    board.click(FIRST)
    board.agent_moves(4)
    now = board.letters()
    page.keyboard.press("i")
    expect(page.locator("#knowledge-next")).to_contain_text("Next:")
    opened = page.evaluate("mineproof.moves.entries[1].cell")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    until(page, "mineproof.moves.at === 2 && mineproof.app.position.source === 'past'")
    expect(page.locator("#stage")).to_have_attribute("data-past", "yes")
    expect(page.locator("#message")).to_contain_text("move 1 of 4")
    past = board.letters()
    assert past != now
    until(page, "mineproof.boards.main.overlays.safe?.length > 0")
    for row, column in board.marks("safe") + board.marks("mined"):
        assert past[row * 9 + column] in "HF"
    expect(page.locator("#knowledge-next")).to_contain_text(f"({opened[0]}, {opened[1]})")
    board.click((opened[0], opened[1]), wait=False)
    expect(page.locator("#advice-title")).to_have_text(f"Why ({opened[0]}, {opened[1]}) is safe")
    page.keyboard.press("h")
    until(page, "mineproof.advice.hinted !== null")
    cell = page.evaluate("mineproof.advice.hinted.cell")
    assert past[cell[0] * 9 + cell[1]] == "H"
    page.click("#to-now")
    board.wait_for(lambda letters: letters == now)
    expect(page.locator("#stage")).to_have_attribute("data-past", "no")


def test_a_past_move_is_gone_on_from(page: Page) -> None:
    """A new game can start from a past position, with the same mines or with new ones."""
    board = Board(page)
    board.click(FIRST)
    board.agent_moves(4)
    page.keyboard.press("ArrowLeft")
    until(page, "mineproof.app.position.source === 'past'")
    past, keys = board.letters(), {page.evaluate("mineproof.app.view.key")}
    page.click("#from-here")
    until(page, "mineproof.app.view.steps === 4 && mineproof.app.position.source === 'game'")
    assert board.letters() == past
    keys.add(page.evaluate("mineproof.app.view.key"))
    page.keyboard.press("ArrowLeft")
    until(page, "mineproof.app.position.source === 'past'")
    past = board.letters()
    page.click("#from-fresh")
    until(page, "mineproof.app.view.steps === 3 && mineproof.app.position.source === 'game'")
    assert board.letters() == past
    expect(page.locator("#message")).to_contain_text("The mines were dealt again")
    assert page.evaluate("mineproof.app.view.aided")
    assert len(keys | {page.evaluate("mineproof.app.view.key")}) == 3


@on_server
def test_the_graph_is_dragged(page: Page) -> None:
    """Dragging along the graph moves through the game. The End key returns to the last position."""
    board = Board(page)
    board.click(FIRST)
    board.agent_moves(3)
    page.click("#judge")
    expect(page.locator("#move-list .dot[data-kind=proved]").first).to_be_visible()
    expect(page.locator("#graph .wins")).to_have_attribute("d", re.compile("^M.*L"))
    box = page.locator("#graph").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 2, box["y"] + 20, steps=3)
    page.mouse.up()
    until(page, "mineproof.moves.at === 0")
    page.focus("#move-list")
    page.keyboard.press("ArrowDown")
    until(page, "mineproof.moves.at === 1")
    page.focus("#graph")
    page.keyboard.press("End")
    until(page, "mineproof.app.position.source === 'game'")


def test_mistakes_are_reviewed_one_by_one(page: Page) -> None:
    """The review shows the played cell, why it was wrong, and the better cell with its proof."""
    board = Board(page)
    board.click(FIRST)
    found, truth = mw.analyse(position(), moves=False), mw.Game(mw.BEGINNER, 7, FIRST).board
    assert truth is not None
    cells = [cell for cell in mw.BEGINNER.grid.cells() if cell not in truth.mines]
    risky = next(cell for cell in cells if (found.risk[cell.row][cell.column] or 0) > 0)
    board.click((risky.row, risky.column))
    mine = found.mined[0]
    board.click((mine.row, mine.column))
    button = page.locator("#review-risks")
    expect(button).to_have_text("Review my 2 avoidable risks")
    button.click()
    title, body = page.locator("#advice-title"), page.locator("#advice-body")
    expect(page.locator("#stage")).to_have_attribute("data-past", "yes")
    expect(body).to_contain_text(f"You opened ({risky.row}, {risky.column}). It risked ")
    chances = r"\d.% with the best move, [1-9][\d.]*.% with yours. Then it hit no mine."
    expect(page.locator(".fall")).to_contain_text(re.compile(chances))
    page.keyboard.press("]")
    expect(title).to_have_text("Mistake 2 of 2 ??")
    expect(body).to_contain_text(f"You opened ({mine.row}, {mine.column}). It was proved to be")
    expect(body).to_contain_text(f"Why ({mine.row}, {mine.column}) is a mine")
    expect(body).to_contain_text("Better: (")
    expect(page.locator(".fall")).to_contain_text(re.compile(r"\d.% with the best move, 0.0.% "))
    expect(page.locator("#move-list li.on")).to_contain_text(f"({mine.row}, {mine.column})")
    for size in ({"width": 1366, "height": 768}, MIDDLE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        until(page, f"innerWidth === {size['width']}")
        inner = "document.querySelector('#advice-body')"
        assert page.evaluate(f"{inner}.scrollHeight <= {inner}.clientHeight"), "the proof is cut"
        assert page.evaluate(f"{inner}.getBoundingClientRect().bottom <= innerHeight")
        expect(page.locator("#practise-this")).to_be_in_viewport()
        expect(page.locator("#mistake-on")).to_be_in_viewport()
    assert board.marks("clues")
    assert board.marks("targets")
    played = page.evaluate("mineproof.boards.main.overlays.played")
    assert played == [{"cell": [mine.row, mine.column], "glyph": "??", "mine": True}]
    for way, number in (("[", 1), ("]", 2), ("#mistake-back", 1), ("#mistake-on", 2)):
        page.click(way) if way.startswith("#") else page.keyboard.press(way)
        expect(title).to_have_text(re.compile(f"^Mistake {number} of 2 "))
        cell = [[risky.row, risky.column], [mine.row, mine.column]][number - 1]
        until(
            page,
            "cell => mineproof.boards.main.overlays.played?.[0].cell.join() === cell.join()",
            cell,
        )
    page.click("#to-now")
    until(page, "!mineproof.boards.main.overlays.played")
    page.keyboard.press("[")
    expect(title).to_have_text(re.compile("^Mistake 1 of 2 "))
    before = board.letters()
    page.click("#practise-this")
    expect(page.locator("#puzzle-text")).to_contain_text("From your own games. Proved mines")
    assert board.letters().replace("F", "H") == before


def test_the_agent_and_its_knowledge_are_in_view(browser: Browser, home: Home) -> None:
    """Pointing at an item of an agent's knowledge lights its cells. The list is never empty."""
    with open_page(browser, home, viewport=MIDDLE) as page:
        board = Board(page)
        board.new_game("expert", 7)
        board.click((8, 15))
        choose_agent(page, "sentences")
        page.keyboard.press("i")
        item = page.locator("#knowledge-items li").first
        expect(item).to_contain_text("=")
        expect(item).to_be_in_viewport()
        expect(page.locator("#agent-step")).to_be_in_viewport()
        item.hover()
        until(page, "mineproof.boards.main.overlays.lit?.length > 0")
        page.click("#agent-step")
        board.steps(2)
        item, then = page.locator("#knowledge-items li").first, page.locator("#knowledge-next")
        expect(item).to_be_visible()
        choose_agent(page, "basic")  # basic keeps no list
        expect(item).to_contain_text("what this agent knows is marked on the board.")
        choose_agent(page, "champion")  # champion compares no moves if one is proved
        expect(item).to_contain_text(" boxes with ")
        expect(then).to_have_text("Next: open (1, 17) (proved).")
        choose_agent(page, "resolution")
        expect(page.locator("#knowledge-stats")).to_contain_text("only when it has no proved move")
        heads = page.locator("#knowledge-items li.note")
        expect(heads.filter(has_text="KB: ")).to_be_visible()
        expect(heads.filter(has_text="KB0: ")).to_have_count(1)
        choose_agent(page, "champion")
        board.new_game("expert", 1)
        board.click((8, 15))  # this opens a single clue
        expect(item).to_contain_text("8 cells under 1 clues: (8, 15)")
        expect(then).to_contain_text("guess, risk")


def test_agents_have_their_ideas_and_options(page: Page) -> None:
    """An agent's idea is shown in one line and its options as controls. The chosen agent plays."""
    choose_agent(page, "sentences")
    expect(page.locator("#agent-idea")).to_contain_text("subset rule")
    page.click("#agent-more summary")
    field = page.locator("#agent-options label", has_text="matching").locator("select")
    field.select_option("stuck")
    until(page, "mineproof.app.view.agent === 'sentences:matching=stuck'")
    reload(page)
    assert page.evaluate("mineproof.agent.picker.value") == "sentences:matching=stuck"
    until(page, "mineproof.app.view.agent === 'sentences:matching=stuck'")


def test_autoplay_stops_at_guesses(page: Page) -> None:
    """Autoplay stops before a guess, or plays to the end if guesses are allowed."""
    board = Board(page)
    choose_agent(page, "random")
    board.new_game("expert", 3)
    board.click((8, 8))
    page.click("#agent-play")
    expect(page.locator("#message")).to_contain_text("Stopped before a guess")
    choose_agent(page, "exact")
    board.new_game("beginner", 7)
    page.click("#agent-more summary")
    page.fill("#speed", "21")
    page.uncheck("#stop-guess")
    page.click("#agent-play")
    until(page, "mineproof.app.view.end !== null")
    expect(page.locator("#agent-play")).to_have_attribute("aria-pressed", "false")
