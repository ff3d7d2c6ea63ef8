"""The parts of the reference engine: polynomials, priors, box orders, tables and draws."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from layout_oracle import MODELS, random_position
from suites import positions

from mineproof.core.board import Board
from mineproof.core.clues import EXACT, UNOPENED
from mineproof.core.errors import ContradictionError, InputError, WorkLimitError
from mineproof.core.observation import Observation
from mineproof.core.random import Purpose, Stream, below, pick
from mineproof.core.rules import PublicRules
from mineproof.inference import counting
from mineproof.inference.budget import Budget
from mineproof.inference.constraints import Component, read_constraints
from mineproof.inference.counting import Density, Known, Range, reference
from mineproof.inference.counting.density import ENOUGH, estimate_density
from mineproof.inference.counting.order import estimate, find_order, greedy
from mineproof.inference.counting.polynomial import ONE, Polynomial, pack, shared_power, unpack
from mineproof.inference.counting.prior import Outside, choose, proportional_binomials
from mineproof.inference.counting.table import CountTable
from mineproof.notation.position_text import parse_position

COUNTS = st.lists(st.integers(0, 2**70), min_size=1, max_size=6).filter(any)


def components() -> list[tuple[Component, int]]:
    """Return components of many shapes, each with the width of the board it comes from."""
    found = []
    for seen in positions("expert-stuck")[::25] + [
        random_position(i, MODELS[i % 4]) for i in range(40)
    ]:
        constraints = read_constraints(seen.shown, seen.grid, seen.rules.clues)
        found += [(component, seen.rules.columns) for component in constraints.components]
    return found


@given(COUNTS)
def test_packing(counts: list[int]) -> None:
    """Unpacking returns the packed coefficients, without the zeros at the end."""
    width = 80
    expected = counts[: max(i for i, count in enumerate(counts) if count) + 1]
    assert unpack(pack(counts, width), width) == expected
    first = next(i for i, count in enumerate(counts) if count)
    assert shared_power([pack(counts, width), pack([0] * first + [1], width)], width) == first


@given(COUNTS, COUNTS, st.integers(0, 5), st.integers(0, 5))
def test_products(first: list[int], second: list[int], low: int, high: int) -> None:
    """Products equal those computed term by term, and multiplying by one changes nothing."""
    found = Polynomial(low, first) * Polynomial(high, second)
    wanted = [0] * (len(first) + len(second) - 1)
    for (i, a), (j, b) in product(enumerate(first), enumerate(second)):
        wanted[i + j] += a * b
    assert found.trimmed() == Polynomial(low + high, wanted).trimmed()
    assert (ONE * Polynomial(low, first)).trimmed() == Polynomial(low, first).trimmed()


@given(st.integers(0, 60), st.integers(-3, 60), st.integers(0, 8))
def test_proportional_binomials(size: int, top: int, length: int) -> None:
    """The weights are proportional to binomial coefficients, including those that are 0."""
    counts = list(range(top, top - length - 1, -1))
    weights = proportional_binomials(size, counts)
    exact = [choose(size, k) for k in counts]
    whole, total = sum(exact), sum(weights)
    assert all(w * whole == e * total for w, e in zip(weights, exact, strict=True))
    assert bool(whole) == bool(total)


def prior_weight(prior: counting.Prior, mines: int, cells: int) -> Fraction:
    """Return the prior weight of one layout with this many mines."""
    if isinstance(prior, Known):
        return Fraction(mines == prior.mines)
    if isinstance(prior, Range):
        return Fraction(prior.least <= mines <= prior.most, math.comb(cells, mines))
    return prior.fraction**mines * (1 - prior.fraction) ** (cells - mines)


@pytest.mark.parametrize("prior", [Known(6), Density(0.35), Range(3, 9), Range(5, 99)], ids=str)
def test_what_a_prior_says_of_the_interior(prior: counting.Prior) -> None:
    """Weights, expected interior mines and layout counts equal sums over all mine counts."""
    outside = Outside(cells=14, fixed=1, interior=5)
    outer = prior.outer(0, 4, outside)
    sums, mines, layouts = [], [], []
    for inside in range(5):
        fillings = [
            (k, math.comb(5, k) * prior_weight(prior, inside + 1 + k, 14)) for k in range(6)
        ]
        sums.append(sum((weight for _, weight in fillings), Fraction(0)))
        mines.append(sum((k * weight for k, weight in fillings), Fraction(0)))
        layouts.append(sum(math.comb(5, k) for k, weight in fillings if weight))
    scale = Fraction(outer.weights[2]) / sums[2]
    assert outer.weights == [scale * weight for weight in sums]
    assert outer.mines == [outer.scale * scale * weight for weight in mines]
    assert [prior.layouts(inside, outside) for inside in range(5)] == layouts


@pytest.mark.parametrize("bad", [0.0, 1.0, -0.1, 2.0, math.nan])
def test_densities_that_are_none(bad: float) -> None:
    """A density must be strictly between 0 and 1."""
    with pytest.raises(InputError, match="between 0 and 1"):
        Density(bad)


def test_ranges_that_are_none() -> None:
    """The ends of a range must be in order and not negative."""
    with pytest.raises(InputError, match="expected a range"):
        Range(5, 4)
    with pytest.raises(InputError, match="expected a range"):
        Range(-1, 4)


def test_draws_are_uniform() -> None:
    """Draws are uniform even for huge numbers, and choices follow their weights."""
    stream = Stream(1, Purpose.SAMPLE)
    found = Counter(below(10, stream) for _ in range(5000))
    assert set(found) == set(range(10))
    assert max(abs(count - 500) for count in found.values()) < 110
    huge = 3 * 2**200
    thirds = Counter(below(huge, stream) >> 200 for _ in range(3000))
    assert max(abs(thirds[i] - 1000) for i in range(3)) < 130
    picked = Counter(pick([1, 0, 2**100, 2**100], stream) for _ in range(2000))
    assert set(picked) == {2, 3}


def test_every_order_gives_the_same_counts() -> None:
    """The order of the boxes affects the cost, but never the result."""
    source = random.Random(5)
    for component, columns in components():
        best = CountTable(component, find_order(component, columns, Budget()), Budget())
        other = list(range(len(component.boxes)))
        source.shuffle(other)
        try:
            shuffled = CountTable(component, other, Budget(nodes=20_000))
        except WorkLimitError:
            continue
        assert shuffled.polynomial.trimmed() == best.polynomial.trimmed()
        wanted = {box.cells: mines.trimmed() for box, mines in best.expected()}
        assert {box.cells: mines.trimmed() for box, mines in shuffled.expected()} == wanted


def test_orders_are_complete_and_no_worse_than_the_first_try() -> None:
    """The order contains every box once, and it costs no more than the greedy order."""
    for component, columns in components():
        order = find_order(component, columns, Budget())
        assert sorted(order) == list(range(len(component.boxes)))
        assert sorted(greedy(component, 0, Budget())) == sorted(order)
        least = estimate(component, greedy(component, 0, Budget()), Budget())
        assert estimate(component, order, Budget()) <= max(300, least)


def test_the_estimate_bounds_the_states() -> None:
    """Counting never visits more states than estimated."""
    for component, columns in components():
        order = find_order(component, columns, Budget())
        budget = Budget()
        CountTable(component, order, budget)
        assert budget.spent <= estimate(component, order, Budget())


def test_a_good_order_matters() -> None:
    """Along a wall of clues, a good order needs far fewer states than a poor one."""
    wall = parse_position("40x2x?\n" + "H" * 40 + "\n" + "1" * 40 + "\n")
    (component,) = read_constraints(wall.shown, wall.grid, EXACT).components
    boxes = range(len(component.boxes))
    jumping = sorted(boxes, key=lambda box: (component.boxes[box].cells[0] % 7, box))
    good = estimate(component, find_order(component, 40, Budget()), Budget())
    assert good * 50 < estimate(component, jumping, Budget())


@pytest.mark.parametrize("text", ["9x9x?\n" + ("H" * 9 + "\n") * 9, "3x1x?\n1HH\n"])
def test_density_without_much_to_go_by(text: str) -> None:
    """If there are few clues, the estimated density stays near one fifth."""
    assert estimate_density(parse_position(text)) == pytest.approx(0.2, abs=0.1)


def test_density_follows_the_clues() -> None:
    """Large clues raise the estimated density, and small clues lower it."""
    low = estimate_density(parse_position("5x5x?\nHHHHH\nHHHHH\n11111\n00000\n00000\n"))
    high = estimate_density(parse_position("5x5x?\nHHHHH\nH4H5H\nHHHHH\nH5H4H\nHHHHH\n"))
    assert low < 0.2 < high


def test_density_of_expert_games() -> None:
    """For expert games, whose density is 0.206, the mean estimate is close to it."""
    found = [estimate_density(seen) for seen in positions("expert-stuck")[::10]]
    assert 0.17 < sum(found) / len(found) < 0.24


def test_density_of_a_large_board_comes_from_some_of_its_clues() -> None:
    """On a large board, reading a limited number of clues gives a close estimate."""
    side, dice = 400, random.Random(5)
    mined = bytes(dice.random() < 0.15 for _ in range(side * side))
    board = Board(side, side, mined)
    shown = bytes(UNOPENED if mine else board.clues[i] for i, mine in enumerate(mined))
    seen = Observation(PublicRules(side, side, None), shown)
    near = board.grid.neighbours
    with patch.object(type(seen.grid), "neighbours", side_effect=near) as asked:
        assert estimate_density(seen) == pytest.approx(0.15, abs=0.01)
    assert 0 < asked.call_count <= ENOUGH


def test_an_unknown_count_uses_the_estimate() -> None:
    """Without a mine count, the prior is the estimated density."""
    seen = parse_position("5x2x?\nHHHHH\nH2H1H\n")
    facts = counting.count(seen)
    assert facts.prior == Density(estimate_density(seen))
    with pytest.raises(ContradictionError) as caught:
        counting.count(parse_position("3x2x?\n3HH\n0H3\n"))
    assert not caught.value.uses_mine_count


def test_estimating_a_density_is_bounded() -> None:
    """If the work limit is exceeded, there is an error, or a rougher estimate if allowed."""
    seen = positions("expert-stuck")[1]
    unknown = Observation(replace(seen.rules, mines=None), seen.shown)
    with pytest.raises(WorkLimitError):
        counting.count(unknown, budget=Budget(nodes=5))
    facts = counting.count(unknown, budget=Budget(nodes=5), sampled=True)
    assert isinstance(facts.prior, Density)
    assert facts.prior.probability == pytest.approx(estimate_density(unknown), abs=0.03)


@pytest.mark.parametrize(("value", "expected"), [("python", "python"), ("", counting.backend())])
def test_the_environment_chooses_the_backend(value: str, expected: str) -> None:
    """`MINEPROOF_BACKEND=python` forces the reference engine."""
    code = "from mineproof.inference import counting; print(counting.backend())"
    environment = {**os.environ, "MINEPROOF_BACKEND": value}
    run = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == expected


def test_facts_show_their_components() -> None:
    """Components do not contain cells that single clues prove."""
    facts = reference.count(parse_position("9x1x3\nH1HHHHH1M\n"), Known(3), Budget())
    assert [component.cells for component in facts.components] == [(0, 2)]
    assert facts.safe == (6,)
