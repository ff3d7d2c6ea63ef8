"""Chunks of work, in this process or in others: each answer is handed over exactly once.

Work is a function of a module that gives the parts of its answer one after the other. A chunk
whose worker died is done again, so it must come to the same however often it is done.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import partial
from typing import Any, Self, TypeVar

from mineproof.workers.errors import ChunkError, WorkerDiedError
from mineproof.workers.interrupts import Interrupts
from mineproof.workers.serving import Answer, PartSender
from mineproof.workers.threads import settle
from mineproof.workers.worker import GRACE, Worker

ONE_CORE = "MINEPROOF_ONE_CORE"
"""Set in the environment of a process whose siblings have the other cores."""
MOST_DEATHS = 3
"""How often the workers of one chunk may die before it is blamed."""
LOOK_SECONDS = 1.0
"""After how long without an answer the workers are looked after."""

Chunk = TypeVar("Chunk")
Part = TypeVar("Part")
Work = Callable[[Chunk], Iterable[Part]]
Take = Callable[[Chunk, list[Part], float], bool]
"""Takes parts of a chunk, and the seconds they took; False says that no more are wanted."""
Found = tuple[list[Any], float]


def cores() -> int:
    """Say how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Runner:
    """Whoever does chunks: this process, others, or a cluster; a context manager."""

    def __enter__(self) -> Self:
        """Begin to use it."""
        return self

    def __exit__(self, *error: object) -> None:
        """Let it go."""

    def run(
        self, work: Work[Chunk, Part], chunks: Iterable[Chunk], take: Take[Chunk, Part]
    ) -> None:
        """Do chunks, in about this order, and hand over all parts of each exactly once.

        `take` is called in this thread and never cut in half by Ctrl-C; what is finished is
        handed over before Ctrl-C takes effect, and so is what running chunks have by then.

        Raises:
            ChunkError: the workers of a chunk died again and again.
            KeyboardInterrupt: Ctrl-C was pressed.
            Exception: whatever the work raised.
        """
        raise NotImplementedError


class Here(Runner):
    """Does the work in this process itself: for one core, and for tests."""

    def run(
        self, work: Work[Chunk, Part], chunks: Iterable[Chunk], take: Take[Chunk, Part]
    ) -> None:
        """Do chunks one after the other, and hand over each part at once; see `Runner`."""
        with Interrupts() as interrupts:
            for chunk in chunks:
                started = time.monotonic()
                for part in work(chunk):
                    with interrupts.held():
                        goes_on = take(chunk, [part], time.monotonic() - started)
                    if not goes_on:
                        return
                    started = time.monotonic()


class Remote(Runner):
    """What runs chunks elsewhere; says how work gets there and is called off."""

    @property
    def room(self) -> int:
        """How many chunks it should have at a time: for each worker one in hand, one waiting."""
        raise NotImplementedError

    def submit(self, work: Work[Any, Any], chunk: Any) -> Future[Found]:
        """Let a worker do a chunk; WorkerDiedError in the future says that it is lost."""
        raise NotImplementedError

    def stop(self) -> None:
        """Let workers that can hear it know that they should end with what they have."""

    def drop(self) -> None:
        """End all work, which nobody waits for any more."""
        raise NotImplementedError

    def look_after(self) -> None:
        """See to the workers when no answer came for a while."""

    def run(
        self, work: Work[Chunk, Part], chunks: Iterable[Chunk], take: Take[Chunk, Part]
    ) -> None:
        """Do chunks; see `Runner`."""
        batch = _Batch(self, work, chunks, take)
        with Interrupts() as interrupts:
            try:
                with interrupts.held():
                    batch.submit()
                while batch.goes_on:
                    if not wait(batch.running, LOOK_SECONDS, FIRST_COMPLETED).done:
                        self.look_after()
                    with interrupts.held():
                        batch.collect()
                        batch.submit()
            finally:
                with interrupts.held():
                    batch.end()


