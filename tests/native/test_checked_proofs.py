"""Games played in the core check every proved cell against the board."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Require

import mineproof as mw
from mineproof.backend import native
from mineproof.match.play import play

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def parts() -> list[Path]:
    """Return the core without its Python bindings: a compiled library, or the sources."""
    tag = sys.implementation.cache_tag.replace("cpython-", "cp")
    built = sorted(ROOT.glob(f"build/{tag}-{tag}-*/CMakeFiles/_native.dir/native/*.o"))
    found = built or sorted((ROOT / "native").glob("*.cpp"))
    return [path for path in found if "bindings" not in path.name]


@pytest.mark.timeout(1800)  # without a library this compiles everything
def test_false_proofs_are_counted(tmp_path: Path, require: Require) -> None:
    """If the mine count is wrong, the agent makes false proofs, and the game reports them."""
    require("sanitizers", bool(shutil.which("g++")), "g++ is missing")
    program = tmp_path / "false_proofs"
    sources: list[str | Path] = [HERE / "false_proofs.cpp", *parts()]
    subprocess.run(["g++", "-std=c++20", "-pthread", "-o", program, *sources], check=True)
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    assert printed.splitlines() == ["0 3 0", "1 2 1", "2 3 2"]


@pytest.mark.parametrize("seed", range(0, 60, 20))
def test_every_proof_is_checked(require: Require, seed: int) -> None:
    """Every cell that the agent opens as proved is checked, and so is every mine that it knows."""
    require("native", hasattr(native, "tally_games"), "the native core is not built")
    core: Any = native
    proofs, false = core.tally_games(9, 9, 10, "safe", 0, seed, 20)[-2:]
    games = [mw.Game(mw.BEGINNER, number, mw.Cell(0, 0)) for number in range(seed, seed + 20)]
    records = [play(game, mw.make_agent("exact")) for game in games]
    opened = sum(bool(step.proved) for record in records for step in record.steps)
    assert false == 0
    assert opened < proofs <= opened + 20 * 10
