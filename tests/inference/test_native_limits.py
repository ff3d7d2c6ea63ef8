"""Work limits of the native core reach Python as `WorkLimitError`."""

from __future__ import annotations

import pytest

import mineproof as mw
from mineproof.core.clues import UNOPENED
from mineproof.inference.counting import Known, native


@pytest.mark.skipif(not native.AVAILABLE, reason="no native core")
def test_a_later_question_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The chances of a clue that take more work than allowed are refused as any answer is."""
    monkeypatch.setattr(native, "NODES", 0)
    shown = bytearray([UNOPENED]) * 64
    shown[9] = 2
    facts = native.count(mw.Observation(mw.PublicRules(8, 8, 10), bytes(shown)), Known(10))
    with pytest.raises(mw.WorkLimitError, match="states to count, got more"):
        facts.values(1)
