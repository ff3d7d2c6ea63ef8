"""Reading a position into clues, boxes and components, and settling cells by single clues."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from layout_oracle import MODELS, Oracle, clue_weight, random_position

from mineproof.core.clues import EXACT, Cautious, ClueRule, Optimistic
from mineproof.core.observation import Observation
from mineproof.inference.constraints import Constraints, read_constraints
from mineproof.inference.counting import Density
from mineproof.inference.local import ImpossibleError
from mineproof.notation.position_text import parse_position


def read(text: str) -> Constraints:
    """Return the constraints that the exact clues of a position impose."""
    seen = parse_position(text)
    return read_constraints(seen.shown, seen.grid, EXACT)


def test_cells_with_the_same_clues_make_a_box() -> None:
    """Cells that touch the same clues form a box."""
    found = read("4x2x?\nHHHH\nH11H\n")
    (component,) = found.components
    boxes = {box.cells for box in component.boxes}
    assert boxes == {(0, 4), (1, 2), (3, 7)}
    assert {clue.cell: clue.size for clue in component.clues} == {5: 4, 6: 4}
    assert component.cells == (0, 1, 2, 3, 4, 7)
    assert component.size == 6
    for box in component.boxes:
        for place in box.clues:
            assert box.cells[0] in [
                cell
                for other in component.clues[place].boxes
                for cell in component.boxes[other].cells
            ]


def test_clues_that_share_no_cell_are_apart() -> None:
    """Two distant clues form two components with interior cells between them."""
    found = read("9x1x?\nH1HHHHH1H\n")
    assert [component.cells for component in found.components] == [(0, 2), (6, 8)]
    assert found.interior == (3, 4, 5)


def test_single_clues_settle_cells_to_the_end() -> None:
    """A mine proved by one clue satisfies the next clue, which then proves a safe cell."""
    found = read("5x1x?\n1H1HH\n")
    assert (found.mined, found.safe) == ((1,), (3,))
    assert (found.components, found.interior) == ((), (4,))


def test_shown_mines_count() -> None:
    """A shown mine counts towards a clue."""
    assert read("3x1x?\nM1H\n").safe == (2,)
    assert read("3x1x?\nM2H\n").mined == (2,)


@pytest.mark.parametrize(
    "text", ["3x1x?\nM0H\n", "3x1x?\n010\n", "3x2x?\n012\n00H\n", "2x1x?\nM0\n"]
)
def test_a_clue_that_cannot_be_true(text: str) -> None:
    """The error names a clue that touches too many mines or too few unknown cells."""
    with pytest.raises(ImpossibleError) as caught:
        read(text)
    assert parse_position(text).shown[caught.value.cell] < 9


def test_weights_are_whole_and_right() -> None:
    """The weights are whole numbers in proportion to the probabilities of the clue."""
    assert EXACT.weights(2, 5) == (0, 0, 1, 0, 0, 0)
    for rule in (Optimistic(), Cautious()):
        for degree in (2, 3, 5, 8):
            for shown in range(degree + 1):
                found = rule.weights(shown, degree)
                likely = [clue_weight(rule, shown, truth, degree) for truth in range(degree + 1)]
                assert [Fraction(one, sum(found)) for one in found] == [
                    one / sum(likely) for one in likely
                ]
                assert math.gcd(*found) == 1


def test_a_watched_cell_is_a_clue_that_allows_anything() -> None:
    """A watched cell groups its neighbours into a box and settles none of them."""
    seen = parse_position("3x3x?\nHHH\nH-H\nHHH\n")
    (component,) = read_constraints(seen.shown, seen.grid, EXACT, watched=4).components
    assert [box.cells for box in component.boxes] == [(0, 1, 2, 3, 5, 6, 7, 8)]
    assert component.clues[0].weights == (1,) * 9


@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("seed", range(40))
def test_every_unopened_cell_has_one_place(model: ClueRule, seed: int) -> None:
    """Every unopened cell is settled, interior or in a box.

    The values of settled cells are correct.
    """
    seen = random_position(seed, model)
    found = read_constraints(seen.shown, seen.grid, model)
    boxed = [cell for component in found.components for cell in component.cells]
    everything = sorted([*boxed, *found.interior, *found.safe, *found.mined])
    assert tuple(everything) == seen.unopened
    oracle = Oracle(seen, Density(0.3))
    assert set(found.safe) <= set(oracle.proved(0))
    assert set(found.mined) <= set(oracle.proved(1))


def test_boxes_are_maximal() -> None:
    """No two boxes of a component touch the same clues."""
    for seed in range(60):
        seen = random_position(seed, EXACT)
        for component in read_constraints(seen.shown, seen.grid, EXACT).components:
            keys = [box.clues for box in component.boxes]
            assert len(set(keys)) == len(keys)


def test_positions_are_not_changed() -> None:
    seen = parse_position("4x2x?\nHHHH\nH11H\n")
    before = Observation(seen.rules, seen.shown, seen.marks)
    read_constraints(seen.shown, seen.grid, EXACT)
    assert seen == before
