"""What an agent answers: a move, whether it is proved, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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

    @property
    def brief(self) -> str:
        """The words that cost nothing: of a reason that is worked out when it is read, fewer."""
        return self.text

    def __str__(self) -> str:
        """Return the words."""
        return self.text


SPREAD = 1.96
"""Standard errors on either side of a mean that make a 95 % interval."""


@dataclass(frozen=True)
class Candidate:
    """A cell that could be opened next, with what is known of it: from the search to the page."""

    cell: Cell
    risk: float | None = None
    next_safety: float | None = None
    """The expected safety of the best move after this one; 1 where a cell is then proved safe."""
    win: float | None = None
    """The chance of winning with this move: estimated, the mean of playouts, or exact."""
    win_exact: bool = False
    expected: float | None = None
    """The chance of winning that was estimated before any playout."""
    error: float = 0.0
    """The standard error of `win`, where it is the mean of playouts."""
    playouts: int = 0

    @property
    def survival(self) -> float | None:
        """The chance to survive this move and the next."""
        if self.risk is None or self.next_safety is None:
            return None
        return (1 - self.risk) * self.next_safety

    @property
    def interval(self) -> tuple[float, float]:
        """A 95 % interval around the chance of winning, as far as chances go."""
        if self.playouts == 1:  # one says nothing of its own error
            return 0.0, 1.0
        win = 0.0 if self.win is None else self.win
        return max(win - SPREAD * self.error, 0.0), min(win + SPREAD * self.error, 1.0)


@dataclass(frozen=True)
class Decision:
    """One move with its justification; `proved` means true in every layout the agent allows."""

    move: Move
    proved: bool
    reason: Reason
    risk: float | None = None
    """The probability of a mine as the agent sees it; None where it has no idea."""
    candidates: tuple[Candidate, ...] = ()

    def to_plain(self) -> dict[str, Any]:
        """Return plain values for JSON, without the candidates."""
        return {
            "action": self.move.action.value,
            "cell": self.move.cell,
            "proved": self.proved,
            "risk": self.risk,
            "reason": self.reason.text,
            "clues": self.reason.clues,
        }
