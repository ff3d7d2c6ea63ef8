"""Run other programs in tests."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

LEFT_OUT = ("MINEPROOF_REQUIRE", "PYTHONPATH")
"""Environment variables of the test run that must not be passed to the commands it starts."""


def output(*command: str | Path, folder: Path | None = None, **variables: str) -> str:
    """Run a command and return its output; fail the test with the output if the command fails."""
    inherited = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**inherited, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        pytest.fail(f"{command} ended with status {done.returncode}:\n{done.stdout}", pytrace=False)
    return done.stdout
