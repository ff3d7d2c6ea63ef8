"""Text as it comes from files: decoded, without its byte order mark, cut into lines."""

from __future__ import annotations

import os
from pathlib import Path

from mineproof.core.errors import NotationError

BLANKS = " \t\r"
"""What may stand around a line without meaning; the `\\r` is that of Windows' line ends."""
QUOTED = 40
"""How much of a faulty text a message quotes."""


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
    return decode(Path(path).read_bytes())


def split_lines(text: str) -> list[str]:
    """Cut a text into lines without the blanks around them; line 1 is item 0."""
    return [line.strip(BLANKS) for line in text.removeprefix("\ufeff").split("\n")]


def quote(text: str) -> str:
    """Quote a text for a message, cut if it is long."""
    return repr(text) if len(text) <= QUOTED else f"{text[:QUOTED]!r}..."
