"""Engines: solvers in any programming language that play as agents.

An engine is a program that speaks the engine protocol (`docs/engine-protocol.md`) over its standard
input and output. It runs under a supervisor with limits on time and memory. Every fault becomes one
error that names the engine, the line it was sent and the expected answer.
"""

from __future__ import annotations

import os
import select
import shlex
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NoReturn, TypeVar

from mineproof.agents.loading import ENGINE
from mineproof.core.decision import Decision
from mineproof.core.errors import AgentError, InputError, NotationError
from mineproof.core.game import Result
from mineproof.core.observation import Observation
from mineproof.core.random import hashed_seed
from mineproof.core.rules import PublicRules
from mineproof.core.words import printable
from mineproof.match.engine_protocol import (
    HELLO,
    changes_nothing,
    game_line,
    parse_moves,
    position_line,
)
from mineproof.workers.supervisor import IS_POSIX, Supervised
from mineproof.workers.threads import CLOCK

DECISION_SECONDS = 10.0
"""The default time limit for an answer."""
ENGINE_BYTES = 2 * 1024**3
"""The default limit on the resident memory of an engine and its children."""
MAX_LINE = 64 * 1024
"""Maximum length of a line from an engine, in bytes."""
MAX_INFO = 1000
"""Maximum number of `info` lines before an answer."""
MAX_LINES = 1000
"""Maximum number of other lines in an answer, in addition to two moves per cell."""
QUIT_SECONDS = 2.0
"""Seconds that an engine may take to exit after `quit`."""
ERROR_BYTES = 2000
"""Number of bytes of an engine's standard error to show when it fails."""
REFUSED = "refused"
"""The code of the error if an engine does not support the rules."""
_PIECE = 65536
_ENDS = {Result.WIN: "won", Result.LOSS: "lost", Result.STUCK: "stuck"}
Found = TypeVar("Found")


class EngineError(AgentError):
    """An engine cannot be started, broke the protocol, or does not support the rules."""

    code = "engine-fault"


@dataclass(frozen=True)
class EngineSettings:
    """An engine's command and its limits."""

    command: str
    seconds: float = DECISION_SECONDS
    """The time limit for each answer."""
    memory: int | None = ENGINE_BYTES
    """The limit on resident memory; None for no limit."""
    salt: str = ""
    """Random digits of this run, from which the engine's seeds are made."""
    options: tuple[tuple[str, str], ...] = ()
    """Options that are sent with `set`, by name."""
    log: Path | None = None
    """A file to which the dialogue is appended."""

    def make(self) -> EngineAgent:
        """Start the engine.

        Raises:
            EngineError: if it cannot be started, or does not speak the protocol.
        """
        agent = EngineAgent(self)
        agent.begin()
        return agent


