"""Building the core as WebAssembly, and what is said where that is not possible."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from mineproof.core.errors import InputError
from mineproof.web import core_build


def test_all_files_but_those_of_python_are_compiled() -> None:
    """The bindings and what only they use stay out."""
    names = {path.name for path in core_build.sources()}
    assert {"solver.cpp", "games.cpp", "border.cpp", "runtime.cpp", "tag.S"} <= names
    assert not {name for name in names if name.startswith("bindings")}


def test_a_package_without_sources_uses_the_core_that_it_carries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is copied; without one the message says where it was looked for."""
    ready, out = tmp_path / "core.wasm", tmp_path / "out.wasm"
    monkeypatch.setattr(core_build, "NATIVE", tmp_path / "native")
    monkeypatch.setattr(core_build, "READY", ready)
    assert core_build.find_core() is None
    with pytest.raises(InputError, match="expected the core's sources in"):
        core_build.build_core(out)
    ready.write_bytes(b"\0asm")
    assert core_build.find_core() == ready
    core_build.build_core(out)
    assert out.read_bytes() == b"\0asm"


def test_a_core_is_compiled_once_for_each_state_of_its_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies ready for these very sources is taken; without zig there is nothing else."""
    native, kept = tmp_path / "native", tmp_path / "kept"
    native.mkdir()
    source = native / "core.cpp"
    source.write_text("int one;")
    monkeypatch.setattr(core_build, "NATIVE", native)
    monkeypatch.setattr(core_build, "KEPT", kept)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(InputError, match="expected the package ziglang"):
        core_build.build_core(tmp_path / "out.wasm")
    compiled: list[Path] = []
    monkeypatch.setattr(core_build, "_compile", lambda out: _pretend(out, compiled))
    for text in ("int one;", "int one;", "int two;"):
        source.write_text(text)
        core_build.build_core(tmp_path / "out.wasm")
    assert len(compiled) == 2


def _pretend(out: Path, compiled: list[Path]) -> None:
    out.parent.mkdir(exist_ok=True)
    out.write_bytes(b"\0asm")
    compiled.append(out)
