"""The server: the page's files, its sockets, the games and the workers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from mineproof import __version__
from mineproof.agents.loading import parse_agent
from mineproof.agents.registry import agents, strongest
from mineproof.backend import backend
from mineproof.core.rules import LEVELS, Rules
from mineproof.notation.position import parse_position
from mineproof.notation.records import Record
from mineproof.web import limits
from mineproof.web.desk import Desk
from mineproof.web.folder import Folder
from mineproof.web.games import Games
from mineproof.web.jobs import Job
from mineproof.web.limits import check_board
from mineproof.web.opening import Opened
from mineproof.web.peer import Peer
from mineproof.web.workers import Lane, Part

STATIC = str(files("mineproof.web") / "static")
SAVE_SECONDS = 2.0
"""A game is written to disk so long after a move; moves in between are written with it."""


class Server:
    """All that pages share."""

    def __init__(self, folder: Folder, own_agent: str = "", first: Opened | None = None) -> None:
        """Prepare a server; nothing runs before its application starts.

        Args:
            folder: where games, results and defaults are kept.
            own_agent: an agent with options or `FILE.py:Class`, offered beside the others.
            first: what the first page is to show.
        """
        names = tuple(agents())
        if own_agent:
            parse_agent(own_agent)  # a fault is said now, not to the first page
            names = tuple(dict.fromkeys((*names, own_agent)))
        self.games = Games(folder, names, own_agent or strongest(), first)
        self._own_agent = own_agent
        self._background: set[asyncio.Task[None]] = set()
        self._saving: set[str] = set()

    def hello(self, peer: Peer) -> dict[str, Any]:
        """Give what a page needs to begin."""
        return {
            "version": __version__,
            "backend": backend(),
            "key": peer.desk.key,
            "view": peer.desk.view(),
            "agents": [
                {"id": spec.id, "idea": spec.idea, "proves": spec.proves, "source": spec.source}
                for spec in map(self._spec, self.games.agents)
            ],
            "levels": {
                name: {"level": rules.level, "start": str(rules.start)}
                for name, rules in LEVELS.items()
            },
            "limits": {
                "cells": limits.CELLS,
                "message": limits.MESSAGE_BYTES,
                "seconds": limits.ANALYSIS_SECONDS,
            },
            "settings": self.games.folder.settings(),
        }

    def _spec(self, name: str) -> Any:
        found, _ = parse_agent(name)
        return replace(found, id=name) if name == self._own_agent else found

    # ---- work

    def job(self, name: str, desk: Desk, **arguments: Any) -> Job:
        """Put a question about a game as it stands now."""
        known = {"record": desk.session.record(), "agent": desk.agent, **arguments}
        return Job(name, desk.key, known)

    async def run(self, job: Job, seconds: float, part: Part | None = None) -> Any:
        """Let a worker answer a question about a game."""
        lane = self._deep if job.name == "judge_all" else self._quick
        return await lane.run(job, seconds=seconds, part=part)

    async def examine(
        self, text: str, clues: str | None, flags_are_mines: bool, seconds: float, part: Part
    ) -> Any:
        """Let a worker analyse a position."""
        size = parse_position(text).rules
        check_board(Rules(size.rows, size.columns, 0))
        known = {"text": text, "clues": clues, "flags_are_mines": flags_are_mines}
        return await self._deep.run(Job("examine", "", known), seconds=seconds, part=part)

    async def race(self, record: Record, names: list[str], part: Part) -> Any:
        """Let a worker run a race."""
        job = Job("race", "", {"record": record, "agents": names})
        return await self._deep.run(job, seconds=limits.RACE_SECONDS, part=part)

    def background(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something without waiting for it."""
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def save_soon(self, desk: Desk) -> None:
        """Write a game to disk in a moment, once for all its moves till then."""
        if desk.key not in self._saving:
            self._saving.add(desk.key)
            self.background(self._save(desk))

    async def _save(self, desk: Desk) -> None:
        await asyncio.sleep(SAVE_SECONDS)
        self._saving.discard(desk.key)
        self.games.save(desk)

    # ---- life

    @asynccontextmanager
    async def life(self, _app: Starlette) -> AsyncIterator[None]:
        """Have workers while the application runs."""
        self._quick = Lane(2)
        self._deep = Lane(2, nice=10)
        self.background(self._quick.warm_up())
        try:
            yield
        finally:
            for task in self._background:
                task.cancel()
            await asyncio.gather(*self._background, return_exceptions=True)
            self.games.save_all()
            self._quick.close()
            self._deep.close()

    def application(self) -> Starlette:
        """Give the application that answers requests."""

        async def page(_request: Request) -> FileResponse:
            return FileResponse(f"{STATIC}/index.html")

        async def socket(websocket: WebSocket) -> None:
            await Peer(self, websocket).run(websocket.query_params.get("game"))

        routes = [
            Route("/", page),
            WebSocketRoute("/socket", socket),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]
        return Starlette(routes=routes, lifespan=self.life)
