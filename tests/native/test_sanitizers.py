"""The native core under the address and undefined-behaviour sanitizers."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from command_output import output
from conftest import Require

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
GENERATOR = "Ninja" if shutil.which("ninja") else "Unix Makefiles"
BUILD = ROOT / "build" / f"sanitized-{sys.implementation.cache_tag}-{GENERATOR[:5]}"
"""The build folder. It is kept, so that CMake compiles only what has changed."""

RUNTIMES = ("libasan.so", "libubsan.so", "libstdc++.so")
"""Libraries to load before Python, so that ASan sees the first allocation and throw."""


def runtimes() -> list[str]:
    """Return the paths of the sanitizers' libraries, or an empty string if there are none."""
    compiler = os.environ.get("CXX") or shutil.which("g++") or ""
    builder = shutil.which("ninja") or shutil.which("make")
    if not (builder and shutil.which(compiler) and shutil.which("cmake")):
        return []
    found = [output(compiler, f"-print-file-name={name}").strip() for name in RUNTIMES]
    return found if all(map(os.path.isabs, found)) else []


@contextmanager
def alone() -> Iterator[None]:
    """Keep other test runs in this checkout out of the build folder."""
    import fcntl

    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def build() -> Path:
    """Build the core with the sanitizers and return the path of the module."""
    nanobind = output(sys.executable, "-m", "nanobind", "--cmake_dir").strip()
    options = {
        "MINEPROOF_SANITIZE": "ON",
        "nanobind_DIR": nanobind,
        "Python_EXECUTABLE": sys.executable,
    }
    defines = [f"-D{name}={value}" for name, value in options.items()]
    with alone():
        output("cmake", "-G", GENERATOR, "-S", ROOT, "-B", BUILD, *defines)
        output("cmake", "--build", BUILD, "--parallel", "2")
    (module,) = BUILD.glob("_native*.so")
    return module


@pytest.mark.timeout(1800)  # a first build compiles everything
def test_the_border_survives_hostile_calls(require: Require) -> None:
    """No argument may cause an invalid read or write, or an overflow."""
    libraries = runtimes()
    require("sanitizers", bool(libraries), "g++ with its sanitizers, cmake or ninja is missing")
    printed = output(
        sys.executable,
        HERE / "fuzz_border.py",
        build(),
        LD_PRELOAD=":".join(libraries),
        ASAN_OPTIONS="detect_leaks=0",
        UBSAN_OPTIONS="print_stacktrace=1",
    )
    assert "rejected" in printed
