"""A case: a few lines of code run on a student's classes, remembered and drawn.

A check runs its lines through a case, so that every failure shows exactly the lines that
lead to it, ready to be pasted, and a picture of the board at that moment. The classes are in
another process, which is asked line by line and answers with plain values.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from mineproof.workers.errors import AnswerError, DeadlineError, WorkerDiedError

Cell = tuple[int, int]
Cells = Iterable[Cell]
Ask = Callable[[tuple[str, str]], str]
"""Asks the process with the student's classes; see `student.Student.answer`."""
MOST_STEPS = 14
CALLS = 30
"""How often something random is asked for."""
NO_ERROR = "no error"
PASS, FAIL, SKIPPED = "pass", "fail", "skipped"
LONGEST = 400
MEDDLED = "The file must leave the process that checks it alone."
WRONG_VALUES = (TypeError, AttributeError, ValueError, LookupError, RecursionError, OverflowError)
"""What a check raises of itself where something that it was told is not what it should be."""
_LEGEND = {
    "?": "a cell of the sentence",
    "M": "a mine, as follows from the above",
    "S": "safe, as follows from the above",
    "X": "a mine, but called safe",
    "O": "safe, but called a mine",
    "o": "opened",
    "s": "the AI knows it to be safe",
    "*": "the AI knows it to be a mine",
}


class ContractError(Exception):
    """Something is not as the contract says."""

    def __init__(self, expected: str, got: str, why: str = "") -> None:
        """Keep what was expected, what came, and why it matters."""
        super().__init__(expected, got, why)
        self.expected = expected
        self.got = got
        self.why = why


class NotTriedError(Exception):
    """A check cannot say anything, because something else went wrong that others report."""


@dataclass(frozen=True)
class TheirSentence:
    """A sentence of the student's, as it was told."""

    cells: Any
    count: Any


class OtherValue:
    """A value of the student's that is not plain, by its text."""

    def __init__(self, text: str) -> None:
        """Keep the text."""
        self._text = text

    def __repr__(self) -> str:
        """Give the text."""
        return self._text


_KINDS: dict[str, Callable[[Any], Any]] = {
    "tuple": tuple,
    "list": list,
    "set": set,
    "frozenset": frozenset,
    "sentence": lambda values: TheirSentence(*values),
}


def from_plain(value: Any) -> Any:
    """Read a value as `student.plain` writes it."""
    if not isinstance(value, list):
        return value
    kind, rest = value
    return OtherValue(rest) if kind == "other" else _KINDS[kind](map(from_plain, rest))


@dataclass(frozen=True)
class StudentReply:
    """What the process with the student's classes says of one question."""

    lines: int
    seconds: float
    value: Any = None
    """Plain, as `from_plain` reads it."""
    error: ContractError | None = None
    """What the student's code raised."""


def read_reply(text: str) -> StudentReply:
    """Read a reply; nothing of it is taken for granted, since the student's code runs there.

    Raises:
        ContractError: it is none: the student's code wrote where answers go.
    """
    try:
        match json.loads(text):
            case {"lines": int(lines), "seconds": float(seconds), "value": value}:
                return StudentReply(lines, seconds, value)
            case {
                "lines": int(lines),
                "seconds": float(seconds),
                "error": {"got": str(got), "why": str(why)},
            }:
                return StudentReply(lines, seconds, error=ContractError(NO_ERROR, got, why))
        raise ValueError(text[:LONGEST])
    except (ValueError, RecursionError) as error:
        raise ContractError("an answer", f"something else in its place: {error}", MEDDLED) from None


