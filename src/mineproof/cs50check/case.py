"""A case: a few lines of code run on a student's classes, remembered and drawn.

A check runs its lines through a case, so that every failure shows exactly the lines that
lead to it, ready to be pasted, and a picture of the board at that moment.
"""

from __future__ import annotations

import itertools
import traceback
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

Cell = tuple[int, int]
Cells = Iterable[Cell]
CLASSES = ("Minesweeper", "Sentence", "MinesweeperAI")
MOST_STEPS = 14
CALLS = 30
"""How often something random is asked for."""
NO_ERROR = "no error"
PASS, FAIL, SKIPPED = "pass", "fail", "skipped"
LONGEST = 400
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


# Part of "Class: message" -> what to do. The first that fits is given.
_HINTS = (
    ("NotImplementedError", "This function is not written yet."),
    (
        "changed size during iteration",
        "A loop goes over a set while marking a cell takes it out of that set. Loop over a copy: "
        "`for cell in set(cells):`.",
    ),
    (
        "not subscriptable",
        "`random.choice` needs a list or a tuple, not a set: `random.choice(list(cells))`.",
    ),
    (
        "Cannot choose from an empty sequence",
        "There is nothing to choose from: then the function has to return None.",
    ),
    (
        "unhashable type: 'Sentence'",
        "Sentences can be compared, but not put into a set or used as keys: keep them in a list.",
    ),
    (
        "'NoneType' object is not iterable",
        "Something gave None where a set is expected: return `set()` when nothing is known.",
    ),
    (
        "ModuleNotFoundError",
        "The file has to stand alone: only modules that come with Python can be imported.",
    ),
    ("KeyError", "`set.remove` fails if the cell is not there: test it first, or use `discard`."),
    ("IndexError", "A cell may be off the board: corners have 3 neighbours, edges 5."),
    ("RecursionError", "A function calls itself without end: stop when nothing new was found."),
    ("MemoryError", "The knowledge grows without end: add a sentence only if it is new."),
    ("EOFError", "The file asks for `input`, which nobody can answer here."),
    ("SystemExit", "The file ends the program: a function must return, not exit."),
)


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


class Case:
    """Lines of code run on a student's classes; `note` is told before each of them."""

    def __init__(self, student: ModuleType, note: Callable[[Case], None] | None = None) -> None:
        """Start with nothing but the three classes."""
        self.student = student
        self.note = note
        self.clear()

    def clear(self) -> None:
        """Start over."""
        self.names: dict[str, Any] = {
            name: getattr(self.student, name) for name in CLASSES if hasattr(self.student, name)
        }
        self.steps: list[str] = []
        self.size = (0, 0)
        self.marks: dict[Cell, str] = {}
        self.caption = ""

    def run(self, code: str) -> None:
        """Run a line of code."""
        self._call(code, lambda: exec(code, self.names))

    def value(self, code: str) -> Any:
        """Give the value of an expression."""
        return self._call(code, lambda: eval(code, self.names))

    def peek(self, code: str) -> Any:
        """Give the value of an expression that is not worth showing."""
        return eval(code, self.names)

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
            known = getattr(self.names.get("ai"), name, None)
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

    def _call(self, code: str, action: Callable[[], Any]) -> Any:
        self.steps.append(code)
        if self.note is not None:
            self.note(self)
        try:
            return action()
        except (Exception, SystemExit) as error:
            raise self.crash(error) from error

    def crash(self, error: BaseException) -> ContractError:
        """Describe an exception that came out of the student's code."""
        words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        frames = traceback.extract_tb(error.__traceback__)
        inside = [frame for frame in frames if frame.filename == self.student.__file__]
        where = f" in line {inside[-1].lineno}: {inside[-1].line}" if inside else ""
        return ContractError(NO_ERROR, words + where, hint(error))


def show(value: object) -> str:
    """Write a value as Python does, sets in order and sentences as they read."""
    text = _show(value)
    return text if len(text) <= LONGEST else text[:LONGEST] + " ..."


def _show(value: object) -> str:
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(_show, value))) + "}" if value else "set()"
    if isinstance(value, list):
        return "[" + ", ".join(map(_show, value)) + "]"
    if hasattr(value, "cells") and hasattr(value, "count") and not isinstance(value, tuple):
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


def hint(error: BaseException) -> str:
    """Say what an exception usually means; nothing where nothing is known of it."""
    text = f"{type(error).__name__}: {error}"
    return next((words for part, words in _HINTS if part in text), "")
