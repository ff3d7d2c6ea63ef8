"""Workers on many machines, with dask.distributed.

Start workers with one thread each (`dask worker ADDRESS --nthreads 1`), because CPU time is
measured per process. Install everything that the work needs on their machines.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from functools import partial
from typing import Any

import distributed

from mineproof.workers.batch import Found, Remote, Work, collect
from mineproof.workers.errors import WorkerDiedError
from mineproof.workers.threads import settle

CONNECT_SECONDS = 10


class Cluster(Remote):
    """The workers of a dask scheduler."""

    def __init__(self, address: str, say: Callable[[str], None] = lambda _: None) -> None:
        """Connect to a scheduler.

        Args:
            address: the address of the scheduler.
            say: called with a message when all workers are gone, and when one is back.

        Raises:
            ConnectionError: if nothing answers at the address.
        """
        self._address = address
        self._say = say
        self._is_deserted = False
        self._submitted: set[distributed.Future] = set()
        try:
            self._client = distributed.Client(
                address, timeout=CONNECT_SECONDS, set_as_default=False
            )
        except (OSError, ValueError) as error:
            raise ConnectionError(f"no dask scheduler at {address}: {error}") from error

    def __exit__(self, *error: object) -> None:
        """Close the connection. The scheduler and its workers keep running."""
        self._client.close()

    @property
    def room(self) -> int:
        """The number of chunks to submit at a time: two per thread, and at least four."""
        return max(4, 2 * self.threads)

    @property
    def threads(self) -> int:
        """The number of threads of all workers together."""
        return int(sum(self._client.nthreads().values()))

    def submit(self, work: Work[Any, Any], chunk: Any) -> Future[Found]:
        """Send a chunk to the scheduler. If a worker dies, the scheduler uses another one."""
        ours: Future[Found] = Future()

        def end(theirs: distributed.Future) -> None:
            self._submitted.discard(theirs)
            settle(ours, partial(_answer, theirs))

        theirs = self._client.submit(collect, work, chunk, pure=False)
        self._submitted.add(theirs)
        theirs.add_done_callback(end)
        return ours

    def drop(self) -> None:
        """Cancel all chunks."""
        self._client.cancel(list(self._submitted))
        self._submitted.clear()

    def look_after(self) -> None:
        """Report when all workers are gone, and when one is back."""
        is_deserted = self.threads == 0
        if is_deserted and not self._is_deserted:
            self._say(f"no worker is connected to {self._address}. Waiting (Ctrl-C stops)")
        if self._is_deserted and not is_deserted:
            self._say(f"workers are connected to {self._address} again")
        self._is_deserted = is_deserted


def _answer(theirs: distributed.Future) -> Found:
    try:
        found: Found = theirs.result()
    except (distributed.KilledWorker, CancelledError) as error:
        raise WorkerDiedError(f"the cluster lost a chunk: {error}") from error
    return found
