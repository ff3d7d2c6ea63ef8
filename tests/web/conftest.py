"""One server, one static site and one browser for all tests of a process."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser_page import Board, Home, open_page
from conftest import Require, import_extra
from site_server import StaticSite, built_site, served
from web_server import PATIENCE, WebServer, web_server

from mineproof.core.errors import InputError
from mineproof.web.site_build import PACKAGES, find_node, find_package

if TYPE_CHECKING:  # an optional package
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give tests of the site time to build it. The first one may compile the core."""
    for item in items:
        if {"home", "site"}.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.timeout(1800))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    with web_server(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="session")
def browser(require: Require) -> Iterator[Browser]:
    """Start the machine's own Chromium."""
    require("browser", bool(CHROMIUM), "chromium is not installed")
    api = import_extra("playwright.sync_api")
    with api.sync_playwright() as playwright:
        api.expect.set_options(timeout=1000 * PATIENCE)  # machines may be busy
        running = playwright.chromium.launch(executable_path=CHROMIUM, timeout=1000 * PATIENCE)
        yield running
        running.close()


@pytest.fixture(scope="session")
def axe(require: Require) -> str:
    """Return the script of axe-core."""
    path = ROOT / "node_modules" / "axe-core" / "axe.min.js"
    require("node", path.exists(), "axe-core is not installed: npm install")
    return path.read_text("utf-8")


@pytest.fixture(scope="session")
def site(require: Require) -> Iterator[StaticSite]:
    try:
        for name in PACKAGES:
            find_package(name)
        find_node()
    except InputError as error:
        require("node", False, str(error))
    with served(built_site()) as running:
        yield running


@pytest.fixture(scope="session", params=["server", "site"])
def home(request: pytest.FixtureRequest) -> Home:
    """Return the page from the server and from the static site. Both must behave alike."""
    found: Home = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def page(browser: Browser, home: Home) -> Iterator[Page]:
    """Return a page in a new context, with a new beginner game of seed 7."""
    with open_page(browser, home, viewport={"width": 1366, "height": 768}) as opened:
        Board(opened).new_game(level="beginner", seed=7)
        yield opened


@pytest.fixture
def screen(require: Require) -> Iterator[str]:
    """Start a virtual screen."""
    missing = [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]
    require("browser", not missing, f"{', '.join(missing)} not installed")
    reading, writing = os.pipe()
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24"], pass_fds=[writing]
    )
    os.close(writing)
    with os.fdopen(reading) as output:
        number = output.readline().strip()  # printed when the screen is ready
    yield f":{number}"
    process.terminate()
    process.wait(PATIENCE)
