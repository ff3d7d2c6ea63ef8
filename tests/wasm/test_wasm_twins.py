"""The native core, WebAssembly and pure Python give the same answers."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Require
from suites import positions

from mineproof.backend import backend
from mineproof.inference.budget import Budget
from mineproof.inference.counting import Known, reference
from mineproof.search.choice import USUAL
from mineproof.search.guessing import choose_in_python

HERE = Path(__file__).parent
Run = Callable[..., str]
SUITE = (
    *("native/test_native_champion.py", "native/test_native_engine.py"),
    *("native/test_native_play.py", "inference/test_native_limits.py"),
    *("search/test_endgame_parts.py", "search/test_deep_search.py"),
)
"""The core's own tests, which also compare it with Python."""
LEFT_OUT = "signal or thread or time_ends or optimum or plain_games or 1000x1000"
"""Omitted tests: they need signals or threads, which Pyodide lacks, or a fast machine."""


@pytest.fixture(scope="module")
def answers(in_pyodide: Run) -> dict[str, Any]:
    """Return the core's answers in Pyodide."""
    found: dict[str, Any] = json.loads(in_pyodide(HERE / "answers.py").splitlines()[-1])
    assert found["backend"] == "wasm"
    return found


def close(one: Any, other: Any) -> bool:
    """Return whether two lists of lists of numbers are equal up to rounding."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)
    return bool(one == other)


@pytest.mark.timeout(1800)  # a first build compiles everything
def test_the_native_core_answers_the_same(require: Require, answers: dict[str, Any]) -> None:
    """Native and WebAssembly win chances differ by at most 1e-12. All other answers are equal."""
    require("native", backend() == "native", "the native core is not built")
    from wasm.answers import answers as ask_here

    native = json.loads(json.dumps(ask_here()))
    for exact in ("proofs", "games", "dealt"):
        assert answers[exact] == native[exact]
    for name in ("choices", "untrained", "deep"):
        assert [cells for cells, _ in answers[name]] == [cells for cells, _ in native[name]]
    for name in ("choices", "untrained", "deep", "wins"):
        assert close(answers[name], native[name]), name
    assert len(answers["proofs"]) == 500
    assert sum(answers["games"]["beginner"][:3]) == 1000


@pytest.mark.timeout(1800)
def test_python_answers_the_same(answers: dict[str, Any]) -> None:
    """Proofs and choices equal those of the pure-Python version."""
    choices = iter(answers["untrained"])
    for seen, (_, *proofs) in zip(positions("expert-stuck")[:12], answers["proofs"], strict=False):
        facts = reference.count(seen, Known(seen.rules.mines or 0), Budget())
        assert proofs == [list(facts.safe), list(facts.mined), str(facts.layouts)]
        if facts.safe:
            continue
        choice = choose_in_python(facts, USUAL)
        assert choice is not None
        cells, _ = next(choices)
        assert cells[0][0] == list(choice.cell)


@pytest.mark.timeout(1800)
def test_the_suite_of_the_core_passes(in_pyodide: Run) -> None:
    files = [f"tests/{file}" for file in SUITE]
    printed = in_pyodide(HERE / "suite.py", "-k", f"not ({LEFT_OUT})", *files)
    assert "backend wasm" in printed
    passed = re.search(r"(\d+) passed", printed)
    assert passed is not None
    assert int(passed[1]) > 100, printed


@pytest.mark.timeout(1800)
def test_no_arguments_break_the_core(in_pyodide: Run) -> None:
    """Hostile calls are rejected. Sensible ones get the same answers as in Python."""
    assert "rejected" in in_pyodide(HERE.parent / "native" / "fuzz_border.py", "wasm", "4")


@pytest.mark.timeout(1800)
def test_no_bytes_break_the_core(in_node: Run) -> None:
    """Questions that are too short, too long or hostile never crash the core."""
    assert "outcomes" in in_node("fuzz_flat.mjs")
