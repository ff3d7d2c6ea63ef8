"""Work limits of the native core reach Python as `WorkLimitError`, which says which one it was."""

from __future__ import annotations

import random
import time

import pytest

import mineproof as mw
from mineproof.core.clues import UNOPENED
from mineproof.inference.counting import Known, count, native
from mineproof.inference.counting.work import WorkBudget, asked, bounded, memory_words, reserved

pytestmark = pytest.mark.skipif(not native.AVAILABLE, reason="no native core")


def scattered(size: int, step: int = 2) -> mw.Observation:
    """Give a position with a clue in every few rows and columns: all hang together."""
    dice = random.Random(size)
    mined = bytearray(size * size)
    for index in dice.sample(range(size * size), size * size // 5):
        mined[index] = 1
    grid = mw.PublicRules(size, size, mined.count(1)).grid
    shown = bytearray([UNOPENED]) * size**2
    for index in range(size * size):
        if not mined[index] and index // size % step == 0 and index % size % step == 0:
            shown[index] = sum(mined[near] for near in grid.neighbours(index))
    return mw.Observation(mw.PublicRules(size, size, mined.count(1)), bytes(shown))


def test_a_later_question_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The chances of a clue that take more work than allowed are refused as any answer is."""
    monkeypatch.setattr(native, "NODES", 0)
    shown = bytearray([UNOPENED]) * 64
    shown[9] = 2
    facts = native.count(mw.Observation(mw.PublicRules(8, 8, 10), bytes(shown)), Known(10))
    with pytest.raises(mw.WorkLimitError, match="states to count, got more"):
        facts.values(1)


def test_states() -> None:
    """A bound on states is told as such, also where there is plenty of time."""
    with pytest.raises(mw.WorkLimitError, match="expected at most 1000 states to count, got more"):
        count(scattered(40), nodes=1000, seconds=100)


def test_time() -> None:
    """The time that was asked for is told, not a share of it."""
    with bounded(0.2), pytest.raises(mw.WorkLimitError, match=r"expected an answer within 0\.2 s"):
        count(scattered(60), nodes=10**12, seconds=0.05)


def test_memory() -> None:
    """What is counted ends at the bound on memory, long before that on states."""
    told = "expected an answer within 5 MB of memory, got none"
    with bounded(memory=5_000_000), pytest.raises(mw.WorkLimitError, match=told):
        count(scattered(60), nodes=10**12)


def test_width() -> None:
    """A position beyond all counting is told at once, and not for lack of time."""
    with pytest.raises(mw.WorkLimitError, match="at most 256 clues to be half counted at a time"):
        count(scattered(600), nodes=10**12, seconds=100)


def test_after_a_lack_of_memory_all_can_be_asked_again() -> None:
    """A position of which a question took too much memory answers the next one."""
    facts = count(scattered(12, 3), nodes=10**12)
    before = facts.values(1)
    fresh = count(scattered(12, 3), nodes=10**12)
    with bounded(memory=2_000), pytest.raises(mw.WorkLimitError, match="of memory, got none"):
        fresh.values(1)
    assert fresh.values(1) == before
    assert fresh.sample(3) == facts.sample(3)


def test_bounds_within_bounds() -> None:
    """What holds already stays; memory can be kept back for what is not counted."""
    with bounded(5, 10**6) as outer, bounded(50, 10**7) as inner:
        assert inner == outer
        with reserved(10**5) as less:
            assert (less.memory, less.countable) == (10**6, 9 * 10**5)
        with pytest.raises(mw.WorkLimitError, match="within 1 MB of memory"), reserved(10**7):
            pass
    assert asked().seconds is None
    assert memory_words(2 * 10**9) == "2 GB"


def test_python_keeps_the_same_bounds() -> None:
    """The twin in plain Python counts its states as memory, and sees the same deadline."""
    with (
        bounded(memory=40_000),
        pytest.raises(mw.WorkLimitError, match=r"within 0\.04 MB of memory"),
    ):
        WorkBudget().allow(101)
    with bounded(0.001):
        budget = WorkBudget()
        time.sleep(0.002)
        with pytest.raises(mw.WorkLimitError, match=r"an answer within 0\.001 s"):
            budget.allow(0)
