"""The C++ core as WebAssembly: finds a compiled core, or compiles it with zig.

`python -m mineproof.web.core_build` compiles it into the package, for wheels that include it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from mineproof.core.errors import InputError

ROOT = Path(__file__).parents[3]
NATIVE = ROOT / "native"
"""The sources, if this is a checkout."""
KEPT = ROOT / "build" / "wasm"
"""Compiled cores, named by a hash of their sources, and zig's cache."""
READY = Path(__file__).parent / "site" / "core.wasm"
"""The compiled core in a released package."""

ZIG = "0.17.0"
MEMORY, STACK = 2**30, 2**22
FLAGS = (
    *("-target", "wasm32-wasi", "-mexec-model=reactor", "-O3", "-s", "-w"),
    # The older format of exceptions, which all recent browsers support.
    *("-mcpu=generic+exception_handling+simd128", "-fwasm-exceptions"),
    *("-mllvm", "-wasm-enable-eh", "-mllvm", "-wasm-use-legacy-eh=true"),
    *(f"-Wl,--max-memory={MEMORY}", f"-Wl,-z,stack-size={STACK}"),
)
RUNTIME = (
    "libcxxabi/src/cxa_exception.cpp",
    "libcxxabi/src/cxa_personality.cpp",
    "libunwind/src/Unwind-wasm.c",
)
"""Sources of the exception runtime. Zig's library for this target lacks exceptions."""
RUNTIME_FLAGS = (
    *("-D_LIBCXXABI_BUILDING_LIBRARY", "-D_LIBCPP_BUILDING_LIBRARY"),
    *("-D_LIBCXXABI_HAS_NO_THREADS", "-D_LIBUNWIND_HIDE_SYMBOLS"),
)
RUNTIME_HEADERS = ("libcxxabi/include", "libcxxabi/src", "libcxx/src", "libunwind/include")


def build_core(out: Path) -> None:
    """Write the core to the file `out`; see `ensure_core`."""
    shutil.copyfile(ensure_core(), out)


def ensure_core() -> Path:
    """Return the path of the core. It is compiled once for each state of the sources.

    Raises:
        InputError: there is no compiled core, and the sources or zig are missing.
        RuntimeError: zig failed to compile it.
    """
    if found := find_core():
        return found
    _check_tools()
    with _alone():
        return find_core() or _compile(KEPT / f"{_fingerprint()}.wasm")


def find_core() -> Path | None:
    """Return the compiled core: of these sources, or the ready one if there are none."""
    kept = KEPT / f"{_fingerprint()}.wasm" if NATIVE.is_dir() else READY
    return kept if kept.is_file() else None


def sources() -> list[Path]:
    """List the files to compile: all except those that use Python."""
    files = [path for path in NATIVE.glob("*.cpp") if not path.name.startswith(("bind", "vector"))]
    return sorted([*files, *NATIVE.glob("wasm/*.cpp"), *NATIVE.glob("wasm/*.S")])


def _fingerprint() -> str:
    state = hashlib.sha256(repr((ZIG, FLAGS, RUNTIME, RUNTIME_FLAGS)).encode())
    for path in sorted([*sources(), *NATIVE.rglob("*.hpp")]):
        state.update(path.read_bytes())
    return state.hexdigest()[:16]


def _check_tools() -> None:
    if not NATIVE.is_dir():
        raise InputError(f"cannot find the core: neither {NATIVE} nor {READY} exists")
    if importlib.util.find_spec("ziglang") is None:
        raise InputError(f"compiling the core needs the package ziglang {ZIG}; install it with pip")


@contextmanager
def _alone() -> Iterator[None]:
    """Wait until no other process is compiling the core, to avoid doing the same work twice."""
    KEPT.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":  # without a lock, the last process to finish wins
        yield
        return
    import fcntl

    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _compile(out: Path) -> Path:
    """Compile all files in parallel, which zig alone does not do, and link them."""
    library = _zig_library()
    headers = [f"-I{library / name}" for name in RUNTIME_HEADERS]
    # The exception runtime goes first, so that the linker ignores the library's version.
    work = [(library / name, [*RUNTIME_FLAGS, *headers]) for name in RUNTIME]
    work += [(path, ["-std=c++20"] if path.suffix == ".cpp" else []) for path in sources()]
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:

        def compiled(path: Path, options: list[str]) -> Path:
            made = Path(folder, f"{path.name}.o")
            _zig("c++", *FLAGS, *options, "-c", path, "-o", made)
            return made

        with ThreadPoolExecutor(os.cpu_count()) as hands:
            objects = list(hands.map(compiled, *zip(*work, strict=True)))
        whole = Path(folder, "core.wasm")
        _zig("c++", *FLAGS, *objects, "-o", whole)
        return whole.replace(out)


def _zig(*arguments: str | Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ziglang", *map(str, arguments)],
        env={**os.environ, "ZIG_LOCAL_CACHE_DIR": str(KEPT / "zig")},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"zig failed to compile the core:\n{done.stderr[-4000:]}")


def _zig_library() -> Path:
    found = importlib.util.find_spec("ziglang")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "lib"


if __name__ == "__main__":
    build_core(READY)
