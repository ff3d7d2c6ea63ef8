"""Work limits of the native core reach Python as `WorkLimitError`, which says which one it was."""

from __future__ import annotations

import math
import time
from functools import partial
from typing import Any

import pytest
from hard_positions import scattered

import mineproof as mw
from mineproof.backend import native as the_core
from mineproof.core.clues import UNOPENED
from mineproof.inference.budget import Budget, memory_words
from mineproof.inference.counting import count, native

pytestmark = pytest.mark.skipif(not native.AVAILABLE, reason="no native core")


def test_a_later_question_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The chances of a clue that take more work than allowed are refused as any answer is."""
    shown = bytearray([UNOPENED]) * 64
    shown[9] = 2
    facts = count(mw.Observation(mw.PublicRules(8, 8, 10), bytes(shown)))
    monkeypatch.setattr(native, "NODES", 0)
    with pytest.raises(mw.WorkLimitError, match="nodes, got more"):
        facts.values(1)


def test_states() -> None:
    """A bound on states is told as such, also where there is plenty of time."""
    with pytest.raises(mw.WorkLimitError, match="expected at most 1000 nodes, got more"):
        count(scattered(40), budget=Budget(100, nodes=1000))


def test_time() -> None:
    """The time that was asked for is told, not a share of it."""
    part = Budget(0.2).fork(10**12, seconds=0.05)
    with pytest.raises(mw.WorkLimitError, match=r"expected an answer within 0\.2 s"):
        count(scattered(60), budget=part)


def test_the_old_keywords_still_work() -> None:
    """For one version, with a warning."""
    with (
        pytest.warns(DeprecationWarning, match="budget=Budget"),
        pytest.raises(mw.WorkLimitError, match="expected at most 1000 nodes, got more"),
    ):
        count(scattered(40), nodes=1000, seconds=100)


def test_memory() -> None:
    """What is counted ends at the bound on memory, long before that on states."""
    told = "expected an answer within 5 MB of memory, got none"
    with pytest.raises(mw.WorkLimitError, match=told):
        count(scattered(60), budget=Budget(memory=5_000_000, nodes=10**12))


def test_width() -> None:
    """A position beyond all counting is told at once, and not for lack of time."""
    with pytest.raises(mw.WorkLimitError, match="at most 256 clues to be half counted at a time"):
        count(scattered(600), budget=Budget(100, nodes=10**12))


def test_after_a_lack_of_memory_all_can_be_asked_again() -> None:
    """A position of which a question took too much memory answers the next one."""
    facts = count(scattered(12, 3), budget=Budget(nodes=10**12))
    before = facts.values(1)
    fresh = count(scattered(12, 3), budget=Budget(nodes=10**12))
    with pytest.raises(mw.WorkLimitError, match="of memory, got none"):
        fresh.values(1, Budget(memory=2_000))
    assert fresh.values(1) == before
    assert fresh.sample(3) == facts.sample(3)


def test_memory_that_ends_anywhere() -> None:
    """Wherever a question runs out of memory, what it supposed is taken back."""
    core: Any = the_core
    shown, prior = bytes([1, *[UNOPENED] * 8]), ("known", 2, 2)
    calm = core.SolvedPosition(3, 3, shown, "exact", prior, core.Limits())
    cells = range(1, 9)
    values = [calm.values(cell, core.Limits()) for cell in cells]
    supposed = [calm.suppose([(cell, 1)], core.Limits()) for cell in cells]
    ended = 0
    for memory in range(0, 1500, 8):
        solved = core.SolvedPosition(3, 3, shown, "exact", prior, core.Limits())
        scarce = core.Limits(1_000_000, None, memory)
        for cell in cells:
            for ask in (partial(solved.values, cell), partial(solved.suppose, [(cell, 1)])):
                try:
                    ask(scarce)
                except core.WorkLimit:
                    ended += 1
        assert [solved.values(cell, core.Limits()) for cell in cells] == values
        assert [solved.suppose([(cell, 1)], core.Limits()) for cell in cells] == supposed
    assert ended > 100


def test_memory_that_is_kept_for_other_things() -> None:
    """Counting gets the rest; more than there is cannot be kept."""
    budget = Budget(5, 10**6)
    part = budget.reserve(10**5)
    assert (part.memory, part.free, part.words) == (10**6, 9 * 10**5, "5 s and 1 MB")
    assert part.reserve(10**4).free == 9 * 10**5
    with pytest.raises(mw.WorkLimitError, match="within 1 MB of memory"):
        budget.reserve(10**7)
    assert (Budget().words, memory_words(8 * 10**9)) == ("1 GB", "8 GB")


def test_a_share_of_the_time() -> None:
    """The words stay those of the whole question; without a time limit there is no share."""
    part = Budget(100, nodes=7).share(0.5)
    assert (part.seconds, part.nodes) == (100, 7)
    assert 0 < part.left <= 50
    assert Budget(100).fork(seconds=1000).left <= 100
    assert math.isinf(Budget().share(0.5).left)


def test_limits_must_make_sense() -> None:
    """A budget allows something."""
    for limits in ({"seconds": 0}, {"memory": 0}, {"nodes": 0}, {"seconds": math.nan}):
        with pytest.raises(mw.InputError, match="expected"):
            Budget(**limits)


def test_layouts_that_take_more_memory_than_the_other_facts() -> None:
    """They are None, and all else is there; with more memory they are counted."""
    seen = scattered(24)
    found = mw.analyse(seen, moves=False, memory=6_000_000)
    assert found.exact
    assert (found.layouts, found.to_plain()["layouts"]) == (None, None)
    more = mw.analyse(seen, moves=False, memory=64_000_000)
    assert (more.layouts or 0) > 10**9
    assert found.risk == more.risk


def test_layouts_are_counted_within_the_bounds_of_the_analysis() -> None:
    """With a bound on time they are there when the analysis is, and nothing is counted later."""
    found = mw.analyse(scattered(12, 3), moves=False, budget=100)
    assert found.layouts == mw.analyse(scattered(12, 3), moves=False).layouts


@pytest.mark.parametrize("size", [12, 24])
def test_numbers_too_long_to_compute_with(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """A step that cannot be ended is not begun where it would take too long."""
    monkeypatch.setattr(native, "LONGEST", 0.0)
    found = mw.analyse(scattered(size, 5), moves=False)
    assert found.layouts is None
    with pytest.raises(mw.WorkLimitError, match="expected an answer within 0 s"):
        _ = found.facts.layouts


def test_numbers_too_long_to_keep() -> None:
    """The bound on memory holds for the numbers of a large board."""
    side = 200
    seen = mw.Observation(mw.PublicRules(side, side, 8000), bytes([UNOPENED]) * side**2)
    facts = count(seen)
    with pytest.raises(mw.WorkLimitError, match="of memory, got none"):
        facts.count_layouts(Budget(memory=10_000))
    layouts = facts.layouts
    assert layouts is not None
    assert layouts > 10**8000


def test_python_keeps_the_same_limits() -> None:
    """The twin in plain Python counts its states as memory, and sees the same deadline."""
    with pytest.raises(mw.WorkLimitError, match=r"within 0\.04 MB of memory"):
        Budget(memory=40_000).counting().allow(101)
    budget = Budget(0.001).counting()
    time.sleep(0.002)
    with pytest.raises(mw.WorkLimitError, match=r"an answer within 0\.001 s"):
        budget.allow(0)
