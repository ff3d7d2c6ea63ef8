"""The documentation of the lab matches the code."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from lab_small import every, small

from mineproof.lab.catalogue import experiments
from mineproof.lab.experiment import SETTINGS
from mineproof.lab.figure import EXPECTED, Claim
from mineproof.lab.metrics import METRICS, PROBES
from mineproof.lab.running import carry_out, prepare
from mineproof.lab.store import Store
from mineproof.workers.batch import Here

DOCS = Path(__file__).parents[2] / "docs"


def quoted(page: str) -> set[str]:
    """Return all code that a page quotes in backticks."""
    return set(re.findall(r"`([^`\n]+)`", (DOCS / page).read_text()))


def test_every_figure_has_its_row() -> None:
    text = (DOCS / "repeat-every-figure.md").read_text()
    rows = re.findall(r"^\| [^|]+ \| `([^`]+)` \| (.+) \|$", text, re.MULTILINE)
    found = {(name, figure) for name, cell in rows for figure in re.findall(r"`([^`]+)`", cell)}
    assert found == {
        (experiment.name, figure.name)
        for experiment in experiments().values()
        for figure in experiment.figures
    }


def test_python_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = small("ladder")
    carry_out(prepare(ladder, 2, Store(tmp_path / "lab-results" / "ladder")), Here(), every)
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.+?)```", (DOCS / "lab.md").read_text(), re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        exec(block, {})


def test_every_metric_probe_and_setting_is_explained() -> None:
    assert set(METRICS) <= quoted("lab.md")
    assert set(PROBES) <= quoted("lab.md")
    assert set(SETTINGS) <= quoted("add-an-experiment.md")
    assert set(EXPECTED) <= quoted("add-an-experiment.md")
    assert {field.name for field in fields(Claim)} <= quoted("add-an-experiment.md")
