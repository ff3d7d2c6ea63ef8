"""The WebAssembly core in node: alone, or with Python in Pyodide."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import Require

from mineproof.web.core_build import build_core

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PYODIDE = ROOT / "node_modules" / "pyodide"

Run = Callable[..., str]
"""A function that runs a file with arguments and returns its output."""


def run(script: str, core: Path, *arguments: str | Path) -> str:
    """Run a script of this folder in node. If it fails, the test fails with its output."""
    places = {
        "CORE": core,
        "ROOT": ROOT,
        "PYODIDE": PYODIDE.resolve(),
        "SITE_PACKAGES": sysconfig.get_path("purelib"),
    }
    done = subprocess.run(
        ["node", HERE / script, *arguments],
        env={**os.environ, **{name: str(place) for name, place in places.items()}},
        capture_output=True,
        text=True,
        timeout=1700,
        check=False,
    )
    printed = done.stdout + done.stderr
    if done.returncode != 0:
        pytest.fail(f"{script} gave status {done.returncode}:\n{printed[-8000:]}", pytrace=False)
    return printed


@pytest.fixture(scope="session")
def wasm_core(require: Require, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the core, compiled again if its sources have changed."""
    require("wasm", find_spec("ziglang") is not None, "ziglang is not installed")
    require("wasm", shutil.which("node") is not None, "node is not installed")
    path = tmp_path_factory.mktemp("wasm") / "core.wasm"
    build_core(path)
    return path


@pytest.fixture(scope="session")
def in_node(wasm_core: Path) -> Run:
    return lambda script, *arguments: run(script, wasm_core, *arguments)


@pytest.fixture(scope="session")
def in_pyodide(wasm_core: Path, require: Require) -> Run:
    """Run a Python file in Pyodide, with `mineproof` and the WebAssembly core."""
    require("wasm", PYODIDE.is_dir(), "pyodide is not installed: npm install")
    return lambda file, *arguments: run("run_python.mjs", wasm_core, file, *arguments)
