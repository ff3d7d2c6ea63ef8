"""The backtracking search: its solutions and proofs, compared with trying all arrangements."""

from __future__ import annotations

from itertools import combinations

import pytest
from brute_force import MOST_UNOPENED, layouts, same_in_all, solutions, sums, systems
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import observations

from mineproof.core.errors import WorkLimitError
from mineproof.core.observation import Observation
from mineproof.inference.backtracking import BacktrackProof, Search
from mineproof.inference.clue_graph import MINE_COUNT, ClueGraph, Statement
from mineproof.inference.forward_checking import Order

A, B, C, D, E, F, G, H = range(8)
ORDERS: tuple[Order, ...] = ("largest", "smallest")


def prove_all(constraints: list[Statement], order: Order = "largest") -> list[BacktrackProof]:
    search = Search(constraints, order)
    assert search.find() is None
    return list(search.proofs())


def graph_of(observation: Observation) -> ClueGraph:
    graph = ClueGraph(observation.rules)
    for clue in graph.update(observation.shown, range(len(observation.shown))):
        graph.read(clue)
    return graph


def test_worked_example_rest_is_safe() -> None:
    """If A+E=1, B+C=1, D+H=1 and all eight cells hold 3 mines, then F and G are safe."""
    found = prove_all(sums(((A, E), 1), ((B, C), 1), ((D, H), 1), (tuple(range(8)), 3)))
    assert [(proof.cells, proof.mined) for proof in found] == [((F, G), False)]
    assert found[0].clues == (100, 101, 102, 103)


def test_three_in_the_centre_means_three_mines() -> None:
    """A 3 with exactly three unknown neighbours proves that all three are mines."""
    assert prove_all(sums(((A, B, C), 3))) == [BacktrackProof((A, B, C), True, (100,))]


@pytest.mark.parametrize("order", ORDERS)
def test_first_choice_is_undone(order: Order) -> None:
    """The first choice leads to a dead end, so the search must undo it."""
    equations = sums(((A, B), 1), ((B, C), 1), ((C, D), 1), ((A, D), 1), ((B, C, D, E), 3))
    search = Search(equations, order)
    assert search.find() is None
    proved = {cell: one.mined for one in search.proofs() for cell in one.cells}
    assert proved == {A: False, B: True, C: False, D: True, E: True}


def test_partial_sums_are_not_equal_yet() -> None:
    """A clue that still needs mines is not contradicted while it has undecided cells."""
    search = Search(sums(((A, B, C, D), 2), ((C, D, E, F), 2)))
    assert search.find() is None
    assert list(search.proofs()) == []


@given(systems(), st.sampled_from(ORDERS))
def test_find_agrees_with_trying_everything(constraints: list[Statement], order: Order) -> None:
    """The search finds a solution if one exists. Otherwise it names clues that conflict."""
    conflict = Search(constraints, order).find()
    assert (conflict is None) == bool(solutions(constraints))
    if conflict is not None:
        assert not solutions([one for one in constraints if one.clue in conflict])


@given(systems(), st.sampled_from(ORDERS))
def test_proofs_are_sound_and_complete(constraints: list[Statement], order: Order) -> None:
    """A cell is proved if and only if it is the same in all solutions."""
    expected = solutions(constraints)
    assume(expected)
    found = {cell: proof.mined for proof in prove_all(constraints, order) for cell in proof.cells}
    assert found == {
        cell: bool(expected[0][cell])
        for cell in expected[0]
        if len({values[cell] for values in expected}) == 1
    }


@given(systems())
def test_clues_of_a_proof_are_enough(constraints: list[Statement]) -> None:
    """The clues that a proof names are enough to prove its cells."""
    assume(solutions(constraints))
    for proof in prove_all(constraints):
        named = [one for one in constraints if one.clue in proof.clues]
        for values in solutions(named):
            assert all(values[cell] == proof.mined for cell in proof.cells)


@given(systems())
def test_searches_leave_no_trace(constraints: list[Statement]) -> None:
    """Asking for proofs twice gives the same proofs, because the search undoes its changes."""
    expected = solutions(constraints)
    assume(expected)
    search = Search(constraints)
    search.find()
    first = [(proof.cells, proof.mined) for proof in search.proofs()]
    assert [(proof.cells, proof.mined) for proof in search.proofs()] == first
    mines = [sum(values.values()) for values in expected]
    assert min(mines) <= search.fewest_mines <= search.most_mines <= max(mines)


@given(observations(max_side=5, plain=True))
def test_proofs_of_positions(observation: Observation) -> None:
    """With the mine count, the search proves exactly the cells that are the same in all layouts."""
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
    """The search raises an error when it reaches its work limit."""
    cells = tuple(combinations(range(9), 3))
    search = Search(sums(*((near, 1) for near in cells[:20])), limit=3)
    with pytest.raises(WorkLimitError, match="more than 3 steps"):
        search.find()
    assert not search.solved


def test_long_chain_needs_no_recursion() -> None:
    """The search handles a component far longer than Python's recursion limit."""
    length = 3000
    chain = sums(*(((i, i + 1), 1) for i in range(length)), ((0,), 1))
    search = Search(chain)
    assert search.find() is None
    proofs = search.proofs()
    first, second = next(proofs), next(proofs)
    assert (first.cells, first.mined) == ((0,), True)
    assert (second.cells, second.mined) == ((1,), False)
