"""The WebAssembly module has the interface that `_native.pyi` describes."""

from __future__ import annotations

from pathlib import Path

from native.test_stub import STUB, signatures

FOLDER = Path(__file__).parents[2] / "src" / "mineproof" / "wasm"
FILES = ("__init__.py", "border.py", "no_guess.py", "position.py", "settings.py")
MISSING = {"VectorEnv"}
"""Classes that browsers do not need."""


def test_the_interface_is_that_of_the_native_core() -> None:
    """In both cores, functions and methods have the same parameters, types and defaults."""
    ours: dict[str, tuple[str, str]] = {}
    for file in FILES:
        ours |= signatures((FOLDER / file).read_text("utf-8"))
    theirs = signatures(STUB.read_text("utf-8"))
    functions = {
        name: takes
        for name, (takes, _) in theirs.items()
        if not takes.startswith("@property") and name.split(".")[0] not in MISSING
    }
    assert len(functions) > 20
    assert {name: ours.get(name, ("missing",))[0] for name in functions} == functions


def test_python_can_tell_that_the_core_is_not_there() -> None:
    """Outside a browser, importing the core for browsers raises an `ImportError`."""
    import importlib

    import pytest

    with pytest.raises(ImportError, match="mineproof_core"):
        importlib.import_module("mineproof.wasm")