class Case:
    """Lines of code run on a student's classes."""

    def __init__(self, ask: Ask, source: str = "") -> None:
        """Take who is asked, and the text of the student's file."""
        self._ask = ask
        self.source = source
        self.lines = 0
        """How many lines the student's code has printed."""
        self.seconds = 0.0
        """How much CPU time it has taken since the last `clear`."""
        self._forget()

    def begin(self) -> None:
        """Start with nothing but the three classes."""
        self._question("begin")

    def clear(self) -> None:
        """Start over."""
        self._forget()
        self._question("clear")

    def _forget(self) -> None:
        self.steps: list[str] = []
        self.size = (0, 0)
        self.marks: dict[Cell, str] = {}
        self.caption = ""
        self.seconds = 0.0

    def run(self, code: str) -> None:
        """Run a line of code."""
        self.steps.append(code)
        self._question("run", code)

    def value(self, code: str) -> Any:
        """Give the value of an expression."""
        self.steps.append(code)
        return self._question("value", code)

    def peek(self, code: str) -> Any:
        """Give the value of an expression that is not worth showing."""
        return self._question("value", code)

    def parameters(self, function: str) -> list[str] | None:
        """Give the parameters of `Class.function`; None if there is no such function."""
        found: list[str] | None = self._question("parameters", function)
        return found

    def sentence(self, cells: Cells, count: int) -> None:
        """Start over with `sentence`, and draw its cells."""
        self.clear()
        cells = set(cells)
        self.size = (max(i for i, _ in cells) + 1, max(j for _, j in cells) + 1)
        self.marks = dict.fromkeys(cells, "?")
        verb = "is a mine" if count == 1 else "are mines"
        self.caption = f"{count} of the cells marked ? {verb}"
        self.run(f"sentence = Sentence({show(cells)}, {count})")

    def ai(self, height: int, width: int) -> None:
        """Make `ai`, a new AI for a board of this size."""
        self.clear()
        self.size = (height, width)
        self.run(f"ai = MinesweeperAI(height={height}, width={width})")

    def tell(self, cell: Cell, count: int) -> None:
        """Tell `ai` the clue of a cell."""
        self.marks[cell] = str(count)
        self.run(f"ai.add_knowledge({cell}, {count})")

    def expect(self, code: str, wanted: object, why: str = "") -> None:
        """Check the value of an expression.

        Raises:
            ContractError: it is another.
        """
        got = self.value(code)
        if type(got) is not type(wanted) or got != wanted:
            raise ContractError(f"{code} is {show(wanted)}", show(got), why)

    def expect_one_of(self, code: str, allowed: Cells, why: str = "") -> None:
        """Check that an expression gives one of these cells, again and again.

        Raises:
            ContractError: it gives something else.
        """
        for _ in range(CALLS):
            got = self.value(code)
            if type(got) is not tuple or got not in set(allowed):
                raise ContractError(f"one of {show(allowed)}", show(got), why)

    def expect_members(self, name: str, cells: Cells, why: str = "") -> None:
        """Check that these cells are among the `mines` or the `safes` of the AI.

        Raises:
            ContractError: some are not.
        """
        got = self.peek(f"ai.{name}")
        missing = set(cells) - set(got)
        for cell in missing:
            self.marks.setdefault(cell, name[0].upper())
        if missing:
            raise ContractError(f"{show(missing)} in ai.{name}", f"ai.{name} is {show(got)}", why)

    def expect_sentence(self, cells: Cells, count: int, why: str = "") -> None:
        """Check that a sentence is in the AI's knowledge."""
        cells = set(cells)
        for cell in cells:
            self.marks.setdefault(cell, "?")
        wanted = f"Sentence({show(cells)}, {count})"
        if not self.value(f"{wanted} in ai.knowledge"):
            raise ContractError(
                f"{show(cells)} = {count} is in ai.knowledge",
                f"ai.knowledge is {show(self.peek('ai.knowledge'))}",
                why,
            )

    def picture(self) -> list[str]:
        """Draw the board as the case stands, with what the AI knows."""
        marks: dict[Cell, str] = {}
        for name, letter in (("safes", "s"), ("moves_made", "o"), ("mines", "*")):
            try:
                known = self.peek(f"ai.{name}")
            except (ContractError, DeadlineError, WorkerDiedError, AnswerError, *WRONG_VALUES):
                continue
            marks.update(dict.fromkeys(known, letter) if isinstance(known, set) else {})
        return draw(self.size, {**marks, **self.marks}, self.caption)

    def shown_steps(self) -> list[str]:
        """Give the lines that were run: repeated ones once, and of many the last."""
        lines = []
        for code, group in itertools.groupby(self.steps):
            times = len(list(group))
            lines.append(code if times == 1 else f"{code}  # {times} times")
        left_out = len(lines) - MOST_STEPS
        if left_out <= 0:
            return lines
        return [lines[0], f"...  # {left_out + 1} lines more", *lines[left_out + 2 :]]

    def _question(self, kind: str, text: str = "") -> Any:
        """Ask the student's process.

        Raises:
            ContractError: the student's code raised an error.
        """
        reply = read_reply(self._ask((kind, text)))
        self.lines = reply.lines
        self.seconds += reply.seconds
        if reply.error is not None:
            raise reply.error
        return from_plain(reply.value)


def show(value: object) -> str:
    """Write a value as Python does, sets in order and sentences as they read."""
    text = _show(value)
    return text if len(text) <= LONGEST else text[:LONGEST] + " ..."


def _show(value: object) -> str:
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(_show, value))) + "}" if value else "set()"
    if isinstance(value, list):
        return "[" + ", ".join(map(_show, value)) + "]"
    if isinstance(value, TheirSentence):
        return f"{_show(value.cells)} = {_show(value.count)}"
    return repr(value)


def draw(size: tuple[int, int], marks: dict[Cell, str], caption: str = "") -> list[str]:
    """Draw a board with row and column numbers, and say what the letters mean."""
    height, width = size
    if not height or not width:
        return []
    cell_width = len(str(width - 1)) + 1
    labels = len(str(height - 1))
    lines = [" " * labels + "".join(f"{j:>{cell_width}}" for j in range(width))]
    for i in range(height):
        row = "".join(f"{marks.get((i, j), '.'):>{cell_width}}" for j in range(width))
        lines.append(f"{i:>{labels}}{row}")
    used = [letter for letter in _LEGEND if letter in marks.values()]
    notes = [caption] if caption else [f"{letter}  {_LEGEND[letter]}" for letter in used]
    return lines + notes
