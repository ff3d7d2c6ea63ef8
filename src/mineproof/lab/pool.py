"""Worker processes of this machine; when one dies, what was in flight is played again."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection

from mineproof.core.errors import AgentError
from mineproof.lab.chunks import Chunk
from mineproof.lab.running import Take
from mineproof.lab.work import Answer, play_chunk
from mineproof.play.interrupts import Interrupts

MOST_DEATHS = 5
"""How often workers may die in a row, with no chunk finished, before the agent is blamed."""


class Here:
    """The process itself plays: for one core, and for tests."""

    def __enter__(self) -> Here:
        """Begin: nothing to do."""
        return self

    def __exit__(self, *error: object) -> None:
        """End: nothing to do."""

    def run(self, chunks: Sequence[Chunk], take: Take, interrupts: Interrupts) -> None:
        """Play chunks one after the other."""
        for chunk in chunks:
            answer = play_chunk(chunk)
            with interrupts.held():
                goes_on = take(chunk, answer)
            if not goes_on:
                return


class ProcessPool:
    """Processes of this machine."""

    def __init__(self, jobs: int) -> None:
        """Say how many processes there are to be; they start with the first run."""
        self._jobs = jobs
        self._context = multiprocessing.get_context("spawn")
        self._executor: ProcessPoolExecutor | None = None

    def __enter__(self) -> ProcessPool:
        """Begin: the processes start when they are needed."""
        return self

    def __exit__(self, *error: object) -> None:
        """End the processes."""
        self.close()

    def run(self, chunks: Sequence[Chunk], take: Take, interrupts: Interrupts) -> None:
        """Play chunks in the processes; see `running.Workers`."""
        flight = _Flight(self, chunks, take)
        try:
            while flight.goes_on:
                with interrupts.held():
                    flight.submit(2 * self._jobs)
                wait(flight.running, return_when=FIRST_COMPLETED)
                with interrupts.held():
                    flight.collect()
        except BaseException:
            with interrupts.held():
                flight.abandon()
            raise
        flight.abandon()

    def submit(self, chunk: Chunk) -> Future[Answer]:
        """Give a chunk to a worker.

        Raises:
            BrokenProcessPool: a worker has died; `restart` helps.
        """
        if self._executor is None:
            self._executor = ProcessPoolExecutor(
                self._jobs, self._context, initializer=_prepare_worker
            )
        return self._executor.submit(play_chunk, chunk)

    def restart(self) -> None:
        """Forget processes of which one has died; the next chunk starts new ones."""
        if self._executor is not None:
            self._executor.shutdown(wait=True)
            self._executor = None

    def close(self) -> None:
        """End the processes at once."""
        if self._executor is None:
            return
        # The standard pool has no way to end a worker that is busy but to kill it.
        for process in list((self._executor._processes or {}).values()):
            process.kill()
        self.restart()


class _Flight:
    """The chunks of one run that are with the workers, and those still to come."""

    def __init__(self, pool: ProcessPool, chunks: Sequence[Chunk], take: Take) -> None:
        self.running: dict[Future[Answer], Chunk] = {}
        self._pool = pool
        self._take = take
        self._waiting = list(reversed(chunks))
        self._deaths = 0
        self._is_wanted = True

    @property
    def goes_on(self) -> bool:
        """Whether there is something left to do."""
        return self._is_wanted and bool(self.running or self._waiting)

    def submit(self, most: int) -> None:
        """Keep every worker busy: one chunk in hand, one waiting."""
        while self._waiting and len(self.running) < most:
            chunk = self._waiting.pop()
            try:
                self.running[self._pool.submit(chunk)] = chunk
            except BrokenProcessPool:
                self._waiting.append(chunk)
                if self.running:  # they are lost too, and `collect` sees to all of it
                    return
                self._restart()

    def collect(self) -> None:
        """Hand over what is finished; put back what was lost with a worker."""
        if self._gather():
            self._restart()
            self._gather()  # by now everything in flight has ended, one way or the other

    def _gather(self) -> bool:
        """Take in all futures that have ended; True if some were lost."""
        is_broken = False
        for future in [future for future in self.running if future.done()]:
            chunk = self.running.pop(future)
            if future.cancelled() or isinstance(future.exception(), BrokenProcessPool):
                self._waiting.append(chunk)
                is_broken = True
            elif self._is_wanted:
                answer = future.result()
                self._deaths = 0
                self._is_wanted = self._take(chunk, answer)
        return is_broken

    def abandon(self) -> None:
        """Hand over what is finished, and stop the rest."""
        for future, chunk in list(self.running.items()):
            if future.done() and not future.cancelled() and future.exception() is None:
                del self.running[future]
                if self._is_wanted:
                    self._is_wanted = self._take(chunk, future.result())
        if self.running:
            self._pool.close()

    def _restart(self) -> None:
        self._deaths += 1
        self._pool.restart()
        if self._deaths >= MOST_DEATHS:
            raise AgentError(
                f"expected the worker processes to live, got {self._deaths} deaths in a row "
                f"(near the agent {self._waiting[-1].condition.agent})"
            )


def _prepare_worker() -> None:
    """Set up a worker: Ctrl-C is the parent's business, and without a parent it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
