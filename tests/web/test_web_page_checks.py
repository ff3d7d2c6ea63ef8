"""The page's own logic and types, by node and the TypeScript compiler."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from conftest import Require

ROOT = Path(__file__).parents[2]
TSC = ROOT / "node_modules" / ".bin" / "tsc"


def run(*command: str) -> None:
    """Run a check in the repository; what it prints is the message of a failure."""
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_logic_of_the_page(require: Require) -> None:
    """All tests of `tests/page` pass."""
    node = shutil.which("node")
    require("node", node is not None, "node is not installed")
    assert node is not None
    run(node, "--test", "tests/page/")


def test_the_types_of_the_page(require: Require) -> None:
    """The types in the comments are right everywhere."""
    require("node", TSC.exists(), "the TypeScript compiler is not installed: npm install")
    run(str(TSC), "--project", "tsconfig.json")
