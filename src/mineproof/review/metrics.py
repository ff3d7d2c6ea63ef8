"""The usual figures of a game: 3BV, openings, clicks, efficiency, guesses.

3BV (Bechtel's board benchmark value) is the least number of cells that somebody who knows
the mines must open himself: one for each opening, one for each safe cell that no opening
shows. It is counted for the rules of the game: a 0 that does not flood opens nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mineproof.core.board import Board
from mineproof.core.clues import UNOPENED
from mineproof.core.game import Game
from mineproof.core.rules import Rules
from mineproof.notation.records import Step, find_false_proofs


@dataclass(frozen=True)
class Metrics:
    """The figures of a game, of one that has ended: they tell where mines are not."""

    bbbv: int
    """3BV of the whole board."""
    solved: int
    """How much of the 3BV has been opened."""
    openings: int
    clicks: int
    """The first open and all moves after it."""
    guesses: int | None
    """Opens that the player had not proved; None where it did not say for each."""
    false_proofs: int = 0
    """Moves that the player called proved and that were not."""

    @property
    def efficiency(self) -> float | None:
        """3BV opened a click; None before the first click."""
        return self.solved / self.clicks if self.clicks else None

    def plain(self) -> dict[str, int | float | None]:
        """Give the figures by name, as plain values for JSON."""
        return {
            "3bv": self.bbbv,
            "3bv_solved": self.solved,
            "openings": self.openings,
            "clicks": self.clicks,
            "efficiency": self.efficiency,
            "guesses": self.guesses,
            "false_proofs": self.false_proofs,
        }


@dataclass(frozen=True)
class Demand:
    """What must be opened by hand: openings (their zeros), and single cells."""

    openings: tuple[tuple[int, ...], ...]
    singles: tuple[int, ...]

    @property
    def bbbv(self) -> int:
        """3BV of the board."""
        return len(self.openings) + len(self.singles)

    def solved(self, shown: bytes) -> int:
        """Count how much of it is open in a position."""
        opened = sum(1 for zeros in self.openings if any(shown[i] != UNOPENED for i in zeros))
        return opened + sum(1 for index in self.singles if shown[index] != UNOPENED)


def demand(rules: Rules, board: Board, seed: int = 0) -> Demand:
    """Find what a board asks for; the seed decides which zeros `withheld:P` shows."""
    zeros = _flooding(rules, board, seed)
    neighbours = board.grid.neighbours
    shown = bytearray(zeros)
    for index, floods in enumerate(zeros):
        if floods:
            for other in neighbours(index):
                shown[other] = 1
    singles = (i for i, mine in enumerate(board.mined) if not mine and not shown[i])
    return Demand(tuple(_regions(board, zeros)), tuple(singles))


def measure(game: Game, steps: Sequence[Step] = ()) -> Metrics:
    """Give the figures of a game whose board has been dealt.

    Args:
        game: the game.
        steps: what the player said of its moves, for the guesses and the false proofs.

    Raises:
        ValueError: the board has not been dealt yet.
    """
    if game.board is None:
        raise ValueError("expected a game that has started, got one without a board")
    found = demand(game.rules, game.board, game.seed)
    solved = found.solved(game.observation.shown)
    clicks = len(game.moves) + (game.first is not None)
    wrong = len(find_false_proofs(steps, game.board.mine_indices, game.rules.columns))
    return Metrics(found.bbbv, solved, len(found.openings), clicks, count_guesses(steps), wrong)


def count_guesses(steps: Iterable[Step]) -> int | None:
    """Count the opens that were not proved; None if the player did not say for each."""
    claims = [step.proved for step in steps if step.move.action == "open"]
    return None if None in claims else claims.count(False)


def _flooding(rules: Rules, board: Board, seed: int) -> bytes:
    """Say for each cell whether opening it opens its neighbours."""
    if not (rules.flood and rules.clues.floods):
        return bytes(len(board.mined))
    show = rules.clues.show
    return bytes(
        not mine and not clue and show(seed, index, 0, 8) == 0
        for index, (mine, clue) in enumerate(zip(board.mined, board.clues, strict=True))
    )


def _regions(board: Board, zeros: bytes) -> list[tuple[int, ...]]:
    """Give the connected regions of zeros, each in the order of its search."""
    neighbours = board.grid.neighbours
    left = bytearray(zeros)
    regions = []
    start = left.find(1)
    while start >= 0:
        left[start] = 0
        region = [start]
        for index in region:
            for other in neighbours(index):
                if left[other]:
                    left[other] = 0
                    region.append(other)
        regions.append(tuple(region))
        start = left.find(1, start)
    return regions
