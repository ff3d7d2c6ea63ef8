"""A pool of worker processes that serves its clients fairly."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter, OrderedDict, deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from mineproof.workers.errors import CrowdedError, DeadlineError, WorkerDiedError
from mineproof.workers.threads import Caller
from mineproof.workers.worker import GRACE, Part, Worker

KEYS = 8
"""Number of recent keys to remember for each worker."""
MOST_CLIENTS = 1000
"""Number of clients to remember when deciding whose turn it is."""
CLOSED = "the pool of workers is closed"


@dataclass(eq=False)
class _Slot:
    """A worker, the thread that talks to it, and the keys of its recent questions."""

    worker: Worker
    caller: Caller = field(default_factory=Caller)
    keys: deque[Hashable] = field(default_factory=lambda: deque(maxlen=KEYS))


@dataclass(eq=False)
class _Request:
    """A question that waits for a worker or for its answer."""

    client: Hashable
    key: Hashable
    turn: asyncio.Future[_Slot]
    part: Part | None
    is_wanted: bool = True
    is_begun: bool = False

    def deliver(self, part: Any) -> None:
        """Pass on a part of the answer, unless the client has left."""
        if self.is_wanted and self.part is not None:
            self.part(part)


class Pool:
    """Workers for questions of one kind. Call all methods in the same event loop."""

    def __init__(
        self, workers: Iterable[Worker], *, share: int | None = None, most_waiting: int = 200
    ) -> None:
        """Use these workers. They start when they are needed.

        Args:
            workers: workers that can all answer the same questions.
            share: the maximum number of workers that one client may use at the same time; by
                default all.
            most_waiting: the maximum number of questions that may wait.
        """
        self._slots = [_Slot(worker) for worker in workers]
        self._share = len(self._slots) if share is None else share
        self._most_waiting = most_waiting
        self._idle = list(self._slots)
        self._waiting: list[_Request] = []
        self._served: OrderedDict[Hashable, int] = OrderedDict()
        self._count = itertools.count(1)
        self._running: Counter[Hashable] = Counter()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._is_closed = False

    async def ask(
        self,
        question: Any,
        *,
        seconds: float,
        key: Hashable = None,
        client: Hashable = None,
        part: Part | None = None,
    ) -> Any:
        """Return a worker's answer. If cancelled, stop the work, and if necessary kill the process.

        Args:
            question: anything that can be pickled.
            seconds: the time limit for the answer, counted from when a worker begins.
            key: the subject of the question. A worker that was asked about it before is preferred.
            client: the client that asks. Clients take turns.
            part: called with each part of an answer that comes in parts.

        Raises:
            DeadlineError: if the answer takes too long.
            CrowdedError: if too many questions are waiting.
            WorkerDiedError: if the process ended, or the pool is closed.
            AnswerError: if the answer or its error cannot be sent.
            Exception: any exception that the work raises.
        """
        request = self._line_up(client, key, part)
        try:
            slot = await request.turn
        except asyncio.CancelledError:
            self._leave(request)
            raise
        work = asyncio.create_task(self._answer(slot, request, question, seconds))
        self._tasks.add(work)
        work.add_done_callback(lambda done: self._end(slot, request, done))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            self._abandon(slot, request, work)
            raise

    async def warm_up(self) -> None:
        """Start all processes before the first questions arrive."""
        starting = [slot.caller.call(slot.worker.start) for slot in self._idle]
        await asyncio.gather(*map(asyncio.wrap_future, starting))

    async def close(self) -> None:
        """End all processes, even those that are busy."""
        self._is_closed = True
        for request in self._waiting:
            if not request.turn.done():
                request.turn.set_exception(WorkerDiedError(CLOSED))
        self._waiting.clear()
        for slot in self._slots:
            slot.worker.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for slot in self._slots:
            slot.caller.close()

    def _line_up(self, client: Hashable, key: Hashable, part: Part | None) -> _Request:
        if self._is_closed:
            raise WorkerDiedError(CLOSED)
        request = _Request(client, key, asyncio.get_running_loop().create_future(), part)
        self._waiting.append(request)
        self._assign()
        if len(self._waiting) > self._most_waiting:
            self._waiting.remove(request)
            raise CrowdedError(f"more than {self._most_waiting} questions are waiting")
        return request

    def _leave(self, request: _Request) -> None:
        """Remove a cancelled request. If it has just been given a worker, free that worker."""
        if request in self._waiting:
            self._waiting.remove(request)
        elif request.turn.done() and not request.turn.cancelled():
            self._free(request.turn.result(), request)

    def _assign(self) -> None:
        """Assign idle workers to waiting requests."""
        self._waiting = [request for request in self._waiting if not request.turn.done()]
        while self._idle and (request := self._next()) is not None:
            slot = max(self._idle, key=lambda one: (request.key in one.keys, one.worker.is_running))
            self._idle.remove(slot)
            self._running[request.client] += 1
            request.turn.set_result(slot)

    def _next(self) -> _Request | None:
        """Take the next request: from the client that was served longest ago, within its share."""
        allowed = [one for one in self._waiting if self._running[one.client] < self._share]
        if not allowed:
            return None
        request = min(allowed, key=lambda one: self._served.get(one.client, 0))
        self._waiting.remove(request)
        self._served.pop(request.client, None)
        self._served[request.client] = next(self._count)
        if len(self._served) > MOST_CLIENTS:
            self._served.popitem(last=False)
        return request

    async def _answer(self, slot: _Slot, request: _Request, question: Any, seconds: float) -> Any:
        """Start the worker if necessary, then ask it unless the client has left."""
        loop, worker = asyncio.get_running_loop(), slot.worker

        def deliver(part: Any) -> None:
            loop.call_soon_threadsafe(request.deliver, part)

        try:
            if not worker.is_running:
                await asyncio.wrap_future(slot.caller.call(worker.start))
            if not request.is_wanted:
                return None
            request.is_begun = True
            slot.keys.append(request.key)
            ask = partial(worker.ask, question, seconds=seconds, part=deliver)
            return await asyncio.wrap_future(slot.caller.call(ask))
        except (WorkerDiedError, DeadlineError):
            slot.keys.clear()
            raise

    def _abandon(self, slot: _Slot, request: _Request, work: asyncio.Task[Any]) -> None:
        """Ask the worker to stop, because restarting it is slow. Kill it after `GRACE` seconds."""
        request.is_wanted = False
        if not request.is_begun:
            return  # the question was not sent and never will be; let the worker finish starting
        slot.worker.stop()
        end = asyncio.get_running_loop().call_later(GRACE, slot.worker.kill)
        work.add_done_callback(lambda _done: end.cancel())

    def _end(self, slot: _Slot, request: _Request, work: asyncio.Task[Any]) -> None:
        self._tasks.discard(work)
        if not work.cancelled():
            work.exception()  # mark the exception as retrieved, even if no one awaits it
        self._free(slot, request)

    def _free(self, slot: _Slot, request: _Request) -> None:
        self._idle.append(slot)
        self._running[request.client] -= 1
        self._running += Counter()  # remove clients without running questions
        self._assign()
