"""The errors that Mineproof raises, each a subclass of a builtin exception."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Give the end of a message that names what a word was likely meant to be; or nothing."""
    from difflib import get_close_matches

    near = get_close_matches(word.strip().lower(), list(known), 1)
    return f"; did you mean {near[0]}?" if near else ""


class InputError(ValueError):
    """Something that came from outside is not what was expected.

    The message says what was expected, what came and where.
    The command line turns every `InputError` into exit status 2.
    """


class RulesError(InputError):
    """The rules of a game are out of range or contradict each other."""


class IllegalMoveError(InputError):
    """A move that the game does not allow in its present state."""


class NotationError(InputError):
    """A text or file that does not follow its format."""

    def __init__(self, message: str, line: int | None = None) -> None:
        """Keep the message; `line` (from 1) is put in front of it."""
        super().__init__(message if line is None else f"line {line}: {message}")
        self.line = line


class AgentError(InputError):
    """An agent that does not exist, cannot be loaded, or breaks its contract."""


class ContradictionError(InputError):
    """No layout agrees with a position."""

    def __init__(
        self,
        message: str,
        conflict: tuple[tuple[int, int], ...] = (),
        uses_mine_count: bool = False,
    ) -> None:
        """Keep the smallest set of clues that contradict each other."""
        super().__init__(message)
        self.conflict = conflict
        self.uses_mine_count = uses_mine_count


class WorkLimitError(RuntimeError):
    """An answer would take more work than the stated budget allows."""