class _Batch:
    """The chunks of one run that are with the workers, and those still to come."""

    def __init__(
        self,
        remote: Remote,
        work: Work[Chunk, Part],
        chunks: Iterable[Chunk],
        take: Take[Chunk, Part],
    ) -> None:
        self.running: dict[Future[Found], tuple[Any, int]] = {}
        """The chunks by what becomes of them, each with the deaths it has seen."""
        self._remote = remote
        self._work = work
        self._take = take
        self._is_wanted = True
        self._lost: list[tuple[Any, int]] = []
        self._waiting = ((chunk, 0) for chunk in chunks)

    @property
    def goes_on(self) -> bool:
        """Whether there is something left to wait for."""
        return self._is_wanted and bool(self.running)

    def submit(self) -> None:
        """Keep every worker busy."""
        while self._is_wanted and len(self.running) < self._remote.room:
            following = self._lost.pop() if self._lost else next(self._waiting, None)
            if following is None:
                return
            self.running[self._remote.submit(self._work, following[0])] = following

    def collect(self) -> None:
        """Hand over what is finished; what was lost with a worker is done again."""
        for future in [one for one in self.running if one.done()]:
            chunk, deaths = self.running.pop(future)
            try:
                found = future.result()
            except WorkerDiedError as error:
                if deaths + 1 == MOST_DEATHS:
                    raise ChunkError(chunk, MOST_DEATHS) from error
                self._lost.append((chunk, deaths + 1))
            else:
                self._hand_over(chunk, found)

    def end(self) -> None:
        """Hand over what is finished or ends in a moment, and drop the rest."""
        try:
            if self.running and self._is_wanted:
                self._remote.stop()
                begun = [future for future in self.running if not future.cancel()]
                for future in wait(begun, GRACE).done:
                    if future.exception() is None:
                        self._hand_over(self.running[future][0], future.result())
        finally:
            for future in self.running:
                future.cancel()
            self._remote.drop()

    def _hand_over(self, chunk: Any, found: Found) -> None:
        parts, seconds = found
        if parts and self._is_wanted:
            self._is_wanted = self._take(chunk, parts, seconds)


class Processes(Remote):
    """Processes of this machine, each with a thread of ours that keeps it busy."""

    def __init__(self, jobs: int, prepare: Callable[[], object] | None = None) -> None:
        """Say how many processes there are to be; each starts with its first chunk.

        Args:
            jobs: their number.
            prepare: a function of a module, called in each process before its first chunk.
        """
        self._workers = [Worker(partial(make_answer, prepare, jobs > 1)) for _ in range(jobs)]
        self._queue: queue.SimpleQueue[tuple[Future[Found], Any] | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._serve, args=(worker,), daemon=True)
            for worker in self._workers
        ]
        for thread in self._threads:
            thread.start()

    def __exit__(self, *error: object) -> None:
        """End the processes at once."""
        for worker in self._workers:
            self._queue.put(None)
            worker.close()
        for thread in self._threads:
            thread.join()

    @property
    def room(self) -> int:
        """For each process one chunk in hand, and one that waits."""
        return 2 * len(self._workers)

    def submit(self, work: Work[Any, Any], chunk: Any) -> Future[Found]:
        """Put a chunk where the next free process finds it."""
        future: Future[Found] = Future()
        self._queue.put((future, (work, chunk)))
        return future

    def stop(self) -> None:
        """Let the processes know that they should end with what they have."""
        for worker in self._workers:
            worker.stop()

    def drop(self) -> None:
        """End the processes that are at work; others take their place when there is more."""
        for worker in self._workers:
            worker.kill()

    def _serve(self, worker: Worker) -> None:
        """Give a process one chunk after the other."""
        while (following := self._queue.get()) is not None:
            future, question = following
            settle(future, partial(worker.ask, question))


def make_answer(prepare: Callable[[], object] | None, has_siblings: bool) -> Answer:
    """Make, in a worker process, what does its chunks."""
    if has_siblings:
        os.environ[ONE_CORE] = "1"
    if prepare is not None:
        prepare()

    def answer(question: tuple[Work[Any, Any], Any], report: PartSender) -> Found:
        work, chunk = question
        return collect(work, chunk, report)

    return answer


def collect(work: Work[Chunk, Part], chunk: Chunk, report: PartSender | None = None) -> Found:
    """Do a chunk, or what there is time for before everything stops."""
    started = time.monotonic()
    parts = []
    for part in work(chunk):
        parts.append(part)
        if report is not None and not report.is_wanted:
            break
    return parts, time.monotonic() - started
