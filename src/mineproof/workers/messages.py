"""Messages from a worker process to its parent: a kind, a number, a length and bytes.

The number is the question's, so that an answer cannot be matched with the wrong question.

If user code runs in the worker, its answers are plain values as JSON of a limited size, so that
reading them runs no code. Bytes that are not a message are the fault of that user code.
"""

from __future__ import annotations

import json
import pickle
import struct
from typing import IO, Any

from mineproof.workers.errors import AnswerError, GarbledError

READY, PART, DONE, ERROR = b"r", b"p", b"d", b"e"
"""The kinds of messages from the process."""
MOST_PLAIN = 8 * 1024**2
"""Maximum size of a plain answer, in bytes."""
OTHER_BYTES = "not a message"
_HEAD = struct.Struct("<2scQQ")
_MARK = b"\xa5\x5a"
"""The first bytes of every message. Text in UTF-8 never starts with these bytes."""
_ENCODER = json.JSONEncoder(separators=(",", ":"))
_DECODER = json.JSONDecoder()
_KINDS = (READY, PART, DONE, ERROR)


def write_message(pipe: IO[bytes], kind: bytes, number: int, data: bytes) -> None:
    """Send a message."""
    pipe.write(_HEAD.pack(_MARK, kind, number, len(data)) + data)
    pipe.flush()


def read_message(pipe: IO[bytes], asked: int, is_plain: bool) -> tuple[bytes, bytes]:
    """Wait for a message about the question with this number. Return its kind and its bytes.

    Raises:
        EOFError: if the pipe was closed, perhaps in the middle of a message.
        GarbledError: if the bytes are not a message.
    """
    head = pipe.read(_HEAD.size)
    if len(head) < _HEAD.size:
        if head[: len(_MARK)] != _MARK[: len(head)]:
            raise GarbledError(OTHER_BYTES)
        raise EOFError
    mark, kind, number, length = _HEAD.unpack(head)
    if mark != _MARK or kind not in _KINDS:
        raise GarbledError(OTHER_BYTES)
    if number != asked:
        raise GarbledError("an answer to another question")
    if is_plain and length > MOST_PLAIN:
        raise GarbledError(f"expected a message of at most {MOST_PLAIN:,} bytes, got {length:,}")
    try:
        data = pipe.read(length)
    except (MemoryError, OverflowError):
        raise GarbledError(f"a message of {length:,} bytes does not fit in memory") from None
    if len(data) < length:
        raise EOFError
    return kind, data


def pack(value: Any, is_plain: bool) -> bytes:
    """Return a value as bytes.

    Raises:
        AnswerError: if it is plain but too long.
        Exception: if it cannot be written.
    """
    if not is_plain:
        return pickle.dumps(value)
    data = _ENCODER.encode(value).encode()
    if len(data) > MOST_PLAIN:
        raise AnswerError(f"it has {len(data):,} bytes, but at most {MOST_PLAIN:,} are allowed")
    return data


def unpack(data: bytes, is_plain: bool) -> Any:
    """Return the value that bytes contain. Reading a plain value runs no code.

    Raises:
        Exception: if it cannot be read.
    """
    return _DECODER.decode(data.decode()) if is_plain else pickle.loads(data)
