"""The codec between Python values and plain values, which JSON and TOML can hold.

`to_plain` writes a dataclass as an object with its fields, a named tuple as a list, an enum as its
value, and a type with a text form (`text_form`) as that text. `from_plain` reads plain values back
according to the annotations of the type. It is strict: a boolean is not a number, numbers are
finite, and unknown or missing fields are errors. Every error is a `NotationError` whose message
starts with the path to the value: `field "cells", item 3: expected [row, column], got "x"`. Items
are counted from 1.

Limits are annotations too: `Annotated[int, Between(0, 8)]`, `Annotated[list[str], Length(100)]`.
A field with a default may be missing. The reader and the writer of a type are created when it is
first used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import MISSING, fields
from enum import Enum
from operator import index
from typing import Any, overload

from mineproof.core.errors import InputError, NotationError
from mineproof.core.grid import Cell
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
from mineproof.notation.plain_readers import reader_of, with_path

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
    """Return a value as plain values.

    Raises:
        TypeError: if a value has no plain form.
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
_WRITERS[Cell] = lambda cell: [index(cell[0]), index(cell[1])]  # the most frequent type


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
    raise TypeError(f"values of type {kind.__qualname__} have no plain form")


def _make_object_writer(kind: Any, form: Form) -> _Writer:
    """Return a writer for a class. Like `dataclass`, write its code: a loop takes twice as long."""
    defaults = {one.name: one.default for one in fields(kind)} if form.omit_defaults else {}
    known: dict[str, Any] = {"unchanged": _UNCHANGED, "writers": _WRITERS}
    lines = ["def write(value):", " made = {}"]
    for name, attribute in form.attributes.items():
        lines.append(f" it = value.{attribute}")
        if (default := defaults.get(attribute, MISSING)) is not MISSING:
            known[f"{attribute}_"] = default
            differs = "" if default is None else f" and it != {attribute}_"
            lines.append(f" if it is not {attribute}_{differs}:")
        write = f"made[{name!r}] = it if type(it) in unchanged else writers[type(it)](it)"
        lines.append(f"  {write}" if default is not MISSING else f" {write}")
    exec("\n".join([*lines, " return made"]), known)
    return known["write"]  # type: ignore[no-any-return]


@overload
def from_plain(kind: type[Made], value: Plain, where: str = "") -> Made: ...
@overload
def from_plain(kind: object, value: Plain, where: str = "") -> Any: ...
def from_plain(kind: Any, value: Plain, where: str = "") -> Any:
    """Build a value of a type from plain values.

    Args:
        kind: the type, or an annotation such as `list[Cell]` or `int | None`.
        value: the plain values.
        where: where the values come from, for error messages.

    Raises:
        NotationError: if the values do not fit the type.
        TypeError: if the codec cannot read the type.
    """
    try:
        return reader_of(kind).read(value)
    except InputError as error:
        misfit = with_path(where, error)
    path = ", ".join(filter(None, misfit.path))
    wrong = NotationError(f"{path}: {misfit}" if path else str(misfit))
    wrong.code, wrong.values = misfit.code, misfit.values
    raise wrong from misfit.cause


def dump_json(value: object) -> str:
    """Return a value as JSON on one line, without spaces.

    Raises:
        NotationError: if a number is not finite, which JSON cannot represent.
    """
    try:
        return json.dumps(to_plain(value), allow_nan=False, separators=(",", ":"))
    except ValueError as error:
        raise NotationError(f"expected finite numbers: {error}") from None
