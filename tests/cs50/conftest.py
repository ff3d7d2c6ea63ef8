"""The CS50 files, imported as they are in a student's folder: from beside each other."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from importlib.resources import files
from types import ModuleType

import pytest
from conftest import import_extra

FOLDER = str(files("mineproof.cs50"))
NAMES = ("minesweeper", "rounds", "runner")


@pytest.fixture(scope="module")
def folder() -> Iterator[str]:
    """Let the modules of the project folder be imported by their own names."""
    sys.path.insert(0, FOLDER)
    yield FOLDER
    sys.path.remove(FOLDER)
    for name in NAMES:
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def minesweeper(folder: str) -> ModuleType:
    """Give the drop-in."""
    return importlib.import_module("minesweeper")


@pytest.fixture(scope="module")
def rounds(folder: str) -> ModuleType:
    """Give the games without a window."""
    return importlib.import_module("rounds")


@pytest.fixture(scope="module")
def runner(folder: str) -> Iterator[ModuleType]:
    """Give the window, on a screen that nobody sees."""
    import_extra("pygame")
    patch = pytest.MonkeyPatch()
    patch.setenv("SDL_VIDEODRIVER", "dummy")
    module = importlib.import_module("runner")
    yield module
    module.pygame.quit()
    patch.undo()
