"""What can become of a question instead of an answer."""

from __future__ import annotations

from typing import Any


class DeadlineError(TimeoutError):
    """There was no answer in time; the process that thought about it was ended."""


class WorkerDiedError(RuntimeError):
    """A process ended in the middle of its work: too much memory, a crash, or it was killed."""

    def __init__(self, message: str, status: int | None = None) -> None:
        """Keep the exit status of the process, where it is known."""
        super().__init__(message)
        self.status = status


class GarbledError(WorkerDiedError):
    """Something else than messages came from a process, which was ended: its code wrote it."""


class AnswerError(RuntimeError):
    """An answer, or an error in its place, that cannot travel between processes."""


class CrowdedError(RuntimeError):
    """Too many questions wait already."""


class ChunkError(RuntimeError):
    """A chunk whose workers died again and again."""

    def __init__(self, chunk: Any, deaths: int) -> None:
        """Keep what they died of, and how often."""
        super().__init__(f"expected the worker processes to live, got {deaths} deaths in a row")
        self.chunk = chunk
