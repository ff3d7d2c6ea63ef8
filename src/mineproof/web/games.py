"""All games of the server: those that pages look at, and those that wait for somebody."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from typing import TYPE_CHECKING

from mineproof.core.errors import InputError
from mineproof.web import limits
from mineproof.web.desk import DEFAULT_LEVEL, Desk, read_rules
from mineproof.web.folder import Folder, is_key
from mineproof.web.limits import BusyError
from mineproof.web.opening import Opened

if TYPE_CHECKING:
    from mineproof.web.peer import Peer


class Games:
    """Gives every page its game, and keeps the memory for them bounded."""

    def __init__(
        self, folder: Folder, agents: tuple[str, ...], agent: str, first: Opened | None = None
    ) -> None:
        """Begin without games.

        Args:
            folder: where games are kept.
            agents: the names of all agents that a page may choose.
            agent: the one that helps in a new game.
            first: what the first page is to show.
        """
        self.folder = folder
        self.agents = agents
        self._agent = agent
        self._first = first
        self._live: OrderedDict[str, Desk] = OrderedDict()

    def attach(self, peer: Peer, key: str | None) -> tuple[Desk, str]:
        """Give a page its game, and the position that it is to analyse, if any.

        A page that knows no key gets the game played last that nobody looks at.

        Raises:
            BusyError: too many games are open.
        """
        position = ""
        if self._first is not None:
            opened, self._first = self._first, None
            desk = self._new()
            desk.open(opened)
            position = opened.text if opened.kind == "position" else ""
        else:
            desk = self._known(key) if is_key(key) else self._waiting()
        desk.come_back()
        desk.peers.add(peer)
        self._live[desk.key] = desk
        self._live.move_to_end(desk.key)
        self._trim()
        return desk, position

    def another(self, peer: Peer) -> Desk:
        """Give a page a new game of its own."""
        desk = self._new()
        desk.peers.add(peer)
        self._live[desk.key] = desk
        self._trim()
        return desk

    def detach(self, peer: Peer, desk: Desk) -> None:
        """Note that a page has gone; its clock stands still until it is back."""
        desk.peers.discard(peer)
        if desk.peers:
            return
        desk.leave()
        self._live.pop(desk.key, None)
        if desk.session.step:  # else there is nothing to come back to
            self._live[desk.key] = desk
            self.save(desk)

    def save(self, desk: Desk) -> None:
        """Keep a game on disk, if a move was made in it."""
        if desk.session.step:
            self.folder.save_game(desk.key, desk.saved())

    def save_all(self) -> None:
        """Keep all games on disk."""
        for desk in self._live.values():
            self.save(desk)

    def _known(self, key: str | None) -> Desk:
        assert key is not None
        return self._live.get(key) or self._restored(key) or self._new()

    def _waiting(self) -> Desk:
        for key in reversed(self._live):
            if not self._live[key].peers:
                return self._live[key]
        for key in self.folder.games():
            if key not in self._live and (found := self._restored(key)) is not None:
                return found
        return self._new()

    def _restored(self, key: str) -> Desk | None:
        saved = self.folder.load_game(key)
        if saved is None:
            return None
        self._check_room()
        desk = Desk(key, self._agent)
        try:
            desk.restore(saved, frozenset(self.agents))
        except (InputError, ValueError, TypeError):
            return None
        return desk

    def _new(self) -> Desk:
        self._check_room()
        settings = self.folder.settings()
        wanted = settings.get("agent")
        desk = Desk(secrets.token_hex(16), wanted if wanted in self.agents else self._agent)
        try:
            rules = read_rules(settings.get("game") or {"level": DEFAULT_LEVEL}, desk.session.rules)
            desk.session.new(rules)
        except (InputError, AttributeError):
            pass  # what was remembered does not fit any more
        return desk

    def _check_room(self) -> None:
        watched = sum(1 for desk in self._live.values() if desk.peers)
        if watched >= limits.GAMES:
            raise BusyError(f"expected at most {limits.GAMES} games at once: close a tab first")

    def _trim(self) -> None:
        """Drop the oldest games that nobody looks at; they are on disk."""
        for key in list(self._live):
            if len(self._live) <= limits.GAMES:
                return
            if not self._live[key].peers:
                self.save(self._live[key])
                del self._live[key]
