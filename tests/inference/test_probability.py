"""Combining components, compared with trying all combinations of their mines."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.core.errors import WorkLimitError
from mineproof.core.random import Purpose, Stream
from mineproof.inference.budget import Budget
from mineproof.inference.counting import Density, Known, Prior, Range
from mineproof.inference.counting.polynomial import Polynomial, correlate
from mineproof.inference.counting.prior import Outside
from mineproof.inference.local import ImpossibleError
from mineproof.inference.probability import Mixture, weigh

PARTS = st.lists(
    st.builds(Polynomial, st.integers(0, 2), st.lists(st.integers(1, 9), min_size=1, max_size=4)),
    max_size=5,
)
OUTSIDE = Outside(cells=30, fixed=1, interior=6)
PRIORS: list[Prior] = [Known(8), Density(0.25), Range(3, 12)]


def combinations(parts: list[Polynomial], prior: Prior) -> dict[tuple[int, ...], Fraction]:
    """Return the relative weight of every distribution of mines over the components."""
    found = {}
    for mines in product(*(range(part.least, part.most + 1) for part in parts)):
        outer = prior.outer(sum(mines), sum(mines), OUTSIDE)
        weight = Fraction(_absolute(prior, sum(mines)) if outer.weights[0] else 0)
        for part, here in zip(parts, mines, strict=True):
            weight *= part.count(here)
        found[mines] = weight
    return found


def _absolute(prior: Prior, inside: int) -> Fraction:
    """Return the weight of all cells outside the components if these hold `inside` mines."""
    cells, fixed, interior = OUTSIDE
    total = Fraction(0)
    for extra in range(interior + 1):
        mines = fixed + inside + extra
        if isinstance(prior, Known):
            weight = Fraction(mines == prior.mines)
        elif isinstance(prior, Range):
            weight = Fraction(prior.least <= mines <= prior.most, math.comb(cells, mines))
        else:
            weight = prior.fraction**mines * (1 - prior.fraction) ** (cells - mines)
        total += math.comb(interior, extra) * weight
    return total


@given(PARTS, st.sampled_from(PRIORS))
def test_what_surrounds_each_component(parts: list[Polynomial], prior: Prior) -> None:
    """Each component gets the right weight for every number of mines it can hold."""
    wanted = combinations(parts, prior)
    whole = sum(wanted.values())
    if not whole:
        with pytest.raises(ImpossibleError):
            Mixture(parts, prior, OUTSIDE, Budget())
        return
    mixture = Mixture(parts, prior, OUTSIDE, Budget())
    arounds = mixture.around()
    assert len(arounds) == len(parts)
    for place, (part, around) in enumerate(zip(parts, arounds, strict=True)):
        for extra, count in enumerate(part.counts):
            here = sum(w for mines, w in wanted.items() if mines[place] == part.least + extra)
            assert Fraction(count * around[extra], mixture.total) == here / whole
        assert weigh(part, part, around) == mixture.total


def test_drawing_mines_by_weight() -> None:
    """Each distribution of mines is drawn in proportion to its weight."""
    parts = [Polynomial(1, [2, 1]), Polynomial(0, [1, 3]), Polynomial(2, [1, 0, 4])]
    mixture = Mixture(parts, Known(8), OUTSIDE, Budget())
    wanted = combinations(parts, Known(8))
    whole = sum(wanted.values())
    stream = Stream(1, Purpose.SAMPLE)
    drawn: Counter[tuple[int, ...]] = Counter()
    for _ in range(4000):
        mines, interior = mixture.split(stream)
        assert sum(mines) + interior + 1 == 8
        drawn[tuple(mines)] += 1
    for spread, weight in wanted.items():
        assert drawn[spread] == pytest.approx(4000 * float(weight / whole), abs=120)


def test_long_products_are_work() -> None:
    """Products that would take minutes exceed the work limit."""
    parts = [Polynomial(0, [1 << 400] * 60)] * 200
    with pytest.raises(WorkLimitError):
        Mixture(parts, Density(0.2), Outside(100_000, 0, 0), Budget(nodes=1000))


@given(
    st.lists(st.integers(0, 2**80), min_size=1, max_size=40),
    st.lists(st.integers(0, 2**80), min_size=1, max_size=40),
)
def test_correlations(first: list[int], second: list[int]) -> None:
    """Correlations equal sums computed term by term."""
    counts, weights = sorted((first, second), key=len)
    weights = [*weights, 1]
    counts = [*counts, 1][: len(weights)]
    wanted = [
        sum(count * weights[k + j] for j, count in enumerate(counts))
        for k in range(len(weights) - len(counts) + 1)
    ]
    assert correlate(weights, counts) == wanted
