"""The committed stub of the native core describes the built module.

The stub is written by hand. Its docstrings may differ, and its return types may be more precise
than nanobind knows. Everything else must equal nanobind's report.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Require

from mineproof.backend import native

STUB = Path(__file__).parents[2] / "src" / "mineproof" / "_native.pyi"
VAGUE = {"object", "list", "tuple", "dict"}
"""The return types that nanobind reports for values that C++ code builds by hand."""


def signatures(source: str) -> dict[str, tuple[str, str]]:
    """Return the parameters and the return type of each class and function, by its dotted name."""
    return dict(described(ast.parse(source), ""))


def described(
    scope: ast.Module | ast.ClassDef, prefix: str
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Return the members of a module or class with their descriptions."""
    for node in scope.body:
        if isinstance(node, ast.ClassDef):
            yield prefix + node.name, (", ".join(map(ast.unparse, node.bases)), "a class")
            yield from described(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            decorators = "".join(f"@{ast.unparse(one)} " for one in node.decorator_list)
            gives = "None" if node.returns is None else ast.unparse(node.returns)
            yield prefix + node.name, (decorators + ast.unparse(node.args), gives)


def differences(stub: str, built: str) -> list[str]:
    """Return the differences between a stub and nanobind's report of the built module."""
    ours, theirs = signatures(stub), signatures(built)
    found = [f"only in the stub: {name}" for name in ours.keys() - theirs.keys()]
    found += [f"not in the stub: {name}" for name in theirs.keys() - ours.keys()]
    for name in ours.keys() & theirs.keys():
        (takes, gives), (wanted, result) = ours[name], theirs[name]
        says_more = result == "object" or (result in VAGUE and gives.startswith(f"{result}["))
        if takes != wanted or not (gives == result or says_more):
            found.append(f"{name}: expected ({wanted}) -> {result}, got ({takes}) -> {gives}")
    return sorted(found)


def test_stub_matches_the_built_module(require: Require) -> None:
    require("native", native is not None, "the native core is not built")
    from nanobind.stubgen import StubGen  # type: ignore[import-untyped]

    assert native is not None
    generator = StubGen(native)
    generator.put(native)
    assert differences(STUB.read_text("utf-8"), generator.get()) == []


@pytest.mark.parametrize(
    ("stub", "difference"),
    [
        ("def f(a: int, b: int = 10_0) -> list[int]: ...", None),
        ("def f(a: int, b: int = 100) -> list: ...", None),
        ("def f(a: int, b: int = 99) -> list: ...", "f: expected"),
        ("def f(a: int, c: int = 100) -> list: ...", "f: expected"),
        ("def f(a: str, b: int = 100) -> list: ...", "f: expected"),
        ("def f(a: int, b: int = 100) -> int: ...", "f: expected"),
        ("def g(a: int) -> list: ...", "not in the stub: f"),
    ],
)
def test_differences_are_noticed(stub: str, difference: str | None) -> None:
    """The comparison accepts a more precise return type, and nothing else."""
    found = differences(stub, "def f(a: int, b: int = 100) -> list: ...")
    assert (difference is None and not found) or found[0].startswith(difference or "?")
