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


class Lane:
    """Some workers that share the jobs of one kind."""

    def __init__(self, size: int, nice: int = 0) -> None:
        """Prepare for `size` jobs at once; processes start when they are needed."""
        self._nice = nice
        self._slots = asyncio.Semaphore(size)
        self._idle: list[_Worker] = []
        self._threads = ThreadPoolExecutor(size + 1, "mineproof-lane")
        self._waiting = 0

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
        try:
            return await self._with_worker(job, seconds, part)
        finally:
            self._slots.release()

    async def warm_up(self) -> None:
        """Start one worker ahead of the first job."""
        await self.run(Job("nothing"), seconds=limits.QUICK_SECONDS)

    def close(self) -> None:
        """End all workers that have nothing to do; the others end with their jobs."""
        while self._idle:
            self._idle.pop().end()
        self._threads.shutdown(wait=False)

    async def _with_worker(self, job: Job, seconds: float, part: Part | None) -> Any:
        worker = self._take(job.key) or await self._in_thread(_Worker, self._nice)
        worker.key = job.key
        try:
            async with asyncio.timeout(seconds):
                answer = await self._talk(worker, job, part)
        except BaseException as error:
            worker.end()
            if isinstance(error, TimeoutError):
                message = f"expected an answer within {seconds:g} s, got none"
                raise WorkLimitError(message) from error
            raise
        self._idle.append(worker)
        kind, value = answer
        if kind == "error":
            raise _rebuilt(value)
        return value

    async def _talk(self, worker: _Worker, job: Job, part: Part | None) -> tuple[str, Any]:
        await self._in_thread(worker.ask, job)
        while True:
            kind, value = await self._in_thread(worker.answer)
            if kind != "part":
                return kind, value
            if part is not None:
                part(value)

    async def _in_thread(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

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
