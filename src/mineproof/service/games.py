"""All games of the service: those that pages show, and those that are kept."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import time
from collections import OrderedDict
from contextlib import suppress

from mineproof.core.errors import InputError, WorkLimitError
from mineproof.core.rules import Rules
from mineproof.notation.codec import from_plain
from mineproof.notation.records import Record, format_record
from mineproof.service import limits
from mineproof.service.limits import BusyError
from mineproof.service.messages import SHOWN
from mineproof.service.page_game import PageGame, Watcher, new_session, read_saved
from mineproof.service.resources import Plain, Resources
from mineproof.service.rule_fields import DEFAULT_GAME, RuleFields

VERSION = 1
"""The form of what is exported."""
LISTED = ("level", "rules", "state", "result", "moves", "seconds")
"""What a list of games shows of each, as it was kept."""
DAMAGED = (InputError, ValueError, TypeError, RecursionError)
"""What reading a damaged game raises."""
_log = logging.getLogger(__name__)
_KEY = re.compile(r"[0-9a-f]{32}")


def is_key(text: object) -> bool:
    """Return whether a text can be the key of a game; nothing else becomes part of a path."""
    return isinstance(text, str) and _KEY.fullmatch(text) is not None


class Games:
    """Finds every page its game, and keeps the memory for them limited."""

    save_seconds = limits.SAVE_SECONDS
    """Seconds to wait after a move before saving its game."""

    def __init__(self, resources: Resources) -> None:
        """Begin without games."""
        self._resources = resources
        self._store = resources.store
        self._live: OrderedDict[str, PageGame] = OrderedDict()
        self._unsaved: set[str] = set()
        self._damaged: dict[str, bool] = {}
        """The games that were put aside, and whether a page was told."""
        self._listed: dict[str, tuple[float, Plain]] = {}
        """What the list of games shows of each, as long as it is not kept anew."""

    # ---- a page's game

    async def find(self, key: str | None) -> PageGame:
        """Return the game that a page is to show: that of its key, if there is one.

        Without a key it is the game played last that nobody looks at; an empty key is a new game.

        Raises:
            BusyError: too many games are open.
        """
        game = None
        if key and is_key(key):
            game = await self._known(key)
        elif key != "":
            game = await self._waiting()
        return game or await self.another()

    async def another(self, rules: Rules | None = None, seed: int | None = None) -> PageGame:
        """Return a new game, by default of the kind that was played last."""
        self._check_room()
        settings = self._store.settings()
        game = PageGame(secrets.token_hex(16), self._resources)
        if self._resources.is_agent(settings.get("agent")):
            game.agent = settings["agent"]
        if rules is None:
            with suppress(InputError):  # what was remembered may not fit any more
                rules = _remembered(settings)
        if rules is not None:
            game.begin(await new_session(self._resources, 0, rules, seed))
        return game

    async def reopen(self, key: str) -> PageGame:
        """Return a game that was kept.

        Raises:
            InputError: there is none with this key.
        """
        game = await self._known(key) if is_key(key) else None
        if game is None:
            raise InputError(f"expected a game that is kept, got {key[:SHOWN]!r}")
        return game

    def show(self, page: Watcher, game: PageGame) -> None:
        """Note that a page shows a game."""
        game.come_back()
        game.pages.add(page)
        self._live[game.key] = game
        self._live.move_to_end(game.key)
        for key in list(self._live):  # the oldest that nobody looks at are in the store
            if len(self._live) <= limits.GAMES:
                return
            if not self._live[key].pages and key not in self._unsaved:
                del self._live[key]

    def leave(self, page: Watcher, game: PageGame) -> None:
        """Note that a page has gone; its clock stands still until it is back."""
        game.pages.discard(page)
        if game.pages:
            return
        game.leave()
        self._live.pop(game.key, None)
        if game.session.step:  # else there is nothing to come back to
            self._live[game.key] = game
            self.keep(game)

    async def _waiting(self) -> PageGame | None:
        """Return the game played last that nobody looks at."""
        for stored in ("", *await self._resources.use_store(self._store.games)):
            if stored and stored not in self._live:
                await self._restored(stored)
            for game in reversed(self._live.values()):
                if not game.pages:
                    return game
        return None

    async def _known(self, key: str) -> PageGame | None:
        return self._live.get(key) or await self._restored(key)

    async def _restored(self, key: str) -> PageGame | None:
        """Read a game that was kept; a damaged one is put aside."""
        saved = await self._resources.use_store(self._load, key)
        if saved is None:
            return None
        self._check_room()
        try:
            read = await self._resources.run(hash(key), read_saved, saved)
        except (BusyError, WorkLimitError):
            return None  # which is no fault of the file
        except DAMAGED:
            self._put_aside(key)
            return None
        if key not in self._live:
            self._live[key] = PageGame(key, self._resources)
            self._live[key].restore(saved, *read)
        return self._live[key]

    def _check_room(self) -> None:
        watched = sum(1 for game in self._live.values() if game.pages)
        if watched >= limits.GAMES:
            raise BusyError(f"expected at most {limits.GAMES} games at once: close a tab first")

    # ---- keeping

    def keep(self, game: PageGame) -> None:
        """Keep a game in a moment."""
        if game.key not in self._unsaved:
            self._unsaved.add(game.key)
            self._resources.begin(self._save_soon(game))

    async def _save_soon(self, game: PageGame) -> None:
        await asyncio.sleep(self.save_seconds)
        self._unsaved.discard(game.key)
        if game.session.step:
            await self._resources.use_store(self._save, game.key, *game.saved())

    def save_all(self) -> None:
        """Keep all games in which a move was made since they were kept."""
        for game in list(self._live.values()):  # pages may come and go meanwhile
            if game.key in self._unsaved and game.session.step:
                self._save(game.key, *game.saved())

    def _save(self, key: str, record: Record, fields: Plain) -> None:
        self._store.save_game(key, {**fields, "record": format_record(record)})

    def _load(self, key: str) -> Plain | None:
        try:
            return self._store.load_game(key)
        except InputError:
            self._put_aside(key)
            return None

    def _put_aside(self, key: str) -> None:
        _log.warning("the game %s is damaged: it is put aside", key)
        self._store.put_aside(key)
        self._damaged.setdefault(key, False)

    def damaged(self) -> list[str]:
        """Return the games that were put aside since the last call."""
        fresh = [key for key, told in list(self._damaged.items()) if not told]
        self._damaged.update(dict.fromkeys(fresh, True))
        return fresh

    # ---- all games: called where the store is read

    def listed(self) -> list[Plain]:
        """List all games that are kept, the latest first."""
        self.save_all()
        found = {}
        for key in self._store.games():
            moment = self._store.date(key)
            found[key] = self._listed.get(key, (-1.0, {}))
            if found[key][0] != moment:
                saved = self._load(key)
                if saved is None:
                    del found[key]
                    continue
                kept = {name: saved.get(name) for name in LISTED}
                date = time.strftime("%Y-%m-%d %H:%M", time.localtime(moment)) if moment else ""
                found[key] = moment, {"key": key, "date": date, **kept}
        self._listed = found
        return [each for _, each in found.values()]

    def forget(self, key: str) -> None:
        """Drop a game that nobody looks at.

        Raises:
            InputError: a page shows it, or there is none.
        """
        if not is_key(key) or (key in self._live and self._live[key].pages):
            raise InputError("expected a game that no page shows")
        self._live.pop(key, None)
        self._store.forget_game(key)

    def exported(self) -> str:
        """Return all that is kept as JSON, in a form that `take_in` reads.

        Raises:
            InputError: it is too much for one message.
        """
        self.save_all()
        kept = {"results": self._store.results(), "settings": self._store.settings()}
        pieces = [json.dumps({"mineproof": VERSION, **kept})[:-1] + ',"games":{']
        length, comma = 0, ""
        for key in self._store.games():  # one by one: others have their turn in between
            if (saved := self._load(key)) is None:
                continue
            pieces.append(f'{comma}"{key}":{json.dumps(saved)}')
            length, comma = length + len(pieces[-1]), ","
            if length > limits.EXPORT_CHARACTERS:
                most = limits.EXPORT_CHARACTERS
                raise InputError(f"expected at most {most} characters of games to export, got more")
        return "".join([*pieces, "}}"])

    def take_in(self, data: object) -> dict[str, int]:
        """Keep what was exported elsewhere; what is here already stays as it is.

        Raises:
            InputError: it is no export, or of a later form.
        """
        if not isinstance(data, dict) or data.get("mineproof") != VERSION:
            raise InputError(f"expected an export of version {VERSION}")
        games, results = data.get("games"), data.get("results")
        if not isinstance(games, dict) or not isinstance(results, list):
            raise InputError("expected games and results in the export")
        count = sum(self._take_game(key, saved) for key, saved in games.items())
        known = {_identity(result) for result in self._store.results()}
        fresh = [one for one in results if isinstance(one, dict) and _identity(one) not in known]
        for result in fresh[: limits.RESULTS]:
            self._store.add_result(result)
        return {"games": count, "results": len(fresh)}

    def _take_game(self, key: object, saved: object) -> bool:
        if not isinstance(key, str) or not is_key(key) or not isinstance(saved, dict):
            return False
        if self._load(key) is not None:
            return False
        try:
            game = PageGame(key, self._resources)
            game.restore(saved, *read_saved(saved))
        except DAMAGED:
            return False
        self._save(key, *game.saved())
        return True


def _remembered(settings: Plain) -> Rules | None:
    """Return the rules of the game that settings remember, or of the usual one.

    Raises:
        InputError: they are none.
    """
    wanted = settings.get("game") or DEFAULT_GAME
    if not isinstance(wanted, dict):
        raise InputError("expected an object")
    known = {name: wanted[name] for name in RuleFields.__annotations__ if name in wanted}
    return from_plain(RuleFields, known).rules


def _identity(result: Plain) -> tuple[str, ...]:
    return tuple(str(result.get(name)) for name in ("date", "id", "key", "seconds", "moves"))
