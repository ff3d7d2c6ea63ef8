"""Functions that worker processes run in tests. Workers import them by name."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from mineproof.workers.serving import PartSender


class AwkwardError(Exception):
    """An error that cannot be rebuilt from its message."""

    def __init__(self, first: str, second: str) -> None:
        """Join two strings."""
        super().__init__(first + second)


def make_answer() -> Callable[[tuple[str, Any], PartSender], Any]:
    """Return a function that answers questions (name, value) and remembers them."""
    asked: list[str] = []

    def answer(question: tuple[str, Any], report: PartSender) -> Any:
        name, value = question
        asked.append(name)
        return ANSWERS[name](value, report, asked)

    return answer


def make_nothing() -> Callable[[Any, PartSender], Any]:
    """Raise `LookupError` while the worker starts, before its first question."""
    raise LookupError("expected something to be there, got nothing")


def _parts(count: int, report: PartSender, _asked: list[str]) -> str:
    for number in range(count):
        report(number)
    return "end"


def _fail(error: Exception, _report: PartSender, _asked: list[str]) -> None:
    raise error


def _awkward(_value: Any, _report: PartSender, _asked: list[str]) -> None:
    raise AwkwardError("left ", "right")


def _loop(_value: Any, report: PartSender, _asked: list[str]) -> None:
    """Report that the work has started, then run forever."""
    report("begun")
    while True:
        pass


def _obedient(_value: Any, report: PartSender, _asked: list[str]) -> str:
    """Work until the answer is no longer wanted."""
    report("begun")
    while report.is_wanted:
        time.sleep(0.005)
    return "stopped"


def _offspring(path: str, _report: PartSender, _asked: list[str]) -> None:
    """Start a process that keeps all pipes open, then hang."""
    child = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(1000)"], close_fds=False
    )
    Path(path).write_text(str(child.pid))
    time.sleep(1000)


def _announced(value: tuple[str, float], _report: PartSender, _asked: list[str]) -> None:
    """Write a line to a file at the start, then work for some time."""
    path, seconds = value
    with Path(path).open("a") as file:
        file.write(f"{os.getpid()}\n")
    time.sleep(seconds)


ANSWERS: dict[str, Callable[[Any, PartSender, list[str]], Any]] = {
    "echo": lambda value, _report, _asked: value,
    "pid": lambda _value, _report, _asked: os.getpid(),
    "asked": lambda _value, _report, asked: list(asked),
    "sleep": lambda seconds, _report, _asked: time.sleep(seconds),
    "exit": lambda status, _report, _asked: os._exit(status),
    "raise base": lambda _value, _report, _asked: (_ for _ in ()).throw(BaseException("end")),
    "lock": lambda _value, _report, _asked: threading.Lock(),
    "grow": lambda size, _report, _asked: len(bytearray(size)),
    "print": lambda text, _report, _asked: print(text, flush=True),
    "input": lambda _value, _report, _asked: sys.stdin.read(),
    "nice": lambda _value, _report, _asked: os.nice(0),
    "parts": _parts,
    "fail": _fail,
    "awkward": _awkward,
    "loop": _loop,
    "obedient": _obedient,
    "offspring": _offspring,
    "announced": _announced,
}


def squares(numbers: range) -> Iterator[int]:
    """Work on a chunk: yield the squares of some numbers."""
    for number in numbers:
        yield number * number


def slow_squares(numbers: range) -> Iterator[int]:
    """Yield the squares of some numbers, slowly."""
    for number in numbers:
        time.sleep(0.02)
        yield number * number


def deadly_once(chunk: tuple[str, int]) -> Iterator[int]:
    """End the process, unless a file shows that this happened before."""
    note, number = chunk
    if not Path(note).exists():
        Path(note).touch()
        os._exit(1)
    yield number


def deadly(number: int) -> Iterator[int]:
    """Yield a number; 13 ends the process."""
    if number == 13:
        os._exit(1)
    yield number


def failing(number: int) -> Iterator[int]:
    """Yield a number; 13 raises an error."""
    if number == 13:
        raise LookupError("expected no 13")
    yield number


def announced_pid(path: str) -> Iterator[int]:
    """Write the process id to a file, then keep working."""
    with Path(path).open("a") as file:
        file.write(f"{os.getpid()}\n")
    time.sleep(1000)
    yield 0
