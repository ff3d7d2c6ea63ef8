"""What a search for the best guess is given, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.core.decision import Candidate
from mineproof.core.grid import Cell


@dataclass(frozen=True)
class GuessSettings:
    """How much work goes into a guess, and which cells are compared.

    All constants of guessing are here: the native core gets them from this class.
    """

    endgame_layouts: float = 1e13
    """Try the exact endgame, part by part, only if at most this many layouts remain."""
    endgame_cells: int = 500
    """Try it only if at most this many cells are unknown."""
    layouts: int = 2000
    """Solve a part only if at most this many layouts have to be listed at a time."""
    endgame_work: int = 200_000
    """The most steps that the endgame may take; small boards get up to three times as many."""
    look_work: int = 2_000_000
    """The most work for the look-ahead of one guess, in numbers added up; 0: the safest cell."""
    reach: float = 0.85
    """Candidates are at least as safe as this share of the safest cell."""
    inner_reach: float = 0.90
    """The same for cells next to no clue."""
    margin: float = 0.08
    """The evaluation compares candidates whose survival is within this of the best."""
    finalists: int = 8
    """The most candidates that the evaluation compares."""


USUAL = GuessSettings()
"""What the agents play with."""


@dataclass(frozen=True)
class Choice:
    """The cell to guess, and what it was compared with."""

    candidates: tuple[Candidate, ...]
    """The choice first, then what else was compared: nothing where the endgame was solved, or a
    part of it that has nothing to do with the rest."""
    exact: bool = False
    """Whether the endgame was solved: every layout that is left was played to its end."""
    fast: Cell | None = None
    """The cell that is chosen without playouts, where there were some."""

    @property
    def best(self) -> Candidate:
        """The candidate that is chosen."""
        return self.candidates[0]

    @property
    def cell(self) -> Cell:
        """The cell to open."""
        return self.best.cell

    @property
    def win(self) -> float | None:
        """The chance to win with it, where it is known."""
        return self.best.win

    @property
    def playouts(self) -> int:
        """How many playouts there were in all."""
        return sum(candidate.playouts for candidate in self.candidates)
