"""Honest figures beyond shares: means, ratios, and a test that stops as early as it may.

All intervals have 95 %: Student's for means and ratios.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from scipy import stats

from mineproof.core.errors import InputError
from mineproof.match.certainty import Estimate

Sums = tuple[Sequence[float], Sequence[float]]
"""Values and weights, game by game."""


def clarity(estimate: Estimate, effect: float) -> float:
    """Say how clear an effect is, in standard errors of many games.

    Of few games Student's distribution is far wider than the normal one.
    """
    deviation = estimate.deviation
    if math.isnan(deviation) or estimate.games < 2:
        return 0.0
    if not deviation:
        return math.copysign(math.inf, effect) if effect else 0.0
    tail = stats.t.logsf(abs(effect) / deviation, estimate.games - 1)
    return math.copysign(float(stats.norm.isf(math.exp(tail))), effect)


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


def paired(first: Sums, second: Sums) -> Estimate:
    """Estimate how much larger the first of two ratios is, both of the same boards.

    Args:
        first: values and weights of each game; a mean has the weights 1.
        second: the same of the games on the same boards, in the same order.
    """
    games = len(first[0])
    rests, ratios = [], []
    for values, weights in (np.asarray(first, dtype=float), np.asarray(second, dtype=float)):
        if not weights.sum():
            return Estimate(math.nan, math.nan, math.nan, games)
        ratios.append(values.sum() / weights.sum())
        rests.append((values - ratios[-1] * weights) / weights.mean())
    value = float(ratios[0] - ratios[1])
    if games == 1:
        return Estimate(value, math.nan, math.nan, games)
    deviation = float(np.std(rests[0] - rests[1], ddof=1)) / math.sqrt(games)
    half = float(stats.t.ppf(0.975, games - 1)) * deviation
    return Estimate(value, value - half, value + half, games)


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
        for name, value in vars(self).items():
            if not 0 < value < 0.5:
                raise InputError(f"expected {name} between 0 and 0.5, got {value}")

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
