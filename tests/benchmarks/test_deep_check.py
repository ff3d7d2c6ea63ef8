"""The exact check of the method of `benchmarks/deep.py` on small boards."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from conftest import Require

from mineproof.backend import native

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_steps_lead_to_the_known_optimum(monkeypatch: pytest.MonkeyPatch, require: Require) -> None:
    """Every step gains, none beyond the optimum, which is 400 of 455 layouts here."""
    require("native", native is not None, "the native core has no playouts")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    check = importlib.import_module("deep_check")
    row = check.check(4, 4, 3, 3)
    weak, first, deep, once, twice, best = (float(row[at]) for at in (2, 3, 5, 7, 8, 9))
    assert row[:2] == ["4x4/3", "455"]
    assert 0 < deep <= once <= twice <= best
    assert first > 0
    assert weak + best == pytest.approx(100 * 400 / 455, abs=0.02)
