"""The page in Firefox and in WebKit: a game, a hint, an analysis and a race."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_page import FIRST, Home
from conftest import Require
from other_browsers import FIREFOX, MINI_BROWSER, WEBKIT_DRIVER, OtherBrowser, firefox, webkit
from web_server import PATIENCE


@pytest.fixture
def other(
    request: pytest.FixtureRequest, require: Require, tmp_path: Path
) -> Iterator[OtherBrowser]:
    """Start a browser that is not Chromium."""
    if request.param == "firefox":
        require("firefox", bool(FIREFOX), "firefox-esr is not installed")
        with firefox(tmp_path) as running:
            yield running
    else:
        found = bool(WEBKIT_DRIVER) and MINI_BROWSER.is_file()
        require("webkit", found, "webkit2gtk-driver is not installed")
        with webkit(tmp_path, request.getfixturevalue("screen")) as started:
            yield started


def until(other: OtherBrowser, script: str) -> None:
    """Wait until an expression is true."""
    deadline = time.monotonic() + PATIENCE
    while not other.run(script):
        assert time.monotonic() < deadline, f"expected {script}"
        time.sleep(0.05)


def click(other: OtherBrowser, point: str) -> None:
    """Click at the point that an expression returns, once it has stopped moving."""
    before, now = None, other.run(point)
    while before != now:
        time.sleep(0.3)
        before, now = now, other.run(point)
    x, y = map(round, now)
    moves: list[dict[str, Any]] = [
        {"type": "pointerMove", "x": x, "y": y},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]
    other.act([{"type": "pointer", "id": "mouse", "actions": moves}])


def press(other: OtherBrowser, key: str) -> None:
    """Press a key."""
    strokes = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
    other.act([{"type": "key", "id": "keys", "actions": strokes}])


def middle(name: str) -> str:
    """Return an expression for the middle of an element."""
    return f"""((one) => {{
      one.scrollIntoView({{ block: 'nearest' }});
      const {{ x, y, width, height }} = one.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    }})(document.getElementById('{name}'))"""


CELL = """
(({ x, y }, at) => [x + at.x, y + at.y])(
  mineproof.boards.main.canvas.getBoundingClientRect(), mineproof.boards.main.point([%d, %d]))
"""


@pytest.mark.parametrize(
    ("home", "other"),
    [(home, browser) for browser in ("firefox", "webkit") for home in ("server", "site")],
    indirect=True,
)
def test_the_page_works_in_other_browsers(other: OtherBrowser, home: Home) -> None:
    """A player opens cells by mouse, asks for a hint by key, analyses the game, and races."""
    other.go(home.address)
    until(other, "document.documentElement.dataset.ready === 'yes'")
    other.run("mineproof.app.remember({ visited: true })")
    other.run("mineproof.app.command('new', { level: 'beginner', seed: '7' }).then(() => 1)")
    until(other, "mineproof.app.view.seed === '7' && mineproof.app.view.step === 0")
    click(other, CELL % FIRST)
    until(other, "mineproof.app.view.step === 1")
    assert other.run("mineproof.app.view.last.cell") == [*FIRST]
    for stage in (1, 2, 3):
        press(other, "h")
        until(
            other, f"document.getElementById('advice-title').textContent.includes('{stage} of 3')"
        )
    click(other, middle("tab-analyse"))
    until(other, "mineproof.app.tab === 'analyse'")
    click(other, middle("from-game"))
    until(other, "mineproof.app.position.grid.rows === 9")
    until(other, "document.getElementById('win').textContent.includes('%')")
    click(other, middle("tab-race"))
    until(other, "mineproof.app.tab === 'race'")
    click(other, middle("race-start"))
    until(other, "/^[1-9]/.test(document.getElementById('race-count').textContent)")
    until(other, "mineproof.race.lanes.length >= 2")
