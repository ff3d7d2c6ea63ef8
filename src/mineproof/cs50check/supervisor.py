"""Runs the checks, the student's file in a process of its own, and reports on them.

The boards stay in this process: the other one, which is ended where need be, is asked line by
line. Whatever the student's code does to its process, it is known here what it was doing.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mineproof.core.errors import InputError
from mineproof.cs50check.case import (
    FAIL,
    MEDDLED,
    NO_ERROR,
    PASS,
    SKIPPED,
    WRONG_VALUES,
    Ask,
    Case,
    ContractError,
    NotTriedError,
    read_reply,
)
from mineproof.cs50check.checks import FILE_CHECKS, Check, contract_checks
from mineproof.cs50check.game_checks import GAME_CHECKS
from mineproof.cs50check.position_checks import POSITION_CHECKS
from mineproof.cs50check.source_checks import SOURCE_CHECKS
from mineproof.cs50check.student import make_student
from mineproof.notation.plain_forms import plain_form
from mineproof.notation.text import MOST_SOURCE, read_file
from mineproof.workers.errors import AnswerError, DeadlineError, GarbledError, WorkerDiedError
from mineproof.workers.worker import Worker

ALL_CHECKS = (
    *FILE_CHECKS,
    *SOURCE_CHECKS,
    *contract_checks(),
    *POSITION_CHECKS,
    *GAME_CHECKS,
)
"""All checks, from the simple to those that play whole games."""
MEMORY = 1 << 29
"""Bytes that a student's file may use."""
SECONDS = 15.0
MOST_TIMEOUTS = 2
"""After the time of so many checks that do not end, the rest is not tried: a file that is
right needs two or three seconds for all of them."""


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


@plain_form("file", "passed", "counts", "checks=results")
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
    def mend_first(self) -> CheckResult | None:
        """The first failure of what is required, else of what is advised."""
        required = [result for result in self.failures if result.required]
        return next(iter(required or self.failures), None)

    @property
    def passed(self) -> bool:
        """Whether all that the contract asks was checked and is right."""
        return all(result.status == PASS for result in self.results if result.required)

    @property
    def counts(self) -> dict[str, int]:
        """How many checks have each status."""
        found = Counter(result.status for result in self.results)
        return {status: found[status] for status in (PASS, FAIL, SKIPPED)}

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
        if all(result.status == PASS for result in self.results):
            return f"All {len(self.results)} checks pass."
        good = sum(result.status == PASS for result in self.results)
        words = [f"{good} of {len(self.results)} checks pass."]
        first = self.mend_first
        if first is not None and self.passed:
            words.append("All that the contract asks is right; what fails is advised.")
        if first is not None:
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
        for index, text in enumerate(texts):
            lines.append(f"    {word if index == 0 else '':<10}{text}")
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
        source = read_file(path, MOST_SOURCE).decode(errors="replace")
    except OSError as error:
        raise InputError(f"expected a Python file, got {path}: {error.strerror}") from None
    results: list[CheckResult] = []
    deadline = time.monotonic() + MOST_TIMEOUTS * seconds
    with Worker(make_student, memory=MEMORY, is_quiet=True, is_plain=True) as worker:
        for check in checks:
            if time.monotonic() < deadline:
                _load(worker, path, seconds)
                message = run_check(check, _asking(worker, seconds), source)
                if message.get("why") == MEDDLED:
                    worker.drop()  # what comes next from there may be of anything
            else:
                message = {"status": SKIPPED}
            results.append(CheckResult(check.name, check.behaviour, check.required, **message))
    return FileReport(str(path), tuple(results))


def _load(worker: Worker, path: Path, seconds: float) -> None:
    """Let a new process load the file: the first one, or after the student's code ended one."""
    if worker.is_running:
        return
    try:
        failure = read_reply(str(worker.ask(("load", str(path)), seconds=seconds))).error
    except DeadlineError:
        why = "the import does not end. Is there code outside functions?"
        raise _import_error(path, why) from None
    except ContractError as other:
        failure = other
    except (WorkerDiedError, AnswerError) as ended:
        failure = _gone(ended)
    if failure is not None:
        raise _import_error(path, f"{failure.got}. {failure.why}")


def _import_error(path: Path, text: str) -> InputError:
    return InputError(f"expected a file that can be imported, got {path}: {text.strip()}")


def _asking(worker: Worker, seconds: float) -> Ask:
    """Give what asks the student's process, for a check that may take so long in all."""
    end = time.monotonic() + seconds

    def ask(question: tuple[str, str]) -> str:
        if not worker.is_running:
            raise WorkerDiedError("expected a process, got none")
        try:
            return str(worker.ask(question, seconds=max(end - time.monotonic(), 0.001)))
        except DeadlineError:
            raise DeadlineError(f"{seconds:g}") from None

    return ask


def run_check(check: Check, ask: Ask, source: str = "") -> dict[str, Any]:
    """Run one check and say how it went; where it ended, with the lines that led there."""
    case = Case(ask, source)
    try:
        case.begin()
        check.body(case)
    except ContractError as error:
        failure = error
    except NotTriedError:
        return {"status": SKIPPED}
    except DeadlineError as late:
        failure = _late(str(late))
    except (WorkerDiedError, AnswerError) as ended:
        failure = _gone(ended)
    except WRONG_VALUES as wrong:
        failure = ContractError(NO_ERROR, f"{type(wrong).__name__}: {wrong}")
    else:
        return {"status": PASS}
    return {
        "status": FAIL,
        **vars(failure),
        "given": case.shown_steps(),
        "position": case.picture(),
    }


def _late(seconds: str) -> ContractError:
    return ContractError(
        f"an answer within {seconds} seconds",
        "none: the program was still busy",
        "Is there a loop that never ends, such as one that goes on while there are new "
        "sentences, but takes sentences for new that are known?",
    )


def _gone(error: WorkerDiedError | AnswerError) -> ContractError:
    if isinstance(error, GarbledError | AnswerError):
        return ContractError("an answer", f"something else in its place: {error}", MEDDLED)
    return ContractError(
        "an answer",
        f"the whole Python process ended, with status {error.status}",
        "A function must return; it must not end the program.",
    )
