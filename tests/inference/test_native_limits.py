"""When the native core reaches a limit, it raises a `WorkLimitError` that names the limit."""

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
    """Limits also apply to later questions about a position that has been counted."""
    shown = bytearray([UNOPENED]) * 64
    shown[9] = 2
    facts = count(mw.Observation(mw.PublicRules(8, 8, 10), bytes(shown)))
    monkeypatch.setattr(native, "NODES", 0)
    with pytest.raises(mw.WorkLimitError, match=r"more than \d+ nodes"):
        facts.values(1)


def test_states() -> None:
    """The error names the node limit, even if there is plenty of time."""
    with pytest.raises(mw.WorkLimitError, match="more than 1000 nodes"):
        count(scattered(40), budget=Budget(100, nodes=1000))


def test_time() -> None:
    """The error states the user's time limit, even if this part of the work has a shorter one."""
    part = Budget(0.2).fork(10**12, seconds=0.05)
    with pytest.raises(mw.WorkLimitError, match=r"more than 0\.2 s"):
        count(scattered(60), budget=part)


def test_the_old_keywords_still_work() -> None:
    """The old keywords work for one more version, with a warning."""
    with (
        pytest.warns(DeprecationWarning, match="budget=Budget"),
        pytest.raises(mw.WorkLimitError, match="more than 1000 nodes"),
    ):
        count(scattered(40), nodes=1000, seconds=100)


def test_memory() -> None:
    """Counting stops at the memory limit long before the node limit."""
    message = "the answer takes more than 5 MB of memory"
    with pytest.raises(mw.WorkLimitError, match=message):
        count(scattered(60), budget=Budget(memory=5_000_000, nodes=10**12))


def test_width() -> None:
    """Too many unfinished clues cause an error immediately."""
    with pytest.raises(mw.WorkLimitError, match="more than 256 unfinished clues"):
        count(scattered(600), budget=Budget(100, nodes=10**12))


def test_after_a_lack_of_memory_all_can_be_asked_again() -> None:
    """After a question has run out of memory, later questions are still answered."""
    facts = count(scattered(12, 3), budget=Budget(nodes=10**12))
    before = facts.values(1)
    fresh = count(scattered(12, 3), budget=Budget(nodes=10**12))
    with pytest.raises(mw.WorkLimitError, match="of memory"):
        fresh.values(1, Budget(memory=2_000))
    assert fresh.values(1) == before
    assert fresh.sample(3) == facts.sample(3)


def test_memory_that_ends_anywhere() -> None:
    """Running out of memory at any point of a question does not change later answers."""
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
    """Reserved memory is not available for counting, and it cannot exceed the limit."""
    budget = Budget(5, 10**6)
    part = budget.reserve(10**5)
    assert (part.memory, part.free, part.words) == (10**6, 9 * 10**5, "5 s and 1 MB")
    assert part.reserve(10**4).free == 9 * 10**5
    with pytest.raises(mw.WorkLimitError, match="more than 1 MB of memory"):
        budget.reserve(10**7)
    assert (Budget().words, memory_words(8 * 10**9)) == ("1 GB", "8 GB")


def test_a_share_of_the_time() -> None:
    """Errors state the user's time limit, even if a step gets only a share of it."""
    part = Budget(100, nodes=7).share(0.5)
    assert (part.seconds, part.nodes) == (100, 7)
    assert 0 < part.left <= 50
    assert Budget(100).fork(seconds=1000).left <= 100
    assert math.isinf(Budget().share(0.5).left)


def test_limits_must_make_sense() -> None:
    """Limits must be positive."""
    for limits in ({"seconds": 0}, {"memory": 0}, {"nodes": 0}, {"seconds": math.nan}):
        with pytest.raises(mw.InputError, match="expected"):
            Budget(**limits)


def test_layouts_that_take_more_memory_than_the_other_facts() -> None:
    """If there is too little memory to count layouts, their number is None. The risks are exact."""
    seen = scattered(24)
    found = mw.analyse(seen, moves=False, memory=6_000_000)
    assert found.exact
    assert (found.layouts, found.to_plain()["layouts"]) == (None, None)
    more = mw.analyse(seen, moves=False, memory=64_000_000)
    assert (more.layouts or 0) > 10**9
    assert found.risk == more.risk


def test_layouts_are_counted_within_the_bounds_of_the_analysis() -> None:
    """With a time limit, layouts are counted as part of the analysis."""
    found = mw.analyse(scattered(12, 3), moves=False, budget=100)
    assert found.layouts == mw.analyse(scattered(12, 3), moves=False).layouts


@pytest.mark.parametrize("size", [12, 24])
def test_numbers_too_long_to_compute_with(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """An operation that cannot be interrupted is not started if it would take too long."""
    monkeypatch.setattr(native, "LONGEST", 0.0)
    found = mw.analyse(scattered(size, 5), moves=False)
    assert found.layouts is None
    with pytest.raises(mw.WorkLimitError, match="more than 0 s"):
        _ = found.facts.layouts


def test_numbers_too_long_to_keep() -> None:
    """The memory limit also applies to the long numbers that a large board needs."""
    side = 200
    seen = mw.Observation(mw.PublicRules(side, side, 8000), bytes([UNOPENED]) * side**2)
    facts = count(seen)
    with pytest.raises(mw.WorkLimitError, match="of memory"):
        facts.count_layouts(Budget(memory=10_000))
    layouts = facts.layouts
    assert layouts is not None
    assert layouts > 10**8000


def test_python_keeps_the_same_limits() -> None:
    """The Python engine obeys the same memory and time limits."""
    with pytest.raises(mw.WorkLimitError, match=r"more than 0\.04 MB of memory"):
        Budget(memory=40_000).counting().allow(101)
    budget = Budget(0.001).counting()
    time.sleep(0.002)
    with pytest.raises(mw.WorkLimitError, match=r"more than 0\.001 s"):
        budget.allow(0)
