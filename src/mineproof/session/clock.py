"""A stopwatch that can be stopped and started again."""

from __future__ import annotations

from collections.abc import Callable


class Clock:
    """Counts the seconds during which it runs."""

    def __init__(self, now: Callable[[], float], seconds: float = 0.0) -> None:
        """Set up a clock that stands still; `now` gives the time in seconds."""
        self._now = now
        self._before = seconds
        self._since: float | None = None

    @property
    def running(self) -> bool:
        """Whether it runs."""
        return self._since is not None

    @property
    def seconds(self) -> float:
        """How long it has run in all."""
        return self._before + (0.0 if self._since is None else self._now() - self._since)

    def run(self, running: bool) -> None:
        """Let it run, or stand still."""
        if running and self._since is None:
            self._since = self._now()
        elif not running and self._since is not None:
            self._before, self._since = self.seconds, None
