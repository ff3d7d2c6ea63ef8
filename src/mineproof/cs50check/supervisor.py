"""Runs the checks in a process of their own, and ends it where it does not end by itself."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from mineproof.core.errors import InputError
from mineproof.cs50check.checks import Check
from mineproof.cs50check.process import ALL_CHECKS, make_checker
from mineproof.cs50check.report import FAIL, SKIPPED, CheckResult, FileReport
from mineproof.workers.errors import DeadlineError, WorkerDiedError
from mineproof.workers.worker import Worker

MEMORY = 1 << 29
"""Bytes that a student's file may use."""
SECONDS = 15.0
MOST_TIMEOUTS = 2
"""After the time of so many checks that do not end, the rest is not tried: a file that is
right needs two or three seconds for all of them."""

Message = dict[str, Any]


def check_file(
    path: Path, seconds: float = SECONDS, checks: tuple[Check, ...] = ALL_CHECKS
) -> FileReport:
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
    results: list[CheckResult] = []
    deadline = time.monotonic() + MOST_TIMEOUTS * seconds
    with Worker(make_checker, memory=MEMORY, is_quiet=True) as worker:
        for check in checks:
            if time.monotonic() < deadline:
                _load(worker, path, seconds)
                message = _run(worker, ALL_CHECKS.index(check), seconds)
            else:
                message = {"status": SKIPPED}
            results.append(CheckResult(check.name, check.behaviour, check.required, **message))
    return FileReport(str(path), tuple(results))


def _load(worker: Worker, path: Path, seconds: float) -> None:
    """Let a new process load the file: the first one, or after the student's code ended one."""
    if worker.is_running:
        return
    try:
        failure = json.loads(worker.ask(path, seconds=seconds))
    except DeadlineError:
        why = "the import does not end. Is there code outside functions?"
        raise _import_error(path, why) from None
    except WorkerDiedError as error:
        failure = _gone(error.status)
    if failure:
        raise _import_error(path, f"{failure['got']}. {failure['why']}")


def _import_error(path: Path, text: str) -> InputError:
    return InputError(f"expected a file that can be imported, got {path}: {text.strip()}")


def _run(worker: Worker, number: int, seconds: float) -> Message:
    """Run a check; give what ended it, with the last step before."""
    steps: list[str] = ["{}"]
    try:
        message = json.loads(worker.ask(number, seconds=seconds, part=steps.append))
    except DeadlineError:
        message = _late(seconds)
    except WorkerDiedError as error:
        message = _gone(error.status)
    except MemoryError:  # beyond what the check itself could tell
        message = _gone(1)
    return {**json.loads(steps[-1]), **message}


def _late(seconds: float) -> Message:
    return {
        "status": FAIL,
        "expected": f"an answer within {seconds:g} seconds",
        "got": "none: the program was still busy",
        "why": "Is there a loop that never ends, such as one that goes on while there are new "
        "sentences, but takes sentences for new that are known?",
    }


def _gone(status: int | None) -> Message:
    return {
        "status": FAIL,
        "expected": "an answer",
        "got": f"the whole Python process ended, with status {status}",
        "why": "A function must return; it must not end the program.",
    }
