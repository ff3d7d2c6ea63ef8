"""The pages of the lab say what there is."""

from __future__ import annotations

import re
from pathlib import Path

from mineproof.lab.catalogue import experiments
from mineproof.lab.experiment import SETTINGS
from mineproof.lab.metrics import METRICS, PROBES

DOCS = Path(__file__).parents[2] / "docs"


def quoted(page: str) -> set[str]:
    """Give everything that a page quotes as code."""
    return set(re.findall(r"`([^`\n]+)`", (DOCS / page).read_text()))


def test_every_figure_has_its_row() -> None:
    """The page names every experiment and figure, and none that does not exist."""
    text = (DOCS / "repeat-every-figure.md").read_text()
    rows = re.findall(r"^\| [^|]+ \| `([^`]+)` \| (.+) \|$", text, re.MULTILINE)
    found = {(name, figure) for name, cell in rows for figure in re.findall(r"`([^`]+)`", cell)}
    assert found == {
        (experiment.name, figure.name)
        for experiment in experiments().values()
        for figure in experiment.figures
    }


def test_every_metric_probe_and_setting_is_explained() -> None:
    """What a user may write in an experiment is in the pages."""
    assert set(METRICS) <= quoted("lab.md")
    assert set(PROBES) <= quoted("lab.md")
    assert set(SETTINGS) <= quoted("add-an-experiment.md")
