"""Boards made to order: no-guess boards, with the proof that each can be solved; drills.

The kinds of drills are here, so that choosing one loads nothing that makes one.
"""

from __future__ import annotations

from enum import StrEnum


class DrillKind(StrEnum):
    """What a drill trains, the easiest first."""

    PATTERN = "pattern"
    """Two clues in a pattern with a name: 1-1, 1-2, 1-2-1, 1-2-2-1."""
    SUBSET = "subset"
    """Two clues of which one lies inside the other, or that overlap, and no pattern with a name."""
    SEVERAL_CLUES = "several-clues"
    CASES = "cases"
    """Suppose the opposite and refute it."""
    MINE_COUNT = "mine-count"
