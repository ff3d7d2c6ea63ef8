"""The result tables of benchmarks: rows with equal keys are replaced, and other rows stay."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from mineproof.backend import native

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_rows_are_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """New rows are added at the end."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    result_table = importlib.import_module("result_table")

    monkeypatch.setattr(result_table, "RESULTS", tmp_path / "results")
    columns = ("agent", "level", "wrong")
    result_table.update("t", "# T", columns, [["a", "easy", "0"], ["a", "hard", "1"]], keys=2)
    path = result_table.update(
        "t", "# T", columns, [["a", "easy", "5"], ["b", "easy", "0"]], keys=2
    )
    text = path.read_text("utf-8")
    assert text.startswith("# T\n\n| agent | level | wrong |\n| --- | --- | --- |\n")
    assert result_table.parse_table(text) == [
        ["a", "easy", "5"],
        ["a", "hard", "1"],
        ["b", "easy", "0"],
    ]
    sys.modules.pop("result_table")


@pytest.mark.parametrize(
    "words",
    [
        ["soundness", "sentences", "--games", "1"],
        ["documents_cost", "sentences", "--games", "1"],
    ],
    ids=lambda words: "-".join(words[:2]),
)
def test_benchmarks_run(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each benchmark of the documents' agents ends with a table of all three levels."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.setattr(sys, "argv", [f"{words[0]}.py", *words[1:]])
    module = __import__(words[0])
    assert not module.main()
    printed = capsys.readouterr().out
    for level in ("easy", "medium", "hard"):
        assert f"| {level} |" in printed
    for name in (words[0], "result_table"):
        sys.modules.pop(name)


@pytest.mark.skipif(native is None, reason="measures the native core")
def test_the_labs_speed_is_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The benchmark compares the speed of a lab run with the speed of the core alone."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.setattr(sys, "argv", ["lab_speed.py", "--games", "300", "--jobs", "1"])
    module = __import__("lab_speed")
    monkeypatch.setattr(module, "ROUNDS", 1)
    module.main()
    printed = capsys.readouterr().out
    assert "| the core alone | 1 | 300 |" in printed
    assert "| 100.0% |" in printed
    assert "| a run's workers | 1 | 300 |" in printed
    for name in ("lab_speed", "result_table"):
        sys.modules.pop(name)
