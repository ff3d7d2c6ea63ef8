"""Honest figures: intervals, paired comparison, and a test that stops as early as it may.

All intervals have 95 %. Wilson's for shares; the normal one for means and ratios; that of
Agresti and Min (2005) for the difference of two paired shares. McNemar's test is exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from scipy import stats

from mineproof.core.errors import InputError
from mineproof.match.results import NORMAL_975, wilson

__all__ = ["Estimate", "Pairs", "Sequential", "SequentialVerdict", "ratio", "share"]


@dataclass(frozen=True)
class Estimate:
    """A figure with its interval, and the number of games behind it."""

    value: float
    low: float
    high: float
    games: int

    def differs(self, other: Estimate) -> bool:
        """Say whether the two intervals have nothing in common."""
        return self.high < other.low or other.high < self.low


def share(hits: int, games: int) -> Estimate:
    """Estimate a share by Wilson's interval."""
    low, high = wilson(hits, games)
    return Estimate(hits / games if games else math.nan, low, high, games)


def ratio(
    games: int, values: float, weights: float, squares: tuple[float, float, float]
) -> Estimate:
    """Estimate a ratio of two sums, by the delta method; a mean has the weights 1.

    Args:
        games: how many games there are.
        values: the sum of their values.
        weights: the sum of their weights.
        squares: the sums of value x value, value x weight and weight x weight.
    """
    if games == 0 or weights == 0:
        return Estimate(math.nan, math.nan, math.nan, games)
    found = values / weights
    if games == 1:
        return Estimate(found, math.nan, math.nan, games)
    value_value, value_weight, weight_weight = squares
    residual = value_value - 2 * found * value_weight + found * found * weight_weight
    deviation = math.sqrt(max(0.0, residual) * games / (games - 1)) / weights
    half = float(stats.t.ppf(0.975, games - 1)) * deviation
    return Estimate(found, found - half, found + half, games)


@dataclass(frozen=True)
class Pairs:
    """Two agents on the same boards: in how many pairs which of them won."""

    both: int = 0
    only_first: int = 0
    only_second: int = 0
    neither: int = 0

    @classmethod
    def count(cls, pairs: Iterable[tuple[bool, bool]]) -> Pairs:
        """Count pairs of (the first won, the second won)."""
        counts = {(a, b): 0 for a in (True, False) for b in (True, False)}
        for first, second in pairs:
            counts[first, second] += 1
        both, first_only = counts[True, True], counts[True, False]
        return cls(both, first_only, counts[False, True], counts[False, False])

    @property
    def games(self) -> int:
        """How many pairs there are."""
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def discordant(self) -> int:
        """In how many pairs exactly one of them won."""
        return self.only_first + self.only_second

    @property
    def first(self) -> Estimate:
        """The first one's win rate."""
        return share(self.both + self.only_first, self.games)

    @property
    def second(self) -> Estimate:
        """The second one's win rate."""
        return share(self.both + self.only_second, self.games)

    @property
    def difference(self) -> Estimate:
        """The second one's win rate less the first one's."""
        if not self.games:
            return Estimate(math.nan, -1.0, 1.0, 0)
        value = (self.only_second - self.only_first) / self.games
        total, gained, lost = self.games + 2, self.only_second + 0.5, self.only_first + 0.5
        centre = (gained - lost) / total
        half = NORMAL_975 * math.sqrt((gained + lost) / total - centre**2) / math.sqrt(total)
        return Estimate(value, max(-1.0, centre - half), min(1.0, centre + half), self.games)

    @property
    def p_value(self) -> float:
        """The exact p-value of McNemar's test: 1 where the two never differ."""
        if not self.discordant:
            return 1.0
        return float(stats.binomtest(self.only_second, self.discordant).pvalue)


class SequentialVerdict(StrEnum):
    """What a sequential test says."""

    OPEN = "go on"
    FIRST = "the first is better"
    SECOND = "the second is better"
    EQUAL = "no difference of that size"


@dataclass(frozen=True)
class Sequential:
    """Wald's sequential test on discordant pairs, both ways.

    In a discordant pair the second wins with probability p. Two tests run side by side: p = 1/2
    against p = 1/2 + effect, and against p = 1/2 - effect. Each goes on until its log-likelihood
    ratio leaves its bounds. `alpha` is the chance to see a difference where there is none (half
    of it for each side), `beta` that to miss one of the size of `effect`.
    """

    effect: float = 0.1
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Refuse what is no probability."""
        for name, value, most in (
            ("effect", self.effect, 0.5),
            ("alpha", self.alpha, 0.5),
            ("beta", self.beta, 0.5),
        ):
            if not 0 < value < most:
                raise InputError(f"expected {name} between 0 and {most}, got {value}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first a side is given up, above the second it is taken as shown."""
        error = self.alpha / 2
        return math.log(self.beta / (1 - error)), math.log((1 - self.beta) / error)

    def ratios(self, only_first: int, only_second: int) -> tuple[float, float]:
        """Give the log-likelihood ratios for "the first is better" and "the second is"."""
        more, less = math.log(1 + 2 * self.effect), math.log(1 - 2 * self.effect)
        return only_first * more + only_second * less, only_second * more + only_first * less

    def verdict(self, only_first: int, only_second: int) -> SequentialVerdict:
        """Say what so many discordant pairs show."""
        low, high = self.bounds
        first, second = self.ratios(only_first, only_second)
        if first >= high:
            return SequentialVerdict.FIRST
        if second >= high:
            return SequentialVerdict.SECOND
        return SequentialVerdict.EQUAL if first <= low and second <= low else SequentialVerdict.OPEN
