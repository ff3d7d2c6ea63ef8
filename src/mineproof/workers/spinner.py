"""Waiting for messages without sleeping, because a sleeping core takes long to wake up."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from typing import IO

SPIN_SECONDS = 0.0005
"""The longest time to wait for a message without sleeping. Waking up a sleeping core takes about a
tenth of this, twice per move."""
SHARED_SECONDS = 0.00002
"""If yielding the CPU core takes longer than this, another process has used the core."""
LATE_PAUSE = 8
"""Number of messages to wait for asleep after one that took longer than `SPIN_SECONDS`."""
SHARED_PAUSE = 1024
"""The same after another process has used the core: 8 the first time, then twice as many each
time, up to this number."""


class Spinner:
    """Waits actively for a message that is expected soon, unless other processes need the core."""

    def __init__(self) -> None:
        """Start without a pipe, so that nothing waits."""
        self._has_message: Callable[[int], object] | None = None
        self._pause = 0
        self._shared = LATE_PAUSE
        self.seconds = 0.0
        """The CPU time spent on waiting, in seconds."""

    def watch(self, pipe: IO[bytes]) -> None:
        """Wait for messages from this pipe from now on, if the system supports it."""
        if hasattr(select, "poll") and hasattr(os, "sched_yield"):
            poll = select.poll()
            poll.register(pipe, select.POLLIN)
            self._has_message, self._pause = poll.poll, 0

    def wait(self) -> None:
        """Stay awake until a message arrives, or until it is better to sleep."""
        if self._pause or self._has_message is None:
            self._pause -= 1
            return
        began = before = now = time.perf_counter()
        while not self._has_message(0):
            before = now
            os.sched_yield()
            now = time.perf_counter()
            if now - before > SHARED_SECONDS:
                self._pause, now = self._shared, before
                self._shared = min(2 * self._shared, SHARED_PAUSE)
                break
            if now - began > SPIN_SECONDS:
                self._pause = LATE_PAUSE
                break
        else:
            self._shared = self._shared if now == began else LATE_PAUSE
        self.seconds += now - began
