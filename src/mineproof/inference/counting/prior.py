"""What is known of the number of mines before any clue: a prior over the mine count.

Each prior gives a weight to the layouts by their total number of mines. What counting needs
of it is `outer`: the weight of all ways to fill the interior when the components hold t
mines, up to a common factor. The weights are exact integers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from mineproof.core.errors import InputError
from mineproof.core.random import Stream, below, pick


class Outside(NamedTuple):
    """What surrounds the components of a position."""

    cells: int
    """All cells of the board."""
    fixed: int
    """Mines that are shown, or proved by single clues."""
    interior: int
    """Unopened cells that touch no clue."""


class Outer(NamedTuple):
    """The weight of what surrounds the components, by the mines that they hold."""

    weights: list[int]
    mines: list[int]
    """The same with each interior filling counted as often as it has mines, times `scale`."""
    scale: int


@dataclass(frozen=True)
class Known:
    """The number of mines is known; all layouts weigh the same."""

    mines: int

    def outer(self, least: int, most: int, outside: Outside) -> Outer:
        """Return C(interior, what is left) for t = least..most mines in the components."""
        left = [self.mines - outside.fixed - inside for inside in range(least, most + 1)]
        weights = proportional_binomials(outside.interior, left)
        return Outer(weights, [w * k for w, k in zip(weights, left, strict=True)], 1)

    def layouts(self, inside: int, outside: Outside) -> int:
        """Count the interior fillings that go with so many mines in the components."""
        return choose(outside.interior, self.mines - outside.fixed - inside)

    def draw(self, inside: int, outside: Outside, stream: Stream) -> int:
        """Return the number of interior mines when the components hold `inside`: what is left."""
        return self.mines - outside.fixed - inside

    def __str__(self) -> str:
        """Describe it in words."""
        return "1 mine" if self.mines == 1 else f"{self.mines} mines"


@dataclass(frozen=True)
class Density:
    """Each cell is a mine with the same probability, independently of the others.

    The probability is taken as the decimal that was written: 0.2 is one fifth.
    """

    probability: float

    def __post_init__(self) -> None:
        """Reject what is not a probability, and what leaves no doubt."""
        if not 0 < self.probability < 1:
            raise InputError(f"expected a density between 0 and 1, got {self.probability!r}")

    @property
    def fraction(self) -> Fraction:
        """The probability as an exact fraction."""
        return Fraction(repr(self.probability))

    def outer(self, least: int, most: int, outside: Outside) -> Outer:
        """Return the odds to the power t; the interior sums to one, whatever t is."""
        exact = self.fraction
        mined, free = exact.numerator, exact.denominator - exact.numerator
        weights = [mined**t * free ** (most - t) for t in range(least, most + 1)]
        return Outer(weights, [w * outside.interior * mined for w in weights], exact.denominator)

    def layouts(self, inside: int, outside: Outside) -> int:
        """Count the interior fillings that go with so many mines in the components."""
        return 1 << outside.interior

    def draw(self, inside: int, outside: Outside, stream: Stream) -> int:
        """Draw the number of interior mines: each cell is one or not."""
        exact = self.fraction
        hits = (below(exact.denominator, stream) < exact.numerator for _ in range(outside.interior))
        return sum(hits)

    def __str__(self) -> str:
        """Describe it in words."""
        return f"a density of {self.probability:g}"


@dataclass(frozen=True)
class Range:
    """Every number of mines from `least` to `most` is equally likely, then every board with it."""

    least: int
    most: int

    def __post_init__(self) -> None:
        """Reject an empty range."""
        if not 0 <= self.least <= self.most:
            raise InputError(f"expected a range of mines, got {self.least} to {self.most}")

    def outer(self, least: int, most: int, outside: Outside) -> Outer:
        """Sum C(interior, m - t) / C(cells, m) over the total counts m, made whole."""
        shares = self._shares(outside.cells)
        weights, mines = [], []
        for inside in range(least, most + 1):
            filled = self._fill(inside, outside, shares)
            weights.append(sum(filled.values()))
            mines.append(sum(weight * count for count, weight in filled.items()))
        return Outer(weights, mines, 1)

    def layouts(self, inside: int, outside: Outside) -> int:
        """Count the interior fillings that go with so many mines in the components."""
        return sum(
            choose(outside.interior, mines - outside.fixed - inside)
            for mines in range(self.least, min(self.most, outside.cells) + 1)
        )

    def draw(self, inside: int, outside: Outside, stream: Stream) -> int:
        """Draw the number of interior mines when the components hold `inside`."""
        filled = self._fill(inside, outside, self._shares(outside.cells))
        return list(filled)[pick(list(filled.values()), stream)]

    def _shares(self, cells: int) -> dict[int, int]:
        """Return 1 / C(cells, m) for all counts m, times their least common multiple."""
        boards = {m: math.comb(cells, m) for m in range(self.least, min(self.most, cells) + 1)}
        whole = math.lcm(*boards.values())
        return {m: whole // count for m, count in boards.items()}

    def _fill(self, inside: int, outside: Outside, shares: dict[int, int]) -> dict[int, int]:
        """Return the weights by interior mines."""
        fixed = outside.fixed + inside
        counts = {m - fixed: share for m, share in shares.items()}
        weights = {k: share * choose(outside.interior, k) for k, share in counts.items()}
        return {k: weight for k, weight in weights.items() if weight}

    def __str__(self) -> str:
        """Describe it in words."""
        return f"{self.least} to {self.most} mines"


Prior = Known | Density | Range


def choose(size: int, count: int) -> int:
    """Return C(size, count), 0 where `count` is out of range."""
    return math.comb(size, count) if 0 <= count <= size else 0


def proportional_binomials(size: int, counts: list[int]) -> list[int]:
    """Return integers proportional to C(size, k) for each of the falling counts k.

    Only ratios matter to risks, and these are small numbers even where the binomials have
    thousands of digits. The smallest k in range gets k+1, k+2, ... as its factor, which
    makes every division on the way up exact.
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
