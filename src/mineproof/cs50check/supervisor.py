"""Runs the checks in a process of their own, and ends it where it does not end by itself."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mineproof.core.errors import InputError
from mineproof.cs50check.catalogue import ALL_CHECKS
from mineproof.cs50check.checks import Check
from mineproof.cs50check.report import FAIL, PASS, SKIPPED, Report, Result

SECONDS = 15.0
MOST_TIMEOUTS = 2
"""After the time of so many checks that do not end, the rest is not tried: a file that is
right needs two or three seconds for all of them."""

Message = dict[str, Any]


def check_file(
    path: Path, seconds: float = SECONDS, checks: tuple[Check, ...] = ALL_CHECKS
) -> Report:
    """Check a student's file.

    Args:
        path: the file.
        seconds: how long a single check may take.
        checks: the checks to run, all by default.

    Raises:
        InputError: the file cannot be read, or fails when it is imported.
    """
    try:
        path.read_bytes()
    except OSError as error:
        raise InputError(f"expected a Python file, got {path}: {error.strerror}") from None
    numbers = [ALL_CHECKS.index(check) for check in checks]
    results: list[Result] = []
    deadline = time.monotonic() + MOST_TIMEOUTS * seconds
    while len(results) < len(checks) and time.monotonic() < deadline:
        for number, message in _run(path, numbers[len(results) :], seconds):
            results.append(_result(ALL_CHECKS[number], message))
            if time.monotonic() > deadline:
                break
    skipped = [_result(check, {"event": "skipped"}) for check in checks[len(results) :]]
    return Report(str(path), (*results, *skipped))


def _result(check: Check, message: Message) -> Result:
    status = {"pass": PASS, "skipped": SKIPPED}.get(message["event"], FAIL)
    return Result(
        check.name,
        check.behaviour,
        check.required,
        status,
        tuple(message.get("given", ())),
        message.get("expected", ""),
        message.get("got", ""),
        tuple(message.get("position", ())),
        message.get("why", ""),
    )


def _run(path: Path, numbers: list[int], seconds: float) -> Iterator[tuple[int, Message]]:
    """Run checks in one worker; give each with the message that ended it.

    The worker ends early where the student's code ended or stopped it.
    """
    current: int | None = None
    step: Message = {}
    for message in _messages(path, numbers, seconds):
        event = message["event"]
        if event == "start":
            current, step = message["number"], {}
        elif event == "step":
            step = message
        elif current is not None:
            yield current, {**step, **message}
            current = None
        elif event == "late":
            raise _import_error(path, "the import does not end. Is there code outside functions?")
        elif event in ("import failed", "gone"):
            raise _import_error(path, f"{message['got']}. {message['why']}")


def _import_error(path: Path, text: str) -> InputError:
    return InputError(f"expected a file that can be imported, got {path}: {text.strip()}")


def _messages(path: Path, numbers: list[int], seconds: float) -> Iterator[Message]:
    """Give the messages of a worker, then how it ended if that was not by itself."""
    # -P: nothing in the current folder may stand in for a module of Python.
    command = [sys.executable, "-P", "-m", "mineproof.cs50check.worker", str(path)]
    worker = subprocess.Popen(
        [*command, *map(str, numbers)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    )
    try:
        yield from _watch(worker, seconds)
    finally:
        worker.kill()
        worker.wait()


def _watch(worker: subprocess.Popen[str], seconds: float) -> Iterator[Message]:
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_read, args=(worker, lines), daemon=True).start()
    deadline = time.monotonic() + seconds
    while True:
        try:
            line = lines.get(timeout=max(deadline - time.monotonic(), 0.0))
        except queue.Empty:
            yield _late(seconds)
            return
        if not line:
            yield _gone(worker.wait())
            return
        message: Message = json.loads(line)
        if message["event"] == "done":
            return
        yield message
        if message["event"] in ("loaded", "start"):
            deadline = time.monotonic() + seconds


def _read(worker: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
    """Pass on the worker's lines, and an empty one at its end."""
    assert worker.stdout is not None
    with worker.stdout as output:
        for line in output:
            lines.put(line)
    lines.put("")


def _late(seconds: float) -> Message:
    return {
        "event": "late",
        "expected": f"an answer within {seconds:g} seconds",
        "got": "none: the program was still busy",
        "why": "Is there a loop that never ends, such as one that goes on while there are new "
        "sentences, but takes sentences for new that are known?",
    }


def _gone(status: int) -> Message:
    return {
        "event": "gone",
        "expected": "an answer",
        "got": f"the whole Python process ended, with status {status}",
        "why": "A function must return; it must not end the program.",
    }
