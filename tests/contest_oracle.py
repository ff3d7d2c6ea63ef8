"""The contest between candidates in plain Python, used to check the native core's version.

All candidates play the same layouts. The choice of the fast policy leads until another candidate is
expected to be better, based on both the playouts and the earlier expectation. A candidate is
dropped when the remaining playouts are expected to gain next to nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist, fmean

from mineproof.core.decision import Candidate
from mineproof.core.grid import Cell

FIRST_LAYOUTS = 32
SETTLED = 0.2


def estimate(numbers: Sequence[float]) -> tuple[float, float]:
    """Return the mean of numbers and its standard error (0 for fewer than two)."""
    size = len(numbers)
    if size == 0:
        return 0.0, 0.0
    mean = math.fsum(numbers) / size
    squares = math.fsum((number - mean) ** 2 for number in numbers)
    return mean, math.sqrt(squares / (size * (size - 1))) if size > 1 else 0.0


def expected_share(candidate: Candidate, other: Candidate) -> float:
    """Return how much more often a candidate is expected to win than another, as a share."""
    if candidate.expected is not None and other.expected:
        return candidate.expected / other.expected - 1
    survival = other.survival or 0.0
    return (candidate.survival or 0.0) / survival - 1 if survival > 0 else 0.0


@dataclass(eq=False)
class Entrant:
    """A candidate with its results so far, one per layout."""

    candidate: Candidate
    results: list[float] = field(default_factory=list)
    standing: float = 0.0
    """The expected advantage over the leader."""
    shift: float = 0.0
    """How much the remaining playouts may still change `standing`, as a standard deviation."""

    @property
    def excess(self) -> float:
        """The expected value of the final `standing`, if negative values count as 0."""
        if self.shift == 0:
            return max(self.standing, 0.0)
        usual, at = NormalDist(), self.standing / self.shift
        return self.shift * usual.pdf(at) + self.standing * usual.cdf(at)


class Contest:
    """A contest between candidates. The first one is the choice of the fast policy."""

    def __init__(self, candidates: Sequence[Candidate], doubt: float, playouts: int) -> None:
        """Start with all candidates."""
        self.entrants = [Entrant(candidate) for candidate in candidates]
        self.left = len(candidates)
        self.layouts = self.played = 0
        self._doubt = doubt
        self._playouts = playouts

    @property
    def playing(self) -> list[Cell]:
        """The cells of the remaining candidates."""
        return [entrant.candidate.cell for entrant in self.entrants[: self.left]]

    @property
    def next_layouts(self) -> int:
        """The number of layouts to play next; 0 if the contest is over."""
        most = (self._playouts - self.played) // self.left
        if self.layouts == 0:
            return max(1, min(most, FIRST_LAYOUTS))
        return 0 if self.left == 1 else min(most, max(FIRST_LAYOUTS, self.layouts // 4))

    def add(self, rows: Iterable[Sequence[float]]) -> None:
        """Add results, one row per layout. Sort candidates, best first, and drop hopeless ones."""
        for row in rows:
            self.layouts += 1
            self.played += len(row)
            for entrant, result in zip(self.entrants, row, strict=False):
                entrant.results.append(result)
        playing = self._compared(self.entrants[: self.left])
        leader, *rivals = sorted(playing, key=lambda each: -each.standing)
        rivals = self._compared([leader, *rivals])[1:]
        rivals.sort(key=lambda each: -each.standing)
        kept = [each for each in rivals if each.excess >= SETTLED / self._playouts]
        gone = [each for each in rivals if each not in kept]
        self.entrants[: self.left] = [leader, *kept, *gone]
        self.left = 1 + len(kept)

    def _compared(self, entrants: list[Entrant]) -> list[Entrant]:
        leader = entrants[0]
        leader.standing = 0.0
        for each in entrants[1:]:
            self._compare(each, leader)
        return entrants

    def _compare(self, entrant: Entrant, leader: Entrant) -> None:
        """Combine playout results with the earlier expectation, weighted by their certainty."""
        win = fmean(leader.results)
        pairs = zip(entrant.results, leader.results, strict=True)
        seen, error = estimate([a - b for a, b in pairs])
        noise = error**2 if self.layouts > 1 else 1.0
        spread = (self._doubt * win) ** 2
        if noise + spread == 0:
            entrant.standing, entrant.shift = seen, 0.0
            return
        expected = win * expected_share(entrant.candidate, leader.candidate)
        entrant.standing = (seen * spread + expected * noise) / (noise + spread)
        layouts = self.layouts + (self._playouts - self.played) / self.left
        later = noise * self.layouts / layouts
        now, then = (spread * each / (spread + each) if each else 0.0 for each in (noise, later))
        entrant.shift = math.sqrt(max(now - then, 0.0))
