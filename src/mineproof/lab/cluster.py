"""Workers on many machines, by dask.distributed.

Start workers with one thread each (`dask worker ADDRESS --nthreads 1`), with Mineproof installed:
CPU time is counted by process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress

from distributed import Client, Future, KilledWorker, wait

from mineproof.core.errors import InputError
from mineproof.lab.chunks import Chunk
from mineproof.lab.flight import LostError, fly
from mineproof.lab.running import Take
from mineproof.lab.work import Answer, play_chunk
from mineproof.match.interrupts import Interrupts

CONNECT_SECONDS = 10
PATIENCE = 5
"""Seconds without a finished chunk after which workers are looked for."""
LOST = ("cancelled", "lost")


class Cluster:
    """The workers of a dask scheduler."""

    def __init__(self, address: str, say: Callable[[str], None] = lambda _: None) -> None:
        """Connect to a scheduler.

        Args:
            address: where it is.
            say: called with a text when all workers are gone, and when one is back.

        Raises:
            InputError: nothing answers at the address.
        """
        self._address = address
        self._say = say
        self._is_deserted = False
        try:
            self._client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise InputError(f"expected a dask scheduler at {address}, got: {error}") from error

    def __enter__(self) -> Cluster:
        """Begin: it is connected."""
        return self

    def __exit__(self, *error: object) -> None:
        """End the connection; the scheduler and its workers stay."""
        self._client.close()

    def run(self, chunks: Sequence[Chunk], take: Take, interrupts: Interrupts) -> None:
        """Play chunks on the cluster; see `running.Workers`."""
        fly(self, chunks, take, interrupts)

    @property
    def room(self) -> int:
        """For every thread a chunk in hand and one that waits; some for workers yet to come."""
        return max(4, 2 * self.threads)

    @property
    def threads(self) -> int:
        """How many threads all workers have together."""
        return int(sum(self._client.nthreads().values()))

    def submit(self, chunk: Chunk) -> Future:
        """Give a chunk to the scheduler, which gives it to another worker if one dies."""
        return self._client.submit(play_chunk, chunk, pure=False)

    def wait(self, handles: Collection[Future]) -> None:
        """Wait until one of these chunks has ended; say so if nobody is there to play them."""
        with self._client.as_current(), suppress(CancelledError, asyncio.CancelledError):
            while True:
                with suppress(TimeoutError, asyncio.TimeoutError):
                    wait(list(handles), timeout=PATIENCE, return_when="FIRST_COMPLETED")
                    return
                self._look_for_workers()

    def _look_for_workers(self) -> None:
        """Say when all workers are gone, and when there is one again."""
        is_deserted = self.threads == 0
        if is_deserted and not self._is_deserted:
            self._say(f"no worker is connected to {self._address}: waiting for one (Ctrl-C stops)")
        if self._is_deserted and not is_deserted:
            self._say(f"workers are connected to {self._address} again")
        self._is_deserted = is_deserted

    def is_done(self, handle: Future) -> bool:
        """Say whether a chunk has ended."""
        return bool(handle.done())

    def answer(self, handle: Future) -> Answer:
        """Give the answer of a chunk that has ended."""
        if handle.status in LOST:
            raise LostError(handle.status)
        try:
            answer: Answer = handle.result()
        except KilledWorker as error:
            raise LostError(str(error)) from error
        return answer

    def restart(self) -> None:
        """Nothing to do: the scheduler goes on with the workers that live."""

    def stop(self, handles: Collection[Future]) -> None:
        """Take chunks back."""
        self._client.cancel(list(handles))
