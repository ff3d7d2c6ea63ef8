"""Text and JSON from files: decoding, splitting into lines, and checks."""

from __future__ import annotations

import json
import math
import re
from itertools import chain
from typing import Any

from mineproof.core.errors import NotationError, wrong_type

BLANKS = " \t\r"
"""Characters that are ignored at the start and end of a line. The `\\r` belongs to Windows line
ends."""
QUOTED = 40
"""Maximum number of characters to quote in a message."""
_TEXTS = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)


def decode(data: bytes) -> str:
    """Decode UTF-8, with or without a byte order mark.

    Raises:
        NotationError: if the bytes are not text.
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


def split_lines(text: str) -> list[str]:
    """Return the lines of text without the blanks around them. Line 1 is item 0.

    Raises:
        TypeError: the value is not text.
    """
    if not isinstance(text, str):
        raise wrong_type("text", text)
    return [line.strip(BLANKS) for line in text.removeprefix("\ufeff").split("\n")]


def quote(text: str) -> str:
    """Return text in quotes for a message, shortened if it is long."""
    return repr(text) if len(text) <= QUOTED else f"{text[:QUOTED]!r}..."


def load_json(text: str, what: str, *, values: int | None = None, depth: int | None = None) -> Any:
    """Read JSON. Reject numbers that only Python accepts (NaN, Infinity, 1e999).

    Args:
        text: the JSON.
        what: what the JSON should contain, for error messages.
        values: the maximum number of values; by default there is no limit.
        depth: how deeply lists and objects may be nested; by default as deeply as Python can read.

    Raises:
        NotationError: if the text is not JSON or exceeds a limit.
    """
    if values is not None and _count(text) > values and _count(_TEXTS.sub("", text)) > values:
        raise NotationError(f"expected {what} with at most {values:,} values")
    try:
        found = json.loads(text, parse_constant=_finite, parse_float=_finite)
    except RecursionError:
        raise NotationError(f"expected {what} as JSON, but it is nested too deeply") from None
    except ValueError as error:
        raise NotationError(f"expected {what} as JSON: {error}") from None
    if depth is not None:
        check_depth(found, what, depth)
    return found


def check_depth(value: object, what: str, depth: int) -> None:
    """Raise a `NotationError` if lists and objects are nested more than `depth` levels deep."""
    inner_values: list[Any] = [value]
    for _ in range(depth):
        nested = (one for one in inner_values if isinstance(one, (dict, list)))
        lists = (one.values() if isinstance(one, dict) else one for one in nested)
        inner_values = [*chain.from_iterable(lists)]
    if inner_values:
        raise NotationError(f"expected {what} nested at most {depth} levels deep")


def _count(text: str) -> int:
    """Return an upper limit on the number of values: all but the first follow `,`, `[` or `{`."""
    return text.count(",") + text.count("[") + text.count("{")


def _finite(text: str) -> float:
    """Read a number in JSON. It must be finite, so that the page can read it again."""
    if not math.isfinite(number := float(text)):
        raise ValueError(f"expected a number, got {text[:QUOTED]}")
    return number
