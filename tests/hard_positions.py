"""Positions that are hard to count."""

from __future__ import annotations

import random

import mineproof as mw
from mineproof.core.clues import UNOPENED


def scattered(size: int, step: int = 2) -> mw.Observation:
    """Return a position of connected clues, one every `step` rows and columns."""
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
