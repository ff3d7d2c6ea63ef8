"""The settings and the result of a search for the best guess."""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.core.decision import Candidate
from mineproof.core.grid import Cell


@dataclass(frozen=True)
class GuessSettings:
    """The work limits of a guess, and the selection of candidates.

    All constants for guessing are in this class. The C++ core gets them from here.
    """

    endgame_layouts: float = 1e13
    """Try the exact endgame, part by part, only if at most this many layouts remain."""
    endgame_cells: int = 500
    """Try the exact endgame only if at most this many cells are unknown."""
    layouts: int = 2000
    """Solve a part only if at most this many layouts have to be listed at a time."""
    endgame_work: int = 200_000
    """Maximum number of steps for the endgame. Small boards get up to three times as many."""
    look_work: int = 2_000_000
    """Maximum work for the look-ahead before a guess. With 0, the safest cell is chosen."""
    reach: float = 0.85
    """Minimum safety of candidates, as a share of the highest safety."""
    inner_reach: float = 0.90
    """Minimum safety of candidates that no clue touches, as a share of the highest safety."""
    margin: float = 0.08
    """The evaluation compares candidates whose chance of survival is this close to the best."""
    finalists: int = 8
    """Maximum number of candidates that the evaluation compares."""


USUAL = GuessSettings()
"""The settings that the agents use."""


@dataclass(frozen=True)
class Choice:
    """The cell to guess, and the cells it was compared with."""

    candidates: tuple[Candidate, ...]
    """The chosen cell, then the other cells that were compared. There are no others if the endgame,
    or a separate part of it, was solved.
    """
    exact: bool = False
    """Whether the endgame was solved: every remaining layout was searched to its end."""
    fast: Cell | None = None
    """The cell that would have been chosen without playouts, if there were playouts."""

    @property
    def best(self) -> Candidate:
        """The chosen candidate."""
        return self.candidates[0]

    @property
    def cell(self) -> Cell:
        """The cell to open."""
        return self.best.cell

    @property
    def win(self) -> float | None:
        """The chance of winning with the chosen cell, if known."""
        return self.best.win

    @property
    def playouts(self) -> int:
        """The total number of playouts."""
        return sum(candidate.playouts for candidate in self.candidates)
