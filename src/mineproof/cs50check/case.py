"""A case: lines of code that run on a student's classes, and a picture of the board.

A check runs its code through a case. If it fails, the report shows exactly the lines that led to
the failure, ready to paste, and draws the board at that moment. The student's classes live in
another process, which runs one line at a time and replies with plain values.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from mineproof.cs50check import mistakes
from mineproof.cs50check.mistakes import AIState, Cell, TheirSentence
from mineproof.notation.codec import from_plain as read_plain
from mineproof.workers.errors import AnswerError, DeadlineError, WorkerDiedError

Cells = Iterable[Cell]
Ask = Callable[[tuple[str, str]], str]
"""Sends a question to the process with the student's classes (see `student.Student.answer`)."""
MOST_STEPS = 14
"""The maximum number of lines of code in a report."""
CALLS = 30
"""Number of times to call a function that chooses at random."""
NO_ERROR = "no error"
PASS, FAIL, SKIPPED = "pass", "fail", "skipped"
LONGEST = 400
"""Values with more characters than this are cut off."""
MEDDLED = "Your file must not interfere with the process that checks it."
WRONG_VALUES = (TypeError, AttributeError, ValueError, LookupError, RecursionError, OverflowError)
"""Errors that a check raises if the student's code returned a value of an unexpected type."""
_LEGEND = {
    "?": "a cell of the sentence",
    "M": "a mine, as the clues prove",
    "S": "safe, as the clues prove",
    "X": "a mine that the AI calls safe",
    "O": "a safe cell that the AI calls a mine",
    "o": "opened",
    "s": "the AI knows it is safe",
    "*": "the AI knows it is a mine",
}


class ContractError(Exception):
    """The student's code breaks the contract."""

    def __init__(self, expected: str, got: str, why: str = "") -> None:
        """Store what was expected, what the code did instead, and an explanation."""
        super().__init__(expected, got, why)
        self.expected = expected
        self.got = got
        self.why = why


class TooSlowError(ContractError):
    """A line of code ran too long."""


class NotTriedError(Exception):
    """A check could not run because of a problem that another check reports."""


@dataclass(frozen=True, repr=False)
class OtherValue:
    """A value that is not plain, represented by its text."""

    text: str

    def __repr__(self) -> str:
        """Return the text."""
        return self.text


_KINDS: dict[str, Callable[[Any], Any]] = {
    "tuple": tuple,
    "list": list,
    "set": set,
    "frozenset": frozenset,
    "sentence": lambda values: TheirSentence(*values),
}


def from_plain(value: Any) -> Any:
    """Return the value that `student.plain` wrote."""
    if not isinstance(value, list):
        return value
    kind, rest = value
    return OtherValue(rest) if kind == "other" else _KINDS[kind](map(from_plain, rest))


@dataclass(frozen=True)
class RaisedError:
    """An exception in the student's code, with a hint about its usual cause."""

    got: str
    why: str
    limit: float | None = None
    """The time limit in seconds, if the code exceeded it."""


@dataclass(frozen=True)
class StudentReply:
    """The reply of the process with the student's classes to one question."""

    lines: int
    """The number of lines that the student's code has printed so far."""
    seconds: float
    """The CPU time that the answer took."""
    value: Any = None
    """A plain value that `from_plain` reads."""
    error: RaisedError | None = None


def read_reply(text: str) -> StudentReply:
    """Parse and validate a reply, which the student's code may have tampered with.

    Raises:
        ContractError: the student's code raised an error, or the text is not a reply.
    """
    try:
        reply = read_plain(StudentReply, json.loads(text))
    except (ValueError, RecursionError) as wrong:
        raise garbled(wrong) from None
    error = reply.error
    if error is not None and error.limit is not None:
        raise TooSlowError(f"an answer within {error.limit:g} seconds", error.got, error.why)
    if error is not None:
        raise ContractError(NO_ERROR, error.got, error.why)
    return reply


def garbled(error: Exception) -> ContractError:
    """Return the failure to report if the answer is not a valid reply."""
    return ContractError("an answer", f"invalid data: {error}", MEDDLED)


