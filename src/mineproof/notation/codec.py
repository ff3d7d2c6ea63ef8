"""The codec between Python values and plain ones, which JSON and TOML can hold.

`to_plain` writes a dataclass as an object with its fields, a named tuple as a list, an enum as its
value, and a type with a text form (`text_form`) as that text. `from_plain` reads plain values back
as the annotations of the type say. It is strict: a boolean is no number, numbers are finite, and
unknown or missing fields are errors. Every error is a `NotationError` that names the place, such as
`field "cells", item 3: expected [row, column], got "x"`. Items are counted from 1.

Limits are annotations too: `Annotated[int, Between(0, 8)]`, `Annotated[list[str], Length(100)]`.
A field with a default may be missing. What a type needs is worked out once, at its first use.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import MISSING, fields
from enum import Enum
from operator import attrgetter
from typing import Any, overload

from mineproof.core.errors import InputError, NotationError
from mineproof.notation.plain_forms import (
    TEXT_FORMS,
    Between,
    Form,
    Length,
    Made,
    Plain,
    form_of,
    plain_form,
    text_form,
)
from mineproof.notation.plain_readers import placed, reader_of

__all__ = [
    "Between",
    "Length",
    "Plain",
    "dump_json",
    "from_plain",
    "plain_form",
    "text_form",
    "to_plain",
]

_Writer = Callable[[Any], Plain]
_UNCHANGED = frozenset({type(None), bool, int, float, str})


def to_plain(value: object) -> Plain:
    """Return a value as plain ones.

    Raises:
        TypeError: a value has no plain form.
    """
    return _WRITERS[type(value)](value)


def _write_items(value: Iterable[Any]) -> Plain:
    return [item if (kind := type(item)) in _UNCHANGED else _WRITERS[kind](item) for item in value]


def _write_set(value: Collection[Any]) -> Plain:
    return sorted(_write_items(value))


def _write_mapping(value: Mapping[Any, Any]) -> Plain:
    return {
        key if type(key) is str else str(to_plain(key)): _WRITERS[type(item)](item)
        for key, item in value.items()
    }


class _Writers(dict[type, _Writer]):
    """The writers of all types seen so far."""

    def __missing__(self, kind: type) -> _Writer:
        self[kind] = found = _make_writer(kind)
        return found


_WRITERS = _Writers()
_WRITERS |= dict.fromkeys(_UNCHANGED, lambda value: value)
_WRITERS |= dict.fromkeys((list, tuple), _write_items)
_WRITERS |= dict.fromkeys((set, frozenset), _write_set)
_WRITERS[dict] = _write_mapping


def _make_writer(kind: type) -> _Writer:
    text = next((TEXT_FORMS[base] for base in kind.__mro__ if base in TEXT_FORMS), None)
    if text is not None:
        return text.write
    if issubclass(kind, Enum):
        return lambda value: value.value
    if (form := form_of(kind)) is not None:
        return _make_object_writer(kind, form)
    for base in (dict, list, tuple, set, frozenset, int, float, str):  # `numpy.float64` is a float
        if issubclass(kind, base):
            return base if base in (int, float, str) else _WRITERS[base]
    if issubclass(kind, Mapping):
        return _write_mapping
    raise TypeError(f"expected a value with a plain form, got one of {kind.__qualname__}")


def _make_object_writer(kind: Any, form: Form) -> _Writer:
    names, writers = list(form.attributes), _WRITERS
    get = attrgetter(*form.attributes.values(), "__class__")  # two or more: it returns a tuple
    defaults = {one.name: one.default for one in fields(kind)} if form.omit_defaults else {}
    omitted = [defaults.get(attribute, MISSING) for attribute in form.attributes.values()]

    def write(value: Any) -> Plain:
        return {
            name: found if (kind := type(found)) in _UNCHANGED else writers[kind](found)
            for name, found in zip(names, get(value), strict=False)
        }

    def write_shortened(value: Any) -> Plain:
        return {
            name: found if (kind := type(found)) in _UNCHANGED else writers[kind](found)
            for name, found, default in zip(names, get(value), omitted, strict=False)
            if default is MISSING or found != default
        }

    return write_shortened if form.omit_defaults else write


@overload
def from_plain(kind: type[Made], value: Plain, where: str = "") -> Made: ...
@overload
def from_plain(kind: object, value: Plain, where: str = "") -> Any: ...
def from_plain(kind: Any, value: Plain, where: str = "") -> Any:
    """Return the value of a type that plain values stand for.

    Args:
        kind: the type, or an annotation such as `list[Cell]` or `int | None`.
        value: plain values.
        where: where they come from, for messages.

    Raises:
        NotationError: they do not fit; the message begins with the place.
        TypeError: the codec cannot read such a type.
    """
    try:
        return reader_of(kind).read(value)
    except InputError as error:
        misfit = placed(where, error)
    place = ", ".join(filter(None, misfit.places))
    wrong = NotationError(f"{place}: {misfit}" if place else str(misfit))
    wrong.code, wrong.values = misfit.code, misfit.values
    raise wrong from misfit.cause


def dump_json(value: object) -> str:
    """Write a value as JSON on one line, without spaces.

    Raises:
        NotationError: a number is not finite, which JSON cannot write.
    """
    try:
        return json.dumps(to_plain(value), allow_nan=False, separators=(",", ":"))
    except ValueError as error:
        raise NotationError(f"expected finite numbers: {error}") from None
