"""The page in a separate window, opened by a real browser as an ordinary user."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from web_server import PATIENCE, WebServer

from mineproof.cli import web
from mineproof.web import window


def ordinary_user() -> dict[str, Any]:
    """Return the settings that start a process as an ordinary user."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid}


def test_a_window_opens_with_the_page(server: WebServer, screen: str) -> None:
    """The window has the page's title."""
    # Not below tmp_path, because only its owner may enter the parent folders.
    home = Path(tempfile.mkdtemp(prefix="mineproof-window-"))
    home.chmod(0o777)
    command = window.app_command(server.address)
    assert command is not None
    flags = [f"--user-data-dir={home}/data", "--no-first-run", "--disable-background-networking"]
    browser = subprocess.Popen(
        [*command, *flags],
        env={"HOME": str(home), "DISPLAY": screen, "PATH": os.environ["PATH"]},
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        **ordinary_user(),
    )
    try:
        search = ["xdotool", "search", "--name", "Mineproof"]
        deadline = time.monotonic() + 2 * PATIENCE
        found = False
        while not found and time.monotonic() < deadline:
            time.sleep(0.5)
            done = subprocess.run(
                search, env={**os.environ, "DISPLAY": screen}, capture_output=True, check=False
            )
            found = done.returncode == 0
        assert found
    finally:
        os.killpg(browser.pid, 9)
        browser.wait(PATIENCE)
        shutil.rmtree(home, ignore_errors=True)


def test_without_such_a_browser_it_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If no Chromium-based browser is installed, the default browser is opened instead."""
    opened: list[str] = []
    monkeypatch.setattr(window, "NAMES", ("no-such-browser",))
    monkeypatch.setattr("webbrowser.open", opened.append)
    web._show("http://127.0.0.1:1/x/", browser=True, app=True)
    assert opened == ["http://127.0.0.1:1/x/"]
    assert "no Chromium-based browser is installed" in capsys.readouterr().err


def test_a_browser_that_is_there_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The browser gets its option for separate windows.

    If the user is root, no browser is started.
    """
    browser, note = tmp_path / "chromium", tmp_path / "note"
    browser.write_text(f'#!/bin/sh\necho "$@" > {note}\n')
    browser.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert window.open_window("http://127.0.0.1:1/x/") == ""
    deadline = time.monotonic() + PATIENCE
    while not (note.exists() and note.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert note.read_text() == "--app=http://127.0.0.1:1/x/\n"
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert "root" in window.open_window("http://127.0.0.1:1/x/")


def test_the_option_is_told() -> None:
    result = CliRunner().invoke(web.command, ["--help"])
    assert "--app" in result.output
