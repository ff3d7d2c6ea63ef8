"""Priors: what is known about the number of mines before any clue.

A prior gives each layout a weight that depends on its number of mines. Counting uses its `outer`
method: the weight of all ways to fill the interior when the components hold t mines, up to a common
factor. The weights are exact integers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from mineproof.core.errors import InputError
from mineproof.core.random import Stream, below, pick


class Outside(NamedTuple):
    """The cells and mines of a position outside its components."""

    cells: int
    """Number of cells of the board."""
    fixed: int
    """Number of mines that are shown or proved by single clues."""
    interior: int
    """Number of unopened cells that touch no clue."""


class Outer(NamedTuple):
    """Weights of the interior, for each number of mines in the components."""

    weights: list[int]
    mines: list[int]
    """The same sums with each filling also multiplied by its number of mines, times `scale`."""
    scale: int


@dataclass(frozen=True)
class Known:
    """A known number of mines. All layouts have the same weight."""

    mines: int

    def outer(self, least: int, most: int, outside: Outside) -> Outer:
        """Return C(interior, mines left) for t = least..most mines in the components."""
        left = [self.mines - outside.fixed - inside for inside in range(least, most + 1)]
        weights = proportional_binomials(outside.interior, left)
        return Outer(weights, [w * k for w, k in zip(weights, left, strict=True)], 1)

    def layouts(self, inside: int, outside: Outside) -> int:
        """Return the number of interior fillings when the components hold `inside` mines."""
        return choose(outside.interior, self.mines - outside.fixed - inside)

    def draw(self, inside: int, outside: Outside, stream: Stream) -> int:
        """Return the number of interior mines when the components hold `inside` mines."""
        return self.mines - outside.fixed - inside

    def __str__(self) -> str:
        """Return a description."""
        return "1 mine" if self.mines == 1 else f"{self.mines} mines"


@dataclass(frozen=True)
class Density:
    """The probability that a cell is a mine, independently of the other cells.

    The probability is the decimal as written: 0.2 is exactly one fifth.
    """

    probability: float

    def __post_init__(self) -> None:
        """Check that the probability is between 0 and 1, exclusive."""
        if not 0 < self.probability < 1:
            raise InputError(f"expected a density between 0 and 1, got {self.probability!r}")

    @property
    def fraction(self) -> Fraction:
        """The probability as an exact fraction."""
        return Fraction(repr(self.probability))

    def outer(self, least: int, most: int, outside: Outside) -> Outer:
        """Return the odds to the power t. The weights of the interior always sum to 1."""
        exact = self.fraction
        mined, free = exact.numerator, exact.denominator - exact.numerator
        weights = [mined**t * free ** (most - t) for t in range(least, most + 1)]
        return Outer(weights, [w * outside.interior * mined for w in weights], exact.denominator)

    def layouts(self, inside: int, outside: Outside) -> int:
        """Return the number of interior fillings when the components hold `inside` mines."""
        return 1 << outside.interior

    def draw(self, inside: int, outside: Outside, stream: Stream) -> int:
        """Draw the number of interior mines, cell by cell."""
        exact = self.fraction
        hits = (below(exact.denominator, stream) < exact.numerator for _ in range(outside.interior))
        return sum(hits)

    def __str__(self) -> str:
        """Return a description."""
        return f"a density of {self.probability:g}"


@dataclass(frozen=True)
class Range:
    """A range of equally likely mine counts. Boards with the same count are equally likely."""

    least: int
    most: int

    def __post_init__(self) -> None:
        """Check that the range is not empty."""
        if not 0 <= self.least <= self.most:
            raise InputError(f"expected a range of mines, got {self.least} to {self.most}")

    def outer(self, least: int, most: int, outside: Outside) -> Outer:
        """Return the sum of C(interior, m - t) / C(cells, m) over m, scaled to integers."""
        shares = self._shares(outside.cells)
        weights, mines = [], []
        for inside in range(least, most + 1):
            filled = self._fill(inside, outside, shares)
            weights.append(sum(filled.values()))
            mines.append(sum(weight * count for count, weight in filled.items()))
        return Outer(weights, mines, 1)

    def layouts(self, inside: int, outside: Outside) -> int:
        """Return the number of interior fillings when the components hold `inside` mines."""
        return sum(
            choose(outside.interior, mines - outside.fixed - inside)
            for mines in range(self.least, min(self.most, outside.cells) + 1)
        )

    def draw(self, inside: int, outside: Outside, stream: Stream) -> int:
        """Draw the number of interior mines when the components hold `inside` mines."""
        filled = self._fill(inside, outside, self._shares(outside.cells))
        return list(filled)[pick(list(filled.values()), stream)]

    def _shares(self, cells: int) -> dict[int, int]:
        """Return 1 / C(cells, m) for each mine count m, scaled to whole numbers."""
        boards = {m: math.comb(cells, m) for m in range(self.least, min(self.most, cells) + 1)}
        whole = math.lcm(*boards.values())
        return {m: whole // count for m, count in boards.items()}

    def _fill(self, inside: int, outside: Outside, shares: dict[int, int]) -> dict[int, int]:
        """Return the weight of each possible number of interior mines."""
        fixed = outside.fixed + inside
        counts = {m - fixed: share for m, share in shares.items()}
        weights = {k: share * choose(outside.interior, k) for k, share in counts.items()}
        return {k: weight for k, weight in weights.items() if weight}

    def __str__(self) -> str:
        """Return a description."""
        return f"{self.least} to {self.most} mines"


Prior = Known | Density | Range


def choose(size: int, count: int) -> int:
    """Return C(size, count); 0 if `count` is out of range."""
    return math.comb(size, count) if 0 <= count <= size else 0


def proportional_binomials(size: int, counts: list[int]) -> list[int]:
    """Return integers proportional to C(size, k) for each k in `counts`, which must decrease.

    Risks depend only on the ratios, and these are small numbers even if the binomials have
    thousands of digits. The weight of the smallest valid k is the product of k+1, k+2, ..., which
    makes every later division exact.
    """
    valid = [k for k in counts if 0 <= k <= size]
    if not valid:
        return [0] * len(counts)
    weights = {}
    weight = math.prod(range(valid[-1] + 1, valid[0] + 1))
    for k in reversed(valid):
        weights[k] = weight
        weight = weight * (size - k) // (k + 1)
    return [weights.get(k, 0) for k in counts]
