"""All games of the service: those that pages look at, and those that wait for somebody."""

from __future__ import annotations

import json
import logging
import re
import secrets
import time
from collections import OrderedDict
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from mineproof.core.errors import InputError, WorkLimitError
from mineproof.core.rules import StartKind
from mineproof.generate.no_guess import NotDealtError, in_a_moment
from mineproof.service import fields, limits
from mineproof.service.files import Opened
from mineproof.service.limits import BusyError
from mineproof.service.page_game import DEFAULT_GAME, PageGame, read_rules, read_saved

if TYPE_CHECKING:
    from mineproof.service.page import Page
    from mineproof.service.service import Service

VERSION = 1
"""The form of what is exported."""
LISTED = ("level", "rules", "state", "result", "moves", "seconds")
"""What a list of games shows of each, as it was kept."""
DAMAGED = (InputError, ValueError, TypeError, RecursionError)
"""What reading a damaged game raises."""
_log = logging.getLogger(__name__)
_KEY = re.compile(r"[0-9a-f]{32}")


def is_key(text: object) -> bool:
    """Say whether a text can be the key of a game; nothing else becomes part of a path."""
    return isinstance(text, str) and _KEY.fullmatch(text) is not None


class Games:
    """Gives every page its game, and keeps the memory for them bounded."""

    def __init__(self, service: Service, first: Opened | None = None) -> None:
        """Begin without games; `first` is what the first page is to show."""
        self._service = service
        self._store = service.store
        self._first = first
        self._live: OrderedDict[str, PageGame] = OrderedDict()
        self._damaged: dict[str, bool] = {}
        """The games that were put aside, and whether a page was told."""
        self._listed: dict[str, tuple[float, dict[str, Any]]] = {}
        """What the list of games shows of each, as long as it is not kept anew."""

    def attach(self, page: Page, key: str | None) -> tuple[PageGame, str]:
        """Give a page its game, and the position that it is to analyse, if any.

        A page that knows no key gets the game played last that nobody looks at.

        Raises:
            BusyError: too many games are open.
        """
        position = ""
        if self._first is not None:
            opened, self._first = self._first, None
            game = self._new()
            try:
                with in_a_moment():
                    game.open(opened)
            except NotDealtError:
                self._service.background(page.do_later({"do": "load", "text": opened.text}))
            position = opened.text if opened.kind == "position" else ""
        elif key is not None and (is_key(key) or not key):
            game = (self._known(key) if key else None) or self._new()
        else:
            game = self._waiting() or self._new()
        self._show(page, game)
        if game.to_deal:
            self._service.background(page.do_later({**game.to_deal, "do": "new"}))
            game.to_deal = None
        return game, position

    async def find(self, key: str | None) -> str:
        """Have a page's game ready for `attach`, and give its key, or nothing for a new one."""
        if self._first is not None:
            return ""
        if key is not None and is_key(key):
            await self.fetch(key)
            return key if key in self._live else ""
        for stored in ("", *await self._service.threaded(self._store.games)):
            if stored not in self._live:
                await self.fetch(stored)
            if (idle := self._idle()) is not None:
                return idle.key
        return ""

    def another(self, page: Page) -> PageGame:
        """Give a page a new game of its own."""
        game = self._new()
        self._show(page, game)
        return game

    async def fetch(self, key: str) -> None:
        """Have a game that was kept ready for `reopen`: to read it may take a while."""
        if not is_key(key) or key in self._live:
            return
        saved = await self._service.threaded(partial(self._load, key))
        if saved is None:
            return
        self._check_room()
        try:
            session = await self._service.aside(partial(read_saved, saved), hash(key))
        except (BusyError, WorkLimitError):
            return  # which is no fault of the file
        except DAMAGED:
            self._put_aside(key)
            return
        if key not in self._live:
            self._live[key] = game = self._game(key, self._service.agent)
            game.go_on(session, saved, self._service.is_agent)

    def reopen(self, page: Page, key: str) -> PageGame:
        """Give a page a game that was kept.

        Raises:
            InputError: there is none with this key.
        """
        game = self._known(key) if is_key(key) else None
        if game is None:
            raise InputError(f"expected a game that is kept, got {key[: fields.SHOWN]!r}")
        self._show(page, game)
        return game

    def detach(self, page: Page, game: PageGame) -> None:
        """Note that a page has gone; its clock stands still until it is back."""
        game.pages.discard(page)
        if game.pages:
            return
        game.leave()
        self._live.pop(game.key, None)
        if game.session.step:  # else there is nothing to come back to
            self._live[game.key] = game
            self._service.keep(game)

    def save(self, game: PageGame) -> None:
        """Keep a game, if a move was made in it."""
        if game.session.step:
            self._store.save_game(game.key, game.saved())

    def save_all(self) -> None:
        """Keep all games."""
        for game in list(self._live.values()):  # pages may come and go meanwhile
            if not self._service.is_saved(game):
                self.save(game)

    def listed(self) -> list[dict[str, Any]]:
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
        """Give all that is kept as JSON, in a form that `take_in` reads.

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
            game = self._game(key, self._service.agent)
            game.restore(saved, self._service.is_agent)
        except (InputError, ValueError, TypeError):
            return False
        self._store.save_game(key, game.saved())
        return True

    # ---- inside

    def _show(self, page: Page, game: PageGame) -> None:
        game.come_back()
        game.pages.add(page)
        self._live[game.key] = game
        self._live.move_to_end(game.key)
        self._trim()

    def _known(self, key: str) -> PageGame | None:
        return self._live.get(key) or self._restored(key)

    def _idle(self) -> PageGame | None:
        """Give the game played last of those that are here and that nobody looks at."""
        games = (self._live[key] for key in reversed(self._live))
        return next((game for game in games if not game.pages), None)

    def _waiting(self) -> PageGame | None:
        if (idle := self._idle()) is not None:
            return idle
        for key in self._store.games():
            if key not in self._live and (found := self._restored(key)) is not None:
                return found
        return None

    def _restored(self, key: str) -> PageGame | None:
        saved = self._load(key)
        if saved is None:
            return None
        self._check_room()
        game = self._game(key, self._service.agent)
        try:
            game.restore(saved, self._service.is_agent)
        except DAMAGED:
            self._put_aside(key)
            return None
        return game

    def _load(self, key: str) -> dict[str, Any] | None:
        """Read a game that was kept; a damaged one is put aside."""
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
        """Give the games that were put aside since this was asked last."""
        fresh = [key for key, told in list(self._damaged.items()) if not told]
        self._damaged.update(dict.fromkeys(fresh, True))
        return fresh

    def _new(self) -> PageGame:
        self._check_room()
        settings = self._store.settings()
        wanted = settings.get("agent")
        known = isinstance(wanted, str) and self._service.is_agent(wanted)
        game = self._game(secrets.token_hex(16), str(wanted) if known else self._service.agent)
        # What was remembered may not fit any more.
        with suppress(InputError, AttributeError):
            wanted = settings.get("game") or DEFAULT_GAME
            rules = read_rules(wanted, game.session.rules)
            if limits.is_heavy(rules) and rules.start.kind is StartKind.GIVEN:
                game.to_deal = {name: wanted[name] for name in wanted if name != "seed"}
            else:
                game.session.new(rules, game.some_seed())
        return game

    def _game(self, key: str, agent: str) -> PageGame:
        return PageGame(key, agent, has_own=lambda: self._service.has_own)

    def _check_room(self) -> None:
        watched = sum(1 for game in self._live.values() if game.pages)
        if watched >= limits.GAMES:
            raise BusyError(f"expected at most {limits.GAMES} games at once: close a tab first")

    def _trim(self) -> None:
        """Drop the oldest games that nobody looks at; they are kept in the store."""
        for key in list(self._live):
            if len(self._live) <= limits.GAMES:
                return
            if not self._live[key].pages and self._service.is_saved(self._live[key]):
                del self._live[key]


def _identity(result: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(result.get(name)) for name in ("date", "id", "key", "seconds", "moves"))
