"""The `Check` class, the checks from `contract.txt`, and the checks of the file's functions."""

from __future__ import annotations

import importlib
import inspect
import re
from ast import literal_eval
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from typing import Any

from mineproof.cs50.project import GIVEN, STUDENTS_WORK
from mineproof.cs50check.case import Case, ContractError, NotTriedError

Body = Callable[[Case], None]
RECOMMENDED = " (recommended)"
SOLUTION: Any = importlib.import_module("mineproof.cs50.minesweeper")
"""The solution that students' files are compared with. It has no type annotations."""
SIGNATURES = {
    owner: {
        name: list(inspect.signature(getattr(getattr(SOLUTION, owner), name)).parameters)
        for name in (*names, *STUDENTS_WORK.get(owner, ()))
    }
    for owner, names in GIVEN.items()
}
"""The functions of each class with their parameters."""
KEEP = (
    "Other code uses all three classes and their functions, with these names. Do not remove them."
)
STEPS: dict[str, Callable[..., None]] = {
    r"ai = MinesweeperAI\(height=(\d+), width=(\d+)\)": Case.ai,
    r"ai\.add_knowledge\((\(.+\)), (\d)\)": Case.tell,
    r"sentence = Sentence\((\{.+\}), (\d)\)": Case.sentence,
}
"""Patterns of lines that also draw their cells on the board."""
TESTS: dict[str, Callable[..., None]] = {
    r"(.+) -> (.+)": Case.expect,
    r"(.+) returns one of (\{.+\})": Case.expect_one_of,
    r"ai\.(mines|safes) contains (\{.+\})": Case.expect_members,
}
"""Patterns of lines that test a value."""


@dataclass(frozen=True)
class Check:
    """A check of one behaviour."""

    name: str
    """The function that it tests, such as `Sentence.known_mines`."""
    behaviour: str
    """A description of what the function must do."""
    body: Body
    required: bool = True
    """Whether the contract requires the behaviour; otherwise it is recommended."""

    @property
    def title(self) -> str:
        """The name of the check in reports."""
        return f"{self.name}: {self.behaviour}"


def contract_checks() -> Iterator[Check]:
    """Read the checks from `contract.txt`, in the order in which students should fix failures."""
    text = (files("mineproof.cs50check") / "contract.txt").read_text(encoding="utf-8")
    for block in text.strip().split("\n\n")[1:]:
        title, *lines = (line.strip() for line in block.split("\n"))
        name, _, behaviour = title.removesuffix(RECOMMENDED).partition(": ")
        yield Check(name, behaviour, partial(_run_lines, lines), not title.endswith(RECOMMENDED))


def _run_lines(lines: list[str], case: Case) -> None:
    for line in lines:
        code, _, why = line.partition("  # ")
        _run_line(case, code, why)


def _run_line(case: Case, code: str, why: str) -> None:
    for pattern, step in STEPS.items():
        if found := re.fullmatch(pattern, code):
            return step(case, *map(literal_eval, found.groups()))
    if found := re.fullmatch(r"ai\.knowledge contains (\{.+\}) = (\d)", code):
        return case.expect_sentence(literal_eval(found[1]), int(found[2]), why)
    for pattern, test in TESTS.items():
        if found := re.fullmatch(pattern, code):
            return test(case, found[1], literal_eval(found[2]), why)
    return case.run(code)


def _check_functions(case: Case) -> None:
    for owner, functions in SIGNATURES.items():
        if not case.peek(f"isinstance(globals().get({owner!r}), type)"):
            raise ContractError(f"a class {owner}", "none", KEEP)
        for name in functions:
            if case.parameters(f"{owner}.{name}") is None:
                raise ContractError(f"a function {owner}.{name}", "none", KEEP)


def _check_signatures(case: Case) -> None:
    for owner, functions in SIGNATURES.items():
        for name, wanted in functions.items():
            found = case.parameters(f"{owner}.{name}")
            if found is None:
                raise NotTriedError
            # The parameter of __eq__ may have any name: Python's own method calls it `value`.
            is_same = len(found) == 2 if name == "__eq__" else found[1:] == wanted[1:]
            if not is_same:
                raise ContractError(
                    f"{owner}.{name}({', '.join(wanted)})",
                    f"({', '.join(found)})",
                    "Other code calls these functions. Do not rename, add or remove parameters.",
                )


FILE_CHECKS = (
    Check("minesweeper.py", "defines the three classes with all their functions", _check_functions),
    Check("minesweeper.py", "keeps the given parameters of all functions", _check_signatures),
)
