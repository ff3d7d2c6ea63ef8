"""Worker processes: whatever may take long runs there, with a limit, and can be cancelled.

A computation in plain Python or in the core cannot be stopped from outside, but a process
can: a job that is cancelled or takes too long ends with its process, and the next job gets
a new one. Playing itself never waits for a worker.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from mineproof.core import errors
from mineproof.core.errors import ContradictionError, WorkLimitError
from mineproof.web import limits
from mineproof.web.jobs import Job, serve
from mineproof.web.limits import BusyError

Part = Callable[[Any], None]
"""Called with each part of an answer that comes in parts."""


GRACE = 0.3
"""Seconds that a job may go on when nobody waits for it any more."""


class WorkerDiedError(RuntimeError):
    """A worker process ended in the middle of a job: too much memory, or a crash."""


class _Worker:
    """One process and the pipe to it."""

    def __init__(self, nice: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.key = ""
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=serve, args=(theirs, nice), name="mineproof-worker", daemon=True
        )
        self._process.start()
        theirs.close()

    def ask(self, job: Job) -> None:
        """Send a job."""
        self._pipe.send(job)

    def answer(self) -> tuple[str, Any]:
        """Wait for the next part of the answer."""
        try:
            return self._pipe.recv()  # type: ignore[no-any-return]
        except (EOFError, OSError) as error:
            raise WorkerDiedError("expected an answer, but its process ended") from error

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def end(self) -> None:
        """End the process at once; a thread that waits for an answer wakes up."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


class _Task:
    """A job under way: its limit, and whether somebody still waits for the answer."""

    def __init__(self, job: Job, seconds: float, part: Part | None) -> None:
        self.job = job
        self.seconds = seconds
        self.part = part
        self.limit: asyncio.Timeout | None = None

    def abandon(self) -> None:
        """Give the job a moment to end by itself: a worker that is killed must start anew."""
        self.part = None
        self.seconds = GRACE
        if self.limit is not None:
            self.limit.reschedule(asyncio.get_running_loop().time() + GRACE)


class Lane:
    """Some workers that share the jobs of one kind."""

    def __init__(self, size: int, nice: int = 0) -> None:
        """Prepare for `size` jobs at once; processes start when they are needed."""
        self._nice = nice
        self._slots = asyncio.Semaphore(size)
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._threads = ThreadPoolExecutor(size + 1, "mineproof-lane")
        self._waiting = 0
        self._closed = False

    async def run(self, job: Job, *, seconds: float, part: Part | None = None) -> Any:
        """Let a worker do a job.

        Raises:
            WorkLimitError: it takes longer than `seconds`.
            BusyError: too many jobs are waiting.
        """
        if self._waiting >= limits.WAITING:
            raise BusyError("expected fewer questions at once; try again in a moment")
        self._waiting += 1
        try:
            await self._slots.acquire()
        finally:
            self._waiting -= 1
        task = _Task(job, seconds, part)
        work = asyncio.create_task(self._do(task))
        work.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            task.abandon()
            raise

    async def warm_up(self) -> None:
        """Start one worker ahead of the first job."""
        await self.run(Job("nothing"), seconds=limits.QUICK_SECONDS)

    def close(self) -> None:
        """End all workers, also those in the middle of a job."""
        self._closed = True
        for worker in self._all:
            worker.end()
        self._threads.shutdown(wait=False)

    async def _do(self, task: _Task) -> Any:
        try:
            worker = self._take(task.job.key) or await self._in_thread(self._start)
            kind, value = await self._with(worker, task)
        finally:
            self._slots.release()
        if kind == "error":
            raise _rebuilt(value)
        return value

    async def _with(self, worker: _Worker, task: _Task) -> tuple[str, Any]:
        worker.key = task.job.key
        try:
            async with asyncio.timeout(task.seconds) as task.limit:
                answer = await self._talk(worker, task)
        except TimeoutError as error:
            self._end(worker)
            message = f"expected an answer within {task.seconds:g} s, got none"
            raise WorkLimitError(message) from error
        except BaseException:
            self._end(worker)
            raise
        finally:
            task.limit = None
        self._idle.append(worker)
        return answer

    async def _talk(self, worker: _Worker, task: _Task) -> tuple[str, Any]:
        await self._in_thread(worker.ask, task.job)
        while True:
            kind, value = await self._in_thread(worker.answer)
            if kind != "part":
                return kind, value
            if task.part is not None:
                task.part(value)

    async def _in_thread(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    def _start(self) -> _Worker:
        worker = _Worker(self._nice)
        self._all.add(worker)
        if self._closed:
            worker.end()
        return worker

    def _end(self, worker: _Worker) -> None:
        self._all.discard(worker)
        worker.end()

    def _take(self, key: str) -> _Worker | None:
        """Take a worker that has nothing to do, best one that knows the game already."""
        self._idle = [worker for worker in self._idle if worker.alive]
        if not self._idle:
            return None
        known = [worker for worker in self._idle if worker.key == key]
        chosen = known[0] if known else self._idle[0]
        self._idle.remove(chosen)
        return chosen


def _rebuilt(fields: dict[str, Any]) -> Exception:
    """Make the exception anew that a worker reported."""
    message = fields["message"]
    if fields["name"] == "ContradictionError":
        return ContradictionError(message, fields["conflict"], fields["uses_mine_count"])
    if fields["name"] == "WorkLimitError":
        return WorkLimitError(message)
    known = getattr(errors, fields["name"], errors.InputError)
    return known(message)
