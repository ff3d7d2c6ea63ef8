"""The Rutgers report's search: 1 if it fits, otherwise 0, with undo, up to the first solution."""

from __future__ import annotations

from brute_force import solutions, sums, systems
from hypothesis import given

from mineproof.inference.clue_graph import Statement
from mineproof.inference.listing import AssignmentStep, first_assignment

A, B, C, D, E = range(5)


@given(systems())
def test_first_solution_agrees_with_trying_everything(constraints: list[Statement]) -> None:
    """The search finds a solution exactly if there is one, and its steps lead to it."""
    found = first_assignment(constraints)
    every = list(solutions(constraints))
    if found.values is None:
        assert not every
        return
    assert found.values in every
    values: dict[int, bool] = {}
    for cell, mined, _ in found.steps:
        if mined is None:
            del values[cell]
        else:
            assert cell not in values
            values[cell] = mined
    assert values == found.values


def test_a_value_is_undone() -> None:
    """With A = 1, B and C are 0 and D is 1, so no value of E fits: A becomes 0."""
    found = first_assignment(sums(((A, B, C), 1), ((B, D), 1), ((C, E), 1), ((D, E), 1)))
    assert AssignmentStep(A, True, None) in found.steps
    assert any(step.cell == A and step.mined is None for step in found.steps)
    assert found.values is not None
    assert not found.values[A]


def test_largest_clue_comes_first() -> None:
    found = first_assignment(sums(((A, B), 1), ((B, C, D, E), 3)))
    assert found.steps[0].cell in (B, C, D, E)
    assert first_assignment(sums(((A, B), 1), ((B, C, D, E), 3)), "smallest").steps[0] in (
        AssignmentStep(A, True, None),
        AssignmentStep(B, True, None),
    )


def test_a_long_search_is_given_up() -> None:
    equations = sums(((A, B), 1), ((B, C), 1), ((C, D), 1), ((A, D), 1))
    assert first_assignment(equations, most=1).values is None
