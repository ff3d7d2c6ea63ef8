"""The search: solutions, proofs and listings, against all placements of mines."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from brute_force import MOST_UNOPENED, layouts, same_in_all
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import observations

from mineproof.core.errors import WorkLimitError
from mineproof.core.observation import Observation
from mineproof.inference.backtracking import Census, Proof, Search
from mineproof.inference.clue_graph import MINE_COUNT, ClueConstraint, ClueGraph
from mineproof.inference.forward_checking import Order

A, B, C, D, E, F, G, H = range(8)
ORDERS: tuple[Order, ...] = ("largest", "smallest")


def sums(*equations: tuple[tuple[int, ...], int]) -> list[ClueConstraint]:
    """Make constraints of cells and their sums; the clues are numbered from 100."""
    return [
        ClueConstraint(100 + number, cells, total, total)
        for number, (cells, total) in enumerate(equations)
    ]


def prove_all(constraints: list[ClueConstraint], order: Order = "largest") -> list[Proof]:
    """Give all proofs of constraints that have a solution."""
    search = Search(constraints, order)
    assert search.find() is None
    return list(search.proofs())


@st.composite
def systems(draw: st.DrawFn) -> list[ClueConstraint]:
    """Draw up to seven constraints on up to nine cells: exact ones, bounds, contradictions."""
    cells = draw(st.integers(1, 9))
    found = []
    for clue in range(draw(st.integers(1, 7))):
        near = draw(st.sets(st.integers(0, cells - 1), min_size=1))
        least = draw(st.integers(0, len(near)))
        most = draw(st.just(least) | st.integers(least, len(near)))
        found.append(ClueConstraint(clue, tuple(sorted(near)), least, most))
    return found


def solutions(constraints: list[ClueConstraint]) -> list[dict[int, int]]:
    """List all solutions by trying everything."""
    cells = sorted({cell for one in constraints for cell in one.cells})
    tried = (dict(zip(cells, bits, strict=True)) for bits in product((0, 1), repeat=len(cells)))
    return [
        values
        for values in tried
        if all(one.least <= sum(values[i] for i in one.cells) <= one.most for one in constraints)
    ]


def graph_of(observation: Observation) -> ClueGraph:
    """Put all clues of a position into a graph, none worked off."""
    graph = ClueGraph(observation.rules)
    for clue in graph.update(observation.shown, range(len(observation.shown))):
        graph.read(clue)
    return graph


def test_worked_example_rest_is_safe() -> None:
    """A+E=1, B+C=1 and D+H=1 inside a sum of 3 leave nothing for F and G."""
    found = prove_all(sums(((A, E), 1), ((B, C), 1), ((D, H), 1), (tuple(range(8)), 3)))
    assert [(proof.cells, proof.mined) for proof in found] == [((F, G), False)]
    assert found[0].clues == (100, 101, 102, 103)


def test_three_in_the_centre_means_three_mines() -> None:
    """A 3 with three unknown cells mines all of them, and says so with itself alone."""
    assert prove_all(sums(((A, B, C), 3))) == [Proof((A, B, C), True, (100,))]


@pytest.mark.parametrize("order", ORDERS)
def test_first_choice_is_undone(order: Order) -> None:
    """Taking what a clue allows first is a dead end here: only undoing it finds the solution."""
    equations = sums(((A, B), 1), ((B, C), 1), ((C, D), 1), ((A, D), 1), ((B, C, D, E), 3))
    search = Search(equations, order)
    assert search.find() is None
    expected = solutions(equations)
    assert search.census(100) == Census(
        len(expected), {i: sum(values[i] for values in expected) for i in range(5)}, True
    )


def test_partial_sums_are_not_equal_yet() -> None:
    """A clue may lack mines while cells are free: sums below it are no contradiction."""
    search = Search(sums(((A, B, C, D), 2), ((C, D, E, F), 2)))
    assert search.find() is None
    assert list(search.proofs()) == []


@given(systems(), st.sampled_from(ORDERS))
def test_find_agrees_with_trying_everything(
    constraints: list[ClueConstraint], order: Order
) -> None:
    """A solution is found if there is one; else the clues given contradict each other."""
    conflict = Search(constraints, order).find()
    assert (conflict is None) == bool(solutions(constraints))
    if conflict is not None:
        assert not solutions([one for one in constraints if one.clue in conflict])


@given(systems(), st.sampled_from(ORDERS))
def test_proofs_are_sound_and_complete(constraints: list[ClueConstraint], order: Order) -> None:
    """The proved cells are those that are the same in all solutions, in both orders."""
    expected = solutions(constraints)
    assume(expected)
    found = {cell: proof.mined for proof in prove_all(constraints, order) for cell in proof.cells}
    assert found == {
        cell: bool(expected[0][cell])
        for cell in expected[0]
        if len({values[cell] for values in expected}) == 1
    }


@given(systems())
def test_clues_of_a_proof_are_enough(constraints: list[ClueConstraint]) -> None:
    """The clues named in a proof prove it without the others."""
    assume(solutions(constraints))
    for proof in prove_all(constraints):
        named = [one for one in constraints if one.clue in proof.clues]
        for values in solutions(named):
            assert all(values[cell] == proof.mined for cell in proof.cells)


@given(systems(), st.sampled_from(ORDERS))
def test_listing_counts_every_solution(constraints: list[ClueConstraint], order: Order) -> None:
    """The census of all solutions is what trying everything gives, and proves the same."""
    expected = solutions(constraints)
    search = Search(constraints, order)
    census = search.census(10_000)
    assert census.complete
    assert census.solutions == len(expected)
    for cell, mined in census.mined.items():
        assert mined == sum(values[cell] for values in expected)
    if expected:
        assert search.fewest_mines == min(sum(values.values()) for values in expected)
        assert search.most_mines == max(sum(values.values()) for values in expected)
        listed = {cell: proof.mined for proof in search.list_proofs(10_000) for cell in proof.cells}
        proved = {cell: one.mined for one in prove_all(constraints, order) for cell in one.cells}
        assert listed == proved


@given(systems())
def test_searches_leave_no_trace(constraints: list[ClueConstraint]) -> None:
    """A listing after proofs is the listing without them: everything was undone."""
    assume(solutions(constraints))
    search = Search(constraints)
    search.find()
    list(search.proofs())
    assert search.census(10_000) == Search(constraints).census(10_000)


@given(observations(max_side=5, plain=True))
def test_proofs_of_positions(observation: Observation) -> None:
    """On positions from play, components and the mine count prove what all layouts share."""
    assume(len(observation.unopened) <= MOST_UNOPENED)
    graph = graph_of(observation)
    proved: dict[int, bool] = {}
    for component in graph.components():
        for proof in prove_all(list(component.constraints)):
            proved.update(dict.fromkeys(proof.cells, proof.mined))
    assert proved == same_in_all(observation, mine_count=False)
    assert observation.rules.mines is not None
    total = graph.mine_count(observation.rules.mines)
    if total is not None:
        together = prove_all([*graph.constraints.values(), total])
        counted = {cell: one.mined for one in together for cell in one.cells}
        assert counted == same_in_all(observation)
        for proof in together:
            clues = [clue for clue in proof.clues if clue != MINE_COUNT]
            uses_count = MINE_COUNT in proof.clues
            for layout in layouts(observation, clues=clues, mine_count=uses_count):
                assert all((cell in layout) is proof.mined for cell in proof.cells)


def test_work_limit() -> None:
    """Beyond the limit the search ends with an error, and can be used again."""
    cells = tuple(combinations(range(9), 3))
    search = Search(sums(*((near, 1) for near in cells[:20])), limit=3)
    with pytest.raises(WorkLimitError, match="at most 3 steps"):
        search.find()
    assert not search.solved
    assert not search.census(10).complete


def test_listing_stops_at_its_limit() -> None:
    """More solutions than asked for are not listed, and then nothing is proved by listing."""
    search = Search(sums(((A, B), 1), ((B, C), 1), ((C, D), 1), ((G,), 1)))
    assert search.census(1).complete is False
    assert search.census(1).solutions == 1
    assert list(search.list_proofs(1)) == []
    assert [proof.cells for proof in search.list_proofs(2)] == [(G,)]


def test_alike_cells_are_one_box() -> None:
    """Cells that touch the same clues are proved together, and a listing counts each choice."""
    census = Search(sums(((A, B, C, D, E, F, G, H), 3))).census(1)
    assert census == Census(56, dict.fromkeys(range(8), 21), True)


def test_long_chain_needs_no_recursion() -> None:
    """A component far longer than Python's recursion limit is searched and proved."""
    length = 3000
    chain = sums(*(((i, i + 1), 1) for i in range(length)), ((0,), 1))
    search = Search(chain)
    assert search.find() is None
    proofs = search.proofs()
    first, second = next(proofs), next(proofs)
    assert (first.cells, first.mined) == ((0,), True)
    assert (second.cells, second.mined) == ((1,), False)
    assert search.census(2).solutions == 1
