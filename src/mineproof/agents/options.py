"""Options of agents, declared as keyword parameters of `__init__`.

The annotation states the type (bool, int, float, str or a `Literal` of choices), the
default value is the option's default, and `Annotated[..., "text"]` adds help text.
"""

from __future__ import annotations

import inspect
import math
import typing
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from mineproof.core.errors import AgentError, did_you_mean
from mineproof.notation.codec import plain_form

Value = bool | int | float | str
TrustedClues = Annotated[
    Literal["trust", "model"], "trust all clues, or allow for errors as the clue rule does"
]
"""The option `clues` of agents that do not compute probabilities."""
WeighedClues = Annotated[
    Literal["model", "trust"], "weigh clues by the clue rule's probabilities, or trust them all"
]
"""The option `clues` of agents that count layouts."""
EXPECTED = {"bool": "on|off", "int": "a whole number", "float": "a number", "str": "text"}
"""The values that an option without choices accepts, by the name of its type."""
_WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@plain_form("name", "type=kind.__name__", "default", "choices", "help")
@dataclass(frozen=True)
class Option:
    """One option of an agent."""

    name: str
    kind: type
    default: Value
    help: str
    choices: tuple[str, ...] = ()

    def read(self, text: str) -> Value:
        """Convert text to the option's type.

        Raises:
            AgentError: the text is not a valid value.
        """
        try:
            value = _WORDS[text.lower()] if self.kind is bool else self.kind(text)
        except (KeyError, ValueError):
            raise AgentError(f"expected {self.name}={self.expected}, got {text!r}") from None
        return self.check(value)

    def check(self, value: object) -> Value:
        """Return the value if it is valid.

        Raises:
            AgentError: the value has the wrong type or is not one of the choices.
        """
        if self.kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        wrong = type(value) is not self.kind or (self.choices and value not in self.choices)
        if wrong or (isinstance(value, float) and not math.isfinite(value)):
            near = did_you_mean(value, self.choices) if isinstance(value, str) else ""
            raise AgentError(f"expected {self.name}={self.expected}, got {value!r}{near}")
        return typing.cast("Value", value)

    @property
    def expected(self) -> str:
        """The values that the option accepts, in words."""
        return "|".join(self.choices) or EXPECTED[self.kind.__name__]


def options_of(agent: type) -> dict[str, Option]:
    """Return the options that the parameters of an agent's `__init__` declare.

    Raises:
        AgentError: a parameter has no default, or a type that options cannot have.
    """
    if agent.__init__ is object.__init__:  # type: ignore[misc]
        return {}
    try:
        hints = typing.get_type_hints(agent.__init__, include_extras=True)  # type: ignore[misc]
    except (NameError, TypeError) as error:
        raise AgentError(f"cannot read annotations of {agent.__name__}.__init__: {error}") from None
    parameters = list(inspect.signature(agent.__init__).parameters.values())[1:]  # type: ignore[misc]
    options = (
        _option(p.name, hints.get(p.name, str), p.default)
        for p in parameters
        if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)
    )
    return {option.name: option for option in options}


def _option(name: str, hint: Any, default: Any) -> Option:
    text = ""
    if typing.get_origin(hint) is Annotated:
        hint, text = typing.get_args(hint)[:2]
    choices = typing.get_args(hint) if typing.get_origin(hint) is Literal else ()
    kind = str if choices else hint
    if default is inspect.Parameter.empty:
        raise AgentError(f"the option {name!r} has no default value")
    if kind not in (bool, int, float, str) or not all(isinstance(c, str) for c in choices):
        raise AgentError(f"expected bool, int, float, str or Literal for {name!r}, got {hint!r}")
    return Option(name, kind, default, str(text), choices)


def read_options(options: dict[str, Option], given: dict[str, object]) -> dict[str, Value]:
    """Return the options with checked values; text is converted to the option's type.

    Raises:
        AgentError: an option is unknown or its value is not valid.
    """
    for name in given:
        if name not in options:
            known = ", ".join(options) or "none"
            near = did_you_mean(name, options)
            raise AgentError(f"expected an option of this agent ({known}), got {name!r}{near}")
    return {
        name: options[name].read(value) if isinstance(value, str) else options[name].check(value)
        for name, value in given.items()
    }
