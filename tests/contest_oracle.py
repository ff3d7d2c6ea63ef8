"""Sequential halving in plain Python, to compare the native core's with.

Candidates play the same layouts, fewer of them from round to round. The choice of the fast policy
takes part to the end. Another candidate is preferred only if it is expected to be better, given
both what playouts say and what was expected of it before.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from mineproof.core.decision import Candidate
from mineproof.core.grid import Cell


def estimate(numbers: Sequence[float]) -> tuple[float, float]:
    """Give the mean of numbers, and its standard error (0 for less than two)."""
    size = len(numbers)
    if size == 0:
        return 0.0, 0.0
    mean = math.fsum(numbers) / size
    squares = math.fsum((number - mean) ** 2 for number in numbers)
    return mean, math.sqrt(squares / (size * (size - 1))) if size > 1 else 0.0


def expected_share(candidate: Candidate, other: Candidate) -> float:
    """Give by what share a candidate is expected to win more often than another."""
    if candidate.expected is not None and other.expected:
        return candidate.expected / other.expected - 1
    survival = other.survival or 0.0
    return (candidate.survival or 0.0) / survival - 1 if survival > 0 else 0.0


@dataclass
class Entrant:
    """A candidate with its results so far, one for each layout."""

    candidate: Candidate
    results: list[float] = field(default_factory=list)
    standing: float = 0.0


class Contest:
    """Which of several candidates wins most; the first is the choice of the fast policy."""

    def __init__(self, candidates: Sequence[Candidate], doubt: float) -> None:
        """Start with all of them."""
        self.entrants = [Entrant(candidate) for candidate in candidates]
        self.left = len(candidates)
        self._own = self.entrants[0]
        self._doubt = doubt

    @property
    def rounds(self) -> int:
        """How many rounds it takes to come down to two."""
        return max((len(self.entrants) - 1).bit_length(), 1)

    @property
    def playing(self) -> list[Cell]:
        """The cells that are left."""
        return [entrant.candidate.cell for entrant in self.entrants[: self.left]]

    def add(self, rows: Iterable[Sequence[float]]) -> None:
        """Take in results, a row for each layout, and put the best first."""
        for row in rows:
            for entrant, result in zip(self.entrants, row, strict=False):
                entrant.results.append(result)
        playing = self.entrants[: self.left]
        for entrant in playing:
            if entrant is not self._own:
                entrant.standing = self._standing(entrant)
        self.entrants[: self.left] = sorted(playing, key=lambda each: -each.standing)

    def halve(self) -> None:
        """Let the better half go on, and the choice of the fast policy in any case."""
        half = max(2, (self.left + 1) // 2)
        if self._own not in self.entrants[:half]:
            self.entrants.remove(self._own)
            self.entrants.insert(half - 1, self._own)
        self.left = min(self.left, half)

    def _standing(self, entrant: Entrant) -> float:
        """Draw what playouts say towards what was expected, as far as they are in doubt."""
        own = self._own.results
        win, _ = estimate(own)
        seen, error = estimate([a - b for a, b in zip(entrant.results, own, strict=True)])
        noise = error**2 if len(own) > 1 else 1.0
        spread = (self._doubt * win) ** 2
        if noise + spread == 0:
            return seen
        expected = win * expected_share(entrant.candidate, self._own.candidate)
        return (seen * spread + expected * noise) / (noise + spread)
