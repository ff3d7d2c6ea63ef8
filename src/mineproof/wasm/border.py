"""The border to the WebAssembly core: one crossing a question, flat bytes in and out.

Crossing from Python to JavaScript is dear: an object of either side that the other one gets costs
some microseconds, as much as a whole answer of the core. So both share a piece of memory for
questions and answers, and nothing but numbers cross.
"""

from __future__ import annotations

import importlib
import struct
from typing import Any, NoReturn

LEAST = 1 << 16
"""The bytes that are shared at first: enough for all but large boards."""
PENDING = 8
"""How many things that nobody needs any more may wait to be forgotten with the next question."""


class WorkLimit(RuntimeError):  # noqa: N818  (named as in the core; callers see WorkLimitError)
    """An answer would take more nodes, more time or more memory than allowed."""


_COUNT = struct.Struct("<I")
_FAILURES = {1: ValueError, 2: WorkLimit, 3: MemoryError}


class _Border:
    """The memory that is shared with JavaScript, and the functions there."""

    def __init__(self) -> None:
        self._page: Any = importlib.import_module("mineproof_core")
        self._questions: dict[str, Any] = {}
        self._dropped: list[int] = []
        self.share()

    def share(self, size: int = LEAST) -> None:
        """Share memory, at least of this size, from now on."""
        self._bytes = bytearray(max(LEAST, 1 << (size - 1).bit_length()))
        self._view = memoryview(self._bytes)
        self._page.share(self._bytes)

    def _question(self, name: str) -> Any:
        question = self._questions.get(name)
        if question is None:
            question = self._questions[name] = self._page.question(name)
        return question

    def ask(self, name: str, *parts: bytes) -> bytes:
        """Ask the core; the parts are put together."""
        size = self._put(parts)
        question = self._questions.get(name) or self._question(name)
        found = question(size, self._dropped.pop() if self._dropped else 0)
        size = found >> 3
        if found & 7 or size > len(self._bytes):
            return self._take(found)
        return self._view[:size].tobytes()  # the usual case, without another call

    def _put(self, parts: tuple[bytes, ...]) -> int:
        question = b"".join(parts)
        size = len(question)
        if size > len(self._bytes):
            self.share(size)
        self._bytes[:size] = question
        return size

    def _take(self, found: int) -> bytes:
        """Give the bytes of an answer, or raise what it says."""
        size = found >> 3
        if size > len(self._bytes):
            self.share(size)
            self._page.again()
        answer = self._view[:size].tobytes()
        if outcome := found & 7:
            raise _FAILURES.get(outcome, RuntimeError)(answer.decode(errors="replace"))
        return answer

    def ask_while(self, goes_on: object | None, name: str, *parts: bytes) -> bytes:
        """Ask the core, which asks in turn whether to go on; what that raises comes out then."""
        if goes_on is None:
            return self.ask(name, *parts)
        errors: list[BaseException] = []
        question: Any = goes_on

        def check() -> bool:
            try:
                return bool(question())
            except BaseException as error:  # it must not pass through the core
                errors.append(error)
                return False

        answer = self._take(self._page.askWhile(check, self._question(name), self._put(parts)))
        if errors:
            raise errors[0]
        return answer

    def drop(self, number: int) -> None:
        """Let the core forget what it keeps by this number, soon; 0 is nothing."""
        if len(self._dropped) >= PENDING:
            self._page.drop(number)
        elif number:
            self._dropped.append(number)


_border = _Border()
ask, ask_while, drop = _border.ask, _border.ask_while, _border.drop
share = _border.share


def pack(form: str, *values: object) -> bytes:
    """Write numbers.

    Raises:
        TypeError: some of them do not fit.
    """
    try:
        return struct.pack(form, *values)
    except (struct.error, OverflowError) as error:
        raise TypeError(f"expected numbers as the core takes them: {error}") from None


def counted(data: bytes) -> bytes:
    """Write bytes with their number in front."""
    if not isinstance(data, bytes):
        refuse("bytes", data)
    return _COUNT.pack(len(data)) + data


def lettered(text: str) -> bytes:
    """Write a text."""
    if not isinstance(text, str):
        refuse("a text", text)
    data = text.encode()
    return _COUNT.pack(len(data)) + data


def expect(kind: type, value: object) -> None:
    """Refuse a value of another kind."""
    if not isinstance(value, kind):
        refuse(kind.__name__, value)


def refuse(expected: str, value: object) -> NoReturn:
    """Say what was expected instead of a value."""
    raise TypeError(f"expected {expected}, got {type(value).__name__}")
