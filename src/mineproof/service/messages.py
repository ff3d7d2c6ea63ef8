"""The texts that a page sends and that a store keeps, read safely: sizes and depths are limited."""

from __future__ import annotations

import json
import re
from typing import Any

from mineproof.core.errors import InputError
from mineproof.notation.text import a_float
from mineproof.service.limits import DEPTH, VALUES

Message = dict[str, Any]
SHOWN = 60
"""Characters of a text that an error quotes."""
_TEXTS = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)


def read_message(text: str) -> Message:
    """Read a message of a page: a JSON object of limited size, whose depth is not checked yet.

    Raises:
        InputError: it is something else.
    """
    if _count(text) > VALUES and _count(_TEXTS.sub("", text)) > VALUES:  # long texts are fine
        raise InputError(f"expected a message of at most {VALUES} values, got more")
    return _read_object(text)


def read_kept(text: str) -> Message:
    """Read what was kept on this machine: a JSON object that can be written again.

    Raises:
        InputError: it is damaged.
    """
    found = _read_object(text)
    check_depth(found)
    return found


def _read_object(text: str) -> Message:
    try:
        found = json.loads(text, parse_constant=a_float, parse_float=a_float)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InputError(f"expected a JSON object, got {text[:SHOWN]!r}")
    return found


def check_depth(value: object, depth: int = DEPTH) -> None:
    """Reject values that are nested too deep to be written again.

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


def _count(text: str) -> int:
    return text.count(",") + text.count("[") + text.count("{")
