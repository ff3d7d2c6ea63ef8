"""What runs in the process in which a student's file is loaded: the file, and lines of code.

No board is ever here: games and positions are dealt by the checker, in another process, and only
lines of code, clues and answers cross. Nothing of the student's own leaves the process: answers
are plain values, written as JSON. What that code prints goes nowhere, and is counted.
"""

from __future__ import annotations

import importlib.util
import inspect
import io
import json
import os
import random
import sys
import time
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from mineproof.workers.serving import Answer, PartSender

CLASSES = ("Minesweeper", "Sentence", "MinesweeperAI")
MODULE = "minesweeper"
_STARS: dict[Any, str] = {
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
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


class CountingSink(io.TextIOBase):
    """A text stream that keeps nothing but the number of lines."""

    def __init__(self) -> None:
        """Start at no lines."""
        self.lines = 0

    def writable(self) -> bool:
        """Say that one can write."""
        return True

    def write(self, text: str) -> int:
        """Count the lines of a text."""
        self.lines += text.count("\n")
        return len(text)


class Student:
    """A student's module, and the names that lines of code have made."""

    def __init__(self) -> None:
        """Start with no file."""
        self._module = ModuleType(MODULE)
        self._names: dict[str, Any] = {}
        self.sink = CountingSink()

    def answer(self, question: tuple[str, str], _report: PartSender | None = None) -> str:
        """Do what is asked, and say how it went.

        Args:
            question: `load` and a path, `begin` (random numbers start anew as well) or `clear`,
                `run` or `value` and a line of code, `parameters` and `Class.function`.
        """
        kind, text = question
        started = time.process_time()
        try:
            found = {"value": plain(getattr(self, kind)(text))}
        except (Exception, SystemExit) as error:
            found = {"error": self._describe(error)}
        seconds = time.process_time() - started
        return json.dumps({**found, "lines": self.sink.lines, "seconds": seconds})

    def load(self, path: str) -> None:
        """Import the student's file under the name that its window imports."""
        spec = importlib.util.spec_from_file_location(MODULE, Path(path))
        if spec is None or spec.loader is None:
            raise ImportError(f"expected a Python file, got {path}")
        self._module = importlib.util.module_from_spec(spec)
        sys.modules[MODULE] = self._module
        spec.loader.exec_module(self._module)

    def begin(self, text: str) -> None:
        """Start a check: as if nothing had been done, with the same random numbers each time."""
        random.seed(0)
        self.clear(text)

    def clear(self, _text: str) -> None:
        """Forget all names but the three classes."""
        module = self._module
        self._names = {one: getattr(module, one) for one in CLASSES if hasattr(module, one)}

    def run(self, code: str) -> None:
        """Run a line of code."""
        exec(code, self._names)

    def value(self, code: str) -> Any:
        """Give the value of an expression."""
        return eval(code, self._names)

    def parameters(self, path: str) -> list[str] | None:
        """Give the parameters of a function with `self`, `*` and `**` as written; or None."""
        owner, _, name = path.partition(".")
        found = getattr(self._module, owner, None)
        function = getattr(found, name, None) if isinstance(found, type) else None
        if not callable(function):
            return None
        given = inspect.signature(function).parameters.values()
        return [_STARS.get(one.kind, "") + one.name for one in given]

    def _describe(self, error: BaseException) -> dict[str, str]:
        """Say what went wrong, in which line of the student's file, and what to do."""
        words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        frames = traceback.extract_tb(error.__traceback__)
        file = getattr(self._module, "__file__", None)
        inside = [frame for frame in frames if frame.filename == file]
        where = f" in line {inside[-1].lineno}: {inside[-1].line}" if inside else ""
        return {"got": words + where, "why": hint(error)}


def make_student() -> Answer:
    """Prepare the process: give what answers the checker's questions."""
    student = Student()
    sys.stdout = sys.stderr = student.sink
    here = os.getcwd()
    # Nothing in the current folder may stand in for a module of Python.
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder) != here]
    return student.answer


def plain(value: Any) -> Any:
    """Write a value so that JSON can carry it: what is not plain as its text."""
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if kind in (tuple, list, set, frozenset):
        return [kind.__name__, [plain(one) for one in value]]
    if hasattr(value, "cells") and hasattr(value, "count"):
        return ["sentence", [plain(value.cells), plain(value.count)]]
    return ["other", repr(value)]


def hint(error: BaseException) -> str:
    """Say what an exception usually means; nothing where nothing is known of it."""
    text = f"{type(error).__name__}: {error}"
    return next((words for part, words in _HINTS if part in text), "")
