"""Estimates means and ratios, and runs a sequential test that stops as early as possible.

Means and ratios have 95 % confidence intervals from Student's t distribution.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from scipy import special, stats

from mineproof.core.errors import InputError
from mineproof.match.certainty import Estimate

Sums = tuple[Sequence[float], Sequence[float]]
"""The values and the weights of games."""


def clarity(estimate: Estimate, effect: float) -> float:
    """Return the size of an effect in standard errors, corrected for a small number of games.

    For few games, Student's distribution is much wider than the normal one.
    """
    deviation = estimate.deviation
    if math.isnan(deviation) or estimate.games < 2:
        return 0.0
    if not deviation:
        return math.copysign(math.inf, effect) if effect else 0.0
    tail = special.stdtr(estimate.games - 1, -abs(effect) / deviation)
    return math.copysign(float(special.ndtri(tail)), effect)


def ratio(
    games: int, values: float, weights: float, squares: tuple[float, float, float]
) -> Estimate:
    """Estimate the ratio of two sums by the delta method; for a mean, all weights are 1.

    Args:
        games: the number of games.
        values: the sum of their values.
        weights: the sum of their weights.
        squares: the sums of value x value, value x weight and weight x weight.
    """
    if games == 0 or weights == 0:
        return Estimate(math.nan, math.nan, math.nan, games)
    found = values / weights
    value_value, value_weight, weight_weight = squares
    residual = value_value - 2 * found * value_weight + found * found * weight_weight
    return _student(found, math.sqrt(max(0.0, residual) * games) / weights, games)


def _student(value: float, spread: float, games: int) -> Estimate:
    """Return a value with Student's interval, given its standard error times sqrt(games - 1)."""
    if games == 1:
        return Estimate(value, math.nan, math.nan, games)
    half = float(stats.t.ppf(0.975, games - 1)) * spread / math.sqrt(games - 1)
    return Estimate(value, value - half, value + half, games)


def paired(first: Sums, second: Sums) -> Estimate:
    """Estimate the difference between two ratios on the same boards.

    Args:
        first: values and weights of the games; for a mean, all weights are 1.
        second: the same for the games to compare with, on the same boards in the same order.
    """
    games = len(first[0])
    residuals, ratios = [], []
    for values, weights in (np.asarray(first, dtype=float), np.asarray(second, dtype=float)):
        if not weights.sum():
            return Estimate(math.nan, math.nan, math.nan, games)
        ratios.append(values.sum() / weights.sum())
        residuals.append((values - ratios[-1] * weights) / weights.mean())
    return _student(float(ratios[0] - ratios[1]), float(np.std(residuals[0] - residuals[1])), games)


class SequentialVerdict(StrEnum):
    """The result of a sequential test."""

    OPEN = "undecided"
    FIRST = "the first is better"
    SECOND = "the second is better"
    EQUAL = "no difference of that size"


@dataclass(frozen=True)
class Sequential:
    """Wald's sequential test on discordant pairs, in both directions.

    A pair is discordant if only one agent wins; then the second wins with probability p. Two tests
    run side by side: p = 1/2 against p = 1/2 + effect, and against p = 1/2 - effect. Each test
    continues until its log-likelihood ratio leaves its bounds. `alpha` is the chance of reporting a
    difference that is not there (half of it for each side). `beta` is the chance of missing a
    difference of size `effect`.
    """

    effect: float = 0.1
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not 0 < value < 0.5:
                raise InputError(f"expected {name} between 0 and 0.5, got {value}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds of a log-likelihood ratio: reject below the first, accept above the second."""
        error = self.alpha / 2
        return math.log(self.beta / (1 - error)), math.log((1 - self.beta) / error)

    def ratios(self, only_first: int, only_second: int) -> tuple[float, float]:
        """Return the log-likelihood ratios for "the first is better" and "the second is better"."""
        more, less = math.log(1 + 2 * self.effect), math.log(1 - 2 * self.effect)
        return only_first * more + only_second * less, only_second * more + only_first * less

    def verdict(self, only_first: int, only_second: int) -> SequentialVerdict:
        """Return the verdict after these numbers of discordant pairs."""
        low, high = self.bounds
        first, second = self.ratios(only_first, only_second)
        if first >= high:
            return SequentialVerdict.FIRST
        if second >= high:
            return SequentialVerdict.SECOND
        return SequentialVerdict.EQUAL if first <= low and second <= low else SequentialVerdict.OPEN
