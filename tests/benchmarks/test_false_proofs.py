"""The table of false proofs, by agent and version."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def false_proofs(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("false_proofs")


def test_totals_are_by_agent_and_version(false_proofs: Any) -> None:
    """A chunk of games that was written twice counts once."""
    Piece = false_proofs.Piece  # noqa: N806  (a class)
    one = Piece("1.0", "exact", 10, 100, 40, 2000, 0)
    two = Piece("1.1", "exact", 10, 100, 60, 2100, 1)
    table = false_proofs.rows([one, two, one, Piece("1.0", "exact", 110, 100, 50, 1000, 0)])
    assert [row[:3] for row in table] == [
        ["exact 1.0", "200", "45.000"],
        ["exact 1.1", "100", "60.000"],
    ]
    assert [row[4:] for row in table] == [["3,000", "0"], ["2,100", "1"]]


@pytest.mark.parametrize("games", [5_000, 30_000])
def test_what_is_done_is_not_played_again(false_proofs: Any, games: int) -> None:
    """All missing games are played exactly once."""
    first, *others = false_proofs.missing("champion", games, [])
    assert list(false_proofs.missing("champion", games, [first])) == others
    assert sum(piece.games for piece in (first, *others)) == games


def test_the_page_says_what_it_holds(false_proofs: Any) -> None:
    """The page lists the totals, the false proofs and the meaning of the labels."""
    Piece = false_proofs.Piece  # noqa: N806  (a class)
    one = Piece("0.1.0", "exact", 10, 600, 40, 2000, 0)
    text = false_proofs.introduction([one, one, one._replace(agent="champion", games=1400)])
    assert text.startswith("2,000 expert games")
    assert "none were false" in text
    page = (BENCHMARKS / "results" / "false_proofs.md").read_text("utf-8")
    assert page.startswith("12,000,000 expert games")
    assert false_proofs.LABELS in page
    assert false_proofs.LABELS in text
