"""The interface to the WebAssembly core: one call per question, with flat bytes in both directions.

Calls from Python to JavaScript are slow: passing an object costs several microseconds, as much as a
whole answer of the core. So both sides share a block of memory for questions and answers, and the
calls pass only numbers.
"""

from __future__ import annotations

import importlib
import struct
from typing import Any

LEAST = 1 << 16
"""The initial size of the shared memory in bytes, enough for all but large boards."""
PENDING = 8
"""Maximum number of unused core objects that are left for later questions to free."""


class WorkLimit(RuntimeError):  # noqa: N818  (named as in the core; callers see WorkLimitError)
    """The answer would take more nodes, time or memory than allowed."""


_COUNT = struct.Struct("<I")
_FAILURES = {1: ValueError, 2: WorkLimit, 3: MemoryError}


class _Border:
    """The memory shared with JavaScript, and the JavaScript functions to call."""

    def __init__(self) -> None:
        self._page: Any = importlib.import_module("mineproof_core")
        self._questions: dict[str, Any] = {}
        self._dropped: list[int] = []
        self.share()

    def share(self, size: int = LEAST) -> None:
        """Share a new block of memory of at least this size."""
        self._bytes = bytearray(max(LEAST, 1 << (size - 1).bit_length()))
        self._view = memoryview(self._bytes)
        self._page.share(self._bytes)

    def _question(self, name: str) -> Any:
        if name not in self._questions:
            self._questions[name] = self._page.question(name)
        return self._questions[name]

    def ask(self, name: str, *parts: bytes) -> bytes:
        """Return the core's answer to a question. The bytes may be passed in parts."""
        size = self._put(parts)
        question = self._questions.get(name) or self._question(name)
        found = question(size, self._dropped.pop() if self._dropped else 0)
        size = found >> 3
        if found & 7 or size > len(self._bytes):
            return self._take(found)
        return self._view[:size].tobytes()  # the usual case, kept fast

    def _put(self, parts: tuple[bytes, ...]) -> int:
        question = b"".join(parts)
        size = len(question)
        if size > len(self._bytes):
            self.share(size)
        self._bytes[:size] = question
        return size

    def _take(self, found: int) -> bytes:
        """Return the bytes of an answer, or raise the error that it contains."""
        size = found >> 3
        if size > len(self._bytes):
            self.share(size)
            self._page.again()
        answer = self._view[:size].tobytes()
        if outcome := found & 7:
            raise _FAILURES.get(outcome, RuntimeError)(answer.decode(errors="replace"))
        return answer

    def ask_while(self, goes_on: object | None, name: str, *parts: bytes) -> bytes:
        """Ask the core. It calls `goes_on` from time to time and stops when that returns False.

        An exception in `goes_on` also stops the work, and is raised again here.
        """
        if goes_on is None:
            return self.ask(name, *parts)
        errors: list[BaseException] = []
        question: Any = goes_on

        def check() -> bool:
            try:
                return bool(question())
            except BaseException as error:  # exceptions cannot pass through the core
                errors.append(error)
                return False

        answer = self._take(self._page.askWhile(check, self._question(name), self._put(parts)))
        if errors:
            raise errors[0]
        return answer

    def drop(self, number: int) -> None:
        """Free the object with this number in the core, now or with a later question. Ignore 0."""
        if len(self._dropped) >= PENDING:
            self._page.drop(number)
        elif number:
            self._dropped.append(number)


_border = _Border()
ask, ask_while, drop = _border.ask, _border.ask_while, _border.drop
share = _border.share


def pack(form: str, *values: object) -> bytes:
    """Return numbers as bytes.

    Raises:
        TypeError: if a number does not fit.
    """
    try:
        return struct.pack(form, *values)
    except (struct.error, OverflowError) as error:
        raise TypeError(f"expected numbers that fit the core's types: {error}") from None


def counted(data: bytes) -> bytes:
    """Return bytes prefixed with their length."""
    expect(bytes, data)
    return _COUNT.pack(len(data)) + data


def lettered(text: str) -> bytes:
    """Return a string as UTF-8 bytes, prefixed with their length."""
    expect(str, text)
    return counted(text.encode())


def expect(kind: type, value: object) -> None:
    """Raise `TypeError` if a value is not of the expected type."""
    if not isinstance(value, kind):
        raise TypeError(f"expected {kind.__name__}, got {type(value).__name__}")
