"""Keep workers busy with chunks, hand over each answer once, play again what was lost."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Protocol

from mineproof.core.errors import AgentError
from mineproof.lab.chunks import Chunk
from mineproof.lab.running import Take
from mineproof.lab.work import Answer
from mineproof.match.interrupts import Interrupts

MOST_DEATHS = 5
"""How often workers may die in a row, with no chunk finished, before the agent is blamed."""


class LostError(RuntimeError):
    """A chunk that went down with its worker."""


class Engine(Protocol):
    """What can play chunks: the one thing that an executor or a cluster must offer."""

    @property
    def room(self) -> int:
        """How many chunks it should have at a time."""

    def submit(self, chunk: Chunk) -> Any:
        """Give a chunk to a worker, for a handle; LostError if it cannot take any."""

    def wait(self, handles: Collection[Any]) -> None:
        """Wait until one of these chunks has ended."""

    def is_done(self, handle: Any) -> bool:
        """Say whether a chunk has ended, one way or the other."""

    def answer(self, handle: Any) -> Answer:
        """Give the answer of a chunk that has ended; LostError if its worker died."""

    def restart(self) -> None:
        """Make good after a loss; whatever was in flight has ended after it."""

    def stop(self, handles: Collection[Any]) -> None:
        """Drop chunks that nobody waits for any more."""


def fly(engine: Engine, chunks: Sequence[Chunk], take: Take, interrupts: Interrupts) -> None:
    """Play chunks on an engine; see `running.Workers.run`."""
    flight = _Flight(engine, chunks, take)
    try:
        while flight.goes_on:
            with interrupts.held():
                flight.submit()
            engine.wait(flight.running)
            with interrupts.held():
                flight.collect()
    finally:
        with interrupts.held():
            flight.end()


class _Flight:
    """The chunks of one run that are with the workers, and those still to come."""

    def __init__(self, engine: Engine, chunks: Sequence[Chunk], take: Take) -> None:
        self.running: dict[Any, Chunk] = {}
        self._engine = engine
        self._take = take
        self._waiting = list(reversed(chunks))
        self._deaths = 0
        self._is_wanted = True

    @property
    def goes_on(self) -> bool:
        """Whether there is something left to do."""
        return self._is_wanted and bool(self.running or self._waiting)

    def submit(self) -> None:
        """Keep every worker busy."""
        while self._waiting and len(self.running) < self._engine.room:
            chunk = self._waiting.pop()
            try:
                self.running[self._engine.submit(chunk)] = chunk
            except LostError:
                self._waiting.append(chunk)
                self._recover()

    def collect(self) -> None:
        """Hand over what is finished; put back what was lost with a worker."""
        if self._gather():
            self._recover()

    def end(self) -> None:
        """Hand over what is finished by now, and drop the rest."""
        try:
            if self._is_wanted:
                self._gather()
        finally:
            self._engine.stop(self.running)

    def _gather(self) -> bool:
        """Take in all chunks that have ended; True if some were lost."""
        is_broken = False
        for handle in [one for one in self.running if self._engine.is_done(one)]:
            chunk = self.running.pop(handle)
            try:
                answer = self._engine.answer(handle)
            except LostError:
                self._waiting.append(chunk)
                is_broken = True
                continue
            self._deaths = 0
            if self._is_wanted:
                self._is_wanted = self._take(chunk, answer)
        return is_broken

    def _recover(self) -> None:
        self._deaths += 1
        self._engine.restart()
        self._gather()
        if self._deaths >= MOST_DEATHS:
            raise AgentError(
                f"expected the workers to live, got {self._deaths} deaths in a row "
                f"(near the agent {self._waiting[-1].agent})"
            )
