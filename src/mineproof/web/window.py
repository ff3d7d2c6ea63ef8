"""Opens the page in a separate window of a Chromium-based browser, if one is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
    "brave-browser",
    "brave",
    "vivaldi",
)
"""Commands of browsers that can open app windows."""
MAC = ("Chromium", "Google Chrome", "Microsoft Edge", "Brave Browser", "Vivaldi")
WINDOWS = (
    r"Google\Chrome\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
    r"BraveSoftware\Brave-Browser\Application\brave.exe",
)


def app_command(address: str) -> list[str] | None:
    """Return the command that opens an address in a separate window, or None if no browser can."""
    browser = _installed()
    return None if browser is None else [browser, f"--app={address}"]


def _installed() -> str | None:
    if found := next(filter(None, map(shutil.which, NAMES)), None):
        return found
    paths: list[Path] = []
    if sys.platform == "darwin":
        paths = [Path(f"/Applications/{name}.app/Contents/MacOS/{name}") for name in MAC]
    elif os.name == "nt":
        homes = [os.environ.get(name) for name in ("PROGRAMFILES", "PROGRAMFILES(X86)")]
        paths = [Path(home) / name for home in homes if home for name in WINDOWS]
    return next((str(path) for path in paths if path.exists()), None)


def open_window(address: str) -> str:
    """Open an address in a separate window. Return why it failed, or an empty string."""
    command = app_command(address)
    if command is None:
        return "no Chromium-based browser is installed"
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return "Chromium does not open windows for the root user"
    nowhere = subprocess.DEVNULL
    try:
        process = subprocess.Popen(command, start_new_session=True, stdout=nowhere, stderr=nowhere)
    except OSError as error:
        return f"{command[0]}: {error.strerror}"
    threading.Thread(target=process.wait, daemon=True).start()  # collect its exit status
    return ""
