"""Clauses: conversion from clues, resolution, text forms and evidence."""

from __future__ import annotations

import itertools
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.core.clues import Bounds
from mineproof.core.grid import grid
from mineproof.inference.clauses import (
    Clause,
    Literals,
    cell_of,
    clause_count,
    clauses_of,
    literal,
    origin,
    resolve,
    text,
)


def holds(clauses: set[Literals], mines: set[int]) -> bool:
    """Return whether a set of mines satisfies all clauses."""
    return all(any((cell_of(mark) in mines) is (mark > 0) for mark in one) for one in clauses)


def test_literals() -> None:
    """A literal and its negation refer to the same cell."""
    assert literal(7, True) == -literal(7, False)
    assert cell_of(literal(7, True)) == cell_of(literal(7, False)) == 7
    assert literal(0, True) != literal(0, False)


@pytest.mark.parametrize(
    ("size", "count", "positive", "negative"), [(5, 2, 5, 10), (8, 4, 56, 56), (3, 1, 1, 3)]
)
def test_families_of_a_clue(size: int, count: int, positive: int, negative: int) -> None:
    """A clue n with m cells gives C(m, m-n+1) positive and C(m, n+1) negative clauses."""
    clauses = list(clauses_of(range(size), Bounds(count, count)))
    assert sum(min(one) > 0 for one in clauses) == positive == comb(size, size - count + 1)
    assert sum(max(one) < 0 for one in clauses) == negative == comb(size, count + 1)
    assert {len(one) for one in clauses if min(one) > 0} == {size - count + 1}
    assert {len(one) for one in clauses if max(one) < 0} == {count + 1}
    assert len(clauses) == clause_count(size, Bounds(count, count)) <= 112


def test_none_and_all_are_units() -> None:
    """A count of 0 becomes negative unit clauses, and a full count positive ones."""
    assert set(clauses_of([1, 2], Bounds(0, 0))) == {frozenset({-2}), frozenset({-3})}
    assert set(clauses_of([1, 2], Bounds(2, 2))) == {frozenset({2}), frozenset({3})}


def test_impossible_count_is_the_empty_clause() -> None:
    """Too many mines for the cells, or a negative count, give the empty clause."""
    assert frozenset() in set(clauses_of([1, 2], Bounds(3, 3)))
    assert frozenset() in set(clauses_of([1, 2], Bounds(-1, -1)))


@given(st.integers(0, 6), st.integers(0, 7), st.integers(0, 7))
def test_clauses_say_what_the_bounds_say(size: int, least: int, most: int) -> None:
    """A set of mines satisfies all clauses if and only if its size is within the bounds."""
    bounds = Bounds(least, most)
    clauses = set(clauses_of(range(size), bounds))
    assert len(clauses) <= clause_count(size, bounds)
    for mines in itertools.chain(*(itertools.combinations(range(size), k) for k in range(9))):
        assert holds(clauses, set(mines)) is (least <= len(mines) <= most)


def test_resolution_needs_exactly_one_pair() -> None:
    """Two clauses have a resolvent only if exactly one pair of literals is complementary."""
    assert resolve(frozenset({1, 2}), frozenset({-1, 3})) == frozenset({2, 3})
    assert resolve(frozenset({1}), frozenset({-1})) == frozenset()
    assert resolve(frozenset({1, 2}), frozenset({-1, -2})) is None
    assert resolve(frozenset({1, 2}), frozenset({2, 3})) is None


def marks() -> st.SearchStrategy[Literals]:
    """Draw clauses over five cells that do not contain a literal and its negation."""
    signs = st.dictionaries(st.integers(0, 4), st.booleans(), min_size=1)
    return signs.map(lambda found: frozenset(literal(i, mined) for i, mined in found.items()))


@given(marks(), marks())
def test_resolvent_follows(one: Literals, other: Literals) -> None:
    """A resolvent follows from its clauses and never contains a literal and its negation."""
    found = resolve(one, other)
    if found is None:
        return
    assert not any(-mark in found for mark in found)
    for mines in itertools.chain(*(itertools.combinations(range(5), k) for k in range(6))):
        assert holds({found}, set(mines)) or not holds({one, other}, set(mines))


def test_clauses_in_words() -> None:
    """The text lists the literals in the order of their cells."""
    assert text(frozenset({-2, 1, 4}), grid(2, 3)) == "mine (0, 0) or safe (0, 1) or mine (1, 0)"
    assert text(frozenset(), grid(2, 3)) == "a contradiction"
    assert repr(Clause(frozenset({2, -1}))) == "Clause([-1, 2])"


def test_origin_and_evidence() -> None:
    """The evidence contains the parents' clues, and the cells that were already known."""
    geometry = grid(2, 3)
    first = Clause(frozenset({1, -2}), clue=4, taken=(2,))
    unit = Clause(frozenset({2}), clue=5)
    found = Clause(frozenset({1}), parents=(first, unit))
    assert origin(first, geometry) == "the clue at (1, 1) with (0, 2) known"
    assert origin(found, geometry) == "[mine (0, 0) or safe (0, 1)] resolved with [mine (0, 1)]"
    assert found.evidence() == ((4,), (1, 2), False)
    counted = Clause(frozenset({1}))
    assert origin(counted, geometry) == "the mine count"
    assert counted.evidence().uses_mine_count
