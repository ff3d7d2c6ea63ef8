"""What a person's games are saved in: a store that the front end provides, and its saved games."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterator
from typing import Any, Protocol

from mineproof.core.errors import InputError
from mineproof.notation.codec import from_plain
from mineproof.notation.text import load_json

DEPTH = 16
"""Maximum nesting depth of lists and objects in stored data."""
LISTED = ("level", "rules", "state", "result", "moves", "seconds", "aided", "known", "seed")
"""The fields of a saved game that the list of games shows."""
Plain = dict[str, Any]
_log = logging.getLogger(__name__)
_KEY = re.compile(r"[0-9a-f]{32}")


class Storage(Protocol):
    """A store for games, results and settings. The front end provides it."""

    def save_game(self, key: str, fields: Plain) -> None:
        """Save a game under its key."""

    def load_game(self, key: str) -> Plain | None:
        """Return a saved game, or None if there is no game with this key.

        Raises:
            InputError: the game is damaged.
        """

    def delete_game(self, key: str) -> None:
        """Delete a game."""

    def save_report(self, key: str, fields: Plain) -> None:
        """Save the coach's report on a game. It is deleted with the game."""

    def load_report(self, key: str) -> Plain | None:
        """Return the coach's report on a game, or None if there is none.

        Raises:
            InputError: the report is damaged.
        """

    def set_aside(self, key: str) -> None:
        """Move a damaged game out of the way."""

    def games(self) -> list[str]:
        """Return the keys of all saved games, the latest first."""

    def date(self, key: str) -> float:
        """Return when a game was last saved, in seconds since 1970; 0 if never."""

    def add_result(self, fields: Plain) -> None:
        """Store the result of a game."""

    def results(self) -> list[Plain]:
        """Return the latest results, the oldest first."""

    def erase_results(self) -> None:
        """Delete all results."""

    def settings(self) -> Plain:
        """Return the stored settings."""

    def change_settings(self, values: Plain) -> None:
        """Add or replace settings."""


def is_key(text: object) -> bool:
    """Return whether a value is a valid game key. Only valid keys are used in paths."""
    return isinstance(text, str) and _KEY.fullmatch(text) is not None


def read_stored(text: str) -> Plain:
    """Read a stored JSON object of limited depth.

    Raises:
        NotationError: it is damaged.
    """
    return from_plain(Plain, load_json(text, "stored data", depth=DEPTH), "stored data")


class SavedGames:
    """The games in a store. Damaged ones are moved out of the way."""

    def __init__(self, store: Storage) -> None:
        """Use a store."""
        self._store = store
        self._damaged: dict[str, bool] = {}
        """For each damaged game, whether a page has been informed."""
        self._listed: dict[str, tuple[float, Plain]] = {}
        """For each game, the time it was saved and its entry in the list of games."""

    def load(self, key: str) -> Plain | None:
        """Return a saved game. If it is damaged, move it out of the way."""
        try:
            return self._store.load_game(key)
        except InputError:
            self.set_aside(key)
            return None

    def all(self) -> Iterator[tuple[str, Plain]]:
        """Load all saved games one by one, with their keys, the latest first."""
        for key in self._store.games():
            if (saved := self.load(key)) is not None:
                yield key, saved

    def set_aside(self, key: str) -> None:
        """Move a damaged game out of the way."""
        _log.warning("saved game %s is damaged; moved to %s.damaged", key, key)
        self._store.set_aside(key)
        self._damaged.setdefault(key, False)

    def damaged(self) -> list[str]:
        """Return the keys of the damaged games found since the last call."""
        fresh = [key for key, is_known in list(self._damaged.items()) if not is_known]
        self._damaged.update(dict.fromkeys(fresh, True))
        return fresh

    def listed(self) -> list[Plain]:
        """List all saved games, the latest first. Load only those that have changed."""
        found = {}
        for key in self._store.games():
            moment = self._store.date(key)
            entry = self._listed.get(key, (-1.0, {}))
            if entry[0] != moment:
                if (saved := self.load(key)) is None:
                    continue
                date = time.strftime("%Y-%m-%d %H:%M", time.localtime(moment)) if moment else ""
                kept = {name: saved.get(name) for name in LISTED}
                entry = moment, {"key": key, "date": date, **kept}
            found[key] = entry
        self._listed = found
        return [each for _, each in found.values()]
