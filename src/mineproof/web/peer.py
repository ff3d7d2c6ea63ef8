"""A peer: one open page at its socket. Reads commands, sends answers, never blocks others."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from mineproof.core.errors import ContradictionError, InputError, WorkLimitError
from mineproof.web import fields, limits
from mineproof.web.desk import COMMANDS, Desk, is_under_way
from mineproof.web.fields import Message
from mineproof.web.jobs import Job
from mineproof.web.limits import BusyError
from mineproof.web.questions import INSTANT, QUESTIONS
from mineproof.web.scores import score_of
from mineproof.web.workers import WorkerDiedError

if TYPE_CHECKING:
    from mineproof.web.app import Server

_log = logging.getLogger(__name__)
TRY_LATER = 1013
SLOW = 1008


class Peer:
    """A page that is connected."""

    def __init__(self, server: Server, socket: WebSocket) -> None:
        """Serve a socket that was let in."""
        self.server = server
        self.desk: Desk
        self._socket = socket
        self._outbox: asyncio.Queue[str] = asyncio.Queue()
        self._unsent = 0
        self._jobs: dict[int, asyncio.Task[None]] = {}
        self._slots: dict[str, int] = {}

    async def run(self, key: str | None) -> None:
        """Talk with the page until it goes."""
        await self._socket.accept()
        try:
            self.desk, position = self.server.games.attach(self, key)
        except BusyError as error:
            await self._socket.send_text(json.dumps({"push": "refused", "error": str(error)}))
            await self._socket.close(TRY_LATER)
            return
        sender = asyncio.create_task(self._send_all())
        try:
            self.push("hello", **self.server.hello(self), position=position)
            await self._read_all()
        finally:
            sender.cancel()
            for task in self._jobs.values():
                task.cancel()
            self.server.games.detach(self, self.desk)

    def move_to(self, desk: Desk) -> None:
        """Look at another game."""
        self.server.games.detach(self, self.desk)
        self.desk = desk

    def push(self, kind: str, **values: Any) -> None:
        """Send the page something it did not ask for."""
        self._post({"push": kind, **values})

    async def ask(self, name: str, seconds: float = limits.QUICK_SECONDS, **arguments: Any) -> Any:
        """Let a worker answer a question about the game of this page."""
        return await self.server.run(self.server.job(name, self.desk, **arguments), seconds)

    # ---- reading

    async def _read_all(self) -> None:
        with suppress(WebSocketDisconnect):
            while True:
                event = await self._socket.receive()
                if event["type"] == "websocket.disconnect":
                    return
                self._read(event.get("text"))
                await asyncio.sleep(0)  # a page that sends without end must not starve others

    def _read(self, text: str | None) -> None:
        number = None
        try:
            if text is None:
                raise InputError("expected text, got bytes")
            message = fields.read_message(text)
            number = message["n"]
            self._do(message)
        except InputError as error:
            self._post({"n": number, "error": str(error)})
        except Exception:  # a fault of ours: the page is told, and the server goes on
            _log.exception("a command failed")
            self._post({"n": number, "error": "expected to do that, but something failed inside"})

    def _do(self, message: Message) -> None:
        name, number = message["do"], message["n"]
        if name == "cancel":
            self._cancel(fields.a_count(message, "job"))
            self._post({"n": number})
        elif name in COMMANDS:
            under_way = is_under_way(self.desk)
            COMMANDS[name](self.desk, message)
            self._post({"n": number, "view": self.changed(under_way)})
        elif name in INSTANT:
            self._post({"n": number, **INSTANT[name](self, message)})
        elif name in QUESTIONS:
            self._begin(message)
        else:
            raise InputError(f"expected a command, got {name[: fields.SHOWN]!r}")

    def changed(self, was_under_way: bool) -> dict[str, Any]:
        """Tell other pages with the same game what has changed; count a game that has ended."""
        view = self.desk.view()
        for peer in self.desk.peers - {self}:
            peer.push("view", view=view)
        self.server.save_soon(self.desk)
        if was_under_way and self.desk.session.outcome is not None:
            score = score_of(self.desk.session, self.desk.aided)
            counts, self.desk.scored = not self.desk.scored, True
            job = self.server.job("judge_all", self.desk)
            self.server.background(self._count(self.desk, job, score, counts))
        return view

    async def _count(self, desk: Desk, job: Job, score: dict[str, Any], counts: bool) -> None:
        """Review a game that has ended, and keep its result."""
        try:
            review = await self.server.run(job, limits.ANALYSIS_SECONDS)
            for peer in desk.peers:
                peer.push("review", id=score["id"], review=review)
            score |= {"proved": review["proved"], "judged": review["moves"], "luck": review["luck"]}
        except (InputError, WorkLimitError, WorkerDiedError):
            pass  # the result counts all the same
        if counts:
            self.server.games.folder.add_score(score)

    # ---- questions

    def _begin(self, message: Message) -> None:
        number, name = message["n"], message["do"]
        slot = fields.an_optional_text(message, "slot") or name
        if slot in self._slots:  # a newer question of the same kind makes the older one void
            self._cancel(self._slots[slot])
        if len(self._jobs) >= limits.JOBS_EACH or number in self._jobs:
            raise BusyError("expected fewer questions at once from one page")
        self._slots[slot] = number
        task = asyncio.create_task(self._answer(number, QUESTIONS[name](self, message)))
        self._jobs[number] = task
        task.add_done_callback(lambda _: self._forget(number, slot))

    def _forget(self, number: int, slot: str) -> None:
        self._jobs.pop(number, None)
        if self._slots.get(slot) == number:
            del self._slots[slot]

    def _cancel(self, number: int) -> None:
        task = self._jobs.pop(number, None)
        if task is not None:
            task.cancel()

    async def _answer(self, number: int, question: Coroutine[Any, Any, dict[str, Any]]) -> None:
        try:
            answer: dict[str, Any] = await question
        except asyncio.CancelledError:
            self._post({"n": number, "error": "cancelled", "cancelled": True})
            raise
        except ContradictionError as error:
            answer = {"error": str(error), "conflict": error.conflict}
        except (InputError, WorkLimitError, WorkerDiedError) as error:
            answer = {"error": str(error)}
        except Exception:
            _log.exception("a question failed")
            answer = {"error": "expected an answer, but something failed inside"}
        self._post({"n": number, **answer})

    def part(self, number: int, value: Any) -> None:
        """Send a part of an answer that comes in parts."""
        self._post({"n": number, "part": value})

    # ---- sending

    def _post(self, message: dict[str, Any]) -> None:
        if self._unsent > limits.OUTBOX_BYTES:  # nobody reads at the other end
            self.server.background(self._drop())
            return
        text = json.dumps(message, separators=(",", ":"))
        self._unsent += len(text)
        self._outbox.put_nowait(text)

    async def _drop(self) -> None:
        with suppress(RuntimeError):
            await self._socket.close(SLOW)

    async def _send_all(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                text = await self._outbox.get()
                await self._socket.send_text(text)
                self._unsent -= len(text)
