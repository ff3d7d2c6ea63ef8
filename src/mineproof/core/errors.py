"""The errors that Mineproof raises, each a subclass of a built-in exception.

An error carries a `code`, which names what went wrong, and the `values` that belong to it. Programs
decide by these. The message is for programmers, and no program may read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the end of a message that suggests the closest known word, or an empty text."""
    from difflib import get_close_matches

    near = get_close_matches(word.strip().lower(), list(known), 1)
    return f"; did you mean {near[0]}?" if near else ""


class CodedError(Exception):
    """The base of Mineproof's errors: a message with a code and values."""

    code: str = "failed"
    """What went wrong; each class has a default, and a raise may name something narrower."""
    values: Mapping[str, object] = {}
    """What belongs to the code, such as the most mines that a board has room for."""

    def __init__(self, message: str = "", /, *, code: str = "", **values: object) -> None:
        """Keep the message, and the code and values if there are any."""
        super().__init__(message)
        if code:
            self.code = code
        if values:
            self.values = values


class InputError(CodedError, ValueError):
    """Something that came from outside is not what was expected.

    The message says what was expected, what came and where.
    The command line turns every `InputError` into exit status 2.
    """

    code = "bad-input"


class RulesError(InputError):
    """The rules of a game are out of range or contradict each other."""

    code = "bad-rules"


class IllegalMoveError(InputError):
    """A move that the game does not allow in its present state."""

    code = "illegal-move"


class NotationError(InputError):
    """A text or file that does not follow its format."""

    code = "bad-notation"

    def __init__(
        self, message: str = "", line: int | None = None, *, code: str = "", **values: object
    ) -> None:
        """Keep the message; `line` (from 1) is put in front of it."""
        text = message if line is None else f"line {line}: {message}"
        super().__init__(text, code=code, **values)
        self.line = line
        self.reason = message
        """The message without the line."""


class AgentError(InputError):
    """An agent that does not exist, cannot be loaded, or breaks its contract."""

    code = "agent-fault"


class ContradictionError(InputError):
    """No layout fits a position."""

    code = "contradiction"

    def __init__(
        self,
        message: str = "",
        conflict: tuple[tuple[int, int], ...] = (),
        uses_mine_count: bool = False,
        *,
        code: str = "",
        **values: object,
    ) -> None:
        """Keep the smallest set of clues that contradict each other."""
        super().__init__(message, code=code, **values)
        self.conflict = conflict
        self.uses_mine_count = uses_mine_count


class WorkLimitError(CodedError, RuntimeError):
    """An answer would take more work than the stated budget allows."""

    code = "work-limit"


_TRAVELLING: tuple[type[CodedError], ...] = (
    ContradictionError,
    AgentError,
    InputError,
    WorkLimitError,
)
"""The classes that errors have after they crossed as plain values, narrow ones first."""


def error_to_plain(error: CodedError) -> dict[str, object]:
    """Return an error as values that JSON can write; `error_from_plain` reads them."""
    kinds = (kind.__name__ for kind in _TRAVELLING if isinstance(error, kind))
    return {
        "error": next(kinds, "InputError"),
        "text": str(error),
        "code": error.code,
        "values": {n: v for n, v in error.values.items() if isinstance(v, (str, int, float))},
        "conflict": [list(cell) for cell in getattr(error, "conflict", ())],
    }


def error_from_plain(plain: Any) -> CodedError:
    """Return the error that `error_to_plain` wrote.

    Raises:
        ValueError: the values are something else.
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
