"""The process of an engine: lines that are sent to it, and answers within a time limit."""

from __future__ import annotations

import os
import select
import shlex
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

from mineproof.agents.loading import ENGINE
from mineproof.core.errors import InputError, NotationError
from mineproof.core.words import printable_lines
from mineproof.match.contract import EngineError
from mineproof.workers.supervisor import IS_POSIX, Supervised
from mineproof.workers.threads import CLOCK

MAX_LINE = 64 * 1024
"""Maximum length of a line from an engine, in bytes."""
MAX_INFO = 1000
"""Maximum number of `info` lines before an answer."""
QUIT_SECONDS = 2.0
"""Seconds that an engine may take to exit after `quit` or the end of its input."""
ERROR_BYTES = 2000
"""Number of bytes of an engine's standard error to show when it fails."""
_PIECE = 65536


class EngineProcess:
    """A running engine: sends lines, reads answers, and measures time."""

    def __init__(
        self, command: str, seconds: float, memory: int | None, log: Path | None = None
    ) -> None:
        """Start an engine. The arguments are those of `EngineAgent`.

        Raises:
            EngineError: if it cannot be started.
        """
        self._seconds = seconds
        self._buffer = bytearray()
        self._notes: deque[bytes] = deque(maxlen=32)
        read, write = os.pipe()
        try:
            self._process = Supervised(
                _split(command), memory=memory, errors=write, grace=QUIT_SECONDS
            )
        except (OSError, ValueError) as error:
            os.close(read)
            problem = getattr(error, "strerror", str(error)) or "it cannot be started"
            text = f"cannot start {ENGINE}{command}: {problem}"
            raise EngineError(text, code="engine-start") from None
        finally:
            os.close(write)
        self._reader = threading.Thread(target=self._read_notes, args=(read,), daemon=True)
        self._reader.start()
        if IS_POSIX:
            os.set_blocking(self._process.input, False)
        # Line by line, so that a killed process leaves the whole dialogue.
        self._log = (log or Path(os.devnull)).open("a", encoding="utf-8", buffering=1)

    @property
    def cpu_seconds(self) -> float:
        """The CPU time that the engine has taken so far."""
        return self._process.cpu_seconds

    def ask(self, line: str, last: str, most: int) -> list[str]:
        """Send a line; return the lines of the answer, except `info` lines and the last line.

        Raises:
            NotationError: the engine broke the protocol.
        """
        answer: list[str] = []
        try:
            with self._within(self._seconds) as deadline:
                self._check_silence()
                self._send(line, deadline)
                self._read_answer(answer, last, most, deadline)
        except TimeoutError:
            got = f", only {answer[-1][:80]!r}" if answer else ": does the engine flush its output?"
            raise NotationError(f"no `{last}` came within {self._seconds:g} s{got}") from None
        return answer

    @contextmanager
    def _within(self, seconds: float) -> Iterator[float]:
        """Yield the deadline. Without POSIX, the alarm clock ends the engine then."""
        if not IS_POSIX:
            CLOCK.set(self, seconds, self.end)
        try:
            yield time.monotonic() + seconds
        finally:
            CLOCK.unset(self)

    def _read_answer(self, answer: list[str], last: str, most: int, deadline: float) -> None:
        infos = 0
        while (line := self._line(deadline)) != last:
            if line.split(" ", 1)[0] == "info":
                infos += 1
                if infos > MAX_INFO:
                    raise NotationError(f"more than {MAX_INFO:,} info lines came before the answer")
                continue
            answer.append(line)
            if line.split(" ", 1)[0] == "error":
                return
            if len(answer) > most:
                after = f" after at most {most:,} lines" if most else ""
                raise NotationError(f"expected {last}{after}, got {line[:80]!r}")

    def quit(self) -> bool:
        """Ask the engine to exit. Return whether it does so in time."""
        with suppress(TimeoutError, NotationError), self._within(QUIT_SECONDS) as deadline:
            self._send("quit", deadline)
        return self._process.end(QUIT_SECONDS).get("status") is not None

    def end(self) -> None:
        """End the process and everything it started."""
        self._process.end()
        self._log.close()

    def errors(self) -> str:
        """Return the engine's standard error output as the last part of a message."""
        if not self._process.is_running:
            self._reader.join(1.0)
        text = b"".join(self._notes)[-ERROR_BYTES:].decode("utf-8", "replace").strip()
        return f"\nIts standard error ended with:\n{printable_lines(text)}" if text else ""

    def _read_notes(self, read: int) -> None:
        with suppress(OSError):
            while piece := os.read(read, _PIECE):
                self._notes.append(piece[-ERROR_BYTES:])
        os.close(read)

    def _check_silence(self) -> None:
        """Raise if the engine wrote something without being asked."""
        is_waiting = IS_POSIX and _ready(self._process.output, select.POLLIN, 0)
        if not self._buffer and not is_waiting:
            return
        line = self._line(time.monotonic() + 1.0)
        raise NotationError(f"expected no output before the next line, got {line[:80]!r}")

    def _send(self, line: str, deadline: float) -> None:
        self._log.write(f"> {line}\n")
        rest = memoryview(f"{line}\n".encode())
        while rest:
            try:
                rest = rest[os.write(self._process.input, rest) :]
            except BlockingIOError:
                self._wait(self._process.input, select.POLLOUT, deadline)
            except (OSError, ValueError):
                self._died()

    def _line(self, deadline: float) -> str:
        """Return the engine's next line, without its line break."""
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > MAX_LINE:
                raise NotationError(f"a line is longer than {MAX_LINE:,} bytes")
            self._wait(self._process.output, select.POLLIN if IS_POSIX else 0, deadline)
            piece = b""
            with suppress(OSError, ValueError):
                piece = os.read(self._process.output, _PIECE)
            self._buffer += piece or self._died()
        data = bytes(self._buffer[:end]).removesuffix(b"\r")
        del self._buffer[: end + 1]
        try:
            line = data.decode("utf-8")
        except UnicodeDecodeError:
            raise NotationError(f"expected UTF-8 text, got {data[:40]!r}") from None
        self._log.write(f"< {line}\n")
        return line

    def _wait(self, file: int, event: int, deadline: float) -> None:
        """Wait until a pipe is ready."""
        left = deadline - time.monotonic()
        if IS_POSIX and (left <= 0 or not _ready(file, event, left)):
            raise TimeoutError

    def _died(self) -> NoReturn:
        report = self._process.end(grace=0.5)
        if "memory" in report:
            raise NotationError(f"the engine took {report['memory'] / 2**20:,.0f} MB of memory")
        status = report.get("status")
        ended = "closed its output" if status is None else f"exited with status {status}"
        raise NotationError(f"the engine {ended} before it answered")


def _ready(file: int, event: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(file, event)
    return bool(poll.poll(1000 * seconds))


def _split(command: str) -> Sequence[str]:
    """Return the words of a command. Windows splits a command by its own rules."""
    if not command.strip():
        raise InputError("expected a command after engine:")
    return shlex.split(command) if IS_POSIX else command
