"""Clue rules: which clues a cell can show, and how likely each clue is."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import clue_models, seeds

from mineproof.core.clues import (
    BUILT_IN,
    EXACT,
    WITHHELD,
    Cautious,
    ClueRule,
    Optimistic,
    Withheld,
)

NUMBER = 4000
OPTIMISTIC = Optimistic()
CAUTIOUS = Cautious()


def _is_uniform(counts: Counter[int], values: range) -> bool:
    share = 1 / len(values)
    bound = 5 * (NUMBER * share * (1 - share)) ** 0.5
    within = all(abs(counts[value] - NUMBER * share) <= bound for value in values)
    return within and set(counts) == set(values)


@given(clue_models(), seeds(), st.integers(0, 10**6), st.integers(0, 8), st.integers(0, 8))
def test_what_is_shown_lies_in_the_model_s_range(
    model: ClueRule, seed: int, index: int, truth: int, more: int
) -> None:
    """A cell always shows the same clue, and the rule gives that clue a positive weight."""
    degree = min(8, truth + more)
    shown = model.show(seed, index, truth, degree)
    assert shown == model.show(seed, index, truth, degree)
    allowed = {
        "exact": {truth},
        "withheld": {truth, WITHHELD},
        "optimistic": set(range(truth + 1)),
        "cautious": set(range(truth, degree + 1)),
    }
    assert shown in allowed[model.name]
    assert model.weight(shown, truth, degree) > 0


@pytest.mark.parametrize("truth", [0, 1, 3, 8])
def test_optimistic_is_uniform_from_nothing_to_the_truth(truth: int) -> None:
    """Optimistic clues are uniform from 0 to the true clue, over the seeds and over the cells."""
    over_seeds = Counter(OPTIMISTIC.show(seed, 5, truth, 8) for seed in range(NUMBER))
    over_cells = Counter(OPTIMISTIC.show(5, cell, truth, 8) for cell in range(NUMBER))
    assert _is_uniform(over_seeds, range(truth + 1))
    assert _is_uniform(over_cells, range(truth + 1))


@pytest.mark.parametrize(("truth", "degree"), [(0, 8), (2, 5), (3, 3), (0, 0)])
def test_cautious_is_uniform_from_the_truth_to_the_neighbours(truth: int, degree: int) -> None:
    """Cautious clues are uniform from the true clue up, over the seeds and over the cells."""
    over_seeds = Counter(CAUTIOUS.show(seed, 5, truth, degree) for seed in range(NUMBER))
    over_cells = Counter(CAUTIOUS.show(5, cell, truth, degree) for cell in range(NUMBER))
    assert _is_uniform(over_seeds, range(truth, degree + 1))
    assert _is_uniform(over_cells, range(truth, degree + 1))


@pytest.mark.parametrize("probability", [0.0, 0.3, 0.8, 1.0])
def test_withheld_shows_its_share(probability: float) -> None:
    """The true clue is shown with the given probability. Otherwise no clue is shown."""
    model = Withheld(probability)
    shown = sum(model.show(seed, 5, 2, 8) == 2 for seed in range(NUMBER))
    bound = 5 * (NUMBER * probability * (1 - probability)) ** 0.5
    assert abs(shown - NUMBER * probability) <= bound


@pytest.mark.parametrize("degree", [0, 3, 5, 8])
@pytest.mark.parametrize("model", [EXACT, OPTIMISTIC, CAUTIOUS, Withheld(0.3)])
def test_weights_are_likelihoods(model: ClueRule, degree: int) -> None:
    """For each true clue, the weights of all clues that a cell can show sum to 1."""
    for truth in range(degree + 1):
        total = sum(model.weight(shown, truth, degree) for shown in range(9))
        assert total == pytest.approx(1)


def test_a_withheld_clue_says_nothing() -> None:
    """Whether a clue is withheld does not depend on the true clue."""
    model = Withheld(0.3)
    assert {model.weight(WITHHELD, truth, 8) for truth in range(9)} == {1.0}


def test_only_a_true_zero_floods() -> None:
    """Under optimistic and cautious rules, a 0 does not open its neighbours."""
    assert {rule.name for rule in BUILT_IN.values() if rule.floods} == {"exact", "withheld"}
