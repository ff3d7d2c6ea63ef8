"""One process that answers questions, and can be ended where its work cannot."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NoReturn, Self

from mineproof.workers.errors import (
    AnswerError,
    DeadlineError,
    GarbledError,
    WorkerDiedError,
)
from mineproof.workers.messages import DONE, ERROR, PART, READY, read_message, unpack
from mineproof.workers.serving import (
    ASK,
    MOST_WORDS,
    STOP,
    MakeAnswer,
    Message,
    Settings,
    command,
)
from mineproof.workers.threads import CLOCK

GRACE = 0.5
"""Seconds that work may go on when nobody waits for it: about what a new process costs."""
STATUS_SECONDS = 10.0
"""Seconds in which a process that has said its last word must have ended, for its status."""
START_SECONDS = 60.0
"""Seconds in which a process must have started."""

Part = Callable[[Any], None]
"""Called with each part of an answer that comes in parts."""


class Worker:
    """A process that is started when it is needed, and again after it ended.

    It never outlives this one and takes no notice of Ctrl-C. One thread asks; others may call
    `stop`, `kill` and `close` meanwhile.
    """

    def __init__(
        self,
        make_answer: MakeAnswer,
        *,
        nice: int = 0,
        memory: int | None = None,
        is_quiet: bool = False,
        is_plain: bool = False,
    ) -> None:
        """Say what the process is to do.

        Args:
            make_answer: a function of a module, called once in the process: gives what answers.
            nice: by how much it gives way to other processes.
            memory: the most bytes of address space, where the system can limit it.
            is_quiet: drop what it prints, which is shown with our errors otherwise.
            is_plain: somebody else's code runs there. Answers are then plain values, as JSON
                has them and of a bounded size, and each error is an AnswerError with its words:
                nothing that comes from there can run anything here.
        """
        self._settings = Settings(pickle.dumps(make_answer), nice, memory, is_plain)
        self._errors = subprocess.DEVNULL if is_quiet else None
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._is_busy = self._is_late = self._is_closed = False
        self._turn = 0
        """Which question it is: the clock of an earlier one has no say."""
        self._asked = 0
        """How many questions this process was asked, as it counts them itself."""

    def __enter__(self) -> Self:
        """Begin: the process starts with the first question."""
        return self

    def __exit__(self, *error: object) -> None:
        """End the process."""
        self.close()

    @property
    def is_running(self) -> bool:
        """Whether the process is there."""
        process = self._process
        return process is not None and process.poll() is None

    def start(self) -> None:
        """Start the process, unless it is there; returns when it is ready for questions.

        Raises:
            WorkerDiedError: it ended at once, or this worker is closed.
        """
        if self.is_running:
            return
        self._end()
        self._asked = 0
        self._launch()
        try:
            self._exchange(self._settings, READY, START_SECONDS, None)
        except BaseException:
            self._end()
            raise

    def ask(self, question: Any, *, seconds: float | None = None, part: Part | None = None) -> Any:
        """Ask, and wait for the answer.

        Args:
            question: anything that can be pickled.
            seconds: how long the answer may take, not counting the start of the process.
            part: called in this thread with each part of the answer before the rest.

        Raises:
            DeadlineError: it took longer; the process is ended.
            WorkerDiedError: the process ended.
            GarbledError: something else than an answer came, and the process was ended.
            AnswerError: the question, the answer or its error cannot be sent.
            Exception: whatever the work raised.
        """
        message = (ASK, pickle.dumps(question))
        self.start()
        self._asked += 1
        return self._exchange(message, DONE, seconds, part)

    def stop(self) -> None:
        """Let the work in hand know that nobody waits for it any more."""
        if self._is_busy:
            self._send((STOP, b""))

    def drop(self) -> None:
        """End the process, which is at rest; the next question gets a new one."""
        self._end()

    def kill(self) -> None:
        """End the work in hand with its process; `ask` raises WorkerDiedError."""
        with self._lock:
            if self._is_busy:
                self._kill()

    def close(self) -> None:
        """End the process at once and for good; a thread that waits for an answer wakes up."""
        with self._lock:
            self._is_closed = True
            self._kill()
            is_busy = self._is_busy
        if not is_busy:
            self._end()

    def _launch(self) -> None:
        with self._lock:
            if self._is_closed:
                raise WorkerDiedError("expected a worker, got one that is closed")
            self._process = subprocess.Popen(
                command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                # A group of its own: Ctrl-C stays away, and what the work starts ends with it.
                process_group=0,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )

    def _exchange(
        self, message: Settings | Message, last: bytes, seconds: float | None, part: Part | None
    ) -> Any:
        """Send a message and wait for the last of its answers; unless that comes, end all."""
        self._begin(seconds)
        try:
            self._send(message)
            kind, value = self._receive(last, part)
        except WorkerDiedError:
            if self._is_late:
                late = f"expected an answer within {seconds:g} s, got none"
                raise DeadlineError(late) from None
            raise
        except BaseException:  # of `part`, or Ctrl-C
            self._end()
            raise
        finally:
            self._finish()
        if kind == ERROR:
            raise value
        return value

    def _begin(self, seconds: float | None) -> None:
        with self._lock:
            self._is_busy, self._is_late = True, False
            self._turn += 1
        if seconds is not None:
            CLOCK.set(self, seconds, partial(self._expire, self._turn))

    def _finish(self) -> None:
        CLOCK.unset(self)
        with self._lock:
            self._is_busy = False
        if self._is_late or self._is_closed:
            self._end()

    def _expire(self, turn: int) -> None:
        with self._lock:
            if self._is_busy and self._turn == turn:
                self._is_late = True
                self._kill()

    def _send(self, message: Settings | Message) -> None:
        process = self._process
        if process is None or process.stdin is None:
            return
        with self._sending, suppress(OSError, ValueError):  # then reading says what happened
            pickle.dump(message, process.stdin)
            process.stdin.flush()

    def _receive(self, last: bytes, part: Part | None) -> tuple[bytes, Any]:
        """Wait for the last message, or an error; pass on the parts before it."""
        while True:
            kind, value = self._message()
            if kind in (last, ERROR):
                return kind, value
            if kind != PART:
                self._blame("expected an answer, got a message out of turn")
            if part is not None:
                part(value)

    def _message(self) -> tuple[bytes, Any]:
        process, is_plain = self._process, self._settings.is_plain
        try:
            if process is None or process.stdout is None:
                raise EOFError
            kind, data = read_message(process.stdout, self._asked, is_plain)
        except GarbledError as error:
            self._blame(str(error))
        except (EOFError, OSError, ValueError):  # closed or cut off
            status = self._end(STATUS_SECONDS)
            raise WorkerDiedError(
                f"expected an answer, but its process ended with status {status}", status
            ) from None
        return self._value(kind, data)

    def _value(self, kind: bytes, data: bytes) -> tuple[bytes, Any]:
        """Read what a message says; in plain ones an error is its words."""
        is_plain = self._settings.is_plain
        try:
            value = unpack(data, is_plain)
        except Exception as error:
            if is_plain:
                self._blame(f"expected a plain answer, got {error}")
            return ERROR, AnswerError(f"expected an answer that can be read, got {error}")
        if kind == ERROR and (is_plain or not isinstance(value, Exception)):
            value = AnswerError(str(value)[:MOST_WORDS])
        return kind, value

    def _blame(self, text: str) -> NoReturn:
        """End a process that does not keep to messages."""
        raise GarbledError(text, self._end())

    def _kill(self) -> None:
        """Kill the process and what it started, if its end was not seen yet."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()

    def _end(self, seconds: float = 0.0) -> int | None:
        """End the process, after a moment in which it may do so itself; give its status."""
        process = self._process
        if process is None:
            return None
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        self._kill()
        self._process = None
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
        return process.wait()
