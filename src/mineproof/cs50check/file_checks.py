"""Checks of the file as a whole: what it defines, and what it imports."""

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path

from mineproof.cs50check.case import Case, ContractError, NotTriedError
from mineproof.cs50check.checks import Check

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
