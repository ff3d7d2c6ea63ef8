"""Checks that read a student's file without running it: its imports, and attempts to cheat.

The project allows only the imports of the given file. Modules that can access files, processes or
other objects of the program fail a required check; harmless ones fail a recommended check.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from mineproof.cs50check.case import Case, ContractError, NotTriedError
from mineproof.cs50check.checks import Check

GIVEN = frozenset({"itertools", "random"})
"""The modules that the given file imports."""
_HARMLESS = """
    __future__ abc array bisect collections contextlib copy dataclasses datetime decimal enum
    fractions functools heapq json math numbers operator pprint queue re statistics string
    textwrap time typing
"""
HARMLESS = frozenset(_HARMLESS.split())
"""Modules that give no access to anything outside the AI."""
_TRICKS = """
    __import__ __builtins__ __globals__ __subclasses__ __loader__ breakpoint compile eval exec
    f_back f_globals f_locals globals open
"""
TRICKS = frozenset(_TRICKS.split())
"""Names that give access to things outside the AI without an import."""


def _dangerous(case: Case) -> None:
    tree = _tree(case)
    for module, line in _imports(tree):
        if module not in sys.stdlib_module_names:
            raise ContractError(
                "imports only modules that come with Python",
                f"an import of {module!r} in line {line}",
                "Only this file is checked and graded. `itertools` and `random` are enough for it.",
            )
        if module not in GIVEN | HARMLESS:
            raise _reaches_out(f"an import of {module!r} in line {line}")
    for name, line in _tricks(tree):
        raise _reaches_out(f"{name!r} in line {line}")


def _reaches_out(got: str) -> ContractError:
    return ContractError(
        "an AI that uses only the clues it is given",
        got,
        "An AI that accesses files, processes or other objects of the program could find out "
        "where the mines are. The project allows no other imports.",
    )


def _further(case: Case) -> None:
    for module, line in _imports(_tree(case)):
        if module in HARMLESS:
            raise ContractError(
                f"imports only {' and '.join(sorted(GIVEN))}",
                f"an import of {module!r} in line {line}",
                "The project asks you not to import anything else, and you do not need to.",
            )


def _tree(case: Case) -> ast.Module:
    try:
        return ast.parse(case.source)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise NotTriedError from error  # not the student's mistake: Python imported the file


def _imports(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield every imported module with its line number."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((name.name.partition(".")[0], node.lineno) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or ".").partition(".")[0], node.lineno


def _tricks(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield forbidden names: variables, attributes, and modules inside modules."""
    modules = {module for module, _ in _imports(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in TRICKS:
            yield node.id, node.lineno
        elif isinstance(node, ast.Attribute):
            inside = isinstance(node.value, ast.Name) and node.value.id in modules
            if node.attr in TRICKS - {"compile", "open"} or (inside and _is_module(node.attr)):
                yield ast.unparse(node), node.lineno


def _is_module(name: str) -> bool:
    """Return whether a name refers to a forbidden module, as in `random._os`."""
    return name.lstrip("_") in sys.stdlib_module_names - GIVEN - HARMLESS


SOURCE_CHECKS = (
    Check("minesweeper.py", "imports nothing that gives access beyond the game", _dangerous),
    Check("minesweeper.py", "imports only the given modules", _further, required=False),
)
