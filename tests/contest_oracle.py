"""The contest between candidates in plain Python, to compare the native core's with.

Candidates play the same layouts. The choice of the fast policy leads, until another candidate is
expected to be better, given both what playouts say and what was expected of it before. A candidate
leaves when it would be expected to gain next to nothing if its chance were known exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist

from mineproof.core.decision import Candidate
from mineproof.core.grid import Cell

FIRST_LAYOUTS = 32
SETTLED = 0.5


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


@dataclass(eq=False)
class Entrant:
    """A candidate with its results so far, one for each layout."""

    candidate: Candidate
    results: list[float] = field(default_factory=list)
    difference: NormalDist = field(default_factory=lambda: NormalDist(0, 0))
    """How much better than the leader it is, as far as is known."""

    @property
    def excess(self) -> float:
        """What is expected of the difference where it is above 0, and of 0 elsewhere."""
        mean, deviation = self.difference.mean, self.difference.stdev
        if deviation == 0:
            return max(mean, 0.0)
        usual = NormalDist()
        return deviation * usual.pdf(mean / deviation) + mean * usual.cdf(mean / deviation)


class Contest:
    """Which of several candidates wins most; the first is the choice of the fast policy."""

    def __init__(self, candidates: Sequence[Candidate], doubt: float, playouts: int) -> None:
        """Start with all of them."""
        self.entrants = [Entrant(candidate) for candidate in candidates]
        self.left = len(candidates)
        self.layouts = self.played = 0
        self._doubt = doubt
        self._playouts = playouts

    @property
    def playing(self) -> list[Cell]:
        """The cells that are left."""
        return [entrant.candidate.cell for entrant in self.entrants[: self.left]]

    @property
    def next_layouts(self) -> int:
        """How many layouts those that are left play next; 0 at the end."""
        most = (self._playouts - self.played) // self.left
        if self.layouts == 0:
            return max(1, min(most, FIRST_LAYOUTS))
        return 0 if self.left == 1 else min(most, max(FIRST_LAYOUTS, self.layouts // 4))

    def add(self, rows: Iterable[Sequence[float]]) -> None:
        """Take in results, a row for each layout; put the best first, and drop the hopeless."""
        for row in rows:
            self.layouts += 1
            self.played += len(row)
            for entrant, result in zip(self.entrants, row, strict=False):
                entrant.results.append(result)
        playing = self._compared(self.entrants[: self.left])
        leader, *rivals = sorted(playing, key=lambda each: -each.difference.mean)
        rivals = self._compared([leader, *rivals])[1:]
        rivals.sort(key=lambda each: -each.difference.mean)
        kept = [each for each in rivals if each.excess >= SETTLED / self._playouts]
        gone = [each for each in rivals if each not in kept]
        self.entrants[: self.left] = [leader, *kept, *gone]
        self.left = 1 + len(kept)

    def _compared(self, entrants: list[Entrant]) -> list[Entrant]:
        leader = entrants[0]
        leader.difference = NormalDist(0, 0)
        for each in entrants[1:]:
            each.difference = self._difference(each, leader)
        return entrants

    def _difference(self, entrant: Entrant, leader: Entrant) -> NormalDist:
        """Draw what playouts say towards what was expected, as far as they are in doubt."""
        win, _ = estimate(leader.results)
        pairs = zip(entrant.results, leader.results, strict=True)
        seen, error = estimate([a - b for a, b in pairs])
        noise = error**2 if self.layouts > 1 else 1.0
        spread = (self._doubt * win) ** 2
        if noise + spread == 0:
            return NormalDist(seen, 0)
        expected = win * expected_share(entrant.candidate, leader.candidate)
        mean = (seen * spread + expected * noise) / (noise + spread)
        return NormalDist(mean, math.sqrt(noise * spread / (noise + spread)))
