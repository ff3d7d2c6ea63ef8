"""Boards made to order: no-guess boards, with a proof that each can be solved, and drills.

The kinds of drills are defined here, so that listing them does not import the generator.
"""

from __future__ import annotations

from enum import StrEnum


class DrillKind(StrEnum):
    """The technique that a drill trains, easiest first."""

    ONE_CLUE = "one-clue"
    PATTERN = "pattern"
    """A named pattern of two clues: 1-1, 1-2, 1-2-1, 1-2-2-1."""
    SUBSET = "subset"
    """Two clues that share cells, without a named pattern."""
    SEVERAL_CLUES = "several-clues"
    CASES = "cases"
    """Assume the opposite and refute it."""
    MINE_COUNT = "mine-count"
