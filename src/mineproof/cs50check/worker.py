"""The process in which a student's file is loaded and checked.

`python -m mineproof.cs50check.worker FILE NUMBER...` runs the checks of these numbers and
writes a JSON line for everything that happens to what was its standard output. What the
student's code prints goes nowhere. Whatever that code does to this process, the supervisor
has heard what it was doing.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import random
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TextIO

from mineproof.cs50check.case import Case, ContractError, NotTriedError
from mineproof.cs50check.catalogue import ALL_CHECKS
from mineproof.cs50check.checks import Check
from mineproof.cs50check.hints import hint
from mineproof.cs50check.output import CountingSink

MEMORY = 1 << 29
MODULE = "minesweeper"
SMALL = 100
"""Boards up to this many cells are drawn before each step: that is quick enough."""


def main(path: str, numbers: list[int]) -> None:
    """Run some of the checks on a file and report each."""
    channel = private_output()
    limit_memory()
    try:
        student = load(Path(path))
    except (Exception, SystemExit) as error:
        words = f"{type(error).__name__}: {error}"
        say(channel, event="import failed", got=words, why=hint(error))
        return
    say(channel, event="loaded")
    for number in numbers:
        say(channel, event="start", number=number)
        run_check(ALL_CHECKS[number], student, channel)
    say(channel, event="done")


def private_output() -> TextIO:
    """Keep the standard output for the reports, and send all printing nowhere."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    sys.stdout = sys.stderr = CountingSink()
    return channel


def limit_memory() -> None:
    """Let endless growth end in a MemoryError, where the system can do that."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def load(path: Path) -> ModuleType:
    """Import the student's file under the name that its window imports."""
    spec = importlib.util.spec_from_file_location(MODULE, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"expected a Python file, got {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE] = module
    spec.loader.exec_module(module)
    return module


def run_check(check: Check, student: ModuleType, channel: TextIO) -> None:
    """Run one check and report how it went."""
    random.seed(0)
    case = Case(student, lambda case: say(channel, event="step", **state(case, SMALL)))
    try:
        check.body(case)
    except ContractError as failure:
        fail(channel, case, failure)
    except NotTriedError:
        say(channel, event="skipped")
    except (Exception, SystemExit) as error:
        fail(channel, case, case.crash(error))
    else:
        say(channel, event="pass")


def state(case: Case, largest: float = math.inf) -> dict[str, object]:
    """Give what a case did so far, with a picture of boards up to a number of cells."""
    picture = case.picture() if math.prod(case.size) <= largest else []
    return {"given": case.shown_steps(), "position": picture}


def fail(channel: TextIO, case: Case, failure: ContractError) -> None:
    """Report a failure."""
    say(
        channel,
        event="fail",
        expected=failure.expected,
        got=failure.got,
        why=failure.why,
        **state(case),
    )


def say(channel: TextIO, **message: object) -> None:
    """Send one message to the supervisor."""
    channel.write(json.dumps(message) + "\n")
    channel.flush()


if __name__ == "__main__":
    main(sys.argv[1], [int(number) for number in sys.argv[2:]])
