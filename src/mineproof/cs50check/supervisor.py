"""Run the checks with the student's file in a separate process.

The boards stay in this process. The student's process runs one line at a time and is stopped if
it misbehaves, so the report always knows which line it was running.
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
    garbled,
    read_reply,
)
from mineproof.cs50check.checks import FILE_CHECKS, Check, contract_checks
from mineproof.cs50check.game_checks import GAME_CHECKS
from mineproof.cs50check.position_checks import POSITION_CHECKS
from mineproof.cs50check.source_checks import SOURCE_CHECKS
from mineproof.cs50check.student import make_student
from mineproof.notation.files import MOST_SOURCE, read_file
from mineproof.notation.plain_forms import plain_form
from mineproof.workers.errors import AnswerError, DeadlineError, GarbledError, WorkerDiedError
from mineproof.workers.worker import Worker

ALL_CHECKS = (*FILE_CHECKS, *SOURCE_CHECKS, *contract_checks(), *POSITION_CHECKS, *GAME_CHECKS)
"""All checks, from simple ones to those that play whole games."""
MEMORY = 1 << 29
"""The memory limit for a student's file, in bytes."""
SECONDS = 15.0
"""The default time limit for a check."""
MOST_TIMEOUTS = 2
"""Time limit for all checks together, as a multiple of the limit for one check.

Checks that have not started by then are skipped. A correct file needs two or three seconds for
all checks."""


@dataclass(frozen=True)
class CheckResult:
    """The result of one check."""

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
    """The lines of a drawing of the board."""
    why: str = ""

    @property
    def is_error(self) -> bool:
        """Whether the student's code raised an error."""
        return self.expected == NO_ERROR

    @property
    def is_unwritten(self) -> bool:
        """Whether the student has not written the function yet."""
        return self.got.startswith("NotImplementedError")


@plain_form("file", "passed", "counts", "checks=results")
@dataclass(frozen=True)
class FileReport:
    """The results of all checks of a file."""

    file: str
    results: tuple[CheckResult, ...]

    @property
    def failures(self) -> tuple[CheckResult, ...]:
        """The checks that failed."""
        return tuple(result for result in self.results if result.status == FAIL)

    @property
    def fix_first(self) -> CheckResult | None:
        """The first failed check that is required, or else the first recommended one."""
        required = [result for result in self.failures if result.required]
        return next(iter(required or self.failures), None)

    @property
    def passed(self) -> bool:
        """Whether all required checks pass."""
        return all(result.status == PASS for result in self.results if result.required)

    @property
    def counts(self) -> dict[str, int]:
        """The number of checks with each status."""
        found = Counter(result.status for result in self.results)
        return {status: found[status] for status in (PASS, FAIL, SKIPPED)}


def check_file(
    path: Path, seconds: float = SECONDS, checks: tuple[Check, ...] = ALL_CHECKS
) -> FileReport:
    """Check a student's file.

    Args:
        path: the file.
        seconds: the time limit for a single check.
        checks: the checks to run; by default all.

    Raises:
        InputError: the file cannot be read or imported.
    """
    try:
        source = read_file(path, MOST_SOURCE).decode(errors="replace")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    results: list[CheckResult] = []
    deadline = time.monotonic() + MOST_TIMEOUTS * seconds
    with Worker(make_student, memory=MEMORY, is_quiet=True, is_plain=True) as worker:
        for check in checks:
            if time.monotonic() < deadline:
                _load(worker, path, seconds)
                message = run_check(check, _asking(worker, seconds), source)
                if message.get("why") == MEDDLED:
                    worker.drop()  # its later answers cannot be trusted
            else:
                message = {"status": SKIPPED}
            results.append(CheckResult(check.name, check.behaviour, check.required, **message))
    return FileReport(str(path), tuple(results))


def _load(worker: Worker, path: Path, seconds: float) -> None:
    """Load the file if the process is new, or if the student's code ended the previous process."""
    if worker.is_running:
        return
    try:
        read_reply(str(worker.ask(("load", str(path)), seconds=seconds)))
        return
    except DeadlineError:
        why = "The import does not finish. Is there code outside functions?"
    except ContractError as error:
        why = f"{error.got}. {error.why}"
    except (WorkerDiedError, AnswerError) as ended:
        failure = _ended(ended)
        why = f"{failure.got}. {failure.why}"
    raise InputError(f"cannot import {path}: {why.strip()}")


def _asking(worker: Worker, seconds: float) -> Ask:
    """Return a function that asks the student's process, with one time limit for all its calls."""
    end = time.monotonic() + seconds

    def ask(question: tuple[str, str]) -> str:
        if not worker.is_running:
            raise WorkerDiedError("the process has ended")
        try:
            return str(worker.ask(question, seconds=max(end - time.monotonic(), 0.001)))
        except DeadlineError:
            raise DeadlineError(f"{seconds:g}") from None

    return ask


def run_check(check: Check, ask: Ask, source: str = "") -> dict[str, Any]:
    """Run one check. Return its status and, for a failure, the details for the report."""
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
        failure = _ended(ended)
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
        "still running after that time",
        "Is there an endless loop? A common cause: the loop runs as long as it finds new "
        "sentences, but counts sentences it already has as new.",
    )


def _ended(error: WorkerDiedError | AnswerError) -> ContractError:
    if isinstance(error, GarbledError | AnswerError):
        return garbled(error)
    ended = "was stopped" if error.status is None else f"ended, with status {error.status}"
    return ContractError(
        "an answer",
        f"the whole Python process {ended}",
        "Functions must return. They must not end the program or fill the memory.",
    )
