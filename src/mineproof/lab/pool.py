"""Worker processes of this machine."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Collection, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection

from mineproof.agents.registry import agents
from mineproof.lab.chunks import Chunk
from mineproof.lab.flight import LostError, fly
from mineproof.lab.running import Take
from mineproof.lab.work import Answer, play_chunk
from mineproof.match.interrupts import Interrupts


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
    """Processes of this machine.

    The standard pool gives up as a whole when one of its processes dies: a new one takes its
    place, and `flight` sees to what was lost.
    """

    def __init__(self, jobs: int) -> None:
        """Say how many processes there are to be; they start with the first chunk."""
        self._jobs = jobs
        self._context = multiprocessing.get_context("spawn")
        self._executor: ProcessPoolExecutor | None = None

    def __enter__(self) -> ProcessPool:
        """Begin: the processes start when they are needed."""
        return self

    def __exit__(self, *error: object) -> None:
        """End the processes at once."""
        if self._executor is not None:
            # The standard pool has no way to end a process that is busy but to kill it.
            for process in list((self._executor._processes or {}).values()):
                process.kill()
        self.restart()

    def run(self, chunks: Sequence[Chunk], take: Take, interrupts: Interrupts) -> None:
        """Play chunks in the processes; see `running.Workers`."""
        fly(self, chunks, take, interrupts)

    @property
    def room(self) -> int:
        """For every process a chunk in hand and one that waits."""
        return 2 * self._jobs

    def submit(self, chunk: Chunk) -> Future[Answer]:
        """Give a chunk to a process."""
        if self._executor is None:
            self._executor = ProcessPoolExecutor(
                self._jobs, self._context, initializer=_prepare_worker
            )
        try:
            return self._executor.submit(play_chunk, chunk)
        except BrokenProcessPool as error:
            raise LostError from error

    def wait(self, handles: Collection[Future[Answer]]) -> None:
        """Wait until one of these chunks has ended."""
        wait(handles, return_when=FIRST_COMPLETED)

    def is_done(self, handle: Future[Answer]) -> bool:
        """Say whether a chunk has ended."""
        return handle.done()

    def answer(self, handle: Future[Answer]) -> Answer:
        """Give the answer of a chunk that has ended."""
        try:
            return handle.result()
        except (BrokenProcessPool, CancelledError) as error:
            raise LostError from error

    def restart(self) -> None:
        """Forget these processes; the next chunk starts new ones."""
        if self._executor is not None:
            self._executor.shutdown(wait=True)
            self._executor = None

    def stop(self, handles: Collection[Future[Answer]]) -> None:
        """Drop chunks with the processes that have them.

        They are not taken back first: the standard pool of Python 3.11 stumbles over cancelled
        work when its processes are killed, and writes that to the terminal.
        """
        if not all(handle.done() for handle in handles):
            self.__exit__()


def _prepare_worker() -> None:
    """Set up a worker: Ctrl-C is the parent's business, and without a parent it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    agents()
    gc.freeze()  # what is loaded by now is never garbage, and need not be looked at again
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
