"""A notebook with a board, in a real JupyterLab."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conftest import import_extra
from web_server import PATIENCE

if TYPE_CHECKING:  # an optional package
    from playwright.sync_api import Browser, Locator, Page

SIDE, LEFT, TOP = 30, 26, 20
"""The side of a cell, and the space for the numbers of rows and columns, in pixels."""


@contextmanager
def jupyterlab(folder: Path) -> Iterator[str]:
    """Start JupyterLab in a folder that also has its settings, and yield its address."""
    import_extra("jupyterlab")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = {name: str(folder / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR")}
    home |= {"JUPYTER_RUNTIME_DIR": str(folder / "run"), "IPYTHONDIR": str(folder / "ipython")}
    options = [f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--allow-root"]
    options += [
        "--no-browser",
        "--IdentityProvider.token=",
        f"--ServerApp.root_dir={folder / 'work'}",
    ]
    with (folder / "jupyter.log").open("w") as log:
        running = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options],
            stdout=log,
            stderr=log,
            env={**os.environ, **home},
        )
    address = f"http://127.0.0.1:{port}/"
    try:
        end = time.monotonic() + PATIENCE
        while running.poll() is None and time.monotonic() < end:
            with suppress(OSError), urllib.request.urlopen(f"{address}api", timeout=5):
                break
            time.sleep(0.1)
        yield address
    finally:
        running.terminate()
        running.wait(PATIENCE)


def notebook(*sources: str) -> str:
    """Return a notebook with these cells."""
    blank: dict[str, Any] = {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
    }
    cells = [{**blank, "id": f"cell-{i}", "source": one} for i, one in enumerate(sources)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole)


def middle(board: Locator, row: int, column: int) -> Any:
    """Return the place of a cell on a 9x9 board, relative to the board."""
    box = board.bounding_box()
    assert box is not None
    left = LEFT + (box["width"] - LEFT - 9 * SIDE) / 2
    return {"x": left + (column + 0.5) * SIDE, "y": TOP + 6 + (row + 0.5) * SIDE}


@contextmanager
def open_notebook(browser: Browser, folder: Path, *sources: str) -> Iterator[Page]:
    """Open a notebook with these cells and run the first one. An error in the page is raised."""
    (folder / "work").mkdir()
    (folder / "work" / "game.ipynb").write_text(notebook(*sources))
    with jupyterlab(folder) as address:
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{address}lab/tree/game.ipynb?reset", timeout=1000 * PATIENCE)
        page.get_by_text("| Idle").wait_for(timeout=1000 * PATIENCE)  # the kernel has started
        page.locator(".jp-CodeCell").first.click(timeout=1000 * PATIENCE)
        page.keyboard.press("Shift+Enter")
        yield page
        page.close()
    assert not errors, errors
