"""The sentence base: its two rules, the examples of the source documents, and their defects."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.core.clues import Bounds
from mineproof.core.grid import grid
from mineproof.inference.sentences import (
    Sentence,
    SentenceBase,
    origin,
)

A, B, C, D, E, F, G, H = range(8)
CLUE = 100
"""The index of the cell that shows the first clue."""


def base_of(*sentences: tuple[set[int], int]) -> SentenceBase:
    """Return a base with exact sentences, each from a different clue, after matching."""
    base = SentenceBase()
    for place, (cells, count) in enumerate(sentences):
        base.tell(sorted(cells), Bounds(count, count), clue=CLUE + place)
    base.match()
    return base


def held(base: SentenceBase) -> set[tuple[frozenset[int], int]]:
    """Return the exact sentences that a base holds."""
    return {(one.cells, one.least) for one in base.sentences.values() if one.least == one.most}


def test_count_zero_makes_all_safe() -> None:
    """The sentence {D, E, G} = 0 makes all three cells safe and is then dropped."""
    base = base_of(({D, E, G}, 0))
    assert base.known == {D: False, E: False, G: False}
    assert not base.sentences


def test_full_count_makes_all_mines() -> None:
    """The sentence {E, F, H} = 3 makes all three cells mines."""
    assert base_of(({E, F, H}, 3)).known == {E: True, F: True, H: True}


def test_count_between_proves_nothing_yet() -> None:
    """The sentence {E, F, H} = 1 alone decides no cell."""
    base = base_of(({E, F, H}, 1))
    assert not base.known
    assert held(base) == {(frozenset({E, F, H}), 1)}


@pytest.mark.parametrize(("mined", "left"), [(False, 2), (True, 1)])
def test_known_cell_leaves_the_sentence(mined: bool, left: int) -> None:
    """{A, B, C} = 2 becomes {A, B} = 2 if C is safe, and {A, B} = 1 if C is a mine."""
    base = base_of(({A, B, C}, 2))
    base.note(C, mined)
    base.settle()
    if left == 2:
        assert base.known == {A: True, B: True, C: False}
    else:
        assert held(base) == {(frozenset({A, B}), 1)}


def test_known_cells_are_taken_out_at_once() -> None:
    """Known cells are removed from a new sentence, and known mines are subtracted from it."""
    base = SentenceBase()
    base.note(A, True)
    base.note(B, False)
    base.tell([A, B, C, D, E], Bounds(2, 2), clue=CLUE)
    assert held(base) == {(frozenset({C, D, E}), 1)}


def test_subset_example_of_cs50() -> None:
    """The sentences {A, B, C} = 1 and {A, B, C, D, E} = 2 give {D, E} = 1."""
    base = base_of(({A, B, C}, 1), ({A, B, C, D, E}, 2))
    assert (frozenset({D, E}), 1) in held(base)


def test_subset_examples_of_lab_3() -> None:
    """The subset rule can prove that the remaining cells are all safe or all mines."""
    assert base_of(({A, B, C, D}, 2), ({B, C, D}, 2)).known == {A: False}
    assert base_of(({A, B, C, D}, 3), ({B, C, D}, 2)).known == {A: True}
    base = base_of(({A, B, C, D, E}, 3), ({C, D, E}, 2))
    assert (frozenset({A, B}), 1) in held(base)


@pytest.mark.parametrize("order", list(itertools.permutations(range(2))))
def test_pairs_are_tried_both_ways(order: tuple[int, ...]) -> None:
    """The subset rule does not depend on the order of the sentences."""
    pair = [({A, B}, 1), ({A, B, C}, 1)]
    assert base_of(*(pair[place] for place in order)).known == {C: False}


def test_subset_rule_keeps_the_larger_sentence() -> None:
    """{a,b,c,d} = 2 is kept after {a,b} = 1 arrives, so that {b,c} = 1 still gives {a,d} = 1."""
    base = base_of(({A, B, C, D}, 2), ({A, B}, 1), ({B, C}, 1))
    assert (frozenset({A, D}), 1) in held(base)
    assert (frozenset({A, B, C, D}), 2) in held(base)


def test_rules_run_to_the_fixpoint() -> None:
    """A known cell decides a sentence, whose cells decide the next sentence, in one call."""
    base = base_of(({A, B}, 1), ({B, C}, 1), ({C, D}, 1), ({D, E}, 1))
    base.note(A, False)
    base.match()
    assert base.known == {A: False, B: True, C: False, D: True, E: False}
    assert not base.sentences


def test_derived_sentences_are_matched_in_turn() -> None:
    """A sentence derived by the subset rule is used to derive further sentences."""
    base = base_of(({A, B, C, D, E}, 2), ({D, E}, 1), ({A, B}, 1))
    assert base.known == {C: False}


def test_no_known_cell_stays_in_a_sentence() -> None:
    """Cells decided in a round are removed from all sentences in the same round."""
    base = base_of(({A, B, C, D}, 2), ({B, C, D}, 2), ({A, B, E}, 1), ({A, C, E, F}, 2))
    assert base.known[A] is False
    assert all(not one.cells & base.known.keys() for one in base.sentences.values())


def test_no_empty_and_no_duplicate_sentence_stays() -> None:
    """Empty sentences are dropped, and equal sentences are merged."""
    base = base_of(({A, B, C}, 1), ({A, B, C}, 1), ({D}, 1), (set(), 0))
    assert held(base) == {(frozenset({A, B, C}), 1)}
    assert base.contradictions == 0


def test_decided_sentences() -> None:
    """A sentence is decided if its count is 0 or equals its number of cells."""
    assert Sentence(frozenset({A, B}), 0, 0).is_decided
    assert Sentence(frozenset({A, B}), 2, 2).is_decided
    assert not Sentence(frozenset({A, B}), 1, 1).is_decided


def test_sentences_in_words() -> None:
    """Each kind of bounds has its own text form."""
    cells = frozenset({A, B, C})
    geometry = grid(1, 3)
    assert Sentence(cells, 1, 1).text(geometry) == "{(0, 0), (0, 1), (0, 2)} = 1"
    assert Sentence(cells, 1, 3).text(geometry) == "{(0, 0), (0, 1), (0, 2)} >= 1"
    assert Sentence(cells, 0, 2).text(geometry) == "{(0, 0), (0, 1), (0, 2)} <= 2"
    assert Sentence(cells, 1, 2).text(geometry) == "1 <= {(0, 0), (0, 1), (0, 2)} <= 2"


def test_origin_in_words() -> None:
    """The origin of a sentence is described in words."""
    geometry = grid(2, 3)
    clue = Sentence(frozenset({A, B, C}), 1, 1, clue=4)
    part = Sentence(frozenset({A, B}), 1, 1, clue=3, taken=(C,))
    assert origin(clue, geometry) == "the clue at (1, 1)"
    assert origin(part, geometry) == "the clue at (1, 0) with (0, 2) known"
    assert origin(Sentence(frozenset({A}), 1, 1), geometry) == "the mine count"
    rest = Sentence(frozenset({C}), 0, 0, parents=(clue, part))
    assert "and, inside it, {(0, 0), (0, 1)} = 1" in origin(rest, geometry)
    less = Sentence(frozenset({A, B}), 1, 1, parents=(clue,), taken=(C,))
    assert origin(less, geometry) == "{(0, 0), (0, 1), (0, 2)} = 1 without (0, 2)"


def test_findings_are_handed_over_once_with_their_evidence() -> None:
    """The evidence of a finding lists its clues and the cells that were known before."""
    base = SentenceBase()
    base.note(E, True)
    base.tell([A, B, C, E], Bounds(2, 2), clue=100)
    base.tell([A, B], Bounds(1, 1), clue=101)
    base.match()
    (finding,) = base.take_findings()
    assert (finding.cell_index, finding.mined) == (C, False)
    assert finding.sentence.evidence() == ((100, 101), (E,), False)
    assert base.take_findings() == []


def test_mine_count_is_one_more_sentence() -> None:
    """If {A,B} = 1, {B,C} = 1 and one mine is left, the mine count proves that B is a mine."""
    base = base_of(({A, B}, 1), ({B, C}, 1))
    assert not base.known
    base.count_mines([A, B, C], 1)
    assert base.known == {A: False, B: True, C: False}
    assert base.take_findings()[0].sentence.evidence().uses_mine_count


def test_mine_count_tells_of_cells_without_a_clue() -> None:
    """Three mines are left and two sentences hold two of them, so the last cell is a mine."""
    base = base_of(({A, B}, 1), ({C, D}, 1))
    base.count_mines([A, B, C, D, E], 3)
    assert base.known == {E: True}


def test_mine_count_sees_known_mines() -> None:
    """Known mines are subtracted from the mine count."""
    base = base_of(({A, B}, 2))
    base.count_mines([A, B, C, D], 2)
    assert base.known == {A: True, B: True, C: False, D: False}


def test_mine_count_with_many_sentences() -> None:
    """The mine count works with 30 separate sentences, without trying 2**30 combinations."""
    base = SentenceBase()
    for pair in range(0, 60, 2):
        base.tell([pair, pair + 1], Bounds(1, 1), clue=CLUE + pair)
    base.count_mines(range(61), 30)
    assert base.known == {60: False}
    assert len(base.sentences) == 30


def test_bounds_follow_the_same_rules() -> None:
    """If at least 2 of 3 cells and at most 1 of the first two are mines, the third is a mine."""
    base = SentenceBase()
    base.tell([A, B, C], Bounds(2, 8), clue=100)
    base.tell([A, B], Bounds(0, 1), clue=101)
    base.match()
    assert base.known == {C: True}
    assert held(base) == {(frozenset({A, B}), 1)}


def test_trivial_bounds_are_no_sentence() -> None:
    """Bounds that allow any number of mines are dropped."""
    base = SentenceBase()
    base.tell([A, B], Bounds(0, 8), clue=CLUE)
    assert not base.sentences


def test_contradictions_are_survived_and_counted() -> None:
    """Impossible counts are dropped, and a newer clue overrides older conclusions."""
    base = base_of(({A, B}, 3))
    assert base.contradictions == 1
    assert not base.known
    base = base_of(({A, B}, 1), ({A, B}, 2))
    assert base.contradictions == 1
    assert base.known == {A: True, B: True}
    assert base.note(A, False) is False
    assert base.contradictions == 2
    assert base.known[A] is False


System = tuple[set[int], list[tuple[list[int], Bounds]]]


@st.composite
def systems(draw: st.DrawFn) -> System:
    """Draw a layout of seven cells and true sentences about it."""
    mines = draw(st.sets(st.integers(0, 6)))
    sentences = []
    for cells in draw(st.lists(st.sets(st.integers(0, 6), min_size=1), max_size=6)):
        truth = len(cells & mines)
        below, above = draw(st.integers(0, 1)), draw(st.integers(0, 1))
        sentences.append((sorted(cells), Bounds(truth - below, truth + above)))
    return mines, sentences


@given(systems(), st.booleans())
def test_what_is_known_follows(system: System, counted: bool) -> None:
    """Every known cell and every sentence holds in all layouts that fit."""
    mines, sentences = system
    base = SentenceBase()
    for cells, bounds in sentences:
        base.tell(cells, bounds, clue=CLUE)
    base.match()
    if counted:
        base.count_mines(range(7), len(mines))
    models = [
        set(model)
        for size in ([len(mines)] if counted else range(8))
        for model in itertools.combinations(range(7), size)
        if all(low <= len(set(model) & set(cells)) <= high for cells, (low, high) in sentences)
    ]
    assert mines in models
    assert base.contradictions == 0
    for model in models:
        assert all((cell in model) is mined for cell, mined in base.known.items())
        for one in base.sentences.values():
            assert one.least <= len(one.cells & model) <= one.most


@given(systems())
def test_order_of_telling_does_not_matter(system: System) -> None:
    """For exact sentences, the result does not depend on the order in which they arrive."""
    exact = [(cells, bounds) for cells, bounds in system[1] if bounds.least == bounds.most]
    results = []
    for order in (exact, exact[::-1]):
        base = SentenceBase()
        for cells, bounds in order:
            base.tell(cells, bounds, clue=CLUE)
            base.match()
        results.append((base.known, held(base)))
    assert results[0] == results[1]


def test_in_place_loses_what_would_follow() -> None:
    """With `in_place`, the difference replaces {a,b,c,d} = 2, so a later conclusion is lost."""
    facts = (({0, 1, 2, 3}, 2), ({0, 1}, 1), ({1, 2}, 1))
    for in_place in (False, True):
        base = SentenceBase(in_place=in_place)
        for cells, mines in facts:
            base.tell(sorted(cells), Bounds(mines, mines), clue=9)
            base.match()
        assert (frozenset({0, 3}) in base.sentences) is not in_place
        assert (frozenset({0, 1, 2, 3}) in base.sentences) is not in_place
