"""The sets of clues that prove a cell, checked by brute force and a SAT solver."""

from __future__ import annotations

import pytest
from layout_oracle import MODELS, random_position
from midgames import midgames
from proof_oracle import ProofOracle
from sat_proofs import check_by_sat, fewest_clues

from mineproof.core.clues import ClueRule
from mineproof.core.observation import Observation
from mineproof.notation.position_text import parse_position
from mineproof.proof import smallest
from mineproof.proof.explainer import PositionExplainer
from mineproof.proof.explanation import Explanation


@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("known", [True, False])
def test_no_smaller_set_proves_a_cell(model: ClueRule, known: bool) -> None:
    """In small positions, each set of clues is the first possible one in the documented order."""
    proved = with_count = 0
    for seed in range(60):
        seen = random_position(seed, model, most_unopened=8, known=known)
        oracle = ProofOracle(seen)
        explainer = PositionExplainer(seen)
        for index in seen.unopened:
            found = explainer.explain(seen.grid.cell(index))
            if found.proved is None:
                assert oracle.best(index, True) is oracle.best(index, False) is None
                continue
            best = oracle.best(index, found.proved == "mined")
            assert best == (indices(seen, found), found.uses_mine_count), (seed, index)
            assert found.smallest
            proved += 1
            with_count += found.uses_mine_count
    assert proved > 15
    assert (with_count > 5) == known


def indices(seen: Observation, found: Explanation) -> tuple[int, ...]:
    """Return the clues of an explanation as indices."""
    return tuple(seen.grid.index(clue) for clue in found.clues)


def test_proofs_of_expert_positions_hold_for_a_sat_solver() -> None:
    """In mid-game expert positions, every clue of every set is needed."""
    checked = 0
    for seen in midgames(6):
        explainer = PositionExplainer(seen)
        for index in (*explainer.facts.safe, *explainer.facts.mined):
            found = explainer.explain(seen.grid.cell(index))
            assert found.proved is not None
            if len(found.clues) > 1:
                check_by_sat(seen, found)
                checked += 1
    assert checked > 60


def test_another_program_finds_no_smaller_sets() -> None:
    """A solver for smallest unsatisfiable subsets finds the same number of clues."""
    checked = 0
    for seen in midgames(4, seed=40):
        explainer = PositionExplainer(seen)
        for index in (*explainer.facts.safe, *explainer.facts.mined):
            found = explainer.explain(seen.grid.cell(index))
            if len(found.clues) > 2 and not found.uses_mine_count:
                assert len(found.clues) == fewest_clues(seen, found)
                checked += 1
    assert checked > 15


def test_over_the_work_cap_a_set_is_irreducible(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the search is cut short, the clues still prove the cell, and each of them is needed."""
    monkeypatch.setattr(smallest, "LAYOUTS", 5)
    cut_short = 0
    for seen in midgames(3):
        explainer = PositionExplainer(seen)
        for index in explainer.facts.safe:
            found = explainer.explain(seen.grid.cell(index))
            if not found.smallest:
                check_by_sat(seen, found)
                cut_short += 1
    assert cut_short > 3


def test_without_a_layout_the_clues_around_a_cell_are_taken() -> None:
    """Without a layout to start from, a proof is still found."""
    [seen] = midgames(1)
    explainer = PositionExplainer(seen)
    explainer.__dict__["_layout"] = None
    for index in explainer.facts.safe[:10]:
        found = explainer.explain(seen.grid.cell(index))
        assert not found.smallest
        check_by_sat(seen, found)


def test_the_mine_count_is_used_only_where_it_must_be() -> None:
    """A cell that the clues alone do not prove is proved with the mine count."""
    text = "3x1x1\nH1H\n"
    assert PositionExplainer(parse_position(text)).explain((0, 0)).proved is None
    found = PositionExplainer(parse_position("4x1x1\nH1HH\n")).explain((0, 3))
    assert (found.proved, found.uses_mine_count, found.clues) == ("safe", True, ((0, 1),))


def test_area_is_that_of_the_rectangle_around_the_clues() -> None:
    """The area is 1 for a single clue and 0 for no clue."""
    assert smallest.area((), 9) == 0
    assert smallest.area((5,), 9) == 1
    assert smallest.area((0, 20), 9) == 3 * 3


def test_without_knowing_what_the_clues_prove_both_ways_are_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If it is too much work to check the clues alone, the mine count is also tried."""
    monkeypatch.setattr(PositionExplainer, "_needs_count", lambda *_: False)
    found = PositionExplainer(parse_position("4x1x1\nH1HH\n")).explain((0, 3))
    assert (found.uses_mine_count, found.clues, found.smallest) == (True, ((0, 1),), True)
    monkeypatch.setattr(smallest, "LAYOUTS", 0)
    found = PositionExplainer(parse_position("4x1x1\nH1HH\n")).explain((0, 3))
    assert (found.uses_mine_count, found.clues, found.smallest) == (True, ((0, 1),), False)
