"""Building the core as WebAssembly, and the errors if that is not possible."""

from __future__ import annotations

import importlib.util
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mineproof.core.errors import InputError
from mineproof.web import core_build


def test_all_files_but_those_of_python_are_compiled() -> None:
    """The bindings and the files that only they use are not compiled."""
    names = {path.name for path in core_build.sources()}
    assert {"solver.cpp", "games.cpp", "border.cpp", "runtime.cpp", "tag.S"} <= names
    assert not {name for name in names if name.startswith("bindings")}


def test_a_package_without_sources_uses_the_core_that_it_carries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The packaged core is copied. If it is missing, the error says where it was expected."""
    ready, out = tmp_path / "core.wasm", tmp_path / "out.wasm"
    monkeypatch.setattr(core_build, "NATIVE", tmp_path / "native")
    monkeypatch.setattr(core_build, "READY", ready)
    assert core_build.find_core() is None
    with pytest.raises(InputError, match="cannot find the core"):
        core_build.build_core(out)
    ready.write_bytes(b"\0asm")
    assert core_build.find_core() == ready
    core_build.build_core(out)
    assert out.read_bytes() == b"\0asm"


def test_a_core_is_compiled_once_for_each_state_of_its_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A core that was compiled from these sources is reused."""
    native, kept = tmp_path / "native", tmp_path / "kept"
    native.mkdir()
    source = native / "core.cpp"
    source.write_text("int one;")
    monkeypatch.setattr(core_build, "NATIVE", native)
    monkeypatch.setattr(core_build, "KEPT", kept)
    with monkeypatch.context() as without:
        without.setattr(importlib.util, "find_spec", lambda _: None)
        with pytest.raises(InputError, match="the package ziglang"):
            core_build.build_core(tmp_path / "out.wasm")
    monkeypatch.setattr(core_build, "_check_tools", lambda: None)
    compiled: list[Path] = []
    monkeypatch.setattr(core_build, "_compile", lambda out: _pretend(out, compiled))
    for text in ("int one;", "int one;", "int two;"):
        source.write_text(text)
        core_build.build_core(tmp_path / "out.wasm")
    assert len(compiled) == 2


def _pretend(out: Path, compiled: list[Path]) -> Path:
    out.write_bytes(b"\0asm")
    compiled.append(out)
    return out


def test_two_at_once_compile_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If two processes build the core at once, the second waits for the first one's result."""
    monkeypatch.setattr(core_build, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(core_build, "_check_tools", lambda: None)
    compiled: list[Path] = []

    def slowly(out: Path) -> Path:
        time.sleep(0.5)
        return _pretend(out, compiled)

    monkeypatch.setattr(core_build, "_compile", slowly)
    with ThreadPoolExecutor(2) as hands:
        list(hands.map(core_build.build_core, [tmp_path / "one.wasm", tmp_path / "two.wasm"]))
    assert len(compiled) == 1
    assert (tmp_path / "one.wasm").read_bytes() == (tmp_path / "two.wasm").read_bytes()
