"""The C++ core as WebAssembly: compiled by zig, or taken where it lies ready."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from mineproof.core.errors import InputError

ROOT = Path(__file__).parents[3]
NATIVE = ROOT / "native"
"""The sources, where there is a checkout."""
KEPT = ROOT / "build" / "wasm"
"""What was compiled, by a hash of its sources, and zig's own cache."""
READY = Path(__file__).parent / "site" / "core.wasm"
"""What a released package carries."""

ZIG = "0.17.0"
MEMORY, STACK = 2**30, 2**22
FLAGS = (
    *("-target", "wasm32-wasi", "-mexec-model=reactor", "-O3", "-s", "-w"),
    # Exceptions in the form that all browsers of the last years know.
    *("-mcpu=generic+exception_handling+simd128", "-fwasm-exceptions"),
    *("-mllvm", "-wasm-enable-eh", "-mllvm", "-wasm-use-legacy-eh=true"),
    *(f"-Wl,--max-memory={MEMORY}", f"-Wl,-z,stack-size={STACK}"),
)
RUNTIME = (
    "libcxxabi/src/cxa_exception.cpp",
    "libcxxabi/src/cxa_personality.cpp",
    "libunwind/src/Unwind-wasm.c",
)
"""What throws: zig's own library for this target is made without exceptions."""
RUNTIME_FLAGS = (
    *("-D_LIBCXXABI_BUILDING_LIBRARY", "-D_LIBCPP_BUILDING_LIBRARY"),
    *("-D_LIBCXXABI_HAS_NO_THREADS", "-D_LIBUNWIND_HIDE_SYMBOLS"),
)
RUNTIME_HEADERS = ("libcxxabi/include", "libcxxabi/src", "libcxx/src", "libunwind/include")


def build_core(out: Path) -> None:
    """Write the core to the file `out`: compiled once for each state of the sources.

    Raises:
        InputError: it is not there ready, and the sources or zig are missing.
        RuntimeError: zig does not compile it.
    """
    found = find_core()
    if found is None:
        found = KEPT / f"{_fingerprint()}.wasm"
        _compile(found)
    shutil.copyfile(found, out)


def find_core() -> Path | None:
    """Find a core that is ready: of these very sources, or in a package without sources."""
    kept = KEPT / f"{_fingerprint()}.wasm" if NATIVE.is_dir() else READY
    return kept if kept.is_file() else None


def sources() -> list[Path]:
    """List the files that are compiled: all but those that know Python."""
    files = [path for path in NATIVE.glob("*.cpp") if not path.name.startswith(("bind", "vector"))]
    return sorted([*files, *NATIVE.glob("wasm/*.cpp"), *NATIVE.glob("wasm/*.S")])


def _fingerprint() -> str:
    state = hashlib.sha256(repr((ZIG, FLAGS, RUNTIME, RUNTIME_FLAGS)).encode())
    for path in sorted([*sources(), *NATIVE.rglob("*.hpp")]):
        state.update(path.read_bytes())
    return state.hexdigest()[:16]


def _compile(out: Path) -> None:
    library = _zig_library()
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        objects = [Path(folder, f"{Path(file).stem}.o") for file in RUNTIME]
        headers = [f"-I{library / name}" for name in RUNTIME_HEADERS]
        for file, made in zip(RUNTIME, objects, strict=True):
            _zig("c++", *FLAGS, *RUNTIME_FLAGS, *headers, "-c", library / file, "-o", made)
        whole = Path(folder, "core.wasm")
        _zig("c++", "-std=c++20", *FLAGS, *sources(), *objects, "-o", whole)
        whole.replace(out)


def _zig(*arguments: str | Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ziglang", *map(str, arguments)],
        env={**os.environ, "ZIG_LOCAL_CACHE_DIR": str(KEPT / "zig")},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"expected zig to compile the core, got:\n{done.stderr[-4000:]}")


def _zig_library() -> Path:
    if not NATIVE.is_dir():
        raise InputError(f"expected the core's sources in {NATIVE} or {READY}, got neither")
    found = importlib.util.find_spec("ziglang")
    if found is None or found.origin is None:
        raise InputError(f"expected the package ziglang {ZIG} to compile the core, got none")
    return Path(found.origin).parent / "lib"
