"""Runs the checks in a process of their own, which it ends where need be, and reports on them."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mineproof.core.errors import InputError
from mineproof.cs50check.case import FAIL, NO_ERROR, PASS, SKIPPED
from mineproof.cs50check.checks import Check
from mineproof.cs50check.process import ALL_CHECKS, make_checker
from mineproof.workers.errors import DeadlineError, WorkerDiedError
from mineproof.workers.worker import Worker

MEMORY = 1 << 29
"""Bytes that a student's file may use."""
SECONDS = 15.0
MOST_TIMEOUTS = 2
"""After the time of so many checks that do not end, the rest is not tried: a file that is
right needs two or three seconds for all of them."""

Message = dict[str, Any]


@dataclass(frozen=True)
class CheckResult:
    """One check, and how it went."""

    name: str
    behaviour: str
    required: bool
    status: str
    """`pass`, `fail` or `skipped`."""
    given: Sequence[str] = ()
    """The lines of code that were run."""
    expected: str = ""
    got: str = ""
    position: Sequence[str] = ()
    """The board, drawn."""
    why: str = ""

    @property
    def is_error(self) -> bool:
        """Whether the student's code raised an error."""
        return self.expected == NO_ERROR

    @property
    def is_unwritten(self) -> bool:
        """Whether the function is still as the skeleton has it."""
        return self.got.startswith("NotImplementedError")


@dataclass(frozen=True)
class FileReport:
    """All checks of a file."""

    file: str
    results: tuple[CheckResult, ...]

    @property
    def failures(self) -> tuple[CheckResult, ...]:
        """What failed."""
        return tuple(result for result in self.results if result.status == FAIL)

    @property
    def passed(self) -> bool:
        """Whether everything was checked and right."""
        return all(result.status == PASS for result in self.results)

    def to_json(self) -> dict[str, Any]:
        """Give plain data for `--json`."""
        counts = {
            status: sum(result.status == status for result in self.results)
            for status in (PASS, FAIL, SKIPPED)
        }
        return {
            "file": self.file,
            "passed": self.passed,
            "counts": counts,
            "checks": [asdict(result) for result in self.results],
        }

    def to_text(self) -> str:
        """Write the report for people."""
        lines = [f"{self.file}: {len(self.results)} checks", ""]
        errors: set[str] = set()
        for result in self.results:
            lines += _result_lines(result, result.got in errors)
            if result.is_error:
                errors.add(result.got)
        return "\n".join([*lines, "", self.summary()])

    def summary(self) -> str:
        """Say in a sentence or two how it went."""
        if self.passed:
            return f"All {len(self.results)} checks pass."
        good = sum(result.status == PASS for result in self.results)
        words = [f"{good} of {len(self.results)} checks pass."]
        required = [result for result in self.failures if result.required]
        if self.failures and not required:
            words.append("All that the contract asks is right; what fails is advised.")
        if self.failures:
            first = (required or self.failures)[0]
            words.append(f"Mend first: {first.name}: {first.behaviour}.")
        if any(result.status == SKIPPED for result in self.results):
            words.append("Some were not tried.")
        return " ".join(words)


def _result_lines(result: CheckResult, seen: bool) -> list[str]:
    words = {PASS: "ok", SKIPPED: "not tried", FAIL: "FAIL"}
    word = words[result.status]
    advised = "" if result.required else " (advised)"
    title = f"{word:<9} {result.name}: {result.behaviour}{advised}"
    if result.status != FAIL:
        return [title]
    if result.is_unwritten:
        return [f"{'TO DO':<9} {title[10:]}"]
    if seen:
        return [title, "", f"    the same error as above: {result.got}", ""]
    return [title, "", *_details(result), ""]


def _details(result: CheckResult) -> list[str]:
    facts = {"given": result.given, "expected": (result.expected,), "got": (result.got,)}
    lines = []
    for word, texts in facts.items():
        for place, text in enumerate(texts):
            lines.append(f"    {word if place == 0 else '':<10}{text}")
    if result.position:
        lines += ["", *(f"        {line}" for line in result.position)]
    if result.why:
        lines += ["", f"    {result.why}"]
    return lines


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
