"""Long-lived threads. Starting a thread per question would take longer than most answers."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any


class AlarmClock:
    """A thread that calls functions at set times."""

    def __init__(self) -> None:
        """Prepare the clock. Its thread starts with the first alarm."""
        self._limits: dict[Hashable, tuple[float, Callable[[], None]]] = {}
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._wakes = float("inf")
        self._thread: threading.Thread | None = None

    def set(self, name: Hashable, seconds: float, function: Callable[[], None]) -> None:
        """Call a function after this many seconds, unless `unset` is called first."""
        when = time.monotonic() + seconds
        with self._lock:  # entering the condition instead would take twice as long
            self._limits[name] = (when, function)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
            if when < self._wakes:
                self._changed.notify()

    def unset(self, name: Hashable) -> None:
        """Remove a function. The function may already be running."""
        with self._lock:
            self._limits.pop(name, None)

    def _run(self) -> None:
        while True:
            for function in self._due():
                function()

    def _due(self) -> list[Callable[[], None]]:
        """Wait until the next set time, and return the functions that are due."""
        with self._changed:
            self._wakes = min((when for when, _ in self._limits.values()), default=float("inf"))
            left = min(self._wakes - time.monotonic(), threading.TIMEOUT_MAX)
            self._changed.wait(max(left, 0.0))
            now = time.monotonic()
            due = [name for name, (when, _) in self._limits.items() if when <= now]
            return [self._limits.pop(name)[1] for name in due]


CLOCK = AlarmClock()


class Caller:
    """A daemon thread that calls functions one after the other."""

    def __init__(self) -> None:
        """Start the thread."""
        self._calls: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None]
        self._calls = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    def call(self, function: Callable[[], Any]) -> Future[Any]:
        """Call a function after all earlier ones. Return a future for its result."""
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
    """Store a function's result or exception in a future, unless it was cancelled."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        value = function()
    except BaseException as error:  # the future raises it again
        future.set_exception(error)
    else:
        future.set_result(value)
