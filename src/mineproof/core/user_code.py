"""Python files of the user: how they are imported, and how worker processes learn of them."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from types import ModuleType

from mineproof.core.errors import InputError

VARIABLE = "MINEPROOF_CLUE_RULES"
"""The environment variable that names the modules of clue rules, separated as in `PATH`."""
LOADING = "MINEPROOF_LOADING"
"""Set in the environment while a source is imported: no process started meanwhile may load one."""
_loaded: set[str] = set()


def import_file(path: Path, content: bytes) -> ModuleType:
    """Import a Python file by its path, once for each content.

    Raises:
        Exception: whatever the file raises while it is imported.
    """
    import hashlib  # these take longer to import than the rest of the core
    import importlib.util

    name = f"mineproof_user_{path.stem}_{hashlib.sha256(content).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    # The file may import its neighbours, as it could when run by itself.
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
    """Import the module that a source names, once: a path that ends in `.py`, or a module.

    Raises:
        InputError: it cannot be imported.
    """
    if source in _loaded:
        return
    if LOADING in os.environ:  # else a script that plays games would start itself for ever
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
    """Return what names the module of a class in another process; empty if nothing does."""
    if "." in found.__module__:
        return found.__module__
    file = getattr(sys.modules.get(found.__module__), "__file__", None)
    return str(Path(file).resolve()) if file else ""


def announce(source: str) -> None:
    """Let the processes that this one starts know of a module."""
    _loaded.add(source)
    if source and source not in _announced():
        os.environ[VARIABLE] = os.pathsep.join([*_announced(), source])


def load_announced() -> None:
    """Import the modules that were announced to this process, or by it."""
    for source in _announced():
        load(source)


def _announced() -> list[str]:
    return [source for source in os.environ.get(VARIABLE, "").split(os.pathsep) if source]
