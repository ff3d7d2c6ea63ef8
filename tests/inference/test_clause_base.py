"""The clause base: insertion, unit propagation, matching, and fixes for known defects."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.core.clues import Bounds
from mineproof.inference.clause_base import ClauseBase
from mineproof.inference.clauses import Clause, Literals, cell_of

A, B, C, D, E, F = range(1, 7)
"""Literals. A positive number is a mine, and a negative number is a safe cell."""
CLUE = 100
"""The index of the cell that shows the clue for all clauses."""


def base_of(*clauses: Iterable[int]) -> ClauseBase:
    """Return a base into which the clauses have been inserted one by one."""
    return insert(ClauseBase(), *clauses)


def settle(base: ClauseBase) -> None:
    """Move all waiting literals to KB0, as if their cells were opened or flagged."""
    for unit in base.take_units():
        base.settle(unit.cell_index)


def known(*literals: int) -> ClauseBase:
    """Return a base with these literals in KB0."""
    base = base_of(*({one} for one in literals))
    settle(base)
    return base


def insert(base: ClauseBase, *clauses: Iterable[int]) -> ClauseBase:
    """Insert clauses one by one."""
    for literals in clauses:
        base.insert([Clause(frozenset(literals), clue=CLUE)])
    return base


def kb(base: ClauseBase) -> set[Literals]:
    """Return the clauses with two or more literals."""
    return set(base.kb)


def matched(base: ClauseBase) -> ClauseBase:
    """Match pairs of clauses until nothing changes, ignoring new units."""
    while True:
        before = base.inserted, len(base.kb0)
        base.match_pairs()
        settle(base)
        base.match_known()
        settle(base)
        if before == (base.inserted, len(base.kb0)):
            return base


def test_units_wait_in_kb() -> None:
    """A single literal waits in KB. It moves to KB0 when its cell is opened or flagged."""
    base = base_of({A}, {-B})
    assert kb(base) == {frozenset({A}), frozenset({-B})}
    assert [(unit.cell_index, unit.mined) for unit in base.take_units()] == [(0, True), (1, False)]
    assert base.take_units() == []
    base.settle(cell_of(A))
    assert (kb(base), set(base.kb0)) == ({frozenset({-B})}, {A})


def test_matching_with_kb0_is_a_step() -> None:
    """A clause with a waiting literal is shortened only when KB is matched with KB0."""
    base = insert(base_of({A}, {-B}), {-A, C, D}, {B, C, E}, {A, F})
    settle(base)
    assert kb(base) == {frozenset({-A, C, D}), frozenset({B, C, E})}
    base.match_known()
    assert kb(base) == {frozenset({C, D}), frozenset({C, E})}
    assert base.resolvents == 2


def test_literal_order_does_not_matter() -> None:
    """Clauses with the same literals in another order are the same clause."""
    base = base_of([A, B, C], [C, A, B], [B, C, A])
    assert kb(base) == {frozenset({A, B, C})}
    assert base.inserted == 1
    assert not base.weaker, "a clause is not subsumed by itself"


def test_insertion_resolves_with_all_of_kb0() -> None:
    """All false literals are removed from a new clause."""
    base = insert(known(D, -A, E, -B), {A, B, C, F})
    assert kb(base) == {frozenset({C, F})}


def test_literals_are_stripped_at_once() -> None:
    """KB receives only the fully reduced clause, and no intermediate clauses."""
    base = known(-A, -B, -C)
    inserted = base.inserted
    assert kb(insert(base, {A, B, C, D, E})) == {frozenset({D, E})}
    assert base.inserted == inserted + 1


def test_satisfied_clause_is_not_inserted() -> None:
    """A clause that is already satisfied by a known literal is dropped."""
    assert not insert(known(A), {A, B, C}).kb
    assert kb(base_of({A}, {A, B, C})) == {frozenset({A})}


def test_empty_clause_is_a_contradiction() -> None:
    """An empty clause is counted as a contradiction and is not added to KB."""
    base = insert(known(-A, -B), {A, B})
    assert base.contradictions == 1
    assert not base.kb
    assert set(base.kb0) == {-A, -B}
    assert kb(base_of({A}, {-A})) == {frozenset({-A})}


def test_all_weaker_clauses_are_dropped() -> None:
    """A new clause replaces all weaker clauses, not only the first one."""
    base = base_of({A, B, C}, {A, B, D}, {A, B, E}, {A, C, D}, {A, B})
    assert kb(base) == {frozenset({A, B}), frozenset({A, C, D})}
    assert base.subsumed == 3


def test_weaker_clause_is_not_inserted() -> None:
    """A clause that is weaker than one in KB is not inserted."""
    assert kb(base_of({A, B}, {A, B, C})) == {frozenset({A, B})}


def test_units_are_propagated_to_the_fixpoint() -> None:
    """Units are propagated until nothing changes, and shortened clauses can subsume others."""
    base = base_of({-A, B}, {-B, C}, {-C, D}, {A})
    assert kb(base) == {frozenset({one}) for one in (A, B, C, D)}
    base = base_of({B, C, D}, {-A, B, C}, {A})
    assert kb(base) == {frozenset({B, C}), frozenset({A})}


def test_seen_cell_is_propagated() -> None:
    """An opened safe cell is propagated like any other unit."""
    base = base_of({A, B}, {-B, C})
    assert base.see(cell_of(A), mined=False)
    assert kb(base) == {frozenset({one}) for one in (-A, B, C)}
    assert [unit.cell_index for unit in base.take_units()] == [cell_of(one) for one in (A, B, C)]


def test_one_clause_of_a_pair_has_two_literals() -> None:
    """Two clauses are matched only if at least one of them has two literals."""
    base = base_of({A, B}, {-A, C, D})
    base.match_pairs()
    assert frozenset({B, C, D}) in kb(base)
    base = base_of({A, B, C}, {-A, D, E})
    base.match_pairs()
    assert len(base.kb) == 2
    assert base.resolvents == 0


def test_all_pairs_are_matched_if_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """With `all_pairs`, longer clauses are matched too, while there are few clauses."""
    for most, resolvents in ((2, 1), (1, 0)):
        monkeypatch.setattr("mineproof.inference.clause_base.MOST_ALL", most)
        base = insert(ClauseBase(all_pairs=True), {A, B, C}, {-A, D, E})
        base.match_pairs()
        assert (frozenset({B, C, D, E}) in kb(base)) is bool(resolvents)
        assert base.resolvents == resolvents


def test_round_keeps_all_of_its_work() -> None:
    """All resolvents of a round are inserted, and they replace weaker parents."""
    base = base_of({A, B}, {-A, B, C}, {D, E}, {-D, F})
    base.match_pairs()
    assert kb(base) == {
        frozenset({A, B}),
        frozenset({B, C}),
        frozenset({D, E}),
        frozenset({-D, F}),
        frozenset({E, F}),
    }


def test_round_ends_with_a_unit() -> None:
    """A round ends when it finds a unit. The remaining pairs are matched in later rounds."""
    base = base_of({A, B}, {-A, B}, {D, E}, {-D, F})
    base.match_pairs()
    assert frozenset({B}) in kb(base)
    assert frozenset({E, F}) not in kb(base)
    assert frozenset({E, F}) in kb(matched(base))


def test_fixpoint_resolves_nothing_twice() -> None:
    """At the fixpoint, another round does no work."""
    base = matched(base_of({A, B}, {-A, C}, {-C, D, E}))
    work = base.resolvents, base.inserted
    base.match_pairs()
    assert (base.resolvents, base.inserted) == work


def test_one_two_one() -> None:
    """Matching with two-literal clauses solves the pattern 1-2-1, which the subset rule cannot."""
    base = ClauseBase()
    for cells, count in (([0, 1, 2], 1), ([1, 2, 3], 2), ([2, 3, 4], 1)):
        base.tell(cells, Bounds(count, count), clue=CLUE)
    assert base.take_units() == []
    matched(base)
    assert set(base.kb0) == {-1, 2, -3, 4, -5}


def test_known_cells_are_taken_out_of_a_clue() -> None:
    """Known cells are removed from a clue and recorded as its evidence."""
    base = known(1, -2)
    base.tell([0, 1, 2, 3], Bounds(2, 2), clue=CLUE)
    assert kb(base) == {frozenset({3, 4}), frozenset({-3, -4})}
    assert base.kb[frozenset({3, 4})].taken == (0, 1)


def test_surprise_is_counted_and_believed() -> None:
    """An opened cell overrides a wrong conclusion, and the contradiction is counted."""
    for base in (base_of({A}), known(A)):
        assert not base.see(cell_of(A), mined=False)
        assert base.contradictions == 1
        assert kb(base) == {frozenset({-A})}
        assert not base.kb0


def clause_lists() -> st.SearchStrategy[list[Literals]]:
    """Draw lists of clauses over six cells."""
    signs = st.dictionaries(st.integers(1, 6), st.sampled_from([1, -1]), min_size=1, max_size=4)
    clause = signs.map(lambda found: frozenset(cell * sign for cell, sign in found.items()))
    return st.lists(clause, max_size=12)


def models(clauses: Iterable[Literals]) -> list[set[int]]:
    """Return all assignments of six cells that satisfy every clause, as sets of literals."""
    worlds = (
        {cell * sign for cell, sign in zip(range(1, 7), signs, strict=True)}
        for signs in itertools.product((1, -1), repeat=6)
    )
    return [world for world in worlds if all(world & clause for clause in clauses)]


@given(clause_lists())
def test_base_says_what_was_inserted(clauses: list[Literals]) -> None:
    """KB and KB0 together are equivalent to the inserted clauses, before and after matching."""
    base = base_of(*clauses)
    for _ in range(2):
        kept = [*base.kb, *(frozenset({mark}) for mark in base.kb0)]
        if base.contradictions:
            assert not models(clauses)
        else:
            assert models(kept) == models(clauses)
        matched(base)


@given(clause_lists())
def test_base_stays_reduced(clauses: list[Literals]) -> None:
    """After matching, no clause in KB has a known cell, is a unit or is weaker than another."""
    base = matched(base_of(*clauses))
    if base.contradictions:
        return
    known = {cell_of(mark) for mark in base.kb0}
    for one in base.kb:
        assert len(one) > 1
        assert not {cell_of(mark) for mark in one} & known
        assert not any(other < one for other in base.kb)


@given(clause_lists())
def test_matching_reaches_the_closure(clauses: list[Literals]) -> None:
    """At the fixpoint, KB already implies every resolvent with a two-literal clause."""
    base = matched(base_of(*clauses))
    if base.contradictions:
        return
    for one, other in itertools.product(base.kb, repeat=2):
        pairs = [mark for mark in one if -mark in other]
        if len(one) == 2 and len(pairs) == 1:
            resolvent = (one | other) - {pairs[0], -pairs[0]}
            assert any(kept <= resolvent for kept in base.kb)
