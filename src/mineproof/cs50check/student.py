"""The process that loads a student's file and runs the checker's lines of code on it.

No board is ever in this process. The checker deals games and positions in another process, and
sends only lines of code with clues. Answers are plain values, written as JSON, so none of the
student's objects leave the process. The student's output is discarded; only its lines are counted.
"""

from __future__ import annotations

import importlib.util
import inspect
import io
import json
import linecache
import os
import random
import signal
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

from mineproof.cs50check.loops import LOOP_SECONDS, EndlessLoopError, explain_loop, running_lines
from mineproof.workers.serving import Answer, PartSender

CLASSES = ("Minesweeper", "Sentence", "MinesweeperAI")
MODULE = "minesweeper"
HINTS = tuple(
    line.partition(" -> ")[::2]
    for line in Path(__file__).with_name("hints.txt").read_text(encoding="utf-8").splitlines()[1:]
)
"""Parts of error messages with advice for the student. The first match is used."""


class CountingSink(io.TextIOBase):
    """A text stream that counts lines and discards the text."""

    lines = 0

    def write(self, text: str) -> int:
        """Count the lines and discard the text."""
        self.lines += text.count("\n")
        return len(text)


class Student:
    """A student's module, and the variables that lines of code have defined."""

    def __init__(self) -> None:
        self._module = ModuleType(MODULE)
        self._names: dict[str, Any] = {}
        self.sink = CountingSink()
        self.stops_loops = False

    def answer(self, question: tuple[str, str], _report: PartSender | None = None) -> str:
        """Carry out a request and return the result as JSON.

        Args:
            question: the name of a method (`load`, `begin`, `clear`, `run`, `value` or
                `parameters`) and its argument.
        """
        (kind, text), started = question, time.process_time()
        self._limit(LOOP_SECONDS)
        try:
            found = {"value": plain(getattr(self, kind)(text))}
        except (Exception, SystemExit, EndlessLoopError) as error:
            self._limit(0)
            found = {"error": self._describe(error)}
        self._limit(0)
        seconds = time.process_time() - started
        return json.dumps({**found, "lines": self.sink.lines, "seconds": seconds})

    def _limit(self, seconds: float) -> None:
        """Raise `EndlessLoopError` after this much CPU time, then every second; 0 means never."""
        if self.stops_loops:
            signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)

    def load(self, path: str) -> None:
        """Import the student's file under the name that `runner.py` uses."""
        spec = importlib.util.spec_from_file_location(MODULE, Path(path))
        if spec is None or spec.loader is None:
            raise ImportError(f"expected a Python file, got {path}")
        self._module = importlib.util.module_from_spec(spec)
        sys.modules[MODULE] = self._module
        spec.loader.exec_module(self._module)

    def begin(self, text: str) -> None:
        """Start a check with a fixed random seed and only the three classes defined."""
        random.seed(0)
        self.clear(text)

    def clear(self, _text: str) -> None:
        """Delete all names except the three classes."""
        module = self._module
        self._names = {one: getattr(module, one) for one in CLASSES if hasattr(module, one)}

    def run(self, code: str) -> None:
        """Run a line of code."""
        exec(code, self._names)

    def value(self, code: str) -> Any:
        """Return the value of an expression."""
        return eval(code, self._names)

    def parameters(self, path: str) -> list[str] | None:
        """Return the parameters of `Class.function`, including `self` and stars, or None."""
        owner, _, name = path.partition(".")
        found = getattr(self._module, owner, None)
        function = getattr(found, name, None) if isinstance(found, type) else None
        if not callable(function):
            return None
        given = inspect.signature(function).parameters.values()
        return [str(one.replace(annotation=one.empty, default=one.empty)) for one in given]

    def _describe(self, error: BaseException) -> dict[str, Any]:
        """Return the error, the line of the student's file that raised it, and a hint."""
        words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        file = str(getattr(self._module, "__file__", ""))
        running = running_lines(error, file)
        line = running[-1].line if running else 0
        where = f" in line {line} (`{linecache.getline(file, line).strip()}`)" if line else ""
        if isinstance(error, EndlessLoopError):
            found = {"got": f"still running{where}", "limit": LOOP_SECONDS}
            return {**found, "why": explain_loop(file, running)}
        why = explain_loop(file, running) if isinstance(error, MemoryError) else ""
        return {"got": words + where, "why": why or hint(error)}


def make_student() -> Answer:
    """Prepare the process and return the function that answers the checker's questions."""
    student = Student()
    sys.stdout = sys.stderr = student.sink
    if hasattr(signal, "setitimer"):  # elsewhere, the checker ends this process when it is late
        signal.signal(signal.SIGPROF, _stop_loop)
        student.stops_loops = True
    here = os.getcwd()
    # A file in the current folder must not replace a module of the standard library.
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder) != here]
    return student.answer


def _stop_loop(_number: int, _frame: object) -> None:
    raise EndlessLoopError


def plain(value: Any) -> Any:
    """Convert a value for JSON; a value that is not plain becomes its text."""
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if kind in (tuple, list, set, frozenset):
        return [kind.__name__, [plain(one) for one in value]]
    if hasattr(value, "cells") and hasattr(value, "count"):
        return ["sentence", [plain(value.cells), plain(value.count)]]
    return ["other", repr(value)]


def hint(error: BaseException) -> str:
    """Return advice on the usual cause of an exception, or an empty string."""
    text = f"{type(error).__name__}: {error}"
    return next((words for part, words in HINTS if part in text), "")
