"""Text and JSON as they come from files: decoded, cut into lines, their fields checked."""

from __future__ import annotations

import json
import math
import os
import re
from pathlib import Path
from typing import IO, Any

from mineproof.core.errors import NotationError
from mineproof.core.words import counted

BLANKS = " \t\r"
"""What may stand around a line without meaning; the `\\r` is that of Windows' line ends."""
MOST_BYTES = 256 * 2**20
"""How much is read of a file or a stream: a million cells take 5 MB as a record, and a board file
of half a million expert boards fits; what never ends, such as `/dev/zero`, is refused."""
MOST_SOURCE = 16 * 2**20
"""How much is read of a program: a student's, or an agent of the user's own."""
QUOTED = 40
"""How much of a faulty text a message quotes."""
LONG_BITS = 128
"""Whole numbers with more bits are not quoted: Python may refuse to write them."""
_TEXTS = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)


def decode(data: bytes) -> str:
    """Decode UTF-8, with or without a byte order mark.

    Raises:
        NotationError: these bytes are no text.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotationError(
            f"expected UTF-8 text, got the byte 0x{data[error.start]:02x}", line
        ) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise NotationError("expected text, got a NUL byte", line)
    return text


def read_text(path: str | os.PathLike[str]) -> str:
    """Read a text file.

    Raises:
        NotationError: the file holds no text.
        OSError: the file cannot be read.
    """
    return decode(read_file(path))


def read_file(path: str | os.PathLike[str], most: int = MOST_BYTES) -> bytes:
    """Read a file that others brought, which may have no end.

    Raises:
        NotationError: it has more than `most` bytes; it is named.
        OSError: it cannot be read.
    """
    with Path(path).open("rb") as file:
        return read_stream(file, os.fspath(path), most)


def read_stream(stream: IO[bytes], name: str, most: int = MOST_BYTES) -> bytes:
    """Read a stream to its end, unless it has more than `most` bytes; see `read_file`."""
    data = stream.read(most + 1)
    if len(data) > most:
        raise NotationError(f"expected up to {_size(most)} in {name}, got more", file=name)
    return data


def _size(count: int) -> str:
    """Write a number of bytes, a whole number of KiB or MiB where it is one."""
    for unit, size in (("MiB", 2**20), ("KiB", 2**10)):
        if count % size == 0:
            return f"{count // size} {unit}"
    return f"{count} bytes"


def split_lines(text: str) -> list[str]:
    """Cut a text into lines without the blanks around them; line 1 is item 0."""
    return [line.strip(BLANKS) for line in text.removeprefix("\ufeff").split("\n")]


def quote(text: str) -> str:
    """Quote a text for a message, cut if it is long."""
    return repr(text) if len(text) <= QUOTED else f"{text[:QUOTED]!r}..."


def load_json(text: str, what: str, *, values: int | None = None, depth: int | None = None) -> Any:
    """Read JSON, without what only Python reads (NaN, Infinity, 1e999).

    Args:
        text: the JSON.
        what: what it should be, for messages.
        values: the most values that it may hold; by default any number.
        depth: how deeply lists and objects may be nested; by default as deeply as can be read.

    Raises:
        NotationError: it is something else.
    """
    if values is not None and _count(text) > values and _count(_TEXTS.sub("", text)) > values:
        raise NotationError(f"expected {what} of up to {values:,} values, got more")
    try:
        found = json.loads(text, parse_constant=_finite, parse_float=_finite)
    except RecursionError:
        raise NotationError(f"expected {what} as JSON, got one nested too deeply") from None
    except ValueError as error:
        raise NotationError(f"expected {what} as JSON: {error}") from None
    if depth is not None:
        check_depth(found, what, depth)
    return found


def check_depth(value: object, what: str, depth: int) -> None:
    """Reject values that are nested too deeply.

    Raises:
        NotationError: they are.
    """
    level: list[Any] = [value]
    for _ in range(depth):
        level = [
            inner
            for outer in level
            if isinstance(outer, (dict, list))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
    if level:
        raise NotationError(f"expected {what} nested up to {depth} levels deep, got deeper")


def _count(text: str) -> int:
    """Return an upper limit on the number of values: every one but the first follows a mark."""
    return text.count(",") + text.count("[") + text.count("{")


def _finite(text: str) -> float:
    """Read a number of JSON, which a page must be able to read again.

    Raises:
        ValueError: it is not finite.
    """
    if not math.isfinite(number := float(text)):
        raise ValueError(f"expected a number, got {text[:QUOTED]}")
    return number


def shown(value: object) -> str:
    """Show a value in a message: short ones as they are, lists by their length."""
    if isinstance(value, str):
        cut = json.dumps(value[:QUOTED], ensure_ascii=False)
        return cut if len(value) <= QUOTED else f"{cut}..."
    if isinstance(value, (list, tuple)):
        return "an empty list" if not value else f"a list of {counted(len(value), 'item')}"
    if isinstance(value, dict):
        return "an object"
    if value is None or isinstance(value, bool):
        return "nothing" if value is None else str(value).lower()
    if isinstance(value, int) and value.bit_length() > LONG_BITS:
        return "a longer number"
    return repr(value)[:QUOTED]
