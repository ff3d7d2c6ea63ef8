"""Names in code follow the glossary, and no public class name is used twice."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "mineproof"
ALONE = {"cs50", "wasm"}
"""Packages that may reuse names of other packages: a student's project, and the browser core."""
ROW = re.compile(r"^\| (?P<word>[a-z -]+) \| (?P<meaning>.+?) \| (?:`(?P<place>[\w.]+)`)? ?\|$")


def modules() -> dict[str, Path]:
    """Return all modules and packages by their names below `mineproof`."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        if parts[0] not in ALONE:
            found[".".join(part for part in parts if part != "__init__")] = path
    return found


def public_classes() -> Iterator[tuple[str, str]]:
    """Return the name of every public class with the module that defines it."""
    for name, path in modules().items():
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name, name


def glossary() -> dict[str, str]:
    """Return the glossary's *in code* column for every word. It is empty if the row has none."""
    text = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    rows = [ROW.match(line) for line in text.splitlines() if line.startswith("| ")]
    return {row["word"]: row["place"] or "" for row in rows if row is not None}


def complaints(
    words: dict[str, str], classes: list[tuple[str, str]], names: set[str]
) -> Iterator[str]:
    """Yield a message for each word that code uses for something other than the glossary says."""
    owners = defaultdict(set)
    for name, module in classes:
        owners[name.lower()].add(f"{module}.{name}")
    for module in names:
        if not module.startswith("cli."):  # commands are named by what users type
            owners[module.rpartition(".")[2]].add(module)
    for word, place in words.items():
        plain = word.replace(" ", "").replace("-", "")
        if not place:
            yield from (
                f"{word}: taken by {one}" for one in owners[plain] if one in dict_of(classes)
            )
        elif place not in names and place not in dict_of(classes):
            yield f"{word}: {place} does not exist"
        else:
            room = place.split(".")[0]
            others = {one for one in owners[plain] if one.split(".")[0] != room}
            yield from (f"{word}: {place}, but also {one}" for one in sorted(others))


def dict_of(classes: list[tuple[str, str]]) -> set[str]:
    """Return the full names of classes."""
    return {f"{module}.{name}" for name, module in classes}


def test_no_public_class_name_is_defined_twice() -> None:
    places = defaultdict(list)
    for name, module in public_classes():
        places[name].append(module)
    twice = {name: where for name, where in places.items() if len(where) > 1}
    assert not twice


def test_glossary_words_belong_to_what_the_glossary_says() -> None:
    """No module or class has a name that the glossary assigns to something else."""
    words = glossary()
    assert len(words) > 50
    assert list(words) == sorted(words)
    assert not list(complaints(words, list(public_classes()), set(modules())))


@pytest.mark.parametrize(
    ("words", "classes", "expected"),
    [
        ({"board": "core.board.Board"}, [("Board", "core.board")], []),
        ({"board": "core.board.Board"}, [], ["board: core.board.Board does not exist"]),
        (
            {"board": "core.board.Board"},
            [("Board", "core.board"), ("Board", "web.app")],
            ["board: core.board.Board, but also web.app.Board"],
        ),
        ({"layout": ""}, [("Layout", "web.app")], ["layout: taken by web.app.Layout"]),
    ],
)
def test_the_judge_of_names_would_notice(
    words: dict[str, str], classes: list[tuple[str, str]], expected: list[str]
) -> None:
    assert list(complaints(words, classes, set())) == expected