class Case:
    """Lines of code that run on a student's classes."""

    def __init__(self, ask: Ask, source: str = "") -> None:
        """Store the function that asks the student's process, and the source of the file."""
        self._ask = ask
        self.source = source
        self.lines = 0
        """The number of lines that the student's code has printed."""
        self.seconds = 0.0
        """The CPU time that it has used since the last `clear`."""
        self._forget()

    def begin(self) -> None:
        """Begin a check, with only the three classes defined and a fixed random seed."""
        self._question("begin")

    def clear(self) -> None:
        """Delete all names except the three classes."""
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
        """Return the value of an expression."""
        self.steps.append(code)
        return self._question("value", code)

    def peek(self, code: str) -> Any:
        """Return the value of an expression without listing it in the report."""
        return self._question("value", code)

    def parameters(self, function: str) -> list[str] | None:
        """Return the parameters of `Class.function`, or None if there is no such function."""
        found: list[str] | None = self._question("parameters", function)
        return found

    def sentence(self, cells: Cells, count: int) -> None:
        """Start over with a variable `sentence`, and draw its cells."""
        self.clear()
        cells = set(cells)
        self.size = (max(i for i, _ in cells) + 1, max(j for _, j in cells) + 1)
        self.marks = dict.fromkeys(cells, "?")
        verb = "is a mine" if count == 1 else "are mines"
        self.caption = f"{count} of the cells marked ? {verb}"
        self.run(f"sentence = Sentence({show(cells)}, {count})")

    def ai(self, height: int, width: int) -> None:
        """Start over with a variable `ai`, an AI for a board of this size."""
        self.clear()
        self.size = (height, width)
        self.run(f"ai = MinesweeperAI(height={height}, width={width})")

    def tell(self, cell: Cell, count: int) -> None:
        """Call `ai.add_knowledge` with the clue of a cell."""
        self.marks[cell] = str(count)
        self.run(f"ai.add_knowledge({cell}, {count})")

    def expect(self, code: str, wanted: object, why: str = "") -> None:
        """Check the value of an expression.

        Raises:
            ContractError: the value or its type differs.
        """
        got = self.value(code)
        if type(got) is not type(wanted) or got != wanted:
            if got is None and isinstance(wanted, set):
                why = f"The function returned None. Return a set, `set()` if it is empty. {why}"
            if code in {"ai.mines", "ai.safes"} and isinstance(wanted, set):
                name = code.removeprefix("ai.")
                why = f"{self._explain(mistakes.misplaced, name, wanted)} {why}".strip()
            raise ContractError(f"{code} is {show(wanted)}", show(got), why)

    def expect_one_of(self, code: str, allowed: Cells, why: str = "") -> None:
        """Check that an expression returns one of these cells, on every call.

        Raises:
            ContractError: it returned something else.
        """
        for _ in range(CALLS):
            got = self.value(code)
            if type(got) is not tuple or got not in set(allowed):
                explain = partial(mistakes.wrong_choice, are_safe="safe" in code)
                why = f"{self._explain(explain, got, allowed)} {why}".strip()
                raise ContractError(f"one of {show(allowed)}", show(got), why)

    def expect_members(self, name: str, cells: Cells, why: str = "") -> None:
        """Check that the AI's `mines` or `safes` contain these cells.

        Raises:
            ContractError: a cell is missing.
        """
        got = self.peek(f"ai.{name}")
        missing = set(cells) - set(got)
        for cell in missing:
            self.marks.setdefault(cell, name[0].upper())
        if missing:
            why = f"{why} {self._explain(mistakes.missing_cells, name, missing)}".strip()
            raise ContractError(f"{show(missing)} in ai.{name}", f"ai.{name} is {show(got)}", why)

    def expect_sentence(self, cells: Cells, count: int, why: str = "") -> None:
        """Check that a sentence is in the AI's knowledge.

        Raises:
            ContractError: it is missing.
        """
        cells = set(cells)
        for cell in cells:
            self.marks.setdefault(cell, "?")
        wanted = f"Sentence({show(cells)}, {count})"
        if not self.value(f"{wanted} in ai.knowledge"):
            sentence = TheirSentence(cells, count)
            found = self._explain(mistakes.missing_sentence, sentence, self.size)
            expected = f"{show(cells)} = {count} is in ai.knowledge"
            got = f"ai.knowledge is {show(self.peek('ai.knowledge'))}"
            raise ContractError(expected, got, f"{found} {why}".strip())

    def state(self) -> AIState:
        """Return the AI's sets and sentences."""
        names = ("moves_made", "mines", "safes", "knowledge")
        return AIState(*(self.peek(f"ai.{name}") for name in names))

    def _explain(self, mistake: Callable[..., str], *facts: object) -> str:
        """Return the explanation of a mistake, or nothing if the AI's state is unusable."""
        try:
            return mistake(self.state(), *facts)
        except (ContractError, *WRONG_VALUES):
            return ""

    def picture(self) -> list[str]:
        """Draw the board at this moment, with the cells that the AI knows."""
        marks: dict[Cell, str] = {}
        for name, letter in (("safes", "s"), ("moves_made", "o"), ("mines", "*")):
            try:
                known = self.peek(f"ai.{name}")
            except (ContractError, DeadlineError, WorkerDiedError, AnswerError, *WRONG_VALUES):
                continue
            marks.update(dict.fromkeys(known, letter) if isinstance(known, set) else {})
        return draw(self.size, {**marks, **self.marks}, self.caption)

    def shown_steps(self) -> list[str]:
        """Return the lines that were run, at most `MOST_STEPS`, with repeated lines merged."""
        lines = []
        for code, group in itertools.groupby(self.steps):
            times = len(list(group))
            lines.append(code if times == 1 else f"{code}  # {times} times")
        left_out = len(lines) - MOST_STEPS
        if left_out <= 0:
            return lines
        return [lines[0], f"...  # {left_out + 1} more lines", *lines[left_out + 2 :]]

    def _question(self, kind: str, text: str = "") -> Any:
        reply = read_reply(self._ask((kind, text)))
        self.lines = reply.lines
        self.seconds += reply.seconds
        return from_plain(reply.value)


def show(value: object) -> str:
    """Format a value as `mistakes.show` does, cut off after `LONGEST` characters."""
    text = mistakes.show(value)
    return text if len(text) <= LONGEST else text[:LONGEST] + " ..."


def draw(size: tuple[int, int], marks: dict[Cell, str], caption: str = "") -> list[str]:
    """Draw a board with row and column numbers and a legend."""
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