class EngineAgent:
    """An agent whose moves come from an engine."""

    def __init__(self, settings: EngineSettings) -> None:
        """Store the settings. `begin` starts the engine."""
        self.name = f"{ENGINE}{settings.command}"
        """The agent's name in messages and records."""
        self.identity: dict[str, str] = {}
        """The engine's `name`, `version` and `author`, if it stated them."""
        self.options: dict[str, tuple[str, str]] = {}
        """For each option of the engine, its default value and a line of help."""
        self._settings = settings
        self._process: _EngineProcess | None = None
        self._spent = 0.0
        self._game: tuple[PublicRules, int] | None = None
        self._moves: deque[Decision] = deque()
        self._last: tuple[Observation, Decision] | None = None
        """The last observation, and the move that was returned for it."""

    @property
    def cpu_seconds(self) -> float:
        """The CPU time that the engine has taken so far, in all its processes."""
        return self._spent + (0.0 if self._process is None else self._process.cpu_seconds)

    def begin(self) -> None:
        """Start the engine and exchange greetings, unless it is running.

        Raises:
            EngineError: if it cannot be started, or does not speak the protocol.
        """
        if self._process is not None:
            return
        self._process = _EngineProcess(self.name, self._settings)
        for line in self._ask(HELLO, "ok", _read_greeting):
            self._learn(line)
        for name, value in self._settings.options:
            self._ask(f"set {name} {value}", "ok", _nothing)

    def start(self, rules: PublicRules, seed: int) -> None:
        """Begin a game.

        Raises:
            EngineError: if it failed, or does not play these rules (the code is `REFUSED`).
        """
        self.begin()
        self._game = (rules, seed)
        self._moves.clear()
        self._last = None
        self._ask(
            game_line(rules, hashed_seed(seed, self._settings.salt)),
            "ok",
            _nothing,
            refusal=REFUSED,
        )

    def decide(self, observation: Observation) -> Decision | None:
        """Return the next move of the engine's last answer or of a new one; None if it is stuck."""
        if self._process is None and self._game is not None:
            self.start(*self._game)
        if not self._continues(observation):
            self._moves.clear()
        while self._moves and changes_nothing(self._moves[0], observation):
            self._moves.popleft()
        if not self._moves:
            line = position_line(observation)
            found = self._ask(line, "done", lambda lines: parse_moves(lines, observation))
            self._moves.extend(found)
        if not self._moves:
            return None
        self._last = (observation, self._moves.popleft())
        return self._last[1]

    def _continues(self, observation: Observation) -> bool:
        """Return whether the engine's last move, and nothing else, led to this position."""
        if self._last is None:
            return False
        before, made = self._last
        index = observation.grid.index(made.move.cell)
        if observation.follows != before.serial or observation.hits != before.hits:
            return False
        others = [each for each in observation.changes if each != index]
        floods = observation.rules.flood and observation.shown[index] == 0
        return changes_nothing(made, observation) and (floods or not others)

    def finish(self, result: Result) -> None:
        """Report the end of a game to the engine."""
        if self._process is not None:
            self._ask(f"end {_ENDS[result]}", "ok", _nothing)

    def close(self) -> None:
        """Ask the engine to exit, and end it if it does not."""
        if self._process is not None:
            self._process.quit()
        self._drop()

    def __del__(self) -> None:
        """End the engine together with this object."""
        self._drop()

    def description(self) -> dict[str, Any]:
        """Return the plain form of the agent's `AgentSpec`."""
        named = " ".join(self.identity.get(key, "") for key in ("name", "version")).strip()
        author = self.identity.get("author")
        options = [
            {"name": name, "type": "str", "default": default, "choices": [], "help": text}
            for name, (default, text) in self.options.items()
        ]
        return {
            **self.identity,
            "id": self.name,
            "idea": f"an engine: {named or self._settings.command}"
            + (f" by {author}" if author else ""),
            "source": self._settings.command,
            "proves": "",
            "cannot_prove": "",
            "takes_time": False,
            "options": options,
        }

    def _drop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            self._spent += process.cpu_seconds
            process.end()

    def _learn(self, line: str) -> None:
        match line.split(" ", 3):
            case ["id", key, *rest] if key in ("name", "version", "author"):
                self.identity[key] = printable(" ".join(rest))
            case ["option", name, default, *rest]:
                self.options[name] = (default, printable(" ".join(rest)))
            case _:
                raise NotationError(f"expected id, option or ok, got {line[:80]!r}")

    def _ask(
        self, line: str, last: str, read: Callable[[list[str]], Found], refusal: str = ""
    ) -> Found:
        """Send a line and read the answer; a process that breaks the protocol is ended.

        After an `error` answer the process keeps running: the engine works, but rejects the line.
        """
        assert self._process is not None
        try:
            cells = 0 if self._game is None else self._game[0].grid.size
            lines = self._process.ask(line, last, MAX_LINES + 2 * cells)
            if lines and lines[-1].split(" ", 1)[0] == "error":
                text = printable(lines[-1][6:])
                raise EngineError(
                    f"{self.name} answered {_short(line)} with an error: {text}",
                    code=refusal or "engine-error",
                )
            return read(lines)
        except NotationError as error:
            message = f"{self.name}: after {_short(line)}: {error}"
            notes = self._process.errors()
            self._drop()
            raise EngineError(message + notes) from None
        except EngineError:
            if line == HELLO:
                self._drop()
            raise
        except BaseException:  # Ctrl-C: the dialogue cannot be continued
            self._drop()
            raise


def _nothing(lines: list[str]) -> None:
    if lines:
        raise NotationError(f"expected ok, got {lines[0][:80]!r}")


def _read_greeting(lines: list[str]) -> list[str]:
    return lines


def _short(line: str) -> str:
    return f"`{line}`" if len(line) <= 60 else f"`{line[:60]}...`"


