"""Workers for a server: questions wait their turn, fairly between those who ask."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter, OrderedDict, deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from mineproof.workers.clock import Caller
from mineproof.workers.errors import BusyError, DeadlineError, WorkerDiedError
from mineproof.workers.worker import GRACE, Part, Worker

KEYS = 8
"""How many keys a worker is taken to remember."""
MOST_ASKERS = 1000
"""Of how many askers it is remembered when they were served."""
GONE = "expected a worker, got none any more"


@dataclass(eq=False)
class _Slot:
    """A worker, the thread that speaks with it, and the keys of what it was asked lately."""

    worker: Worker
    caller: Caller = field(default_factory=Caller)
    keys: deque[Hashable] = field(default_factory=lambda: deque(maxlen=KEYS))


@dataclass(eq=False)
class _Asking:
    """A question on its way: who asks, what about, and whether somebody still waits."""

    asker: Hashable
    key: Hashable
    turn: asyncio.Future[_Slot]
    part: Part | None
    is_wanted: bool = True
    is_begun: bool = False

    def deliver(self, part: Any) -> None:
        """Hand a part over, if somebody still waits."""
        if self.is_wanted and self.part is not None:
            self.part(part)


class Pool:
    """Some workers for the questions of one kind; all its methods belong to one event loop."""

    def __init__(
        self, workers: Iterable[Worker], *, share: int | None = None, most_waiting: int = 200
    ) -> None:
        """Take workers, which are the pool's own from now on; they start when they are needed.

        Args:
            workers: all alike.
            share: how many of them one asker may use at once, all by default.
            most_waiting: how many questions may wait.
        """
        self._slots = [_Slot(worker) for worker in workers]
        self._share = len(self._slots) if share is None else share
        self._most_waiting = most_waiting
        self._idle = list(self._slots)
        self._waiting: list[_Asking] = []
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
        asker: Hashable = None,
        part: Part | None = None,
    ) -> Any:
        """Let a worker answer. Cancelled, it ends the work soon, with its process if need be.

        Args:
            question: anything that can be pickled.
            seconds: how long the answer may take, once a worker has begun.
            key: what it is about; a worker that was asked about it before is preferred.
            asker: who asks; askers take turns.
            part: called with each part of the answer before the rest.

        Raises:
            DeadlineError: it took longer.
            BusyError: too many questions wait.
            WorkerDiedError: the process ended, or the pool is closed.
            AnswerError: the answer or its error cannot be sent.
            Exception: whatever the work raised.
        """
        asking = self._line_up(asker, key, part)
        try:
            slot = await asking.turn
        except asyncio.CancelledError:
            self._leave(asking)
            raise
        work = asyncio.create_task(self._answer(slot, asking, question, seconds))
        self._tasks.add(work)
        work.add_done_callback(lambda done: self._end(slot, asking, done))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            self._abandon(slot, asking, work)
            raise

    async def warm_up(self) -> None:
        """Start all processes ahead of the first questions."""
        starting = [slot.caller.call(slot.worker.start) for slot in self._idle]
        await asyncio.gather(*map(asyncio.wrap_future, starting))

    async def close(self) -> None:
        """End all processes, also those in the middle of an answer."""
        self._is_closed = True
        for asking in self._waiting:
            if not asking.turn.done():
                asking.turn.set_exception(WorkerDiedError(GONE))
        self._waiting.clear()
        for slot in self._slots:
            slot.worker.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for slot in self._slots:
            slot.caller.close()

    def _line_up(self, asker: Hashable, key: Hashable, part: Part | None) -> _Asking:
        if self._is_closed:
            raise WorkerDiedError(GONE)
        asking = _Asking(asker, key, asyncio.get_running_loop().create_future(), part)
        self._waiting.append(asking)
        self._hand_out()
        if len(self._waiting) > self._most_waiting:
            self._waiting.remove(asking)
            raise BusyError(f"expected at most {self._most_waiting} questions to wait, got more")
        return asking

    def _leave(self, asking: _Asking) -> None:
        """Give up one's turn, whether it has come or not."""
        if asking in self._waiting:
            self._waiting.remove(asking)
        elif asking.turn.done() and not asking.turn.cancelled():
            self._free(asking.turn.result(), asking)

    def _hand_out(self) -> None:
        """Give idle workers to those whose turn it is."""
        self._waiting = [asking for asking in self._waiting if not asking.turn.done()]
        while self._idle and (asking := self._next()) is not None:
            slot = max(self._idle, key=lambda one: (asking.key in one.keys, one.worker.is_running))
            self._idle.remove(slot)
            self._running[asking.asker] += 1
            asking.turn.set_result(slot)

    def _next(self) -> _Asking | None:
        """Take the next question: of who was served longest ago, and has not a full share."""
        allowed = [one for one in self._waiting if self._running[one.asker] < self._share]
        if not allowed:
            return None
        asking = min(allowed, key=lambda one: self._served.get(one.asker, 0))
        self._waiting.remove(asking)
        self._served.pop(asking.asker, None)
        self._served[asking.asker] = next(self._count)
        if len(self._served) > MOST_ASKERS:
            self._served.popitem(last=False)
        return asking

    async def _answer(self, slot: _Slot, asking: _Asking, question: Any, seconds: float) -> Any:
        """Start the worker if need be, then ask it if somebody still waits."""
        loop, worker = asyncio.get_running_loop(), slot.worker

        def deliver(part: Any) -> None:
            loop.call_soon_threadsafe(asking.deliver, part)

        try:
            if not worker.is_running:
                await asyncio.wrap_future(slot.caller.call(worker.start))
            if not asking.is_wanted:
                return None
            asking.is_begun = True
            slot.keys.append(asking.key)
            ask = partial(worker.ask, question, seconds=seconds, part=deliver)
            return await asyncio.wrap_future(slot.caller.call(ask))
        except (WorkerDiedError, DeadlineError):
            slot.keys.clear()
            raise

    def _abandon(self, slot: _Slot, asking: _Asking, work: asyncio.Task[Any]) -> None:
        """Give the work a moment to end by itself: a worker that is killed must start anew."""
        asking.is_wanted = False
        if not asking.is_begun:
            return  # nor will it: a worker that is just starting is left to it
        slot.worker.stop()
        end = asyncio.get_running_loop().call_later(GRACE, slot.worker.kill)
        work.add_done_callback(lambda _done: end.cancel())

    def _end(self, slot: _Slot, asking: _Asking, work: asyncio.Task[Any]) -> None:
        self._tasks.discard(work)
        if not work.cancelled():
            work.exception()  # seen, though perhaps nobody waits for it
        self._free(slot, asking)

    def _free(self, slot: _Slot, asking: _Asking) -> None:
        self._idle.append(slot)
        self._running[asking.asker] -= 1
        self._running += Counter()  # drops those that have none
        self._hand_out()
