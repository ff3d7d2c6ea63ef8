"""A student's project folder: which files it has, and the skeleton without the solution.

The skeleton is made from the solution, so that the two never drift apart: what students
write themselves becomes `raise NotImplementedError` under its docstring, and what is
only there to help the solution is left out.
"""

from __future__ import annotations

import ast
from importlib.resources import files
from pathlib import Path

FILES = ("minesweeper.py", "runner.py", "rounds.py", "requirements.txt", "README.md")
"""What a project folder holds."""

STUDENTS_WORK = {
    "Sentence": ("known_mines", "known_safes", "mark_mine", "mark_safe"),
    "MinesweeperAI": ("add_knowledge", "make_safe_move", "make_random_move"),
}
"""The functions that students write, by class."""

GIVEN = {
    "Minesweeper": ("__init__", "print", "is_mine", "nearby_mines", "won"),
    "Sentence": ("__init__", "__eq__", "__str__", "__repr__"),
    "MinesweeperAI": ("__init__", "mark_mine", "mark_safe"),
}
"""The functions that students are given, by class."""


def write_project(folder: Path, *, solution: bool = False) -> list[Path]:
    """Write a complete project into a folder, which is made if need be.

    Args:
        folder: where the files go.
        solution: write the solution; else the student's functions are empty.

    Returns:
        The files written.

    Raises:
        FileExistsError: one of the files is there already; then nothing is written.
        OSError: a file cannot be written; then none is left.
    """
    for name in FILES:
        if (folder / name).exists():
            raise FileExistsError(
                f"expected a folder without {name} (nothing is overwritten), got {folder}"
            )
    texts = {name: read(name) for name in FILES}
    if not solution:
        texts["minesweeper.py"] = skeleton_of(texts["minesweeper.py"])
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for name, text in texts.items():
            _write(folder / name, text)
    except BaseException:
        # What a full disk leaves would stand in the way of a second try.
        for name in FILES:
            (folder / name).unlink(missing_ok=True)
        raise
    return [folder / name for name in FILES]


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        error.filename = str(path)  # a full disk names none
        raise


def read(name: str) -> str:
    """Give the text of one of the project's files."""
    return (files("mineproof.cs50") / name).read_text(encoding="utf-8")


def skeleton_of(solution: str) -> str:
    """Take the student's work out of a solution and keep all else, comments included."""
    lines = solution.splitlines(keepends=True)
    # From the end, so that the line numbers before it stay right.
    for first, last, new in sorted(_edits(ast.parse(solution), lines), reverse=True):
        lines[first:last] = [new] if new else []
    return "".join(lines).rstrip() + "\n"


def _edits(module: ast.Module, lines: list[str]) -> list[tuple[int, int, str]]:
    """List the pieces to replace: first line (from 0), the line after the last, the new text."""
    edits = []
    for node in module.body:
        if isinstance(node, ast.ClassDef):
            for function in node.body:
                if isinstance(function, ast.FunctionDef):
                    edits += _function_edits(node.name, function)
        elif isinstance(node, ast.Assign):
            edits.append(_whole_paragraph(node, lines))
    return edits


def _function_edits(owner: str, function: ast.FunctionDef) -> list[tuple[int, int, str]]:
    end = function.end_lineno or function.lineno
    if function.name in STUDENTS_WORK.get(owner, ()):
        body = function.body[1]
        indent = " " * body.col_offset
        return [(body.lineno - 1, end, f"{indent}raise NotImplementedError\n")]
    if function.name in GIVEN[owner]:
        return []
    # A helper of the solution goes, with the blank line above it.
    return [(function.lineno - 2, end, "")]


def _whole_paragraph(node: ast.Assign, lines: list[str]) -> tuple[int, int, str]:
    """Remove a constant of the solution with the comments above it and the blank line before."""
    first = node.lineno - 1
    while first > 0 and lines[first - 1].startswith("#"):
        first -= 1
    if first > 0 and not lines[first - 1].strip():
        first -= 1
    return first, node.end_lineno or node.lineno, ""
