"""Readers of plain values. A reader for a type or annotation is created when it is first used."""

from __future__ import annotations

import json
import re
import sys
import types
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from operator import call
from typing import Annotated, Any, Literal, NamedTuple, Union

from mineproof.core.errors import InputError, did_you_mean
from mineproof.core.words import counted
from mineproof.notation.plain_forms import TEXT_FORMS, Between, Form, Length, Plain, form_of
from mineproof.notation.text import QUOTED

LONG_BITS = 128
"""Whole numbers with more bits are not quoted, because Python may not convert them to text."""
_LARGEST = sys.float_info.max
_NONE = type(None)
Read = Callable[[Plain], Any]


class MisfitError(InputError):
    """A value that does not fit its type."""

    code = "bad-notation"

    def __init__(self, message: str, cause: InputError | None = None) -> None:
        """Set the message. If there is a cause, use its code and values."""
        super().__init__(message)
        self.cause = cause
        self.path: list[str] = []
        """The fields and items that lead to the value, outermost first."""
        if cause is not None:
            self.code, self.values = cause.code, cause.values


class PlainReader(NamedTuple):
    """A function that reads a type, and a description of the values it accepts."""

    read: Read
    expected: str
    """The accepted values in words."""
    takes: tuple[type, ...]
    """The accepted types of plain values."""


def _misfit(expected: str, value: Plain, hint: str = "") -> MisfitError:
    return MisfitError(f"expected {expected}, got {shown(value)}{hint}")


def shown(value: object) -> str:
    """Return a value as text for a message.

    Long text is shortened, and a list is shown as its length.
    """
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


def with_path(outer: str, error: InputError) -> MisfitError:
    """Return the error with the name of an outer field or item added to the front of its path."""
    wrong = error if isinstance(error, MisfitError) else MisfitError(str(error), error)
    wrong.path.insert(0, outer)
    return wrong


@cache
def reader_of(kind: Any) -> PlainReader:
    """Return the reader of a type or an annotation.

    Raises:
        TypeError: if the codec cannot read the type.
    """
    kind, *limits = typing.get_args(kind) if typing.get_origin(kind) is Annotated else (kind,)
    origin, inner = typing.get_origin(kind) or kind, typing.get_args(kind)
    if origin in (Union, types.UnionType):
        return _union([reader_of(Annotated[one, *limits] if limits else one) for one in inner])
    if origin is Literal or kind in (bool, None, _NONE):
        return _choices(inner or ([True, False] if kind is bool else [None]))
    if origin not in _BOUNDED:
        return _class(kind)
    make, default = _BOUNDED[origin]
    return make(origin, inner, next((one for one in limits if type(one) is type(default)), default))


def _class(kind: Any) -> PlainReader:
    if kind in (Any, object):
        return PlainReader(
            lambda value: value, "a value", (_NONE, bool, int, float, str, list, dict)
        )
    if kind in TEXT_FORMS:
        read, read_text = TEXT_FORMS[kind].read, reader_of(str).read
        return PlainReader(lambda value: read(read_text(value)), "text", (str,))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum(kind)
    if hasattr(kind, "_make"):  # a named tuple
        hints = typing.get_type_hints(kind, include_extras=True)
        return _row(kind._make, list(hints.values()), list(hints))
    if is_dataclass(kind) and (form := form_of(kind)):
        return _object(kind, form)
    raise TypeError(f"expected a type that the codec can read, got {kind!r}")


def _number(kind: Any, _inner: tuple[Any, ...], limits: Between) -> PlainReader:
    words = f"{'a whole number' if kind is int else 'a number'}{limits}"
    low, high = max(limits.low, -_LARGEST), min(limits.high, _LARGEST)

    def read(value: Plain) -> Any:
        if (type(value) is int or type(value) is kind) and low <= value <= high:
            return kind(value)
        raise _misfit(words, value)

    return PlainReader(read, words, (kind,))


def _text(_kind: Any, _inner: tuple[Any, ...], limits: Length) -> PlainReader:
    words = f"text{limits.words('characters')}"
    least, most = limits.least, limits.most

    def read(value: Plain) -> str:
        if type(value) is not str or not least <= len(value) <= most:
            raise _misfit(words, value)
        # JSON may contain half of a surrogate pair, which cannot be written to files or terminals.
        return value if value.isascii() else value.encode(errors="replace").decode()

    return PlainReader(read, words, (str,))


def _choices(values: Sequence[Any]) -> PlainReader:
    """Return a reader that accepts only these values. True does not count as 1."""
    known = {(type(value), value) for value in values}
    first, last = values[0], values[-1]
    words = _either([value if type(value) is str else shown(value) for value in values])

    def read(value: Plain) -> Any:
        if value is first or value is last:  # a fast path for common cases such as True and False
            return value
        if isinstance(value, (list, tuple, dict)) or (type(value), value) not in known:
            raise _misfit(words, value)
        return value

    return PlainReader(read, words, tuple({type(value) for value in values}))


def _enum(kind: type[Enum]) -> PlainReader:
    read_value, words, takes = _choices([member.value for member in kind])
    members = {member.value: member for member in kind}

    def read(value: Plain) -> Any:
        if type(value) is str and value not in members:
            raise _misfit(words, value, did_you_mean(value[:QUOTED], map(str, members)))
        return members[read_value(value)]

    return PlainReader(read, words, takes)


