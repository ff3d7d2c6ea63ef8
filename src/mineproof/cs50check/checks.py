"""What a check is; checks of the file as a whole, and those that `contract.txt` has in steps."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from ast import literal_eval
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path

from mineproof.cs50check.case import Case, ContractError, NotTriedError

Body = Callable[[Case], None]
ADVISED = " (advised)"
SIGNATURES = {
    "Minesweeper": {
        "__init__": ("height", "width", "mines"),
        "print": (),
        "is_mine": ("cell",),
        "nearby_mines": ("cell",),
        "won": (),
    },
    "Sentence": {
        "__init__": ("cells", "count"),
        "__eq__": ("other",),
        "__str__": (),
        "known_mines": (),
        "known_safes": (),
        "mark_mine": ("cell",),
        "mark_safe": ("cell",),
    },
    "MinesweeperAI": {
        "__init__": ("height", "width"),
        "mark_mine": ("cell",),
        "mark_safe": ("cell",),
        "add_knowledge": ("cell", "count"),
        "make_safe_move": (),
        "make_random_move": (),
    },
}
"""The functions of the contract with their parameters after `self`."""


@dataclass(frozen=True)
class Check:
    """One behaviour that is checked."""

    name: str
    """The function that it is about, such as `Sentence.known_mines`."""
    behaviour: str
    """What the function has to do, in words."""
    body: Body
    required: bool = True
    """Whether the contract asks for it; else it is advised."""

    @property
    def title(self) -> str:
        """Name the check as in every report."""
        return f"{self.name}: {self.behaviour}"


def contract_checks() -> Iterator[Check]:
    """Read the checks of `contract.txt`, in the order in which a student would mend."""
    text = (files("mineproof.cs50check") / "contract.txt").read_text(encoding="utf-8")
    for block in text.strip().split("\n\n")[1:]:
        title, *lines = (line.strip() for line in block.split("\n"))
        name, _, behaviour = title.removesuffix(ADVISED).partition(": ")
        yield Check(name, behaviour, partial(_follow, lines), not title.endswith(ADVISED))


def _follow(lines: list[str], case: Case) -> None:
    for line in lines:
        code, _, why = line.partition("  # ")
        _take(case, code, why)


def _take(case: Case, code: str, why: str) -> None:
    """Take one step: the cells of some are drawn, and some are looked at."""
    if found := re.fullmatch(r"ai = MinesweeperAI\(height=(\d+), width=(\d+)\)", code):
        case.ai(int(found[1]), int(found[2]))
    elif found := re.fullmatch(r"ai\.add_knowledge\((\(.+\)), (\d)\)", code):
        case.tell(literal_eval(found[1]), int(found[2]))
    elif found := re.fullmatch(r"sentence = Sentence\((\{.+\}), (\d)\)", code):
        case.sentence(literal_eval(found[1]), int(found[2]))
    elif found := re.fullmatch(r"(.+) -> (.+)", code):
        case.expect(found[1], literal_eval(found[2]), why)
    elif found := re.fullmatch(r"(.+) gives one of (\{.+\})", code):
        case.expect_one_of(found[1], literal_eval(found[2]), why)
    elif found := re.fullmatch(r"ai\.knowledge has (\{.+\}) = (\d)", code):
        case.expect_sentence(literal_eval(found[1]), int(found[2]), why)
    elif found := re.fullmatch(r"ai\.(mines|safes) has (\{.+\})", code):
        case.expect_members(found[1], literal_eval(found[2]), why)
    else:
        case.run(code)


def _functions(case: Case) -> None:
    for owner, functions in SIGNATURES.items():
        if not isinstance(getattr(case.student, owner, None), type):
            raise ContractError(f"a class {owner}", "none")
        for name in functions:
            if not callable(getattr(getattr(case.student, owner), name, None)):
                raise ContractError(f"a function {owner}.{name}", "none")


def _signatures(case: Case) -> None:
    for owner, functions in SIGNATURES.items():
        for name, wanted in functions.items():
            function = getattr(getattr(case.student, owner, object), name, None)
            if function is None or not hasattr(case.student, owner):
                raise NotTriedError
            found = tuple(inspect.signature(function).parameters)[1:]
            # Python's own __eq__ calls its parameter `value`; the name does not matter there.
            if found[: len(wanted)] != wanted and name != "__eq__":
                raise ContractError(
                    f"{owner}.{name}({', '.join(('self', *wanted))})",
                    f"({', '.join(('self', *found))})",
                    "Others call these functions by the given names of their parameters.",
                )


def _imports(case: Case) -> None:
    source = Path(str(case.student.__file__)).read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        for module in _imported(node):
            if module.partition(".")[0] not in sys.stdlib_module_names:
                raise ContractError(
                    "no import but of modules that come with Python",
                    f"an import of {module!r} in line {getattr(node, 'lineno', '?')}",
                    "This one file is what is checked and graded: `itertools` and `random` are "
                    "enough for it.",
                )


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [name.name for name in node.names]
    if isinstance(node, ast.ImportFrom):
        return [node.module or "."]
    return []


FILE_CHECKS = (
    Check("minesweeper.py", "has the three classes with all functions of the project", _functions),
    Check(
        "minesweeper.py", "leaves the parameters of the functions as they are given", _signatures
    ),
    Check("minesweeper.py", "imports nothing that is not part of Python", _imports),
)
