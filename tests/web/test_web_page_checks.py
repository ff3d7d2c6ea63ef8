"""The page's logic and types, checked by node and the TypeScript compiler."""

from __future__ import annotations

import shutil
from pathlib import Path

from command_output import output
from conftest import Require

ROOT = Path(__file__).parents[2]
TSC = ROOT / "node_modules" / ".bin" / "tsc"


def test_the_logic_of_the_page(require: Require) -> None:
    """The tests in `tests/page` pass."""
    node = shutil.which("node")
    require("node", node is not None, "node is not installed")
    assert node is not None
    output(node, "--test", "tests/page/", folder=ROOT)


def test_the_types_of_the_page(require: Require) -> None:
    """The types in the comments of the page's scripts are correct."""
    require("node", TSC.exists(), "the TypeScript compiler is not installed: npm install")
    output(TSC, "--project", "tsconfig.json", folder=ROOT)
