"""What runs in the process in which a student's file is loaded and checked.

What it says goes to the supervisor as JSON, since nothing of the student's own may leave the
process, and so does each step before it is taken: whatever the student's code does to the
process, the supervisor has heard what it was doing. What that code prints goes nowhere.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from mineproof.cs50check.case import (
    FAIL,
    PASS,
    SKIPPED,
    Case,
    ContractError,
    NotTriedError,
    hint,
)
from mineproof.cs50check.checks import FILE_CHECKS, Check, contract_checks
from mineproof.cs50check.game_checks import GAME_CHECKS, CountingSink
from mineproof.cs50check.position_checks import POSITION_CHECKS
from mineproof.workers.serving import Answer, PartSender

ALL_CHECKS = (*FILE_CHECKS, *contract_checks(), *POSITION_CHECKS, *GAME_CHECKS)
"""All checks, from the simple to those that play whole games."""
MODULE = "minesweeper"
SMALL = 100
"""Boards up to this many cells are drawn before each step: that is quick enough."""


def make_checker() -> Answer:
    """Prepare the process: give what loads a file, asked with its path, and then runs checks."""
    sys.stdout = sys.stderr = CountingSink()
    here = os.getcwd()
    # Nothing in the current folder may stand in for a module of Python.
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder) != here]
    loaded: list[ModuleType] = []

    def answer(question: Path | int, report: PartSender) -> str:
        if isinstance(question, int):
            return json.dumps(run_check(ALL_CHECKS[question], loaded[0], report))
        return json.dumps(try_to_load(question, loaded))

    return answer


def try_to_load(path: Path, loaded: list[ModuleType]) -> dict[str, object]:
    """Load the student's file; give what went wrong, if anything did."""
    try:
        loaded.append(load(path))
    except (Exception, SystemExit) as error:
        return {"got": f"{type(error).__name__}: {error}", "why": hint(error)}
    return {}


def load(path: Path) -> ModuleType:
    """Import the student's file under the name that its window imports."""
    spec = importlib.util.spec_from_file_location(MODULE, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"expected a Python file, got {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE] = module
    spec.loader.exec_module(module)
    return module


def run_check(
    check: Check, student: ModuleType, report: Callable[[str], None]
) -> dict[str, object]:
    """Run one check and say how it went."""
    random.seed(0)
    case = Case(student, lambda case: report(json.dumps(state(case, SMALL))))
    try:
        check.body(case)
    except ContractError as failure:
        return fail(case, failure)
    except NotTriedError:
        return {"status": SKIPPED}
    except (Exception, SystemExit) as error:
        return fail(case, case.crash(error))
    return {"status": PASS}


def state(case: Case, largest: float = math.inf) -> dict[str, object]:
    """Give what a case did so far, with a picture of boards up to a number of cells."""
    picture = case.picture() if math.prod(case.size) <= largest else []
    return {"given": case.shown_steps(), "position": picture}


def fail(case: Case, failure: ContractError) -> dict[str, object]:
    """Say what failed."""
    words = {"expected": failure.expected, "got": failure.got, "why": failure.why}
    return {"status": FAIL, **words, **state(case)}
