"""The border to the WebAssembly core: one call a question, flat bytes in and out."""

from __future__ import annotations

import importlib
import struct
from typing import Any, NoReturn

_page: Any = importlib.import_module("mineproof_core")
_pyodide: Any = importlib.import_module("pyodide.ffi")


class WorkLimit(RuntimeError):  # noqa: N818  (named as in the core; callers see WorkLimitError)
    """An answer would take more nodes, more time or more memory than allowed."""


_FAILURES = {1: ValueError, 2: WorkLimit, 3: MemoryError}


def ask(name: str, *parts: bytes) -> bytes:
    """Ask the core; the parts are put together."""
    return _answer(_page.ask(name, _pyodide.to_js(b"".join(parts))))


def _answer(found: Any) -> bytes:
    """Give the bytes of an answer, or raise what it says."""
    answer: bytes = found.to_bytes()
    if answer[0] == 0:
        return answer[1:]
    raise _FAILURES.get(answer[0], RuntimeError)(answer[1:].decode(errors="replace"))


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
    return pack("<I", len(data)) + data


def lettered(text: str) -> bytes:
    """Write a text."""
    if not isinstance(text, str):
        refuse("a text", text)
    return counted(text.encode())


def expect(kind: type, value: object) -> None:
    """Refuse a value of another kind."""
    if not isinstance(value, kind):
        refuse(kind.__name__, value)


def refuse(expected: str, value: object) -> NoReturn:
    """Say what was expected instead of a value."""
    raise TypeError(f"expected {expected}, got {type(value).__name__}")


def drop(kind: str, number: int) -> None:
    """Let the core forget a `position` or an `evaluation`; 0 is none."""
    if number:
        _page.drop(kind, number)


def ask_while(goes_on: object | None, name: str, *parts: bytes) -> bytes:
    """Ask the core, which asks in turn whether to go on; what that raises comes out at the end."""
    if goes_on is None:
        return ask(name, *parts)
    errors: list[BaseException] = []
    question: Any = goes_on

    def check() -> bool:
        try:
            return bool(question())
        except BaseException as error:  # it must not pass through the core
            errors.append(error)
            return False

    answer = _answer(_page.ask(name, _pyodide.to_js(b"".join(parts)), check))
    if errors:
        raise errors[0]
    return answer
