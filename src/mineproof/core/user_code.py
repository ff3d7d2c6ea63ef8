"""Imports the user's Python files, and records which of them worker processes must import."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from types import ModuleType

from mineproof.core.errors import InputError

VARIABLE = "MINEPROOF_CLUE_RULES"
"""Name of the environment variable that lists modules with clue rules, separated as in `PATH`."""
LOADING = "MINEPROOF_LOADING"
"""Name of the environment variable that is set while a user's file is imported. A process that the
import starts then refuses to import the file again."""
_loaded: set[str] = set()


def import_file(path: Path, content: bytes) -> ModuleType:
    """Import a Python file. A file that has not changed is imported only once.

    Raises:
        Exception: any exception that the file raises during the import.
    """
    import hashlib  # these modules take longer to import than the rest of the core
    import importlib.util

    name = f"mineproof_user_{path.stem}_{hashlib.sha256(content).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    # The file may import modules from its folder, as it could when run as a script.
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        sys.path.remove(folder)
    return module


def load(source: str) -> None:
    """Import a module, or a file whose path ends in `.py`, unless it was imported before.

    Raises:
        InputError: the import fails.
    """
    if source in _loaded:
        return
    if (
        LOADING in os.environ
    ):  # without this, a script that plays games when imported would start itself forever
        raise InputError(
            f"{os.environ[LOADING]} starts processes while it is imported; put that part below "
            'if __name__ == "__main__":'
        )
    os.environ[LOADING] = source
    try:
        if source.endswith(".py"):
            import_file(Path(source), Path(source).read_bytes())
        else:
            importlib.import_module(source)
    except (Exception, SystemExit) as error:
        raise InputError(f"cannot import {source}: {type(error).__name__}: {error}") from error
    finally:
        del os.environ[LOADING]
    _loaded.add(source)


def source_of(found: type) -> str:
    """Return the module or file that defines a class, so that another process can import it.

    Return an empty string if the class has neither.
    """
    if "." in found.__module__:
        return found.__module__
    file = getattr(sys.modules.get(found.__module__), "__file__", None)
    return str(Path(file).resolve()) if file else ""


def announce(source: str) -> None:
    """Add a module to the list that worker processes import."""
    _loaded.add(source)
    if source and source not in _announced():
        os.environ[VARIABLE] = os.pathsep.join([*_announced(), source])


def load_announced() -> None:
    """Import all modules that this process or its parent announced."""
    for source in _announced():
        load(source)


def _announced() -> list[str]:
    return [source for source in os.environ.get(VARIABLE, "").split(os.pathsep) if source]
