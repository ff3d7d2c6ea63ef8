"""What the window remembers from one time to the next, in a file of the user's own."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

FILE = "window.json"
REMEMBERED = ("theme", "level", "agent", "speed")


def folder() -> Path:
    """Give the user's folder for Mineproof's data; `MINEPROOF_DATA` names another one."""
    if named := os.environ.get("MINEPROOF_DATA"):
        return Path(named)
    home = Path.home()
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "Mineproof"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Mineproof"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "mineproof"


def load() -> dict[str, Any]:
    """Give what is remembered; nothing if the file is missing or damaged."""
    with suppress(OSError, ValueError, RuntimeError):
        found = json.loads((folder() / FILE).read_text("utf-8"))
        if isinstance(found, dict):
            return {name: found[name] for name in REMEMBERED if name in found}
    return {}


def save(values: dict[str, Any]) -> None:
    """Remember values; a folder that cannot be written to is no reason to complain."""
    with suppress(OSError, RuntimeError):
        path = folder() / FILE
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(f".{os.getpid()}.new")
        new.write_text(json.dumps(values), "utf-8")
        new.replace(path)
