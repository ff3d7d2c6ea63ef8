"""Lists of solutions and proofs by the mine count, compared with trying every layout."""

from __future__ import annotations

import pytest
from brute_force import MOST_UNOPENED, layouts, same_in_all, solutions, sums, systems
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import observations

from mineproof.core.observation import Observation
from mineproof.inference.backtracking import Search
from mineproof.inference.clue_graph import MINE_COUNT, ClueGraph, Statement
from mineproof.inference.forward_checking import Order
from mineproof.inference.listing import count_proofs, list_solutions

ORDERS: tuple[Order, ...] = ("largest", "smallest")
A, B, C, D, E, F, G, H = range(8)


@given(systems(), st.sampled_from(ORDERS))
def test_listing_counts_every_solution(constraints: list[Statement], order: Order) -> None:
    """Each solution is listed once, and cells that are the same in all solutions are proved."""
    expected = solutions(constraints)
    listing = list_solutions(constraints, order)
    assert listing.complete
    assert listing.solutions == len(expected)
    assert len(set(listing.fills)) == len(listing.fills)
    for cell, mined in listing.mined().items():
        assert mined == sum(values[cell] for values in expected)
    assert set(listing.mines) == {sum(values.values()) for values in expected}
    search = Search(constraints, order)
    if search.find() is None:
        listed = {cell: proof.mined for proof in listing.proofs() for cell in proof.cells}
        assert listed == {cell: one.mined for one in search.proofs() for cell in one.cells}
    else:
        assert list(listing.proofs()) == []


def test_listing_stops_at_its_limit() -> None:
    """A list that reaches its limit is incomplete and proves nothing."""
    constraints = sums(((A, B), 1), ((B, C), 1), ((C, D), 1), ((G,), 1))
    short = list_solutions(constraints, most=1)
    assert not short.complete
    assert short.solutions == 1
    assert list(short.proofs()) == []
    whole = list_solutions(constraints, most=2)
    assert [proof.cells for proof in whole.proofs()] == [(G,)]
    assert not list_solutions(constraints, limit=0).complete


def test_alike_cells_are_one_box() -> None:
    """Interchangeable cells are filled together, and each way to fill them counts as a solution."""
    listing = list_solutions(sums((tuple(range(8)), 3)), most=1)
    assert listing.complete
    assert listing.solutions == 56
    assert listing.mined() == dict.fromkeys(range(8), 21)


def test_no_solution() -> None:
    """Contradicting clues have no solution and prove nothing."""
    listing = list_solutions(sums(((A, B), 1), ((A, B), 2)))
    assert listing.complete
    assert (listing.solutions, listing.mined(), list(listing.proofs())) == (0, {}, [])


@given(observations(max_side=5, plain=True))
def test_count_proves_what_is_so(observation: Observation) -> None:
    """With the mine count, exactly the cells that are the same in all layouts are proved."""
    assume(len(observation.unopened) <= MOST_UNOPENED)
    graph = ClueGraph(observation.rules)
    for clue in graph.update(observation.shown, range(len(observation.shown))):
        graph.read(clue)
    assert observation.rules.mines is not None
    total = graph.mine_count(observation.rules.mines)
    assume(total is not None)
    assert total is not None
    groups = graph.components()
    listings = [list_solutions(group.constraints) for group in groups]
    frontier = {cell for group in groups for cell in group.cells}
    interior = tuple(cell for cell in total.cells if cell not in frontier)
    proofs = list(count_proofs(listings, interior, total.least))
    found = {cell: proof.mined for proof in proofs for cell in proof.cells}
    assert found == same_in_all(observation)
    assert all(MINE_COUNT in proof.clues for proof in proofs)
    assert len(list(layouts(observation))) > 0


@pytest.mark.parametrize("most", [1, 1000])
def test_incomplete_listings_may_hold_anything(most: int) -> None:
    """A component with an incomplete list might hold the last mine, so nothing is proved."""
    first = list_solutions(sums(((A, B), 1), ((B, C), 1)), most=most)
    proved = {one.cells: one.mined for one in count_proofs([first], (F, G, H), 1)}
    if first.complete:
        assert proved == {(A,): False, (B,): True, (C,): False, (F, G, H): False}
    else:
        assert proved == {}
