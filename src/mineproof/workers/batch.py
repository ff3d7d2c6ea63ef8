"""Chunks of work, run in this process or in others. Each result is delivered exactly once.

The work is a module-level function that yields its result in parts. If a worker dies, its chunk is
run again, so running a chunk twice must give the same result.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any, Self, TypeVar

from mineproof.workers.errors import ChunkError, WorkerDiedError
from mineproof.workers.interrupts import Interrupts
from mineproof.workers.serving import Answer, PartSender
from mineproof.workers.worker import GRACE, Worker

ONE_CORE = "MINEPROOF_ONE_CORE"
"""Name of an environment variable that is set in worker processes if other workers use the
remaining cores."""
MOST_DEATHS = 3
"""Number of workers that may die on the same chunk before the run fails."""
LOOK_SECONDS = 1.0
"""Seconds to wait for a result before checking the workers."""

Chunk = TypeVar("Chunk")
Part = TypeVar("Part")
Work = Callable[[Chunk], Iterable[Part]]
Take = Callable[[Chunk, list[Part], float], bool]
"""Called with a chunk, parts of its result and the seconds they took. Returns False to stop the
run."""
Found = tuple[list[Any], float]


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Runner:
    """A context manager that runs chunks in this process, in others or on a cluster."""

    def __enter__(self) -> Self:
        """Return the runner itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """Release processes and connections."""

    def run(
        self, work: Work[Chunk, Part], chunks: Iterable[Chunk], take: Take[Chunk, Part]
    ) -> None:
        """Run chunks, in roughly this order, and pass all parts of each to `take` exactly once.

        `take` is called in this thread, and Ctrl-C never interrupts it. Before Ctrl-C takes effect,
        `take` gets all finished parts, including those of running chunks.

        Raises:
            ChunkError: if several workers died on the same chunk.
            KeyboardInterrupt: if Ctrl-C was pressed.
            Exception: any exception that the work raises.
        """
        raise NotImplementedError


class Here(Runner):
    """A runner that works in this process, for one core and for tests."""

    def run(
        self, work: Work[Chunk, Part], chunks: Iterable[Chunk], take: Take[Chunk, Part]
    ) -> None:
        """Run chunks one by one, and pass on each part immediately; see `Runner`."""
        with Interrupts() as interrupts:
            for chunk in chunks:
                started = time.monotonic()
                for part in work(chunk):
                    with interrupts.held():
                        is_wanted = take(chunk, [part], time.monotonic() - started)
                    if not is_wanted:
                        return
                    started = time.monotonic()


class Remote(Runner):
    """A runner that works in other processes or on other machines."""

    @property
    def room(self) -> int:
        """The number of chunks to submit at a time: one running and one waiting per worker."""
        raise NotImplementedError

    def submit(self, work: Work[Any, Any], chunk: Any) -> Future[Found]:
        """Send a chunk to a worker. If the worker dies, the future raises `WorkerDiedError`."""
        raise NotImplementedError

    def stop(self) -> None:
        """Ask workers, if they can be reached, to return early with their results so far."""

    def drop(self) -> None:
        """End all work, because its results are no longer needed."""
        raise NotImplementedError

    def look_after(self) -> None:
        """Check the workers when there has been no result for a while."""

    def run(
        self, work: Work[Chunk, Part], chunks: Iterable[Chunk], take: Take[Chunk, Part]
    ) -> None:
        """Run chunks; see `Runner`."""
        batch = _Batch(self, work, chunks, take)
        with Interrupts() as interrupts:
            try:
                with interrupts.held():
                    batch.collect()
                while batch.is_running:
                    if not wait(batch.running, LOOK_SECONDS, FIRST_COMPLETED).done:
                        self.look_after()
                    with interrupts.held():
                        batch.collect()
            finally:
                with interrupts.held():
                    batch.end()


class _Batch:
    """The submitted chunks of one run, and those still waiting."""

    def __init__(
        self,
        remote: Remote,
        work: Work[Chunk, Part],
        chunks: Iterable[Chunk],
        take: Take[Chunk, Part],
    ) -> None:
        self.running: dict[Future[Found], tuple[Any, int]] = {}
        """For the future of each submitted chunk, the chunk and the number of workers that died on
        it."""
        self._remote = remote
        self._work = work
        self._take = take
        self._is_wanted = True
        self._lost: list[tuple[Any, int]] = []
        self._waiting = ((chunk, 0) for chunk in chunks)

    @property
    def is_running(self) -> bool:
        """Whether there are results to wait for."""
        return self._is_wanted and bool(self.running)

    def _submit(self) -> None:
        """Submit as many chunks as there is room for."""
        while self._is_wanted and len(self.running) < self._remote.room:
            following = self._lost.pop() if self._lost else next(self._waiting, None)
            if following is None:
                return
            self.running[self._remote.submit(self._work, following[0])] = following

    def collect(self) -> None:
        """Pass on finished results, and submit more. Chunks whose worker died are run again."""
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
        self._submit()

    def end(self) -> None:
        """Pass on results that are finished, or finish within `GRACE` seconds. Drop the rest."""
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
    """A runner that works in processes on this machine. Each has a thread that waits for it."""

    def __init__(self, jobs: int, prepare: Callable[[], object] | None = None) -> None:
        """Prepare the processes. Each starts with its first chunk.

        Args:
            jobs: the number of processes.
            prepare: a module-level function, called in each process before its first chunk.
        """
        self._workers = [Worker(partial(make_answer, prepare, jobs > 1)) for _ in range(jobs)]
        self._idle = list(self._workers)
        self._threads = ThreadPoolExecutor(jobs)

    def __exit__(self, *error: object) -> None:
        """End the processes immediately."""
        for worker in self._workers:
            worker.close()
        self._threads.shutdown(cancel_futures=True)

    @property
    def room(self) -> int:
        """The number of chunks to submit at a time: one running and one waiting per process."""
        return 2 * len(self._workers)

    def submit(self, work: Work[Any, Any], chunk: Any) -> Future[Found]:
        """Queue a chunk for the next free process."""
        return self._threads.submit(self._ask, (work, chunk))

    def stop(self) -> None:
        """Ask the processes to return early with their results so far."""
        for worker in self._workers:
            worker.stop()

    def drop(self) -> None:
        """End the busy processes. New ones start when there is more work."""
        for worker in self._workers:
            worker.kill()

    def _ask(self, question: tuple[Work[Any, Any], Any]) -> Found:
        worker = self._idle.pop()  # there are as many workers as threads
        try:
            found: Found = worker.ask(question)
            return found
        finally:
            self._idle.append(worker)


def make_answer(prepare: Callable[[], object] | None, has_siblings: bool) -> Answer:
    """Return the function that runs chunks in a worker process."""
    if has_siblings:
        os.environ[ONE_CORE] = "1"
    if prepare is not None:
        prepare()

    def answer(question: tuple[Work[Any, Any], Any], report: PartSender) -> Found:
        work, chunk = question
        return collect(work, chunk, report)

    return answer


def collect(work: Work[Chunk, Part], chunk: Chunk, report: PartSender | None = None) -> Found:
    """Run a chunk to its end, or until its result is no longer wanted."""
    started = time.monotonic()
    parts = []
    for part in work(chunk):
        parts.append(part)
        if report is not None and not report.is_wanted:
            break
    return parts, time.monotonic() - started
