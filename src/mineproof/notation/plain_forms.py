"""How types are written as plain values: as text, or as an object with chosen fields."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, NamedTuple, TypeVar

from mineproof.core.clues import ClueRule
from mineproof.core.decision import Candidate
from mineproof.core.move import Move
from mineproof.core.rules import Start
from mineproof.core.words import printable_lines

Plain = Any
"""None, a boolean, a number, text, a list of plain values, or an object (a `dict`) of them."""
Made = TypeVar("Made")
Class = TypeVar("Class", bound=type)


@dataclass(frozen=True)
class Between:
    """The smallest and the largest number allowed."""

    low: float = -math.inf
    high: float = math.inf

    def __str__(self) -> str:
        """Return the limits in words that can follow "a number"."""
        if self.low == -math.inf:
            return "" if self.high == math.inf else f" up to {self.high:,}"
        return f" from {self.low:,}" + ("" if self.high == math.inf else f" to {self.high:,}")


@dataclass(frozen=True)
class Length:
    """The maximum and minimum length: characters of text, or items of a list or object."""

    most: float = math.inf
    least: int = 0

    def words(self, unit: str) -> str:
        """Return the limits in words that can follow "a list"."""
        if self.most == math.inf:
            return f" of at least {self.least} {unit}" if self.least else ""
        return f" of {f'{self.least} to' if self.least else 'up to'} {self.most:,} {unit}"


class Form(NamedTuple):
    """The attributes of a class to write, in order, with the names to write them under."""

    attributes: dict[str, str]
    omit_defaults: bool = False


class TextForm(NamedTuple):
    """The functions that read a type from text and write it as text."""

    read: Callable[[str], Any]
    write: Callable[[Any], str]


TEXT_FORMS: dict[type, TextForm] = {}
_FORMS: dict[type, Form] = {}


def text_form(
    kind: type[Made], read: Callable[[str], Made], write: Callable[[Made], str] = str
) -> None:
    """Register a text form for a type and its subclasses.

    Args:
        kind: the type.
        read: returns the value for a text form, or raises an `InputError`.
        write: returns the text form of a value.
    """
    TEXT_FORMS[kind] = TextForm(read, write)


def plain_form(*names: str, omit_defaults: bool = False) -> Callable[[Class], Class]:
    """Decorate a class to choose which attributes are written, and under which names.

    Args:
        names: the attributes to write, in this order. `verdict=kind` writes the attribute `kind` as
            `verdict`, and `*` means all fields of the dataclass. Properties and dotted attributes
            (`reason=reason.text`) are written, but ignored when reading.
        omit_defaults: whether to leave out fields that equal their default.
    """

    def register(kind: Class) -> Class:
        every = [one for name in names for one in (_field_names(kind) if name == "*" else [name])]
        pairs = (name.partition("=") for name in every)
        attributes = {name: attribute or name for name, _, attribute in pairs}
        _FORMS[kind] = Form(attributes, omit_defaults)
        return kind

    return register


def form_of(kind: Any) -> Form | None:
    """Return the form of a class that is written as an object, or None."""
    found = next((_FORMS[base] for base in kind.__mro__ if base in _FORMS), None)
    if found is None and is_dataclass(kind):
        return Form({name: name for name in _field_names(kind)})
    return found


def _field_names(kind: Any) -> list[str]:
    return [field.name for field in fields(kind)]


def harmless(plain: Plain) -> Plain:
    """Return checked values with texts that contain no terminal control codes."""
    match plain:
        case str():
            return printable_lines(plain)
        case list():
            return [*map(harmless, plain)]
        case dict():
            return {printable_lines(name): harmless(value) for name, value in plain.items()}
    return plain


text_form(ClueRule, ClueRule.parse)
text_form(Start, Start.parse)
text_form(Move, Move.parse)
plain_form("cell", "risk", "win")(Candidate)
