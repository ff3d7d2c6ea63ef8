"""How fast autoplay goes."""

from __future__ import annotations

from collections.abc import Callable

FASTEST = float("inf")
SPEEDS = (0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, FASTEST)
"""Moves a second that autoplay can make."""


class Pace:
    """Says when the next move is due."""

    def __init__(self, now: Callable[[], float]) -> None:
        """Begin at three moves a second; `now` gives the time in seconds."""
        self.place = SPEEDS.index(3.0)
        """The place of the speed in `SPEEDS`."""
        self._now = now
        self._next = 0.0

    @property
    def speed(self) -> float:
        """Moves a second."""
        return SPEEDS[self.place]

    @property
    def is_due(self) -> bool:
        """Whether the time for the next move has come."""
        return self.speed > 0 and self._now() >= self._next

    def choose(self, place: int) -> None:
        """Choose a speed by its place in `SPEEDS`."""
        self.place = min(max(place, 0), len(SPEEDS) - 1)
        self._next = min(self._next, self._now() + self._interval)

    def begin(self) -> None:
        """Let the first move be due now."""
        self._next = self._now()

    def moved(self) -> None:
        """Note that a move was made; one that came late does not make the next ones hurry."""
        self._next = max(self._next + self._interval, self._now())

    def __str__(self) -> str:
        """Say how fast it is."""
        if self.speed == FASTEST:
            return "as fast as possible"
        if self.speed == 0:
            return "0, it waits"
        return f"{self.speed:g} move{'' if self.speed == 1 else 's'} a second"

    @property
    def _interval(self) -> float:
        return 1 / self.speed if self.speed else FASTEST
