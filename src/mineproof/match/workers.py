"""A pool of worker processes that survives the death of its workers."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection
from multiprocessing.synchronize import Event

from mineproof.core.errors import AgentError
from mineproof.match.batch import Chunks, Deal, Played, Report, play_chunk
from mineproof.match.interrupts import Interrupts

MOST_DEATHS = 3
"""How often all work in flight may die in a row before the agent is blamed."""
GRACE_SECONDS = 1.0
"""How long Ctrl-C waits for games that are about to end."""

_stopped: Event


def play_in_processes(
    agent: str, deals: Sequence[Deal], report: Report, jobs: int, interrupts: Interrupts
) -> None:
    """Play games in worker processes; see `batch.play_games`."""
    pool = _Pool(agent, deals, report, jobs)
    try:
        with interrupts.held():
            pool.submit()
        while pool.running:
            wait(pool.running, return_when=FIRST_COMPLETED)
            with interrupts.held():
                pool.collect()
                pool.submit()
    except BaseException:
        with interrupts.held():
            pool.abandon()
        raise
    pool.close()


class _Pool:
    """The chunks that are being played, and the processes that play them."""

    def __init__(self, agent: str, deals: Sequence[Deal], report: Report, jobs: int) -> None:
        self.running: dict[Future[_Answer], Sequence[Deal]] = {}
        self._agent = agent
        self._report = report
        self._jobs = jobs
        self._chunks = Chunks(deals, jobs)
        self._lost: list[Sequence[Deal]] = []
        self._deaths = 0
        self._context = multiprocessing.get_context("spawn")
        self._stop = self._context.Event()
        self._others = set(multiprocessing.active_children())
        self._executor = self._start()

    def _start(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._jobs, self._context, initializer=_prepare, initargs=(self._stop,)
        )

    def submit(self) -> None:
        """Give the workers something to do: one chunk in hand, one waiting."""
        while len(self.running) < 2 * self._jobs:
            deals = self._lost.pop() if self._lost else self._chunks.take()
            if not deals:
                return
            try:
                future = self._executor.submit(_work, self._agent, deals)
            except BrokenProcessPool:
                self._lost.append(deals)
                self._restart()
                continue
            self.running[future] = deals

    def collect(self) -> None:
        """Report the chunks that are done; start anew if a worker died."""
        broken = False
        for future in [future for future in self.running if future.done()]:
            deals = self.running.pop(future)
            if isinstance(future.exception(), BrokenProcessPool):
                self._lost.append(deals)
                broken = True
            else:
                self._take(*future.result())
        if broken:
            self._restart()

    def abandon(self) -> None:
        """Stop at once, but report every game that has ended or ends in a moment."""
        self._stop.set()
        for future in self.running:
            future.cancel()
        wait(self.running, timeout=GRACE_SECONDS)
        try:
            for future in self.running:
                if future.done() and not future.cancelled() and future.exception() is None:
                    self._take(*future.result())
        finally:
            for process in set(multiprocessing.active_children()) - self._others:
                process.kill()
            self.close()

    def close(self) -> None:
        """End the workers, which have nothing left to do."""
        self._executor.shutdown(wait=True, cancel_futures=True)

    def _take(self, games: list[Played], seconds: float) -> None:
        if games:
            self._report(games)
            self._chunks.learn(len(games), seconds)
            self._deaths = 0

    def _restart(self) -> None:
        """Replace a broken pool; what it had in flight is played again."""
        self._deaths += 1
        self._executor.shutdown(wait=True)
        if self._deaths >= MOST_DEATHS:
            first = min((deals[0].index for deals in self._lost), default=0)
            raise AgentError(
                f"expected the worker processes to live, got {self._deaths} deaths in a row "
                f"(the agent {self._agent} near game {first}; a script of your own that plays "
                "in several processes needs `if __name__ == '__main__':`)"
            )
        self._executor = self._start()
        self.collect()


_Answer = tuple[list[Played], float]


def _prepare(stop: Event) -> None:
    """Set up a worker: Ctrl-C is the parent's business, and without a parent it ends."""
    global _stopped  # noqa: PLW0603  (a worker has this one way to be told something)
    _stopped = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


def _work(agent: str, deals: Sequence[Deal]) -> _Answer:
    """Play a chunk in a worker, or what there is time for before everything stops."""
    started = time.monotonic()
    played: list[Played] = []
    for games in play_chunk(agent, deals):
        played += games
        if _stopped.is_set():
            break
    return played, time.monotonic() - started
