"""The exceptions of Mineproof, each a subclass of a built-in exception.

An error has a `code`, which names what went wrong, and `values` with details. Programs must check
the code and the values, because the message is for people and may change.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a suffix for a message that suggests the closest known word, or an empty string."""
    from difflib import get_close_matches

    near = get_close_matches(word.strip().lower(), list(known), 1)
    return f"; did you mean {near[0]}?" if near else ""


class CodedError(Exception):
    """The base class of Mineproof's errors: a message with a code and values."""

    code: str = "failed"
    """A word for what went wrong. Each class has a default; an individual error may be more
    specific."""
    values: Mapping[str, object] = {}
    """Details of the error by name, such as the maximum number of mines."""

    def __init__(self, message: str = "", /, *, code: str = "", **values: object) -> None:
        """Set the message, and the code and values if given."""
        super().__init__(message)
        if code:
            self.code = code
        if values:
            self.values = values


class InputError(CodedError, ValueError):
    """Input that is not what was expected.

    The message says what was expected, what was passed, and where. The command line exits with
    status 2 on any `InputError`.
    """

    code = "bad-input"


class WrongTypeError(InputError, TypeError):
    """An argument of the wrong type. It is a `TypeError`, too, like those of Python itself."""

    code = "wrong-type"


class RulesError(InputError):
    """Rules that are out of range or contradict each other."""

    code = "bad-rules"


class IllegalMoveError(InputError):
    """A move that the game does not allow now."""

    code = "illegal-move"


class NotationError(InputError):
    """Text or a file that does not follow its format."""

    code = "bad-notation"

    def __init__(self, message: str = "", line: int | None = None, **values: Any) -> None:
        """Set the message, prefixed with the line number `line` (counted from 1)."""
        text = message if line is None else f"line {line}: {message}"
        super().__init__(text, **values)
        self.line = line
        self.reason = message
        """The message without the line number."""


class AgentError(InputError):
    """An agent that does not exist, cannot be loaded, or breaks its contract."""

    code = "agent-fault"


class ContradictionError(InputError):
    """A position that no layout fits."""

    code = "contradiction"

    def __init__(
        self,
        message: str = "",
        conflict: tuple[tuple[int, int], ...] = (),
        uses_mine_count: bool = False,
        **values: Any,
    ) -> None:
        """Set the message, and a minimal set of clues that contradict each other."""
        super().__init__(message, **values)
        self.conflict = conflict
        self.uses_mine_count = uses_mine_count


class WorkLimitError(CodedError, RuntimeError):
    """A computation that would exceed its budget."""

    code = "work-limit"


def wrong_type(expected: str, given: object) -> WrongTypeError:
    """Return the error that says what was expected, and names only the type of what was passed."""
    return WrongTypeError(f"expected {expected}, got {type(given).__name__}")


def whole_number(given: Any, name: str) -> int:
    """Return a whole number of any type, such as numpy's, as an `int`.

    Raises:
        TypeError: the value is not a whole number.
    """
    if not isinstance(given, bool):
        with suppress(TypeError):
            return operator.index(given)
    raise wrong_type(f"{name} as a whole number", given)


_TRAVELLING: tuple[type[CodedError], ...] = (
    ContradictionError,
    AgentError,
    InputError,
    WorkLimitError,
)
"""The classes that `error_from_plain` can restore, most specific first."""


def error_to_plain(error: CodedError) -> dict[str, object]:
    """Return an error as plain values for JSON. `error_from_plain` is the inverse."""
    kinds = (kind.__name__ for kind in _TRAVELLING if isinstance(error, kind))
    return {
        "error": next(kinds, "InputError"),
        "text": str(error),
        "code": error.code,
        "values": {n: v for n, v in error.values.items() if isinstance(v, (str, int, float))},
        "conflict": [list(cell) for cell in getattr(error, "conflict", ())],
    }


def error_from_plain(plain: Any) -> CodedError:
    """Return the error for plain values made by `error_to_plain`.

    Raises:
        ValueError: the values do not describe an error.
    """
    match plain:
        case {"error": kind, "text": str(text), "code": str(code), "values": dict(values)}:
            found = next((one for one in _TRAVELLING if one.__name__ == kind), None)
            if found is not None and all(isinstance(name, str) for name in values):
                error = found(text, code=code)
                error.values = values
                if isinstance(error, ContradictionError):
                    error.conflict = tuple((int(r), int(c)) for r, c in plain.get("conflict", ()))
                return error
    raise ValueError(f"expected an error, got {plain!r:.80}")
