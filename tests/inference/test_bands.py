"""Risks from bands: what they prove is true, what they estimate is near the truth."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

import mineproof as mw
from mineproof.core.clues import UNOPENED
from mineproof.core.errors import WorkLimitError
from mineproof.core.observation import Observation
from mineproof.inference.counting import bands, count
from mineproof.inference.counting.bands import BandFacts


def scattered(
    rows: int, columns: int, mines: int, opened: int, seed: int
) -> tuple[Observation, bytes]:
    """Open cells all over a board, without flood; give the position and the mines."""
    dice = random.Random(seed)
    rules = mw.PublicRules(rows, columns, mines)
    mined = bytearray(rows * columns)
    for index in dice.sample(range(len(mined)), mines):
        mined[index] = 1
    shown = bytearray([UNOPENED]) * len(mined)
    for index in dice.sample(range(len(mined)), opened):
        if not mined[index]:
            shown[index] = sum(mined[near] for near in rules.grid.neighbours(index))
    return Observation(rules, bytes(shown)), bytes(mined)


@pytest.mark.parametrize("shape", [(12, 40, 90, 150), (40, 12, 90, 150), (25, 25, 200, 120)])
@pytest.mark.parametrize("seed", range(3))
def test_close_to_the_exact_risks(shape: tuple[int, int, int, int], seed: int) -> None:
    """Nothing is proved that is not exactly so, and risks are off by little."""
    seen, _ = scattered(*shape, seed)
    exact, found = count(seen), BandFacts(seen)
    assert set(found.safe) <= set(exact.safe)
    assert set(found.mined) <= set(exact.mined)
    assert len(found.safe) > 0.5 * len(exact.safe)
    errors = [abs(found.risk[index] - exact.risk[index]) for index in seen.unopened]
    assert math.fsum(errors) / len(errors) < 0.03
    assert all(math.isnan(found.risk[i]) for i, code in enumerate(seen.shown) if code != UNOPENED)
    assert found.layouts is None
    assert not found.exact


def test_where_counting_is_too_much_work() -> None:
    """What is proved is true of the board, and the work is bounded."""
    seen, mined = scattered(60, 60, 1260, 1080, 0)
    with pytest.raises(WorkLimitError):
        count(seen)
    found = BandFacts(seen)
    assert found.safe
    assert found.mined
    assert not any(mined[index] for index in found.safe)
    assert all(mined[index] for index in found.mined)
    assert found.nodes <= 2 * bands.NODES
    expected = seen.hits + math.fsum(found.risk[index] for index in seen.unopened)
    assert expected == pytest.approx(1260, rel=0.05)
    index = next(i for i in seen.unopened if 0 < found.risk[i] < 1)
    assert sum(found.values(index)) == pytest.approx(1 - found.risk[index])
    assert sum(found.sample(1)) == 1260


def test_an_unknown_mine_count() -> None:
    """Then the density is estimated within the bands."""
    seen, mined = scattered(30, 40, 240, 250, 1)
    unknown = Observation(replace(seen.rules, mines=None), seen.shown)
    found = BandFacts(unknown)
    assert not any(mined[index] for index in found.safe)


def test_not_even_narrow_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no width is little enough work, it says so."""
    monkeypatch.setattr(bands, "NODES", 0)
    with pytest.raises(WorkLimitError, match="bands of at most 0 states"):
        BandFacts(scattered(12, 40, 90, 150, 0)[0])


def test_champion_plays_such_positions() -> None:
    """It opens what bands prove, and guesses by an estimate where they prove nothing."""
    seen, mined = scattered(60, 60, 1260, 1080, 0)
    agent = mw.make_agent("champion")
    agent.start(seen.rules, 1)
    decision = agent.decide(seen)
    assert decision is not None
    assert decision.proved
    assert not mined[seen.grid.index(decision.move.cell)]
