"""All games of the service: those that pages show, and those that are saved."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import OrderedDict
from contextlib import suppress
from dataclasses import replace

from mineproof.core.errors import InputError, WorkLimitError
from mineproof.notation.codec import from_plain
from mineproof.notation.records import Record, format_record
from mineproof.notation.text import quote
from mineproof.service import limits
from mineproof.service.fields import DEFAULT_GAME, RuleFields, read_fields
from mineproof.service.limits import BusyError
from mineproof.service.page_game import PageGame, Watcher, new_session, read_saved
from mineproof.service.resources import Plain, Resources
from mineproof.session.storage import SavedGames, is_key

VERSION = 1
"""The version of the export format."""
DAMAGED = (InputError, ValueError, TypeError, RecursionError)
"""The errors that reading a damaged game can raise."""


class Games:
    """Finds the game for each page, and limits the number of games in memory."""

    save_seconds = limits.SAVE_SECONDS
    """Seconds to wait after a move before saving its game."""

    def __init__(self, resources: Resources) -> None:
        """Start with no games in memory."""
        self._resources = resources
        self._store = resources.store
        self.saved = SavedGames(resources.store)
        self._live: OrderedDict[str, PageGame] = OrderedDict()
        self._unsaved: set[str] = set()

    # ---- a page's game

    async def find(self, key: str | None) -> PageGame:
        """Return the game that a page should show: the game with this key, if it exists.

        Without a key, return the latest game that no page shows. An unknown key means a new game.

        Raises:
            BusyError: too many games are open.
        """
        game = await (self._waiting() if key is None else self._known(key))
        return game or await self.another()

    async def another(self, wanted: RuleFields | None = None) -> PageGame:
        """Return a new game, by default with the rules that were used last."""
        self._check_room()
        settings = self._store.settings()
        game = PageGame(secrets.token_hex(16), self._resources)
        if self._resources.is_agent(settings.get("agent")):
            game.agent = settings["agent"]
        wanted = wanted or RuleFields()
        if wanted.rules is None:
            with suppress(InputError):  # the stored rules may be from another version
                wanted = replace(_stored_rules(settings), seed=wanted.seed)
        game.begin(await new_session(self._resources, 0, wanted))
        return game

    async def reopen(self, key: str) -> PageGame:
        """Return a saved game.

        Raises:
            InputError: there is no game with this key.
        """
        game = await self._known(key)
        if game is None:
            raise InputError(f"expected the key of a saved game, got {quote(key)}")
        return game

    def show(self, page: Watcher, game: PageGame) -> None:
        """Register that a page shows a game."""
        game.session.hold_clock(False)
        game.pages.add(page)
        self._live[game.key] = game
        self._live.move_to_end(game.key)
        for key in list(self._live):  # drop the oldest games that are saved and not shown
            if len(self._live) <= limits.GAMES:
                return
            if not self._live[key].pages and key not in self._unsaved:
                del self._live[key]

    def leave(self, page: Watcher, game: PageGame) -> None:
        """Register that a page no longer shows a game. If no page does, stop the game's clock."""
        game.pages.discard(page)
        game.away.discard(id(page))
        if game.pages:
            return
        game.session.hold_clock(True)
        self._live.pop(game.key, None)
        if game.session.step:  # a game without moves is not worth saving
            self._live[game.key] = game
            self.save_soon(game)

    async def _waiting(self) -> PageGame | None:
        """Return the latest game that no page shows."""
        # User code may have read the mines of a stored game.
        keys = [] if self._resources.has_own else await self._resources.use_store(self._store.games)
        for stored in ("", *keys):
            if stored and stored not in self._live:
                await self._restored(stored)
            for game in reversed(self._live.values()):
                if not game.pages:
                    return game
        return None

    async def _known(self, key: str) -> PageGame | None:
        return self._live.get(key) or (await self._restored(key) if is_key(key) else None)

    async def _restored(self, key: str) -> PageGame | None:
        """Return a game from the store. If it is damaged, move it out of the way."""
        saved = await self._resources.use_store(self.saved.load, key)
        if saved is None:
            return None
        self._check_room()
        try:
            session = await self._resources.run(hash(key), read_saved, saved)
        except (BusyError, WorkLimitError):
            return None  # these errors do not mean that the file is damaged
        except DAMAGED:
            self.saved.set_aside(key)
            return None
        if key not in self._live:
            self._live[key] = PageGame(key, self._resources)
            self._live[key].restore(saved, session)
        return self._live[key]

    def _check_room(self) -> None:
        watched = sum(1 for game in self._live.values() if game.pages)
        if watched >= limits.GAMES:
            raise BusyError(f"{limits.GAMES} games are open already; close a tab first")

    # ---- saving

    def save_soon(self, game: PageGame) -> None:
        """Save a game after a short delay."""
        if game.key not in self._unsaved:
            self._unsaved.add(game.key)
            self._resources.begin(self._save_later(game))

    async def _save_later(self, game: PageGame) -> None:
        await asyncio.sleep(self.save_seconds)
        self._unsaved.discard(game.key)
        if game.session.step and not game.is_sealed:
            try:
                await self._resources.use_store(self._save, game.key, *game.saved())
            except asyncio.CancelledError:
                self._unsaved.add(game.key)  # it may not have begun: `save_all` saves the game
                raise

    def save_all(self) -> None:
        """Save all games that have changed since they were last saved."""
        for game in list(self._live.values()):  # a copy, because pages may connect and leave
            if game.key in self._unsaved and game.session.step and not game.is_sealed:
                self._save(game.key, *game.saved())

    def _save(self, key: str, record: Record, fields: Plain) -> None:
        self._store.save_game(key, {**fields, "record": format_record(record)})

    # ---- all games (these run with `use_store`)

    def listed(self) -> list[Plain]:
        """List all saved games, the latest first."""
        self.save_all()
        return self.saved.listed()

    def delete(self, key: str) -> None:
        """Delete a game that no page shows.

        Raises:
            InputError: a page shows it, or the key is not valid.
        """
        if not is_key(key) or (key in self._live and self._live[key].pages):
            raise InputError("cannot delete this game: a page shows it, or its key is not valid")
        self._live.pop(key, None)
        self._store.delete_game(key)

    def exported(self) -> str:
        """Return all stored data as JSON, for `import_data` to read.

        Raises:
            InputError: the data is too long for one message.
        """
        self.save_all()
        kept = {"results": self._store.results(), "settings": self._store.settings()}
        pieces = [json.dumps({"mineproof": VERSION, **kept})[:-1] + ',"games":{']
        length, comma = 0, ""
        for key, saved in self.saved.all():  # one by one, so that other threads get their turn
            pieces.append(f'{comma}"{key}":{json.dumps(saved)}')
            length, comma = length + len(pieces[-1]), ","
            limits.check(length, limits.EXPORT_CHARACTERS, "characters to export", "large-export")
        return "".join([*pieces, "}}"])

    def import_data(self, data: object) -> dict[str, int]:
        """Store data that was exported elsewhere, and return how much of it is new.

        Raises:
            InputError: the data is not an export, or a later version wrote it.
        """
        if not isinstance(data, dict) or data.get("mineproof") != VERSION:
            raise InputError(f"expected an export of version {VERSION}")
        games, results = data.get("games"), data.get("results")
        if not isinstance(games, dict) or not isinstance(results, list):
            raise InputError("expected games and results in the export")
        count = sum(self._import_game(key, saved) for key, saved in games.items())
        known = {_identity(result) for result in self._store.results()}
        fresh = [one for one in results if isinstance(one, dict) and _identity(one) not in known]
        for result in fresh[: limits.RESULTS]:
            self._store.add_result(result)
        return {"games": count, "results": len(fresh)}

    def _import_game(self, key: object, saved: object) -> bool:
        if not isinstance(key, str) or not is_key(key) or not isinstance(saved, dict):
            return False
        if self.saved.load(key) is not None:
            return False
        try:
            game = PageGame(key, self._resources)
            game.restore(saved, read_saved(saved))
        except DAMAGED:
            return False
        self._save(key, *game.saved())
        return True


def _stored_rules(settings: Plain) -> RuleFields:
    """Return the rules of the latest game from the settings, or the default rules.

    Raises:
        InputError: the stored rules are not valid.
    """
    stored = from_plain(Plain, settings.get("game") or DEFAULT_GAME)
    found = read_fields(RuleFields, stored)
    return found if found.rules else RuleFields()


def _identity(result: Plain) -> tuple[str, ...]:
    return tuple(str(result.get(name)) for name in ("date", "id", "key", "seconds", "moves"))
