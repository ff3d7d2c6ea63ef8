"""An open page: its game, its tasks, and the messages it gets."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from mineproof.core.errors import CodedError, InputError
from mineproof.core.observation import Observation
from mineproof.service import limits
from mineproof.service.limits import BusyError
from mineproof.service.page_game import PageGame
from mineproof.service.player_words import refusal
from mineproof.service.resources import Plain
from mineproof.service.service import Service

log = logging.getLogger(__name__)
FAILED = CodedError("internal error (see the log)", code="internal")
CANCELLED = CodedError("cancelled", code="cancelled")
Send = Callable[[str], None]
"""Sends a message to the page. The transport decides when to drop a slow page."""
Answer = Plain | str
"""The fields of an answer. An answer that may be long is already JSON text."""


class PageState:
    """The state of an open page and its tasks. `Page` adds methods that read messages."""

    def __init__(self, service: Service, send: Send, game: PageGame) -> None:
        """Show a game."""
        self.service = service
        self.number = id(self)
        """A number that identifies the page, so that workers serve pages in turn."""
        self._send = send
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._slots: dict[str, int] = {}
        self._waiting = 0
        self.coached: list[Plain] = []
        """The coach's reports on the games that this page has sent."""
        self.game = game
        service.games.show(self, game)

    def close(self) -> None:
        """Leave the game and cancel all questions."""
        for task in self._tasks.values():
            task.cancel()
        self.service.games.leave(self, self.game)

    def move_to(self, game: PageGame) -> None:
        """Show another game."""
        if game is not self.game:
            self.service.games.leave(self, self.game)
        self.game = game
        self.service.games.show(self, game)

    def seen_at(self, step: int) -> Observation:
        """Return the position after a step of the game."""
        session = self.game.session
        return session.observation if step == session.step else session.observation_at(step)

    def changed(self, game: PageGame) -> Plain:
        """Save a game that has changed, update other pages that show it, and return its view."""
        self.service.changed(game)
        game.push_view(self)
        return game.view()

    # ---- tasks

    def begin(self, number: int, slot: str, answer: Callable[[], Awaitable[Answer]]) -> None:
        """Start answering a message. A later message in the same slot cancels this one."""
        if slot in self._slots:
            self.cancel(self._slots[slot])
        if len(self._tasks) >= limits.QUESTIONS_EACH or number in self._tasks:
            raise BusyError("too many open requests from this page")
        self._slots[slot] = number
        task = asyncio.create_task(self.answer(number, answer))
        self._tasks[number] = task
        task.add_done_callback(partial(self._forget, number, slot))

    def begin_in_order(self, number: int, answer: Callable[[], Awaitable[Answer]]) -> None:
        """Start answering a command as soon as all earlier commands of the game are done.

        The task must finish even if the page disconnects, so that no change is half made.
        """
        if self._waiting >= limits.WAITING_EACH:
            raise BusyError("too many waiting commands from this page")
        self._waiting += 1
        turn = self.game.turn

        async def work() -> None:
            try:
                async with turn:
                    await self.answer(number, answer)
            finally:
                self._waiting -= 1

        self.service.begin(work())

    def cancel(self, question: int) -> None:
        """Cancel a question."""
        task = self._tasks.pop(question, None)
        if task is not None:
            task.cancel()

    def _forget(self, number: int, slot: str, task: asyncio.Task[None]) -> None:
        if task.cancelled():
            self.post({"n": number, **refusal(CANCELLED), "cancelled": True})
        self._tasks.pop(number, None)
        if self._slots.get(slot) == number:
            del self._slots[slot]

    # ---- sending

    async def answer(self, number: int, answering: Callable[[], Awaitable[Answer]]) -> None:
        """Send an answer when it is ready. If answering fails, send the error."""
        try:
            answer = await answering()
        except CodedError as error:
            answer = refusal(error)
        except Exception:
            log.exception("a message could not be answered")
            answer = refusal(FAILED)
        if isinstance(answer, str):
            self._send(f'{{"n":{number},{answer[1:]}')
        else:
            self.post({"n": number, **answer})

    def push(self, kind: str, **values: Any) -> None:
        """Send the page a message it did not ask for."""
        self.post({"push": kind, **values})

    def push_damaged(self) -> None:
        """Tell the page which saved games are damaged and have been moved away."""
        for key in self.service.games.saved.damaged():
            text = f"saved game {key} is damaged; moved to {key}.damaged"
            self.push("refused", **refusal(InputError(text, code="damaged-game", key=key)))

    def post(self, message: Plain) -> None:
        """Send a message."""
        try:
            text = json.dumps(message, separators=(",", ":"), allow_nan=False)
        except (ValueError, TypeError, RecursionError):  # the page must not wait forever
            log.exception("cannot convert an answer to JSON")
            text = json.dumps({"n": message.get("n"), **refusal(FAILED)})
        self._send(text)
