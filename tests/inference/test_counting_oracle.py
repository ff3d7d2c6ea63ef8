"""Both engines, compared with all layouts of small positions, for every clue rule and prior."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from layout_oracle import MODELS, Engine, Oracle, random_position, random_prior

from mineproof.core.clues import EXACT, ClueRule
from mineproof.core.errors import ContradictionError, InputError
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.inference.budget import Budget
from mineproof.inference.counting import Density, Facts, Known, Prior, Range, reference
from mineproof.inference.local import ImpossibleError
from mineproof.notation.position_text import parse_position

CLOSE = 1e-12


def agree(facts: Facts, oracle: Oracle, cells: tuple[int, ...]) -> None:
    """Compare all facts with the oracle, and the clue probabilities of the given cells."""
    assert facts.exact
    assert facts.layouts == len(oracle.layouts)
    assert facts.safe == oracle.proved(0)
    assert facts.mined == oracle.proved(1)
    proved = {*facts.safe, *facts.mined}
    unopened = set(oracle.observation.unopened)
    for index, risk in enumerate(facts.risk):
        if index not in unopened:
            assert math.isnan(risk)
            continue
        assert risk == pytest.approx(float(oracle.risk(index)), abs=CLOSE, rel=CLOSE)
        assert (risk in (0.0, 1.0)) == (index in proved)
    for index in cells:
        values = [float(value) for value in oracle.values(index)]
        assert facts.values(index) == pytest.approx(values, abs=CLOSE)


@pytest.mark.parametrize("chunk", range(8))
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_random_positions(engine: Engine, model: ClueRule, chunk: int) -> None:
    """Counts, proofs, risks and samples agree with the oracle.

    If no layout fits, there is an error.
    """
    for seed in range(chunk * 60, chunk * 60 + 60):
        seen = random_position(seed, model)
        prior = random_prior(seed, seen)
        oracle = Oracle(seen, prior)
        if not oracle.layouts:
            with pytest.raises(ContradictionError):
                engine(seen, prior)
            continue
        facts = engine(seen, prior)
        unopened = seen.unopened
        agree(facts, oracle, unopened[seed % 3 :: 5])
        layout = facts.sample(seed)
        assert sum(1 << i for i, mine in enumerate(layout) if mine) in oracle.layouts


@given(st.data())
def test_any_codes_at_all(data: st.DataObject) -> None:
    """For any codes, the engine agrees with the oracle, or reports that no layout fits."""
    rows, columns = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    codes = st.sampled_from([0, 1, 1, 2, 3, 8, 9, 9, 9, 9, 10, 11])
    shown = bytes(data.draw(st.lists(codes, min_size=rows * columns, max_size=rows * columns)))
    assume(shown.count(9) <= 10)
    model = data.draw(st.sampled_from(MODELS))
    mines = data.draw(st.integers(0, rows * columns))
    seen = Observation(PublicRules(rows, columns, mines, clues=model), shown)
    # A clue above the number of neighbours has no weight, and the parser rejects it.
    near = seen.grid.neighbours
    assume(all(code > 8 or code <= len(near(i)) for i, code in enumerate(shown)))
    oracle = Oracle(seen, Known(mines))
    if oracle.layouts:
        agree(reference.count(seen, Known(mines), Budget()), oracle, seen.unopened[:2])
    else:
        with pytest.raises(ImpossibleError):
            reference.count(seen, Known(mines), Budget())


@pytest.mark.parametrize("seed", range(4))
def test_twenty_cells(engine: Engine, seed: int) -> None:
    """The engine agrees with the oracle on 20-cell boards with up to 2**18 layouts."""
    for extra in range(40):
        seen = random_position(1000 + 40 * seed + extra, EXACT, most_unopened=18)
        if len(seen.shown) == 20 and seen.shown.count(9) >= 16:
            break
    assert seen.rules.mines is not None
    prior = Known(seen.rules.mines)
    agree(engine(seen, prior), Oracle(seen, prior), seen.unopened[:2])


@pytest.mark.parametrize(
    "prior", [Known(4), Density(0.3), Range(2, 6)], ids=["known", "density", "range"]
)
@pytest.mark.parametrize("model", [MODELS[0], MODELS[2]], ids=str)
def test_samples_follow_the_weights(engine: Engine, model: ClueRule, prior: Prior) -> None:
    """Each layout is drawn in proportion to its weight."""
    seen = parse_position("4x3x?\nHHHH\n12HH\nHHH1\n", clues=model)
    oracle = Oracle(seen, prior)
    facts = engine(seen, prior)
    draws = 4000
    drawn: Counter[int] = Counter()
    for seed in range(draws):
        drawn[sum(1 << i for i, mine in enumerate(facts.sample(seed)) if mine)] += 1
    total = oracle.total
    assert set(drawn) <= set(oracle.layouts)
    chi_square = sum(
        (drawn[layout] - draws * float(weight / total)) ** 2 / (draws * float(weight / total))
        for layout, weight in oracle.layouts.items()
    )
    freedom = len(oracle.layouts) - 1
    assert chi_square < freedom + 5 * math.sqrt(2 * freedom) + 10
    assert facts.sample(3) == facts.sample(3)


def test_questions_about_open_cells_are_refused(engine: Engine) -> None:
    """Asking for the clue probabilities of an open cell is an error."""
    seen = parse_position("3x2x1\n1HH\nHHH\n")
    facts = engine(seen, Known(1))
    for bad in (0, -1, 6):
        with pytest.raises(InputError, match="expected"):
            facts.values(bad)
