"""A folder on disk with saved games, results and settings.

If a file cannot be read or written, the game continues and nothing is stored.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from mineproof.core.errors import InputError
from mineproof.notation.files import write_whole
from mineproof.service import limits
from mineproof.session.storage import is_key, read_stored

VERSION = 1
"""The format version of the settings. Settings stored by older versions have no version number."""
RESULT_BYTES = 4_000_000
"""Maximum size of the results file. In a larger file, only the latest results are kept."""
GAME_BYTES, SETTINGS_BYTES = 32_000_000, 1_000_000
"""Maximum sizes of a saved game and of the settings. Larger files count as damaged."""
_log = logging.getLogger(__name__)


def default_folder() -> Path:
    """Return the folder for Mineproof's data. `MINEPROOF_DATA` overrides the default."""
    if named := os.environ.get("MINEPROOF_DATA"):
        return Path(named)
    home = Path.home()
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "Mineproof"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Mineproof"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "mineproof"


class Folder:
    """A folder with saved games, results and settings."""

    def __init__(self, path: Path) -> None:
        """Use a folder. It is created when something is written."""
        self._path = path

    # ---- games

    def save_game(self, key: str, fields: dict[str, Any]) -> None:
        """Save a game under its key and delete the oldest games beyond the limit."""
        self._write(self._game(key), json.dumps(fields))
        for old in self.games()[limits.SAVED_GAMES :]:
            self.delete_game(old)

    def load_game(self, key: str) -> dict[str, Any] | None:
        """Return a saved game, or None if there is no game with this key.

        Raises:
            InputError: the file is damaged.
        """
        return self._read(self._game(key), GAME_BYTES)

    def delete_game(self, key: str) -> None:
        """Delete a game."""
        for path in (self._game(key), self._report(key)):
            with suppress(OSError):
                path.unlink(missing_ok=True)

    def save_report(self, key: str, fields: dict[str, Any]) -> None:
        """Save the coach's report on a game."""
        self._write(self._report(key), json.dumps(fields))

    def load_report(self, key: str) -> dict[str, Any] | None:
        """Return the coach's report on a game, or None if there is none.

        Raises:
            InputError: the file is damaged.
        """
        return self._read(self._report(key), GAME_BYTES)

    def set_aside(self, key: str) -> None:
        """Rename the file of a damaged game to `.damaged`."""
        with suppress(OSError):
            self._game(key).replace(self._game(key).with_suffix(".damaged"))

    def date(self, key: str) -> float:
        """Return when a game was last saved; 0 if never."""
        with suppress(OSError):
            return self._game(key).stat().st_mtime
        return 0.0

    def games(self) -> list[str]:
        """Return the keys of all saved games, the latest first."""
        with suppress(OSError):
            paths = [
                path
                for path in (self._path / "games").iterdir()
                if path.suffix == ".json" and is_key(path.stem)
            ]
            ordered = sorted(paths, key=lambda path: path.stat().st_mtime_ns, reverse=True)
            return [path.stem for path in ordered]
        return []

    # ---- results

    def add_result(self, fields: dict[str, Any]) -> None:
        """Store the result of a game."""
        path = self._path / "scores.jsonl"
        with suppress(OSError):
            self._path.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(fields) + "\n")
            if path.stat().st_size > RESULT_BYTES:
                lines = [json.dumps(result) for result in self.results()]
                self._write(path, "\n".join(lines) + "\n")

    def results(self) -> list[dict[str, Any]]:
        """Return the latest results, the oldest first, without damaged lines."""
        found = []
        for line in self._tail(self._path / "scores.jsonl").splitlines()[-limits.RESULTS :]:
            with suppress(InputError):
                found.append(read_stored(line))
        return found

    def erase_results(self) -> None:
        """Delete all results."""
        with suppress(OSError):
            (self._path / "scores.jsonl").unlink(missing_ok=True)

    # ---- settings

    def settings(self) -> dict[str, Any]:
        """Return the stored settings."""
        path = self._path / "settings.json"
        try:
            return self._read(path, SETTINGS_BYTES) or {}
        except InputError:
            _log.warning("the settings in %s are damaged; the file is renamed to .damaged", path)
            with suppress(OSError):
                path.replace(path.with_suffix(".damaged"))
            return {}

    def change_settings(self, values: dict[str, Any]) -> None:
        """Add or replace settings."""
        kept = {**self.settings(), **values, "version": VERSION}
        if len(kept) <= limits.SETTINGS:
            self._write(self._path / "settings.json", json.dumps(kept))

    # ---- files

    def _game(self, key: str) -> Path:
        assert is_key(key)
        return self._path / "games" / f"{key}.json"

    def _report(self, key: str) -> Path:
        assert is_key(key)
        return self._path / "reports" / f"{key}.json"

    def _read(self, path: Path, most: int) -> dict[str, Any] | None:
        """Read a JSON object, or return None if there is no such file."""
        try:
            with path.open("rb") as file:
                data = file.read(most + 1)
        except OSError:
            return None
        if len(data) > most:
            raise InputError(f"expected at most {most} bytes in {path.name}")
        return read_stored(data.decode(errors="replace"))

    def _tail(self, path: Path) -> str:
        """Return the end of a file that may be too large to read as a whole."""
        with suppress(OSError), path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - 2 * RESULT_BYTES))
            return file.read().decode(errors="replace")
        return ""

    def _write(self, path: Path, text: str) -> None:
        """Write a file atomically, so that a killed program leaves the old file."""
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, text.encode())
