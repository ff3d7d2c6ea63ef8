"""Coaches the saved games in the background: one game at a time, and each game once."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from mineproof.core.errors import InputError, WorkLimitError
from mineproof.service import limits
from mineproof.service.games import Games
from mineproof.service.resources import Plain, Resources

STAMP = ("result", "moves", "seconds")
"""The fields of a saved game that show whether it has changed since it was coached."""


class KeptCoach:
    """The coach's reports on all saved games."""

    def __init__(self, resources: Resources, games: Games) -> None:
        """Start with no reports in memory."""
        self._resources = resources
        self._games = games
        self._known: dict[str, Plain] = {}
        """For each game, its stamp and its report. The report is None for an agent's game."""
        self._is_running = False

    @property
    def is_paused(self) -> bool:
        """Whether the player has paused the coach."""
        return self._resources.store.settings().get("coach") is False

    def start(self) -> None:
        """Coach all games that have no report yet, unless that is happening already."""
        if not self._is_running and not self.is_paused:
            self._is_running = True
            self._resources.begin(self._run())

    async def _run(self) -> None:
        use_store = self._resources.use_store
        try:
            while (waiting := (await use_store(self.waiting))) and not self.is_paused:
                key = waiting[0]["key"]
                saved = await use_store(self._games.saved.load, key)
                await self.check(key, saved or waiting[0])
        finally:
            self._is_running = False

    async def check(self, key: str, saved: Plain) -> Plain | None:
        """Coach a game and store the report.

        Returns:
            None for an agent's game, or if the game could not be judged.
        """
        found: Plain = {"stamp": _stamp(saved), "report": None}
        ask, values = self._resources.ask_value, {"record": saved.get("record")}
        with suppress(InputError, WorkLimitError):  # try again when the service starts next
            found["report"] = await ask("coach_record", values, key, 0, limits.COACH_SECONDS)
            await self._resources.use_store(self._resources.store.save_report, key, found)
        self._known[key] = found
        report: Plain | None = found["report"]
        return report

    # ---- these run with `use_store`

    def waiting(self) -> list[Plain]:
        """List the finished games that have no report, the latest first."""
        return [one for one in self._finished() if self._found(one) is None]

    def reports(self) -> list[Plain]:
        """Return the reports on all finished games, the oldest first, with key and date."""
        found = [(one, self._found(one)) for one in self._finished()]
        return [
            {**report["report"], "key": one["key"], "name": one["date"]}
            for one, report in reversed(found)
            if report is not None and isinstance(report.get("report"), dict)
        ]

    def _finished(self) -> list[Plain]:
        return [one for one in self._games.listed() if one["result"] and one["moves"]]

    def _found(self, entry: Plain) -> Plain | None:
        """Return the stored report on a game, unless the game has changed since."""
        key = entry["key"]
        if key not in self._known:
            with suppress(InputError):  # a damaged report is made again
                self._known[key] = self._resources.store.load_report(key) or {}
        found = self._known.get(key, {})
        return found if found.get("stamp") == _stamp(entry) else None


def _stamp(saved: Plain) -> list[Any]:
    return [saved.get(name) for name in STAMP]
