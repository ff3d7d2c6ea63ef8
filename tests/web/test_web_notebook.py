"""`mineproof.show`: the board in a notebook."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import import_extra
from jupyter_page import middle, open_notebook

import mineproof
from mineproof.agents.loading import load_module
from mineproof.core.random import hashed_seed
from mineproof.draw import Picture

if TYPE_CHECKING:  # an optional package
    from playwright.sync_api import Browser, Locator

CODE = """import mineproof
game = mineproof.Game("beginner", seed=7, first=(0, 0))
mineproof.show(game, "sentences")"""
"""Code that opens two rows of three cells. A 1-1 pattern proves (2, 2) safe; (2, 1) is a mine."""
SLOW_WHY = """import time
from mineproof import advice
quick = advice.why
def slow(*arguments):
    time.sleep(2)
    return quick(*arguments)
advice.why = slow
"""
"""Code that delays the answers to Why."""
MOVE_AND_PRINT = """game.open(2, 0)
print(game.observation.to_text())"""


WIDE = 'mineproof.show("expert:s7")'


def edge(board: Locator, row: int, column: int) -> Any:
    """Return the colour just inside the left edge of a cell, as red, green and blue."""
    place = middle(board, row, column)
    script = "(canvas, [x, y]) => [...canvas.getContext('2d').getImageData(x, y, 1, 1).data]"
    return board.locator("canvas").evaluate(script, [place["x"] - 14, place["y"]])[:3]


def send(widget: Any, name: str, value: Any = None) -> Any:
    """Send a command to a board as the page does, and return the new view."""
    widget._receive(widget, {"name": name, "value": value}, [])
    return json.loads(json.dumps(widget.view))  # the view travels as JSON


def test_without_the_extra_a_picture_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    game = mineproof.Game("beginner", seed=7, first=(0, 0))
    picture = mineproof.show(game)
    assert isinstance(picture, Picture)
    assert picture == mineproof.draw(game)


def test_commands_change_the_game_that_was_passed() -> None:
    import_extra("anywidget")
    game = mineproof.Game("beginner", seed=7, first=(0, 0))
    board: Any = mineproof.show(game, "sentences")
    assert board.view["status"] == "10 mines left"
    view = send(board, "mark", [2, 1])
    assert (view["rows"][2][1], view["status"], view["last"]) == ("F", "9 mines left", [2, 1])
    assert game.observation.is_marked(mineproof.Cell(2, 1))
    assert send(board, "open", [2, 1])["note"] == "This cell is flagged. Remove the flag first."
    assert send(board, "mark", [2, 1])["rows"][2][1] == "H"
    first = send(board, "why", [2, 2])
    assert first["reply"]["why"]["clues"] == [[1, 0], [1, 1]]
    assert send(board, "why", [2, 2]) != first  # an equal view would not reach the page
    view = send(board, "risks", True)
    assert view["risk"][18:21] == [0, 1, 0]
    assert view["reply"]["why"]["cell"] == [2, 2]  # the answer stays
    view = send(board, "step")
    assert view["reply"]["made"]
    assert view["reply"]["knowledge"]["next"]["cell"] == [2, 2]
    assert view["reply"]["knowledge"]["items"]
    assert game.moves[-1] == mineproof.Move("open", (2, 2))
    assert board._repr_svg_() == mineproof.draw(game)
    assert view["risk"][20] is None  # the risks follow the game
    view = send(board, "open", [2, 1])
    assert (view["over"], view["status"]) == (True, "Lost: a mine exploded")
    assert view["mines"] == list(game.board.mine_indices if game.board else ())
    assert "Undo takes back" in send(board, "open", [8, 8])["note"]
    view = send(board, "undo")
    assert (view["over"], view["mines"], len(game.moves)) == (False, [], 3)
    assert send(board, "agent", "champion")["reply"]["agent"] == "champion"
    assert "Expected one of" in send(board, "agent", "nobody")["note"]


def test_positions_and_own_agents() -> None:
    import_extra("anywidget")
    record = mineproof.play(mineproof.Game("beginner", seed=7, first=(0, 0)), "exact")
    board: Any = mineproof.show(record, move=2)
    assert board.view["rows"] == record.positions()[1].to_text().split()[1:]
    assert not board.view["playable"]
    assert "Pass a game to play it" in send(board, "open", [8, 8])["note"]
    assert mineproof.show("beginner:s7").view["playable"]  # type: ignore[union-attr]

    def last_cell(position: mineproof.Observation) -> mineproof.Cell:
        return position.grid.cell(position.unopened[-1])

    game = mineproof.Game("beginner", seed=7, first=(0, 0))
    view = send(mineproof.show(game, last_cell), "step")
    assert (view["agent"], view["reply"]["knowledge"]["next"]["cell"]) == ("last_cell", [8, 8])
    with pytest.raises(mineproof.AgentError, match="nobody"):
        mineproof.show(game, "nobody")
    with pytest.raises(TypeError, match="expected a Game"):
        mineproof.show(7)  # type: ignore[arg-type]


NOTES = """
import os
class Own:
    def start(self, rules, seed):
        with open({note!r}, "a") as file:
            file.write(f"{{os.getpid()}} {{seed}} ")
    def decide(self, observation):
        return observation.grid.cell(observation.unopened[-1])
