"""The fields of a message from the page, each checked before it is used."""

from __future__ import annotations

import json
import re
from typing import Any

from mineproof.core.errors import InputError
from mineproof.core.random import MAX_GAME_SEED
from mineproof.notation.text import a_float
from mineproof.service.limits import DEPTH, VALUES

Message = dict[str, Any]
SHOWN = 60
LARGEST = 10**9
"""No number of a message is meant to be larger."""
LONG_BITS = 1000
_TEXTS = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)


def read_message(text: str) -> Message:
    """Read a message: a JSON object with a command and a number.

    Raises:
        InputError: it is something else.
    """
    _check_count(text)
    found = _an_object(text)
    a_text(found, "do")
    a_count(found, "n")
    return found


def read_kept(text: str) -> Message:
    """Read what was kept on this machine: a JSON object that can be written again.

    Raises:
        InputError: it is damaged.
    """
    found = _an_object(text)
    check_depth(found)
    return found


def _an_object(text: str) -> Message:
    try:
        found = json.loads(text, parse_constant=a_float, parse_float=a_float)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InputError(f"expected a JSON object, got {text[:SHOWN]!r}")
    return found


def check_depth(value: object, depth: int = DEPTH) -> None:
    """Refuse values that are nested too deep to be written again.

    Raises:
        InputError: they are.
    """
    level = [value]
    for _ in range(depth):
        level = [
            inner
            for outer in level
            if isinstance(outer, (dict, list))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
    if level:
        raise InputError(f"expected values nested at most {depth} deep, got deeper ones")


def _check_count(text: str) -> None:
    """Refuse so many values that to read them would hold up others; texts may be long."""
    if _count(text) > VALUES and _count(_TEXTS.sub("", text)) > VALUES:
        raise InputError(f"expected a message of at most {VALUES} values, got more")


def _count(text: str) -> int:
    return text.count(",") + text.count("[") + text.count("{")


def a_text(message: Message, name: str, longest: int = 64 * 1024) -> str:
    """Give a text."""
    value = message.get(name)
    if not isinstance(value, str) or len(value) > longest:
        raise _wrong(name, "a text", value)
    return value


def an_optional_text(message: Message, name: str) -> str | None:
    """Give a text, or None where the field is missing or empty."""
    return a_text(message, name) if message.get(name) not in (None, "") else None


def a_flag(message: Message, name: str, default: bool = False) -> bool:
    """Give true or false."""
    value = message.get(name, default)
    if not isinstance(value, bool):
        raise _wrong(name, "true or false", value)
    return value


def a_count(message: Message, name: str, most: int = 2**31) -> int:
    """Give a whole number that is not negative."""
    value = message.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise _wrong(name, f"a whole number up to {most}", value)
    return value


def a_seed(message: Message) -> int | None:
    """Give the seed, which comes as text since pages know no such large numbers."""
    text = an_optional_text(message, "seed")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > 39 or int(text) > MAX_GAME_SEED:
        raise _wrong("seed", f"a whole number up to {MAX_GAME_SEED}", text)
    return int(text)


def a_cell(message: Message) -> tuple[int, int]:
    """Give a cell; whether it is on the board, the game says."""
    value = message.get("cell")
    if not isinstance(value, list) or len(value) != 2 or any(type(x) is not int for x in value):
        raise _wrong("cell", "[row, column]", value)
    return value[0], value[1]


def a_number(message: Message, name: str, default: float) -> float:
    """Give a number above 0."""
    value = message.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= LARGEST:
        raise _wrong(name, f"a number above 0, up to {LARGEST}", value)
    return float(value)


def some_texts(message: Message, name: str, most: int) -> list[str]:
    """Give a list of texts."""
    value = message.get(name)
    if not isinstance(value, list) or not 1 <= len(value) <= most:
        raise _wrong(name, f"1 to {most} texts", value)
    if not all(isinstance(item, str) for item in value):
        raise _wrong(name, f"1 to {most} texts", value)
    return value


def _wrong(name: str, expected: str, value: object) -> InputError:
    is_long = isinstance(value, int) and value.bit_length() > LONG_BITS
    shown = "a longer number" if is_long else repr(value)[:SHOWN]  # Python may refuse to write it
    return InputError(f"expected {expected} as {name!r}, got {shown}")