def _either(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _union(readers: list[PlainReader]) -> PlainReader:
    """Return a reader that chooses another reader by the type of the value."""
    table: dict[type, Read] = {}
    for reader in readers:
        if not table.keys().isdisjoint(reader.takes):
            raise TypeError(f"cannot read a union in which two types both accept {reader.expected}")
        table |= dict.fromkeys(reader.takes, reader.read)
    if float in table:
        table.setdefault(int, table[float])
    words = _either([reader.expected for reader in readers if reader.takes != (_NONE,)])
    is_optional = _NONE in table

    def read(value: Plain) -> Any:
        if value is None and is_optional:
            return None
        found = table.get(type(value))
        if found is None:
            raise _misfit(words, value)
        return found(value)

    return PlainReader(read, words, tuple(table))


def _sequence(origin: Any, inner: tuple[Any, ...], limits: Length) -> PlainReader:
    if origin is tuple and inner and inner[-1] is not ...:
        return _row(tuple, list(inner))
    make: Callable[[Any], Any] = origin if origin in (list, set, frozenset) else tuple
    read_item = reader_of(inner[0] if inner else Any).read
    words = f"a list{limits.words('items')}"
    least, most = limits.least, limits.most

    def read(value: Plain) -> Any:
        if not isinstance(value, (list, tuple)) or not least <= len(value) <= most:
            raise _misfit(words, value)
        try:
            return make(map(read_item, value))
        except InputError:
            raise _first_misfit([read_item] * len(value), value) from None

    return PlainReader(read, words, (list, tuple))


def _row(make: Callable[[Any], Any], kinds: list[Any], names: Sequence[str] = ()) -> PlainReader:
    """Return the reader of a list with one value for each of the types."""
    readers = [reader_of(kind).read for kind in kinds]
    words = f"[{', '.join(names)}]" if names else f"a list of {len(kinds)} items"

    def read(value: Plain) -> Any:
        if not isinstance(value, (list, tuple)) or len(value) != len(readers):
            raise _misfit(words, value)
        try:
            return make(map(call, readers, value))
        except InputError:
            raise _first_misfit(readers, value, names) from None

    return PlainReader(read, words, (list, tuple))


def _first_misfit(
    readers: Sequence[Read], items: Sequence[Plain], names: Sequence[str] = ()
) -> Exception:
    """Return the error for the first wrong item.

    The item is searched for only after a failure, so that reading valid lists stays fast.
    """
    for number, (read, item) in enumerate(zip(readers, items, strict=True), 1):
        try:
            read(item)
        except InputError as error:
            return with_path(names[number - 1] if names else f"item {number}", error)
    return MisfitError("expected items that fit together")


def _mapping(_kind: Any, inner: tuple[Any, ...], limits: Length) -> PlainReader:
    key, item = inner or (str, Any)
    read_key, _, takes = reader_of(key)
    read_item, numbered = reader_of(item).read, int in takes
    words = f"an object{limits.words('fields')}"

    def read(value: Plain) -> Any:
        if type(value) is not dict or not limits.least <= len(value) <= limits.most:
            raise _misfit(words, value)
        made, name = {}, ""
        try:
            for name, one in value.items():
                made[read_key(_whole(name) if numbered else name)] = read_item(one)
        except InputError as error:
            raise with_path(f"field {shown(name)}", error) from None
        return made

    return PlainReader(read, words, (dict,))


def _whole(name: Plain) -> Plain:
    """Return the whole number in a field name. JSON allows only strings as names."""
    is_whole = type(name) is str and re.fullmatch(r"-?[0-9]{1,40}", name)
    return int(name) if is_whole else name


def _object(kind: Any, form: Form) -> PlainReader:
    hints = typing.get_type_hints(kind, include_extras=True)
    own = {field.name: field for field in fields(kind) if field.init}
    readers = {
        name: (attribute, reader_of(hints[attribute]).read)
        for name, attribute in form.attributes.items()
        if attribute in own
    }
    required = {
        name
        for name, field in own.items()
        if field.default is MISSING and field.default_factory is MISSING
    }
    words = f"an object with {', '.join(readers)}"

    def read(value: Plain) -> Any:
        if type(value) is not dict:
            raise _misfit(words, value)
        given = {}
        for name, item in value.items():
            if name not in readers:
                if name in form.attributes:  # written, but never read
                    continue
                hint = did_you_mean(str(name)[:QUOTED], readers)
                raise MisfitError(f"unknown field {shown(name)}{hint}")
            attribute, read_field = readers[name]
            try:
                given[attribute] = read_field(item)
            except InputError as error:
                raise with_path(f'field "{name}"', error) from None
        if not required <= given.keys():
            missing = [name for name, (one, _) in readers.items() if one in required - given.keys()]
            noun = "field" if len(missing) == 1 else "fields"
            raise MisfitError(f"missing {noun} {', '.join(map(shown, missing))}")
        return kind(**given)

    return PlainReader(read, words, (dict,))


_BOUNDED: dict[Any, tuple[Callable[[Any, tuple[Any, ...], Any], PlainReader], Between | Length]] = {
    **dict.fromkeys((int, float), (_number, Between())),
    **dict.fromkeys((list, tuple, set, frozenset, Sequence, Collection), (_sequence, Length())),
    **dict.fromkeys((dict, Mapping), (_mapping, Length())),
    str: (_text, Length()),
}
"""For each type that can have limits, the function that makes its reader and the default limits."""
