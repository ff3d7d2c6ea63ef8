"""The standard metrics of a game: 3BV, openings, clicks, efficiency and guesses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mineproof.core.demand import demand
from mineproof.core.game import Game
from mineproof.notation.plain_forms import plain_form
from mineproof.notation.records import Step, find_false_proofs, parse_record


@plain_form(
    *("3bv=bbbv", "3bv_solved=solved", "openings", "clicks", "efficiency", "guesses"),
    "false_proofs",
)
@dataclass(frozen=True)
class Metrics:
    """Metrics of a finished game (they reveal safe cells)."""

    bbbv: int
    """3BV of the whole board."""
    solved: int
    """The part of the 3BV that has been opened."""
    openings: int
    clicks: int
    """The first click and all moves after it."""
    guesses: int | None
    """Moves that opened cells without proof; None if the player did not label every move."""
    false_proofs: int = 0
    """Moves that the player called proved although they were not."""

    @property
    def efficiency(self) -> float | None:
        """3BV opened per click; None before the first click."""
        return self.solved / self.clicks if self.clicks else None


def measure(game: Game, steps: Sequence[Step] = ()) -> Metrics:
    """Return the metrics of a game.

    Args:
        game: the game.
        steps: the moves with the player's claims, to count guesses and false proofs.

    Raises:
        ValueError: the board has not been dealt yet.
    """
    if game.board is None:
        raise ValueError("the game has not started, so it has no board to measure")
    found = demand(game.rules, game.board, game.seed)
    solved = found.solved(game.observation.shown)
    clicks = len(game.moves) + (game.first is not None)
    wrong = len(find_false_proofs(steps, game.board.mine_indices, game.rules.columns))
    return Metrics(found.bbbv, solved, len(found.openings), clicks, count_guesses(steps), wrong)


def measure_record(text: str) -> Metrics | None:
    """Return the metrics of a game from the text of its record; None if no board was dealt."""
    found = parse_record(text)
    return None if not found.mines and found.first is None else measure(found.replay(), found.steps)


def count_guesses(steps: Iterable[Step]) -> int | None:
    """Return how many moves opened a cell without proof; None if any move is not labelled."""
    claims = [step.proved for step in steps if step.move.action == "open"]
    return None if None in claims else claims.count(False)
