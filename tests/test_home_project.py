"""The project's own files agree with each other."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from conftest import require_part, required_parts

import mineproof

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("pyproject.toml", r'^version = "(.+)"$'),
        ("CITATION.cff", r"^version: (.+)$"),
        ("CHANGELOG.md", r"^## (\S+) (?!\(unreleased)"),
    ],
)
def test_there_is_one_version(name: str, pattern: str) -> None:
    found = re.search(pattern, (ROOT / name).read_text("utf-8"), re.M)
    assert found is not None
    assert found[1] == mineproof.__version__


def test_constraints_pin_every_dependency() -> None:
    """Every dependency is pinned by a plain line without an address."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9.-]+==[\w.]+( ; [\w\s.'=<>!*()]+)?", pin) for pin in pins)
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    names = {re.split(r"[^\w.-]", wish)[0].lower() for group in groups for wish in group}
    names.discard(PROJECT["name"])  # an extra may include another
    assert names <= {pin.partition("==")[0] for pin in pins}


def test_require_skips_or_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing part skips a test, or fails it if the part is required."""
    monkeypatch.setenv("MINEPROOF_REQUIRE", "native, sanitizers")
    require_part("native", True, "it is here")
    with pytest.raises(pytest.skip.Exception, match="no browser here"):
        require_part("browser", False, "none is installed")
    with pytest.raises(pytest.fail.Exception, match="MINEPROOF_REQUIRE names native"):
        require_part("native", False, "it is not built")
    with pytest.raises(ValueError, match="expected one of"):
        require_part("nativ", True, "")


def test_a_misspelt_requirement_is_refused() -> None:
    """A misspelt name would require nothing, and no one would notice."""
    assert required_parts(" native,,node ") == {"native", "node"}
    with pytest.raises(ValueError, match="got natve"):
        required_parts("natve,node")
