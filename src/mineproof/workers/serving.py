"""What a worker process does: it answers questions that come down a pipe until that closes.

The pipe is its standard input and output, which are moved away first: whatever the work reads
finds nothing there, and whatever it prints goes where errors go. A thread of its own reads the
pipe, so that the process hears at any time that nobody waits any more, and ends with its parent.
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

ASK, STOP = "ask", "stop"
"""What it hears."""

Message = tuple[str, bytes]
MOST_WORDS = 2000
"""Characters of an error that are told in words."""


class PartSender:
    """Handed to the work: takes parts of its answer, and says whether more is wanted."""

    def __init__(self, send: Callable[[Any], None]) -> None:
        """Keep where parts go."""
        self._send = send
        self._stopped = threading.Event()

    def __call__(self, part: Any) -> None:
        """Hand over a part of the answer."""
        self._send(part)

    @property
    def is_wanted(self) -> bool:
        """Whether somebody still waits; work that looks here may end early with what it has."""
        return not self._stopped.is_set()

    def want(self, is_wanted: bool) -> None:
        """Say whether somebody waits."""
        if is_wanted:
            self._stopped.clear()
        else:
            self._stopped.set()


Answer = Callable[[Any, PartSender], Any]
"""What answers a question."""
MakeAnswer = Callable[[], Answer]
"""A function of a module, called once in a process; what it keeps lives as long as that."""


@dataclass(frozen=True)
class Settings:
    """How a process is to work."""

    make_answer: bytes
    """The pickled `MakeAnswer`."""
    nice: int
    memory: int | None
    """The most bytes of address space, where the system can limit it."""
    is_plain: bool
    """Whether answers are plain values, and errors their words; see `messages`."""


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
    asked: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(questions, asked, report), daemon=True).start()
    try:
        answer = pickle.loads(settings.make_answer)()
    except Exception as error:
        send(ERROR, error)
        return
    gc.freeze()  # what is loaded by now is never garbage, and need not be looked at again
    send(READY, None)
    while True:
        question = asked.get()
        number += 1
        try:
            _reply(answer, question, report, send)
        except OSError:  # the pipe is closed: by the parent, or by the work itself
            os._exit(1)


def _private_pipe() -> tuple[BinaryIO, BinaryIO]:
    """Keep the pipe to the parent for ourselves."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return questions, answers


def _settle(settings: Settings) -> None:
    """Leave Ctrl-C to the parent, give way to others, and never take more than allowed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(settings.nice)
    if settings.memory is not None:
        with suppress(ImportError, ValueError, OSError):
            import resource

            resource.setrlimit(resource.RLIMIT_AS, (settings.memory, settings.memory))


def _listen(questions: BinaryIO, asked: queue.SimpleQueue[bytes], report: PartSender) -> None:
    """Pass questions on; end the process with its parent."""
    while True:
        try:
            kind, question = pickle.load(questions)
        except (EOFError, OSError, pickle.UnpicklingError):
            os._exit(0)
        report.want(kind == ASK)
        if kind == ASK:
            asked.put(question)


def _reply(answer: Answer, question: bytes, report: PartSender, send: Send) -> None:
    """Answer one question, with an error if it comes to that."""
    try:
        asked = pickle.loads(question)
    except Exception as error:
        text = f"expected a question that other processes can read, got {_words(error)}"
        send(ERROR, AnswerError(text))
        return
    try:
        found = answer(asked, report)
    except Exception as error:
        send(ERROR, error)
        return
    try:
        send(DONE, found)
    except OSError:
        raise
    except Exception as error:
        send(ERROR, AnswerError(f"expected an answer that can be sent, got {error}"))


def _words(error: Exception) -> str:
    """Give an error in words; those of our own stand for themselves."""
    words = str(error)[:MOST_WORDS]
    return words if isinstance(error, AnswerError) else f"{type(error).__name__}: {words}"


def _sendable(error: Exception) -> Exception:
    """Give an error as it can travel: itself, or its name and words."""
    error.add_note("in a worker process:\n" + "".join(traceback.format_tb(error.__traceback__)))
    traceback.clear_frames(error.__traceback__)  # there may be no memory left but what they hold
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return AnswerError(f"{type(error).__name__}: {error}")
    return error


def command() -> list[str]:
    """Give the command that starts such a process, which imports from where this one does."""
    program = f"import sys; sys.path[:] = sys.argv[1:]; from {__name__} import main; main()"
    # -P: nothing in the current folder may stand in for a module of Python.
    return [sys.executable, "-P", "-c", program, *map(str, sys.path)]
