"""What commands can do with a page: its game, its questions, and what it is sent."""

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
from mineproof.service.questions import Question
from mineproof.service.resources import Plain
from mineproof.service.service import Service

log = logging.getLogger(__name__)
FAILED = CodedError("internal error (see the log)", code="internal")
CANCELLED = CodedError("cancelled", code="cancelled")
Send = Callable[[str], None]
"""Takes a message for the page; the transport decides when to give a slow page up."""
Answer = Plain | str
"""The fields of an answer, or all of them as one JSON object if that may be long."""


class PageState:
    """One open page, apart from the reading of its messages."""

    def __init__(self, service: Service, send: Send, game: PageGame) -> None:
        """Show a game."""
        self.service = service
        self._send = send
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._slots: dict[str, int] = {}
        self._waiting = 0
        self.coached: list[Plain] = []
        """What the coach said of the games that this page showed it."""
        self.game = game
        service.games.show(self, game)

    @property
    def number(self) -> int:
        """A number of the page's own, so that workers serve pages in turn."""
        return id(self)

    def close(self) -> None:
        """Let go of the game; questions that wait are taken back."""
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

    def changed(self, game: PageGame, was_in_progress: bool) -> Plain:
        """Tell other pages with the same game; keep it, and count one that has ended."""
        self.service.changed(game, was_in_progress)
        game.tell(self)
        return game.view()

    def count_help(self) -> None:
        """Note that a game in progress is played with help."""
        if self.game.is_in_progress:
            self.game.aided = True

    # ---- work

    def begin(self, number: int, slot: str, answer: Callable[[], Awaitable[Answer]]) -> None:
        """Begin to answer a message; a later one in the same slot takes this one back."""
        if slot in self._slots:
            self.cancel(self._slots[slot])
        if len(self._tasks) >= limits.QUESTIONS_EACH or number in self._tasks:
            raise BusyError("expected fewer questions at once from one page")
        self._slots[slot] = number
        task = asyncio.create_task(self.answer(number, answer))
        self._tasks[number] = task
        task.add_done_callback(partial(self._forget, number, slot))

    def begin_in_turn(self, number: int, answer: Callable[[], Awaitable[Answer]]) -> None:
        """Begin to answer a message that changes the game, when those before it are done.

        The task must finish even if the page disconnects, so that no change is half made.
        """
        if self._waiting >= limits.WAITING_EACH:
            raise BusyError("expected fewer commands at once from one page")
        self._waiting += 1
        self.service.begin(self._in_turn(self.game, number, answer))

    async def _in_turn(
        self, game: PageGame, number: int, answer: Callable[[], Awaitable[Answer]]
    ) -> None:
        try:
            async with game.turn:
                await self.answer(number, answer)
        finally:
            self._waiting -= 1

    def cancel(self, question: int) -> None:
        """Take a question back."""
        task = self._tasks.pop(question, None)
        if task is not None:
            task.cancel()

    def _forget(self, number: int, slot: str, task: asyncio.Task[None]) -> None:
        if task.cancelled():
            self.post({"n": number, **refusal(CANCELLED), "cancelled": True})
        self._tasks.pop(number, None)
        if self._slots.get(slot) == number:
            del self._slots[slot]

    async def ask(
        self, number: int, name: str, values: Plain, seconds: float, is_long: bool
    ) -> str:
        """Have a question answered, and pass on the parts of its answer."""
        is_long = is_long and seconds > limits.SHORT_SECONDS
        question = Question(name, values, seconds, is_long, self.game.key, self.number)
        return await self.service.ask(
            question, lambda part: self._send(f'{{"n":{number},"part":{part}}}')
        )

    # ---- sending

    async def answer(self, number: int, answering: Callable[[], Awaitable[Answer]]) -> None:
        """Send an answer when it is there, or why there is none."""
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
        """Send the page something it did not ask for."""
        self.post({"push": kind, **values})

    def push_damaged(self) -> None:
        """Tell the page which games could not be read and were put aside."""
        for key in self.service.games.damaged():
            text = f"expected games that are whole, got {key}, put aside"
            self.push("refused", **refusal(InputError(text, code="damaged-game", key=key)))

    def post(self, message: Plain) -> None:
        """Send a message."""
        try:
            text = json.dumps(message, separators=(",", ":"), allow_nan=False)
        except (ValueError, TypeError, RecursionError):  # the page must not wait for ever
            log.exception("an answer cannot be written")
            text = json.dumps({"n": message.get("n"), **refusal(FAILED)})
        self._send(text)
