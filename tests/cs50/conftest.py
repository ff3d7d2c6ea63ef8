"""Fixtures that import the CS50 files as in a student's folder."""

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
    sys.path.insert(0, FOLDER)
    yield FOLDER
    sys.path.remove(FOLDER)
    for name in NAMES:
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def minesweeper(folder: str) -> ModuleType:
    return importlib.import_module("minesweeper")


@pytest.fixture(scope="module")
def rounds(folder: str) -> ModuleType:
    return importlib.import_module("rounds")


@pytest.fixture(scope="module")
def runner(folder: str) -> Iterator[ModuleType]:
    import_extra("pygame")
    patch = pytest.MonkeyPatch()
    patch.setenv("SDL_VIDEODRIVER", "dummy")
    module = importlib.import_module("runner")
    yield module
    module.pygame.quit()
    patch.undo()
