"""The difficulty of positions."""

from __future__ import annotations

from midgames import midgames

from mineproof.notation.position_text import parse_position
from mineproof.proof.explainer import PositionExplainer
from mineproof.proof.explanation import Rating, rate


def rate_safe(explainer: PositionExplainer) -> Rating:
    """Rate a position by the proofs of all its safe cells."""
    cell = explainer.observation.grid.cell
    return rate([explainer.explain(cell(index)) for index in explainer.facts.safe])


def test_a_position_is_rated_by_its_hardest_and_mean_proof() -> None:
    """Two cells follow from one clue; two others take three steps."""
    explainer = PositionExplainer(parse_position("5x2x2\nHHHHH\n011HH\n"))
    assert rate_safe(explainer) == Rating(4, 1.2, 1.1, "satisfied")


def test_where_nothing_is_proved_safe_there_is_nothing_to_rate() -> None:
    seen = parse_position("2x2x1\nHH\n11\n")
    assert rate_safe(PositionExplainer(seen)) == Rating(0, 0.0, 0.0, "guess")
    assert PositionExplainer(seen).easiest() is None


def test_the_easiest_proof_is_no_harder_than_any_other() -> None:
    for seen in midgames(3):
        explainer = PositionExplainer(seen)
        found = explainer.easiest()
        if found is not None:
            every = [explainer.explain(seen.grid.cell(i)) for i in explainer.facts.safe]
            assert found.difficulty == min(one.difficulty for one in every)
            rating = rate_safe(explainer)
            assert rating.proofs == len(every)
            assert rating.hardest == max(one.difficulty for one in every)
