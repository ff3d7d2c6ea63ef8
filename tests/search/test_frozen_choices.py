"""`champion` decides as it did when `positions/*.choices` was written."""

from __future__ import annotations

import re

import pytest
from conftest import Require
from suites import FOLDER, positions

import mineproof
from mineproof.backend import native
from mineproof.core.decision import Candidate

WRITTEN = re.compile(r"(\d+),(\d+)(?:([:=])(.+))?")


def check(candidate: Candidate, text: str) -> None:
    """Compare a candidate with the stored one; estimates are 32-bit floats."""
    found = WRITTEN.fullmatch(text)
    assert found is not None
    row, column, kind, win = found.groups()
    assert candidate.cell == (int(row), int(column))
    assert candidate.win_exact == (kind == "=")
    assert candidate.win == (None if win is None else pytest.approx(float(win), abs=1e-5))


@pytest.mark.parametrize(
    ("suite", "guesses"), [("champion", 280), ("expert-stuck", 364), ("games", 30)]
)
def test_champion_decides_as_before(require: Require, suite: str, guesses: int) -> None:
    """The chosen cell, its chance of winning and the runners-up equal the stored ones."""
    require("native", native is not None, "the trained evaluation is in the C++ core only")
    agent, guessed = mineproof.make_agent("champion"), 0
    lines = (FOLDER / f"{suite}.choices").read_text("utf-8").splitlines()
    for position, line in zip(positions(suite), lines, strict=True):
        agent.start(position.rules, 1)
        decision = agent.decide(position)
        assert decision is not None
        assert decision.proved == (line == "-")
        guessed += not decision.proved
        written = () if decision.proved else line.split()
        for candidate, text in zip(decision.candidates, written, strict=False):
            check(candidate, text)
    assert guessed == guesses
