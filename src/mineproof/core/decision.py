"""What an agent answers: a move, whether it is proved, and why."""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.core.grid import Cell
from mineproof.core.move import Move


@dataclass(frozen=True)
class Reason:
    """Why a move is made, in words, and what it rests on."""

    text: str
    clues: tuple[Cell, ...] = ()
    """The opened cells whose clues were used."""
    conclusions: tuple[Cell, ...] = ()
    """The cells concluded before (safe or mined) that were used."""
    uses_mine_count: bool = False

    def __str__(self) -> str:
        """Give the words."""
        return self.text


@dataclass(frozen=True)
class Candidate:
    """A cell that an agent considered, with what it knows of it."""

    cell: Cell
    risk: float | None = None
    next_safety: float | None = None
    """The expected safety of the best move after this one."""
    win: float | None = None
    """The chance of winning with this move, estimated or exact."""
    win_exact: bool = False


@dataclass(frozen=True)
class Decision:
    """One move with its justification; `proved` means true in every layout the agent allows."""

    move: Move
    proved: bool
    reason: Reason
    risk: float | None = None
    """The probability of a mine as the agent sees it; None where it has no idea."""
    candidates: tuple[Candidate, ...] = ()
