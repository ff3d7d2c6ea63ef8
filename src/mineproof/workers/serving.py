"""The main program of a worker process, which answers questions from a pipe until it closes.

The pipe uses the standard input and output of the process. So they are replaced for the work: it
reads nothing from standard input, and its output goes to standard error. A separate thread reads
the pipe, so that the process notices immediately if an answer is no longer wanted or its parent has
ended.
"""

from __future__ import annotations

import gc
import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO

from mineproof.workers.errors import AnswerError
from mineproof.workers.messages import DONE, ERROR, PART, READY, pack, write_message
from mineproof.workers.spinner import Spinner
from mineproof.workers.supervisor import IS_POSIX

ASK, STOP = "ask", "stop"
"""The kinds of messages to the process."""

Message = tuple[str, bytes]
MOST_WORDS = 2000
"""Maximum length of an error message, in characters."""


class PartSender:
    """The function that the work calls with parts of its answer."""

    def __init__(self, send: Callable[[Any], None]) -> None:
        """Set the function that sends parts."""
        self._send = send
        self.is_wanted = True
        """Whether the answer is still wanted. If not, the work may return early."""

    def __call__(self, part: Any) -> None:
        """Send a part of the answer."""
        self._send(part)


Answer = Callable[[Any, PartSender], Any]
"""A function that answers a question."""
MakeAnswer = Callable[[], Answer]
"""A module-level function, called once in the process, that returns the `Answer`."""


@dataclass(frozen=True)
class Settings:
    """The settings of a worker process."""

    make_answer: bytes
    """The pickled `MakeAnswer`."""
    nice: int
    memory: int | None
    """Maximum address space in bytes, if the system can limit it."""
    is_plain: bool
    """Whether answers are plain values and errors are text; see `messages`."""


Send = Callable[[bytes, Any], None]


def main() -> None:
    """Answer questions until the pipe closes."""
    questions, answers = _private_pipe()
    settings: Settings = pickle.load(questions)
    _settle(settings)
    number = 0

    def send(kind: bytes, value: Any) -> None:
        if kind == ERROR:
            value = _words(value) if settings.is_plain else _sendable(value)
        write_message(answers, kind, number, pack(value, settings.is_plain))

    report = PartSender(lambda part: send(PART, part))
    following = _following(questions, report, settings)
    try:
        answer = pickle.loads(settings.make_answer)()
    except Exception as error:
        send(ERROR, error)
        return
    gc.freeze()  # loaded modules are never garbage, so the collector can skip them
    send(READY, None)
    while True:
        question = following()
        number += 1
        try:
            _reply(answer, question, report, send)
        except OSError:  # the parent or the work itself closed the pipe
            os._exit(1)


def _following(questions: BinaryIO, report: PartSender, settings: Settings) -> Callable[[], bytes]:
    """Return the function that waits for the next question.

    Under a supervisor, which ends this process with its parent, the main thread reads the pipe
    itself, because waking another thread for every question takes long.
    """
    if settings.is_plain and IS_POSIX:
        spinner = Spinner()
        spinner.watch(questions)

        def following() -> bytes:
            spinner.wait()
            return _read(questions)[1]

        return following
    asked: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(questions, asked, report), daemon=True).start()
    return asked.get


def _private_pipe() -> tuple[BinaryIO, BinaryIO]:
    """Return the pipe that leads to the parent, and replace standard input and output."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return questions, answers


def _settle(settings: Settings) -> None:
    """Ignore Ctrl-C, which the parent handles. Set the priority and the memory limit."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(settings.nice)
    if settings.memory is not None:
        with suppress(ImportError, ValueError, OSError):
            import resource

            # User code could raise a soft limit. Our own code never does, but engines need to.
            hard = (
                settings.memory if settings.is_plain else resource.getrlimit(resource.RLIMIT_AS)[1]
            )
            resource.setrlimit(resource.RLIMIT_AS, (settings.memory, hard))


def _listen(questions: BinaryIO, asked: queue.SimpleQueue[bytes], report: PartSender) -> None:
    """Queue questions from the parent. End the process when the parent ends."""
    while True:
        kind, question = _read(questions)
        report.is_wanted = kind == ASK
        if report.is_wanted:
            asked.put(question)


def _read(questions: BinaryIO) -> Message:
    """Read a message from the parent. End the process if the parent has ended."""
    try:
        message: Message = pickle.load(questions)
    except (EOFError, OSError, pickle.UnpicklingError):
        os._exit(0)
    return message


def _reply(answer: Answer, question: bytes, report: PartSender, send: Send) -> None:
    """Answer one question, or send its error."""
    try:
        asked = pickle.loads(question)
    except Exception as error:
        text = f"the question cannot be read in another process: {_words(error)}"
        return send(ERROR, AnswerError(text))
    try:
        found = answer(asked, report)
    except Exception as error:
        return send(ERROR, error)
    try:
        send(DONE, found)
    except OSError:
        raise
    except Exception as error:
        send(ERROR, AnswerError(f"the answer cannot be sent: {error}"))


def _words(error: Exception) -> str:
    """Return the message of an error, with its type unless it is an `AnswerError`."""
    words = str(error)[:MOST_WORDS]
    return words if isinstance(error, AnswerError) else f"{type(error).__name__}: {words}"


def _sendable(error: Exception) -> Exception:
    """Return an error that can be pickled: itself, or an `AnswerError` with its message."""
    error.add_note("in a worker process:\n" + "".join(traceback.format_tb(error.__traceback__)))
    traceback.clear_frames(error.__traceback__)  # free memory, which may be full
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return AnswerError(f"{type(error).__name__}: {error}")
    return error


def command() -> list[str]:
    """Return the command that starts a worker process with the import path of this process."""
    program = f"import sys; sys.path[:] = sys.argv[1:]; from {__name__} import main; main()"
    # -P: a file in the current folder must not shadow a standard module.
    return [sys.executable, "-P", "-c", program, *map(str, sys.path)]
