"""Project folders are complete and never overwritten, and the skeleton matches the solution."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import import_extra

from mineproof.cs50.project import (
    FILES,
    GIVEN,
    STUDENTS_WORK,
    read,
    skeleton_of,
    write_project,
)


def functions(source: str) -> dict[tuple[str, str], ast.FunctionDef]:
    return {
        (owner.name, function.name): function
        for owner in ast.parse(source).body
        if isinstance(owner, ast.ClassDef)
        for function in owner.body
        if isinstance(function, ast.FunctionDef)
    }


def test_a_complete_project(tmp_path: Path) -> None:
    written = write_project(tmp_path / "a" / "b", solution=True)
    assert [path.name for path in written] == list(FILES)
    for path in written:
        assert path.read_text("utf-8") == read(path.name)
    assert "pygame-ce" in (tmp_path / "a" / "b" / "requirements.txt").read_text("utf-8")


@pytest.mark.parametrize("name", FILES)
def test_nothing_is_overwritten(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(FileExistsError, match=name.replace(".", r"\.")):
        write_project(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine"


def test_skeleton_has_the_given_functions_and_no_helpers() -> None:
    solution, skeleton = (
        functions(read("minesweeper.py")),
        functions(skeleton_of(read("minesweeper.py"))),
    )
    given = {(owner, name) for owner, names in GIVEN.items() for name in names}
    written = {(owner, name) for owner, names in STUDENTS_WORK.items() for name in names}
    assert set(skeleton) == given | written
    for key in given:
        assert ast.dump(skeleton[key]) == ast.dump(solution[key])
    for key in written:
        assert ast.get_docstring(skeleton[key]) == ast.get_docstring(solution[key])
        assert ast.unparse(skeleton[key].body[1]) == "raise NotImplementedError"
        assert len(skeleton[key].body) == 2


def test_skeleton_is_tidy() -> None:
    skeleton = skeleton_of(read("minesweeper.py"))
    names = [node for node in ast.parse(skeleton).body if isinstance(node, ast.Assign)]
    assert not names
    assert "LONG_SENTENCES" not in skeleton
    assert "\n\n\n\n" not in skeleton
    assert skeleton.endswith("raise NotImplementedError\n")


@pytest.mark.full
@pytest.mark.parametrize("solution", [False, True])
def test_the_window_opens_from_any_folder(tmp_path: Path, solution: bool) -> None:
    import_extra("pygame")
    folder = tmp_path / "project"
    write_project(folder, solution=solution)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    # Like `python FOLDER/runner.py`, with a close event already in the queue.
    code = (
        "import os, runpy, sys; os.environ['SDL_VIDEODRIVER'] = 'dummy'; import pygame;"
        "pygame.display.init(); pygame.event.post(pygame.event.Event(pygame.QUIT));"
        f"sys.path[0] = {str(folder)!r};"
        f"runpy.run_path({str(folder / 'runner.py')!r}, run_name='__main__')"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=elsewhere, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_without_pygame_the_message_says_what_to_do(tmp_path: Path) -> None:
    write_project(tmp_path)
    (tmp_path / "pygame.py").write_text("raise ImportError('none here')")
    command = [sys.executable, str(tmp_path / "runner.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "The window needs pygame-ce: pip install -r requirements.txt\n"
