"""The test tiers: what `--quick` leaves out, and what happens if a package is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent
MARKED = """
import time
import pytest
def test_quick():
    time.sleep(0.01)
@pytest.mark.full
def test_slow():
    time.sleep(0.01)
"""
MISSING = """
import no_such_package
def test_it():
    pass
"""


def run(folder: Path, *arguments: str, **variables: str) -> str:
    """Run pytest on two test files with this project's conftest. Return its output."""
    (folder / "test_marked.py").write_text(MARKED)
    (folder / "test_missing.py").write_text(MISSING)
    command = [sys.executable, "-m", "pytest", "-c", str(TESTS.parent / "pyproject.toml")]
    done = subprocess.run(
        [*command, "-p", "conftest", "-p", "no:cacheprovider", *arguments, str(folder)],
        env={**os.environ, "PYTHONPATH": str(TESTS), "MINEPROOF_REQUIRE": "", **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


def test_a_missing_package_skips_the_file_and_says_what_installs_it(tmp_path: Path) -> None:
    printed = run(tmp_path)
    assert "2 passed, 1 skipped" in printed
    assert "no_such_package is not installed" in printed
    assert "python3 run.py test --full" in printed


def test_a_missing_package_fails_where_extras_are_required(tmp_path: Path) -> None:
    """Continuous integration must not skip tests that it should run."""
    printed = run(tmp_path, MINEPROOF_REQUIRE="extras")
    assert "1 error" in printed
    assert "MINEPROOF_REQUIRE names extras, but no_such_package" in printed


def test_quick_leaves_marked_tests_out(tmp_path: Path) -> None:
    """Tests without the marker `full` are quick, and `--quick` runs them."""
    assert "1 passed, 1 skipped" in run(tmp_path, "--quick")
