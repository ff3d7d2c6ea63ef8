"""A student's project folder, with the skeleton or the solution.

The skeleton is generated from the solution, so the two always match. In functions that students
write, `raise NotImplementedError` replaces the code below the docstring. Helper functions of the
solution are left out.
"""

from __future__ import annotations

import ast
import re
from importlib.resources import files
from pathlib import Path

FILES = ("minesweeper.py", "runner.py", "rounds.py", "requirements.txt", "README.md")
"""The files of a project folder."""

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
    """Write a complete project into a folder, and return the paths of its files.

    Args:
        folder: the folder, which is created if it does not exist.
        solution: whether to write the solution instead of the skeleton.

    Raises:
        FileExistsError: one of the files already exists. Nothing is written.
        OSError: a file cannot be written. No files are left behind.
    """
    for name in FILES:
        if (folder / name).exists():
            raise FileExistsError(f"{folder / name} already exists. Choose another folder")
    texts = {name: read(name) for name in FILES}
    if not solution:
        texts["minesweeper.py"] = skeleton_of(texts["minesweeper.py"])
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    except BaseException as error:
        if isinstance(error, OSError):
            error.filename = str(folder / name)  # Python does not set it if the disk is full
        # Remove partial files (for example after a full disk): they would block a retry.
        for name in FILES:
            (folder / name).unlink(missing_ok=True)
        raise
    return [folder / name for name in FILES]


def read(name: str) -> str:
    """Return the text of one of the project's files."""
    return (files("mineproof.cs50") / name).read_text(encoding="utf-8")


def skeleton_of(solution: str) -> str:
    """Return the solution without the code that students write. Comments are kept."""
    # Remove the solution's constants with the comments above them.
    solution = re.sub(r"(?m)^(#.*\n)*([A-Z_]+ = .*\n)+\n", "", solution)
    lines = solution.splitlines(keepends=True)
    classes = [node for node in ast.parse(solution).body if isinstance(node, ast.ClassDef)]
    functions = [
        (owner.name, node)
        for owner in classes
        for node in owner.body
        if isinstance(node, ast.FunctionDef)
    ]
    # Edit from the end, so that earlier line numbers stay valid.
    for owner, function in reversed(functions):
        if function.name in STUDENTS_WORK.get(owner, ()):
            code = function.body[1]  # the first statement after the docstring
            indent = " " * code.col_offset
            lines[code.lineno - 1 : function.end_lineno] = [f"{indent}raise NotImplementedError\n"]
        elif function.name not in GIVEN[owner]:  # a helper of the solution
            del lines[function.lineno - 2 : function.end_lineno]
    return "".join(lines).rstrip() + "\n"
