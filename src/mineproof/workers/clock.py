"""Threads that are kept: to start one for each question would take longer than most answers."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any


class Clock:
    """Calls functions at their time, all in one thread."""

    def __init__(self) -> None:
        """Begin with none; the thread starts with the first."""
        self._limits: dict[Hashable, tuple[float, Callable[[], None]]] = {}
        self._changed = threading.Condition()
        self._wakes = float("inf")
        self._thread: threading.Thread | None = None

    def set(self, name: Hashable, seconds: float, function: Callable[[], None]) -> None:
        """Let a function be called some time from now, unless it is unset before."""
        when = time.monotonic() + seconds
        with self._changed:
            self._limits[name] = (when, function)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
            if when < self._wakes:
                self._changed.notify()

    def unset(self, name: Hashable) -> None:
        """Forget a function; it may be in the middle of its call."""
        with self._changed:
            self._limits.pop(name, None)

    def _run(self) -> None:
        while True:
            for function in self._due():
                function()

    def _due(self) -> list[Callable[[], None]]:
        """Wait for the next time that was set, and give what is due then."""
        with self._changed:
            self._wakes = min((when for when, _ in self._limits.values()), default=float("inf"))
            left = min(self._wakes - time.monotonic(), threading.TIMEOUT_MAX)
            self._changed.wait(max(left, 0.0))
            now = time.monotonic()
            due = [name for name, (when, _) in self._limits.items() if when <= now]
            return [self._limits.pop(name)[1] for name in due]


CLOCK = Clock()


class Caller:
    """Calls functions one after the other in a thread, which nobody waits for at the end."""

    def __init__(self) -> None:
        """Start the thread."""
        self._calls: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None]
        self._calls = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    def call(self, function: Callable[[], Any]) -> Future[Any]:
        """Call a function when those before it have ended."""
        future: Future[Any] = Future()
        self._calls.put((future, function))
        return future

    def close(self) -> None:
        """End the thread after the last call."""
        self._calls.put(None)

    def _run(self) -> None:
        while (following := self._calls.get()) is not None:
            settle(*following)


def settle(future: Future[Any], function: Callable[[], Any]) -> None:
    """Let a future have what a function returns or raises, unless it was cancelled."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        value = function()
    except BaseException as error:  # whoever asks the future gets it
        future.set_exception(error)
    else:
        future.set_result(value)
