"""An agent's decision: a move, whether it is proved, and the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move


@dataclass(frozen=True)
class Reason:
    """The reason for a move, in words, and the clues and conclusions it is based on."""

    text: str
    clues: tuple[Cell, ...] = ()
    """The opened cells whose clues were used."""
    conclusions: tuple[Cell, ...] = ()
    """The cells proved earlier (safe or mines) that were used."""
    uses_mine_count: bool = False

    @property
    def brief(self) -> str:
        """Short text that is available without computing the proof."""
        return self.text

    def __str__(self) -> str:
        return self.text


SPREAD = 1.96
"""Half the width of a 95 % interval, in standard errors."""


@dataclass(frozen=True)
class Candidate:
    """A cell that could be opened next, with the results of the search for it."""

    cell: Cell
    risk: float | None = None
    next_safety: float | None = None
    """The expected chance of surviving the move after this one; 1 if a cell is then proved safe."""
    win: float | None = None
    """The chance of winning with this move: an estimate, the mean of playouts, or exact."""
    win_exact: bool = False
    expected: float | None = None
    """The chance of winning as estimated before any playout."""
    error: float = 0.0
    """The standard error of `win` if it is the mean of playouts."""
    playouts: int = 0

    def __repr__(self) -> str:
        known = {"risk": self.risk, "win": self.win, "playouts": self.playouts or None}
        words = [f", {name} {value:.3g}" for name, value in known.items() if value is not None]
        return f"<Candidate {self.cell}{''.join(words)}>"

    @property
    def survival(self) -> float | None:
        """The chance of surviving this move and the next."""
        if self.risk is None or self.next_safety is None:
            return None
        return (1 - self.risk) * self.next_safety

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the chance of winning, limited to the range from 0 to 1."""
        if self.playouts == 1:  # the error cannot be estimated from a single playout
            return 0.0, 1.0
        win = 0.0 if self.win is None else self.win
        return max(win - SPREAD * self.error, 0.0), min(win + SPREAD * self.error, 1.0)


@dataclass(frozen=True, repr=False)
class Decision:
    """A move with its reason.

    `proved` means that the move is right in every layout that the agent considers possible.
    """

    move: Move
    proved: bool
    reason: Reason
    risk: float | None = None
    """The agent's probability that the cell is a mine; None if it has no estimate."""
    candidates: tuple[Candidate, ...] = ()

    def __repr__(self) -> str:
        risk = "" if self.risk is None else f", risk {self.risk:.3g}"
        kind = "proved" if self.proved else f"guess{risk}"
        return f"<Decision {self.move}, {kind}: {self.reason.brief:.200}>"

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


Answer = Decision | Move | tuple[int, int]
"""An agent's answer: a decision, a move, or a cell to open."""
NO_REASON = Reason("the agent gave no reason")


def as_decision(answer: Answer) -> Decision:
    """Return an agent's answer as a decision. A bare move or cell counts as a guess.

    Raises:
        TypeError: the answer is something else.
    """
    if isinstance(answer, Decision):
        return answer
    move = answer if isinstance(answer, Move) else Move(Action.OPEN, answer)
    return Decision(move, False, NO_REASON)
