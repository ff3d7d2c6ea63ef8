"""Results from earlier versions can still be read, reported and continued."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from mineproof.lab.report import write_report
from mineproof.lab.store import Store, stores
from mineproof.lab.tables import summarise
from mineproof.notation.codec import to_plain

DATA = Path(__file__).with_name("data") / "version-0.1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a copy of the stored results, so that a test can add a report to the folder."""
    return shutil.copytree(DATA, tmp_path / "results")


def test_manifest_and_parts_are_read(folder: Path) -> None:
    store = Store(folder / "old")
    experiment = store.experiment
    assert experiment.agents == ("sentences", "clue-heap")
    assert [figure.name for figure in experiment.figures] == ["old-score", "old-won"]
    assert store.query("SELECT count(*), count(DISTINCT seed) FROM games") == [(48, 6)]
    points = summarise(store, experiment.figures[1])
    assert [point.estimate.games for point in points] == [12] * 4


def test_a_report_is_written(folder: Path) -> None:
    assert len(stores(folder)) == 2
    text = write_report(folder).read_text()
    assert "The score goes up with the mine count." in text
    assert "9 of 10" in text
    assert "basic against sentences" in text


def test_results_of_version_0_2_are_read(tmp_path: Path) -> None:
    """A report can be made from results of version 0.2, with a verdict on the claim."""
    folder = shutil.copytree(DATA.with_name("version-0.2"), tmp_path / "results")
    store = Store(folder / "small")
    assert to_plain(store.manifest) == json.loads((store.folder / "manifest.json").read_text())
    experiment = store.experiment
    plain = to_plain(experiment)
    for claim in (claim for figure in plain["figures"] for claim in figure["claims"]):
        assert claim.pop("document") == ""  # new in 0.3
    assert plain == store.manifest.experiment
    assert experiment.vary == {"mines": (3, 5)}
    assert experiment.figures[0].claims[0].of == {"agent": ("basic",)}
    assert store.query("SELECT count(*), count(DISTINCT seed) FROM games") == [(24, 6)]
    assert "More mines, fewer wins." in write_report(folder).read_text()
