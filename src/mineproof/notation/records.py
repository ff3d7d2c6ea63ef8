"""Records: what happened in a game, enough to replay it bit for bit."""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.core.board import Board
from mineproof.core.game import Game, Outcome
from mineproof.core.grid import Cell
from mineproof.core.move import Move
from mineproof.core.rules import Rules


@dataclass(frozen=True)
class Step:
    """One move of a record and what the player said of it."""

    move: Move
    proved: bool | None = None
    """None where nobody claimed anything, as for a person's move."""
    risk: float | None = None
    reason: str = ""


@dataclass(frozen=True)
class Record:
    """A game as it was played. The mines are kept as well as the seed."""

    rules: Rules
    seed: int
    first: Cell | None
    mines: tuple[int, ...]
    steps: tuple[Step, ...]
    outcome: Outcome | None
    player: str = ""
    milliseconds: float = 0.0
    """CPU time that the player took."""
    deaths: int = 0
    """Explosions that were undone."""

    @property
    def guesses(self) -> int:
        """Opened cells that the player had not proved."""
        return sum(1 for step in self.steps if step.move.action == "open" and not step.proved)

    def replay(self) -> Game:
        """Play the game again to its end."""
        board = Board.from_mines(self.rules.rows, self.rules.columns, self.mines)
        game = Game(self.rules, self.seed, self.first, board)
        for step in self.steps:
            game.play(step.move)
        if self.outcome is not None:
            game.stop()
        return game
