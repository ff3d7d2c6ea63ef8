"""What a search for the best guess answers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GuessOption:
    """A cell that was compared with others."""

    index: int
    safety: float
    next_safety: float
    """The expected safety of the best move after it; 1 where a cell is then proved safe."""
    survival: float
    """The chance to survive this move and the next: safety x next safety."""
    win: float | None
    """The estimated chance to win, where there is an evaluation and it came close to the best."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The cell to guess, and what speaks for it."""

    index: int
    win: float | None
    """The chance to win with it, where it is known."""
    exact: bool
    """Whether `win` is exact: every layout that is left was played to its end."""
    options: tuple[GuessOption, ...]
    """What was compared, the best first; empty where the endgame was solved, or a part of it that
    has nothing to do with the rest."""
