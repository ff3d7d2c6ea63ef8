"""The seed of fuzz tests is printed first and last, and all processes use it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent
NOTED = """
from pathlib import Path
from conftest import FUZZ_SEED
def test_it():
    Path(__file__).with_suffix(".seed").write_text(str(FUZZ_SEED))
"""


def run(folder: Path, *arguments: str, seed: str = "") -> list[str]:
    """Run two tests that record their seeds, with this project's settings. Return the lines."""
    for name in ("one", "two"):
        (folder / f"test_{name}.py").write_text(NOTED)
    command = [sys.executable, "-m", "pytest", "-c", str(TESTS.parent / "pyproject.toml")]
    done = subprocess.run(
        [*command, "-p", "conftest", "-p", "no:cacheprovider", *arguments, str(folder)],
        env={**os.environ, "PYTHONPATH": str(TESTS), "MINEPROOF_FUZZ_SEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def seeds(folder: Path) -> set[str]:
    """Return the seeds that were used."""
    return {path.read_text() for path in folder.glob("*.seed")}


def test_it_is_told_first_and_before_the_last_line(tmp_path: Path) -> None:
    """Runs with several processes also print the seed. Pytest's summary stays the last line."""
    lines = run(tmp_path, "-n", "2")
    numbers = [number for number, line in enumerate(lines) if "MINEPROOF_FUZZ_SEED" in line]
    assert numbers == [0, len(lines) - 2]
    assert {lines[0].partition("=")[2]} == seeds(tmp_path)
    assert re.match(r"2 passed in ", lines[-1])


def test_a_seed_that_is_given_is_used(tmp_path: Path) -> None:
    lines = run(tmp_path, seed="1234")
    assert lines[0] == "fuzz: MINEPROOF_FUZZ_SEED=1234"
    assert seeds(tmp_path) == {"1234"}
