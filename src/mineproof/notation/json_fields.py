"""Fields of JSON objects, checked: each function gives the value or says what is wrong."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn, TypeVar

from mineproof.core.errors import NotationError
from mineproof.notation.text import quote

Value = TypeVar("Value")
Fields = dict[str, Any]

_NAMES = {list: "a list", dict: "an object", str: "a string", bool: "a boolean", int: "an integer"}


def load_json(text: str, what: str) -> object:
    """Read JSON, without the constants that only Python knows (NaN, Infinity).

    Raises:
        NotationError: the text is no JSON.
    """
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise NotationError(f"expected {what} as JSON, got one nested too deeply") from None
    except ValueError as error:
        raise NotationError(f"expected {what} as JSON: {error}") from None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"expected a number, got {constant}")


def an_object(
    value: object, place: str, wanted: set[str], optional: set[str] | None = None
) -> Fields:
    """Give an object that has all wanted fields, and no others than those and optional ones."""
    fields = typed(value, place, dict)
    known = wanted | (optional or set())
    if missing := sorted(wanted - fields.keys()):
        raise NotationError(f"expected {', '.join(missing)} in {place}, got none")
    if unknown := sorted(fields.keys() - known):
        raise NotationError(
            f"expected only {', '.join(sorted(known))} in {place}, got {quote(unknown[0])}"
        )
    return fields


def typed(value: object, place: str, kind: type[Value]) -> Value:
    """Give a value of this type; a boolean is no integer."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise NotationError(f"expected {place} to be {_NAMES[kind]}, got {shown(value)}")
    return value


def a_count(value: object, place: str) -> int:
    """Give an integer from 0."""
    number = typed(value, place, int)
    if number < 0:
        raise NotationError(f"expected {place} to be 0 or more, got {shown(number)}")
    return number


def a_number(value: object, place: str) -> float:
    """Give a finite number from 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NotationError(f"expected {place} to be a number, got {shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not 0 <= number < math.inf:
        raise NotationError(f"expected {place} to be a finite number from 0, got {shown(value)}")
    return number


def a_share(value: object, place: str) -> float:
    """Give a number from 0 to 1."""
    number = a_number(value, place)
    if number > 1:
        raise NotationError(f"expected {place} to be from 0 to 1, got {shown(value)}")
    return number


def shown(value: object) -> str:
    """Show a value in a message: short ones as they are, lists and objects by their kind."""
    if isinstance(value, str):
        return quote(value)
    return _NAMES[type(value)] if isinstance(value, list | dict) else repr(value)[:40]
