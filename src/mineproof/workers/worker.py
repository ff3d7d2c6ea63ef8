"""A process that answers questions. It can be killed even if its work cannot be interrupted."""

from __future__ import annotations

import os
import pickle
import socket
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import IO, Any, NoReturn, Self

from mineproof.workers.errors import AnswerError, DeadlineError, GarbledError, WorkerDiedError
from mineproof.workers.messages import DONE, ERROR, PART, READY, read_message, unpack
from mineproof.workers.serving import ASK, MOST_WORDS, STOP, MakeAnswer, Message, Settings, command
from mineproof.workers.spinner import Spinner
from mineproof.workers.supervisor import IS_POSIX, Supervised
from mineproof.workers.threads import CLOCK

GRACE = 0.5
"""Seconds that work may continue after its answer is no longer wanted. Starting a new process
takes about as long."""
STATUS_SECONDS = 10.0
"""Seconds to wait for the exit status of a process that has closed its pipe."""
START_SECONDS = 60.0
"""Seconds that a process may take to start."""

Part = Callable[[Any], None]
"""A function that is called with each part of an answer that comes in parts."""


class Worker:
    """A process that is started when it is needed, and again after it has ended.

    It ends with this process and ignores Ctrl-C. Only one thread may ask; others may call `stop`,
    `kill` and `close` at the same time.
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
        """Configure the process. It starts with the first question.

        Args:
            make_answer: a module-level function, called once in the process. It returns the
                function that answers questions.
            nice: by how much to lower the priority of the process.
            memory: the maximum address space in bytes, if the system can limit it.
            is_quiet: whether to discard its output, which otherwise goes to standard error.
            is_plain: whether user code runs there. If so, answers are plain values as JSON of a
                limited size, and each error is an `AnswerError` with its message. So nothing that
                the process sends can run code here.
        """
        self._settings = Settings(pickle.dumps(make_answer), nice, memory, is_plain)
        self._errors = subprocess.DEVNULL if is_quiet else None
        self._process: Supervised | None = None
        self._channel: socket.socket | None = None
        """The connection to the process, which `_kill` can interrupt from any thread; None on
        Windows."""
        self._input: IO[bytes] | None = None
        self._output: IO[bytes] | None = None
        self._spinner = Spinner()
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._is_busy = self._is_late = self._is_closed = False
        self._turn = 0
        """The number of the current question, so that the alarm of an earlier question has no
        effect."""
        self._taken = 0
        """The memory of the last process in bytes, if that was too much."""
        self._asked = 0
        """The number of questions sent to this process. The process counts them as well."""

    def __enter__(self) -> Self:
        """Return the worker itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """End the process."""
        self.close()

    @property
    def is_running(self) -> bool:
        """Whether the process is running."""
        return self._process is not None and self._process.is_running

    @property
    def has_process(self) -> bool:
        """Whether a process was started and, as far as known, has not ended."""
        return self._process is not None

    @property
    def spun_seconds(self) -> float:
        """The CPU time that this process has spent waiting for answers."""
        return self._spinner.seconds

    def start(self) -> None:
        """Start the process if necessary, and wait until it is ready for questions.

        Raises:
            WorkerDiedError: if it ended immediately, or this worker is closed.
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
        """Ask a question and return the answer.

        Args:
            question: anything that can be pickled.
            seconds: the time limit for the answer, not counting the start of the process.
            part: called in this thread with each part of an answer that comes in parts.

        Raises:
            DeadlineError: if the answer takes too long; the process is stopped.
            WorkerDiedError: if the process ended.
            GarbledError: if the process sent something that is not a message; it is stopped.
            AnswerError: if the question, the answer or its error cannot be sent.
            Exception: any exception that the work raises.
        """
        message = (ASK, pickle.dumps(question))
        if not (self._settings.is_plain and self._process):  # reading shows whether it has ended
            self.start()
        self._asked += 1
        return self._exchange(message, DONE, seconds, part)

    def stop(self) -> None:
        """Tell the current work that its answer is no longer wanted."""
        if self._is_busy and self._asked:  # a starting process expects its settings
            self._send((STOP, b""))

    def drop(self) -> None:
        """End the idle process. The next question starts a new one."""
        self._end()

    def kill(self) -> None:
        """Kill the process if it is busy, so that `ask` raises `WorkerDiedError`."""
        with self._lock:
            if self._is_busy:
                self._kill()

    def close(self) -> None:
        """End the process for good. A thread that waits for an answer gets an error."""
        with self._lock:
            self._is_closed = True
            self._kill()
            is_busy = self._is_busy
        if not is_busy:
            self._end()

    def _launch(self) -> None:
        with self._lock:
            if self._is_closed:
                raise WorkerDiedError("the worker is closed")
            is_plain = self._settings.is_plain
            start = partial(
                Supervised,
                command(),
                memory=self._settings.memory,
                errors=self._errors,
                is_watched=is_plain,
            )
            if IS_POSIX:
                self._channel, theirs = socket.socketpair()
                with theirs:
                    self._process = start(channel=theirs.fileno())
                ends = self._channel.fileno(), self._channel.fileno()
            else:
                self._process = start()
                ends = self._process.input, self._process.output
            # Files of the descriptor take half the time of the socket's own files.
            self._input = os.fdopen(ends[0], "wb", closefd=False)
            self._output = os.fdopen(ends[1], "rb", closefd=False)
            if is_plain:
                self._spinner.watch(self._output)

    def _exchange(
        self, message: Settings | Message, last: bytes, seconds: float | None, part: Part | None
    ) -> Any:
        """Send a message and wait for the final answer. If none comes, end the process."""
        self._begin(seconds)
        try:
            self._send(message)
            kind, value = self._receive(last, part)
        except WorkerDiedError:
            if self._is_late:
                raise DeadlineError(f"no answer within {seconds:g} s") from None
            raise
        except BaseException:  # an exception from `part`, or Ctrl-C
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
        pipe = self._input
        if pipe is None:
            return
        with self._sending, suppress(OSError, ValueError):  # reading will report the error
            pickle.dump(message, pipe)
            pipe.flush()

    def _receive(self, last: bytes, part: Part | None) -> tuple[bytes, Any]:
        """Wait for the final message or an error, and pass on the parts before it."""
        while True:
            kind, value = self._message()
            if kind in (last, ERROR):
                return kind, value
            if kind != PART:
                self._blame("a message out of turn")
            if part is not None:
                part(value)

    def _message(self) -> tuple[bytes, Any]:
        pipe, is_plain = self._output, self._settings.is_plain
        try:
            if pipe is None:
                raise EOFError
            self._spinner.wait()
            kind, data = read_message(pipe, self._asked, is_plain)
        except GarbledError as error:
            self._blame(str(error))
        except (EOFError, OSError, ValueError):  # the pipe is closed or a message is incomplete
            status = self._end(STATUS_SECONDS)
            if self._taken:
                taken = f"it took {self._taken / 2**20:,.0f} MB of memory"
                raise WorkerDiedError(taken) from None
            raise WorkerDiedError(f"the process ended with status {status}", status) from None
        return self._value(kind, data)

    def _value(self, kind: bytes, data: bytes) -> tuple[bytes, Any]:
        """Return the kind and the value of a message. In plain messages, errors are text."""
        is_plain = self._settings.is_plain
        try:
            value = unpack(data, is_plain)
        except Exception as error:
            if is_plain:
                self._blame(f"not a plain answer: {error}")
            return ERROR, AnswerError(f"the answer cannot be read: {error}")
        if kind == ERROR and (is_plain or not isinstance(value, Exception)):
            value = AnswerError(str(value)[:MOST_WORDS])
        return kind, value

    def _blame(self, text: str) -> NoReturn:
        """End a process that did not send a proper message, and raise `GarbledError`."""
        raise GarbledError(text, self._end())

    def _kill(self) -> None:
        """Kill the process and its children, unless it is known to have ended.

        Also close this end of the pipe, because a child may keep the other end and survive.
        """
        if self._process is not None:
            self._process.hang_up()
        with suppress(OSError):
            if self._channel is not None:
                self._channel.shutdown(socket.SHUT_RDWR)

    def _end(self, seconds: float = 0.0) -> int | None:
        """Wait up to `seconds` for the process to end, then kill it. Return its exit status."""
        process = self._process
        if process is None:
            return None
        report = process.end(seconds)
        self._taken = report.get("memory", 0)
        self._hang_up()
        return report.get("status")

    def _hang_up(self) -> None:
        """Forget the process, and close the connection to it."""
        ends = (self._input, self._output, self._channel)
        self._process = self._input = self._output = self._channel = None
        for end in ends:
            with suppress(OSError):
                if end is not None:
                    end.close()
