"""What can become of a question instead of an answer."""

from __future__ import annotations


class DeadlineError(TimeoutError):
    """There was no answer in time; the process that thought about it was ended."""


class WorkerDiedError(RuntimeError):
    """A process ended in the middle of its work: too much memory, a crash, or it was killed."""

    def __init__(self, message: str, status: int | None = None) -> None:
        """Keep the exit status of the process, where it is known."""
        super().__init__(message)
        self.status = status


class AnswerError(RuntimeError):
    """An answer, or an error in its place, that cannot travel between processes."""


class BusyError(RuntimeError):
    """Too many questions wait already."""
