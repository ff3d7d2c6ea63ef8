"""Estimates are bounded too: in states on large boards, in time where asked."""

import pytest

import mineproof as mw
from mineproof.core.observation import Observation
from mineproof.core.random import Purpose, Stream
from mineproof.inference.counting import count
from mineproof.inference.counting.prior import Known
from mineproof.inference.counting.sampling import STATES, SampledFacts


def scattered(side: int, mines: int, opened: int) -> Observation:
    """Open random safe cells of a square board."""
    rules = mw.Rules.parse(f"{side}x{side}/{mines}")
    board = mw.deal(rules, 3, (0, 0))
    shown = bytearray([9]) * (side * side)
    safe = [index for index, mine in enumerate(board.mined) if not mine]
    for index in Stream(5, Purpose.SAMPLE).choose(safe, opened):
        shown[index] = board.clues[index]
    return Observation(rules.public(), bytes(shown))


def test_a_large_board_gets_a_narrow_beam() -> None:
    """The states of one pass stay within the stated number, give or take those of one box."""
    facts = SampledFacts(scattered(50, 700, 700), Known(700))
    assert facts.nodes < 4 * STATES


def test_an_estimate_ends_in_time() -> None:
    """A limit of seconds holds for the estimate as well."""
    with pytest.raises(mw.WorkLimitError, match=r"within 0\.01 s"):
        count(scattered(50, 700, 700), nodes=10, seconds=0.01, sampled=True)