class _EngineProcess:
    """A running engine: sends lines, reads answers, and measures time."""

    def __init__(self, name: str, settings: EngineSettings) -> None:
        self._seconds = settings.seconds
        self._buffer = bytearray()
        self._notes: deque[bytes] = deque(maxlen=32)
        self._log: IO[str] | None = None
        read, write = os.pipe()
        try:
            command = _split(settings.command)
            self._process = Supervised(command, memory=settings.memory, errors=write)
        except OSError as error:
            os.close(read)
            problem = error.strerror or "it cannot be started"
            raise EngineError(f"cannot start {name}: {problem}", code="engine-start") from None
        except ValueError as error:
            os.close(read)
            raise EngineError(f"cannot start {name}: {error}", code="engine-start") from None
        finally:
            os.close(write)
        self._reader = threading.Thread(target=self._read_notes, args=(read,), daemon=True)
        self._reader.start()
        if IS_POSIX:
            os.set_blocking(self._process.input, False)
            os.set_blocking(self._process.output, False)
        if settings.log is not None:
            self._log = settings.log.open("a", encoding="utf-8")

    @property
    def cpu_seconds(self) -> float:
        return self._process.cpu_seconds

    def ask(self, line: str, last: str, most: int) -> list[str]:
        """Send a line; return the lines of the answer, except `info` lines and the last line.

        Raises:
            NotationError: the engine broke the protocol.
        """
        deadline = time.monotonic() + self._seconds
        if not IS_POSIX:
            CLOCK.set(self, self._seconds, self.end)
        try:
            self._check_silence()
            self._note(">", line)
            self._write(f"{line}\n".encode(), deadline)
            return self._answer(last, most, deadline)
        finally:
            CLOCK.unset(self)

    def _answer(self, last: str, most: int, deadline: float) -> list[str]:
        lines: list[str] = []
        infos = 0
        while True:
            line = self._line(deadline)
            word = line.split(" ", 1)[0]
            if word == "info":
                infos += 1
                if infos > MAX_INFO:
                    raise NotationError(f"expected at most {MAX_INFO:,} info lines, got more")
            elif line == last:
                return lines
            else:
                lines.append(line)
                if word == "error":
                    return lines
                if len(lines) > most:
                    raise NotationError(f"expected at most {most:,} lines before {last}, got more")

    def quit(self) -> None:
        """Ask the engine to exit, and wait briefly until it does."""
        deadline = time.monotonic() + QUIT_SECONDS
        with suppress(NotationError, OSError):
            self._note(">", "quit")
            self._write(b"quit\n", deadline)
            while True:
                self._line(deadline)

    def end(self) -> None:
        """End the process and everything it started."""
        self._process.end()
        if self._log is not None:
            self._log.close()

    def errors(self) -> str:
        """Return the engine's standard error output as the last part of a message."""
        if not self._process.is_running:
            self._reader.join(1.0)
        text = b"".join(self._notes)[-ERROR_BYTES:].decode("utf-8", "replace").strip()
        return f"\nIts standard error ended with:\n{_lines(text)}" if text else ""

    def _read_notes(self, read: int) -> None:
        with suppress(OSError):
            while piece := os.read(read, _PIECE):
                self._notes.append(piece[-ERROR_BYTES:])
        os.close(read)

    def _note(self, direction: str, line: str) -> None:
        if self._log is not None:
            self._log.write(f"{direction} {line}\n")
            self._log.flush()

    def _check_silence(self) -> None:
        """Raise if the engine wrote something without being asked."""
        is_waiting = IS_POSIX and _ready(self._process.output, select.POLLIN, 0)
        if not self._buffer and not is_waiting:
            return
        line = self._line(time.monotonic() + 1.0)
        raise NotationError(f"expected no output before the next line, got {line[:80]!r}")

    def _write(self, data: bytes, deadline: float) -> None:
        rest = memoryview(data)
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
            try:
                piece = os.read(self._process.output, _PIECE)
            except BlockingIOError:
                continue
            except (OSError, ValueError):
                piece = b""
            if not piece:
                self._died()
            self._buffer += piece
        data = bytes(self._buffer[:end]).removesuffix(b"\r")
        del self._buffer[: end + 1]
        try:
            line = data.decode("utf-8")
        except UnicodeDecodeError:
            raise NotationError(f"expected UTF-8 text, got {data[:40]!r}") from None
        self._note("<", line)
        return line

    def _wait(self, file: int, event: int, deadline: float) -> None:
        """Wait until a pipe is ready; without POSIX, the alarm clock ends the engine instead."""
        if not IS_POSIX:
            return
        left = deadline - time.monotonic()
        if left <= 0 or not _ready(file, event, left):
            raise NotationError(f"expected an answer within {self._seconds:g} s, got none")

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


def _split(command: str) -> list[str]:
    words = shlex.split(command, posix=IS_POSIX)
    if not words:
        raise InputError("expected a command after engine:")
    return words


def _lines(text: str) -> str:
    return "\n".join(printable(line) for line in text.splitlines())
