"""The constants of guessing, in one place: the native core gets them from here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class GuessSettings:
    """How much work goes into a guess, and which cells are compared."""

    endgame_layouts: float = 1e13
    """The endgame is tried, part by part, if no more layouts are left,"""
    endgame_cells: int = 500
    """and no more cells are unknown;"""
    layouts: int = 2000
    """a part is solved if no more have to be listed at a time,"""
    endgame_work: int = 200_000
    """and all of it takes no more steps than this; small boards get up to three times as much."""
    look_work: int = 2_000_000
    """Bounds the look-ahead of one guess, in numbers that are added up; 0: the safest cell."""
    reach: float = 0.85
    """Candidates are at least as safe as this share of the safest cell."""
    inner_reach: float = 0.90
    """The same for cells next to no clue."""
    margin: float = 0.08
    """Candidates that survive nearly as often as the best, within this, are evaluated;"""
    finalists: int = 8
    """at most so many of them."""


USUAL = GuessSettings()
"""What the agents play with."""
