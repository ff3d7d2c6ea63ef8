"""The page's logic and types, checked by node and the TypeScript compiler."""

from __future__ import annotations

import re
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


def test_one_module_owns_visibility() -> None:
    """Only `visibility.js` shows and hides the parts that depend on the state of the page."""
    static = ROOT / "src" / "mineproof" / "web" / "static"
    html = (static / "index.html").read_text("utf-8")
    tags = [tag for tag in re.findall(r"<[^>]+>", html) if "data-when=" in tag]
    owned = {name for tag in tags for name in re.findall(r'\bid="([^"]+)"', tag)}
    assert {"lesson", "result", "lanes", "past", "cover"} <= owned
    for path in static.glob("js/*.js"):
        hidden = re.findall(r"\('([\w-]+)'\)\.hidden =", path.read_text("utf-8"))
        assert not owned.intersection(hidden), path.name
