"""Confidence intervals of win rates, and tests for two agents on the same boards.

All intervals are 95 % intervals: Wilson's (1927) for rates, and that of Agresti and Min (2005) for
the difference of two paired rates. McNemar's test is exact.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from statistics import NormalDist

NORMAL_975 = 1.959963984540054
"""The 97.5th percentile of the normal distribution, for 95 % intervals."""

SMALLEST_P = 1e-300
"""The smallest p-value that is returned. Smaller ones could be rounded to 0."""
_SMALLEST_SHOWN = 1e-100


def wilson(wins: int, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a win rate (E. B. Wilson, 1927)."""
    if games == 0:
        return 0.0, 1.0
    rate, square = wins / games, NORMAL_975**2
    centre = (rate + square / (2 * games)) / (1 + square / games)
    spread = math.sqrt(rate * (1 - rate) / games + square / (4 * games**2))
    half = NORMAL_975 * spread / (1 + square / games)
    return max(0.0, centre - half), min(1.0, centre + half)


@dataclass(frozen=True)
class Estimate:
    """A value with its confidence interval and the number of games it is based on."""

    value: float
    low: float
    high: float
    games: int

    @property
    def deviation(self) -> float:
        """The standard error that corresponds to the longer side of the interval."""
        return max(self.high - self.value, self.value - self.low) / NORMAL_975

    def less(self, other: Estimate) -> Estimate:
        """Return this value minus another one from different boards, with its interval."""
        value = self.value - other.value
        down = math.hypot(self.value - self.low, other.high - other.value)
        up = math.hypot(self.high - self.value, other.value - other.low)
        return Estimate(value, value - down, value + up, min(self.games, other.games))


def share(hits: int, games: int) -> Estimate:
    """Return the share of hits with Wilson's interval."""
    low, high = wilson(hits, games)
    return Estimate(hits / games if games else math.nan, low, high, games)


@dataclass(frozen=True)
class Pairs:
    """The results of two agents on the same boards: the number of boards won by each."""

    both: int = 0
    only_first: int = 0
    only_second: int = 0
    neither: int = 0

    @classmethod
    def count(cls, pairs: Iterable[tuple[bool, bool]]) -> Pairs:
        """Count pairs of (first agent won, second agent won)."""
        counts = Counter(pairs)
        both, first_only = counts[True, True], counts[True, False]
        return cls(both, first_only, counts[False, True], counts[False, False])

    def __add__(self, other: Pairs) -> Pairs:
        """Return the sums of both counts."""
        return Pairs(*map(operator.add, astuple(self), astuple(other)))

    @property
    def games(self) -> int:
        """The number of pairs."""
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def first(self) -> Estimate:
        """The first agent's win rate."""
        return share(self.both + self.only_first, self.games)

    @property
    def second(self) -> Estimate:
        """The second agent's win rate."""
        return share(self.both + self.only_second, self.games)

    @property
    def difference(self) -> Estimate:
        """The second agent's win rate minus the first agent's."""
        if not self.games:
            return Estimate(math.nan, -1.0, 1.0, 0)
        value = (self.only_second - self.only_first) / self.games
        total, gained, lost = self.games + 2, self.only_second + 0.5, self.only_first + 0.5
        centre = (gained - lost) / total
        half = NORMAL_975 * math.sqrt((gained + lost) / total - centre**2) / math.sqrt(total)
        return Estimate(value, max(-1.0, centre - half), min(1.0, centre + half), self.games)

    @property
    def p_value(self) -> float:
        """The exact p-value of McNemar's test; 1 if the agents never differ."""
        return sign_test(self.only_first, self.only_second)

    def standardised(self, bound: float) -> float:
        """Return how far the difference is above a bound, in standard errors.

        The score test of T. Tango (1998), corrected for whole numbers and for skewness, so that it
        holds even if few boards have different results. For a bound of 0, the result corresponds
        to the exact p-value.
        """
        if not bound:
            z = -NormalDist().inv_cdf(self.p_value / 2)
            return math.copysign(z, self.only_second - self.only_first)
        games, lost, gained = self.games, self.only_first, self.only_second
        linear = (2 * games + lost - gained) * bound - lost - gained
        root = math.sqrt(linear**2 + 8 * games * lost * bound * (1 - bound))
        likely = (root - linear) / (4 * games)  # the chance of `only_first`, given the bound
        noise = math.sqrt(games * (2 * likely + bound * (1 - bound)))
        above = gained - lost - games * bound
        z = math.copysign(max(0.0, abs(above) - 0.5), above) / noise
        return z - (z * z - 1) * games * bound / (6 * noise**3) if abs(z) > 1 else z


def sign_test(fewer: int, more: int) -> float:
    """Return the chance that a fair coin falls at least as unevenly (two-sided binomial test).

    A chance below `SMALLEST_P` is returned as `SMALLEST_P`.
    """
    throws = fewer + more
    if throws == 0 or fewer == more:
        return 1.0
    whole = math.lgamma(throws + 1) - throws * math.log(2)
    tail = (
        math.exp(whole - math.lgamma(heads + 1) - math.lgamma(throws - heads + 1))
        for heads in range(min(fewer, more) + 1)
    )
    return min(1.0, max(SMALLEST_P, 2 * math.fsum(tail)))


def p_text(value: float) -> str:
    """Format a p-value, for example as `= 0.012` or `< 1e-100`, but never as 0."""
    return f"< {_SMALLEST_SHOWN:g}" if value < _SMALLEST_SHOWN else f"= {value:.2g}"


def holm(values: Sequence[float]) -> list[float]:
    """Return p-values corrected for multiple comparisons (S. Holm, 1979)."""
    order = sorted(range(len(values)), key=lambda index: values[index])
    corrected, largest = [1.0] * len(values), 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(values) - rank) * values[index]))
        corrected[index] = largest
    return corrected
