"""Errors that a question to a worker can raise."""

from __future__ import annotations

from typing import Any


class DeadlineError(TimeoutError):
    """The answer took too long. The worker's process has been stopped."""


class WorkerDiedError(RuntimeError):
    """A worker's process ended during its work: out of memory, a crash, or a kill."""

    def __init__(self, message: str, status: int | None = None) -> None:
        """Store the exit status of the process, if it is known."""
        super().__init__(message)
        self.status = status


class GarbledError(WorkerDiedError):
    """A worker sent something that is not a message (the code it ran wrote to the pipe).

    The worker has been stopped.
    """


class AnswerError(RuntimeError):
    """An answer or an error that cannot be sent between processes."""


class CrowdedError(RuntimeError):
    """Too many questions are waiting."""


class ChunkError(RuntimeError):
    """Several workers died on the same chunk."""

    def __init__(self, chunk: Any, deaths: int) -> None:
        """Store the chunk and the number of workers that died."""
        super().__init__(f"{deaths} worker processes in a row died on the same work")
        self.chunk = chunk