"""


def test_user_code_gets_no_seed_and_a_file_runs_apart(tmp_path: Path) -> None:
    import_extra("anywidget")
    file, note = tmp_path / "own.py", tmp_path / "note"
    file.write_text(NOTES.format(note=str(note)))
    game = mineproof.Game("beginner", seed=7, first=(0, 0))
    send(mineproof.show(game, f"{file}:Own"), "step")
    send(mineproof.show(game, load_module(file).Own), "step")
    processes, seeds = note.read_text().split()[::2], note.read_text().split()[1::2]
    assert [process == str(os.getpid()) for process in processes] == [False, True]
    assert seeds[1] == str(hashed_seed(7))
    assert seeds[0] not in ("7", seeds[1])  # salted


@pytest.mark.full
def test_a_game_in_jupyterlab(browser: Browser, tmp_path: Path, axe: str) -> None:
    """Open a cell, undo it, read a proof, let an agent move, and move in Python."""
    from playwright.sync_api import expect

    import_extra("anywidget")
    with open_notebook(browser, tmp_path, SLOW_WHY + CODE, MOVE_AND_PRINT, WIDE) as page:
        board = page.locator(".mineproof .board")
        answer = page.locator(".mineproof .answer")
        status = page.locator(".mineproof [role=status]")
        focused = page.locator(".mineproof [role=gridcell]")
        expect(status).to_have_text("10 mines left")

        board.click(position=middle(board, 2, 2))
        expect(focused.filter(has_text="row 2, column 2: clue")).to_have_count(1)
        page.get_by_role("button", name="Undo").click()
        expect(focused.filter(has_text="row 2, column 2: unopened")).to_have_count(1)
        board.click(position=middle(board, 2, 1), button="right")
        expect(status).to_have_text("9 mines left")
        expect(page.locator(".lm-Menu")).to_have_count(0)  # the notebook's own menu

        page.get_by_role("button", name="Why?").click()
        board.click(position=middle(board, 2, 2))
        expect(answer).to_have_text("Working…")
        board.click(position=middle(board, 2, 2))  # ignored until the answer arrives
        expect(answer).to_contain_text("Why (2, 2) is safe")
        expect(answer).to_contain_text("1-1 pattern")
        expect(focused.filter(has_text="row 2, column 2: unopened")).to_have_count(1)
        assert edge(board, 1, 0) == edge(board, 1, 1) == [31, 91, 189]  # lit: the accent colour
        assert edge(board, 1, 2) != [31, 91, 189]
        page.get_by_role("button", name="Risks").click()
        expect(focused.filter(has_text="row 2, column 2: unopened, risk 0.0")).to_have_count(1)
        expect(answer).to_contain_text("1-1 pattern")
        page.get_by_role("button", name="Agent move").click()
        expect(answer).to_contain_text("sentences: open (2, 2)")
        expect(answer).to_contain_text("What it knows: sentences")
        page.evaluate(axe)
        found = page.evaluate("axe.run('.mineproof')")["violations"]
        assert not found, found

        page.locator(".jp-CodeCell").nth(1).click()
        page.keyboard.press("Shift+Enter")
        printed = page.locator(".jp-OutputArea-output pre").last
        expect(printed).to_have_text(re.compile("9x9x10\n001HHHHHH\n113HHHHHH\n[1-8]F[1-8]H"))
        board.focus()
        expect(answer).to_contain_text("Click to open")  # the board has followed the move

        page.locator(".jp-CodeCell").nth(2).click()
        page.keyboard.press("Shift+Enter")
        expect(status.last).to_have_text("99 mines left")
        wide, below = board.last.bounding_box(), answer.last.bounding_box()
        assert wide is not None
        assert below is not None
        # All 30 columns fit, because the answer is below the board.
        assert below["y"] >= wide["y"] + wide["height"]
