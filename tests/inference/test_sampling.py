"""Estimates where counting is too much work: they end, prove nothing false, and are close."""

from __future__ import annotations

import math

import pytest
from layout_oracle import MODELS, Oracle, random_position, random_prior
from suites import positions

from mineproof.core.clues import ClueModel
from mineproof.core.errors import ContradictionError, WorkLimitError
from mineproof.core.observation import Observation
from mineproof.core.random import Purpose, Stream
from mineproof.core.rules import PublicRules, Rules
from mineproof.inference.constraints import read_constraints
from mineproof.inference.counting import Density, Known, count, sampling
from mineproof.inference.counting.beam import BeamTable, _thin
from mineproof.inference.counting.order import find_order
from mineproof.inference.counting.sampling import SampledFacts
from mineproof.inference.local import ImpossibleError
from mineproof.notation.position_text import parse_position

OPTIMISTIC = ClueModel.parse("optimistic")


def noisy(rules: Rules, seed: int, cells: int) -> Observation:
    """Open safe cells all over a board, with optimistic clues."""
    from mineproof.core.board import deal

    board = deal(rules, seed, (0, 0))
    safe = [index for index, mine in enumerate(board.mined) if not mine]
    shown = bytearray([9]) * len(board.mined)
    for index in Stream(seed, Purpose.AGENT).choose(safe, cells):
        degree = len(board.grid.neighbours(index))
        shown[index] = OPTIMISTIC.show(seed, index, board.clues[index], degree)
    public = PublicRules(rules.rows, rules.columns, rules.mines, clues=OPTIMISTIC)
    return Observation(public, bytes(shown))


def test_only_when_asked_and_only_when_needed() -> None:
    """A budget error without the option; exact facts where the budget is enough."""
    seen = positions("expert-stuck")[1]
    assert count(seen, sampled=True).exact
    with pytest.raises(WorkLimitError):
        count(seen, nodes=5)
    facts = count(seen, nodes=5, sampled=True)
    assert not facts.exact
    assert facts.layouts is None


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_nothing_false_is_proved(model: ClueModel) -> None:
    """Whatever an estimate calls proved is true in all layouts; all risks are probabilities."""
    for seed in range(60):
        seen = random_position(seed, model)
        prior = random_prior(seed, seen)
        oracle = Oracle(seen, prior)
        if not oracle.layouts:
            continue
        facts = SampledFacts(seen, prior)
        assert set(facts.safe) <= set(oracle.proved(0))
        assert set(facts.mined) <= set(oracle.proved(1))
        for index in seen.unopened:
            assert 0 <= facts.risk[index] <= 1
            values = facts.values(index) if facts.risk[index] < 1 else ()
            assert sum(values) == pytest.approx(1 - facts.risk[index] if values else 0)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_with_a_density_and_room_for_all_states_it_is_exact(model: ClueModel) -> None:
    """Then nothing is relaxed: risks and values are those of the exact engine."""
    for seed in range(40):
        seen = random_position(seed, model)
        facts, exact = SampledFacts(seen, Density(0.3)), count(seen, prior=Density(0.3))
        for index in seen.unopened:
            assert facts.risk[index] == pytest.approx(exact.risk[index], abs=1e-9)
        for index in seen.unopened[:2]:
            assert facts.values(index) == pytest.approx(exact.values(index), abs=1e-9)


def test_estimates_are_close_where_states_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A beam far narrower than the layers still gives risks near the exact ones."""
    monkeypatch.setattr(sampling, "BEAM", 250)
    seen = noisy(Rules(9, 9, 12), 3, 40)
    exact = count(seen, prior=Density(0.16))
    assert exact.nodes > 20 * sampling.BEAM
    facts = SampledFacts(seen, Density(0.16))
    gaps = [abs(facts.risk[i] - exact.risk[i]) for i in seen.unopened]
    assert sum(gaps) / len(gaps) < 0.01
    assert max(gaps) < 0.1


def test_the_mine_count_is_met_on_average_and_by_layouts() -> None:
    """Risks sum to about the known number of mines; a drawn layout has exactly that many."""
    seen = noisy(Rules(12, 12, 25), 2, 50)
    facts = SampledFacts(seen, Known(25))
    assert facts.expected_mines == pytest.approx(25, abs=1.5)
    for seed in range(3):
        layout = facts.sample(seed)
        assert sum(layout) == 25
        assert not any(layout[i] for i, code in enumerate(seen.shown) if code < 9)
    assert facts.sample(1) == facts.sample(1)
    again = SampledFacts(seen, Known(25)).risk
    assert [x for x in again if not math.isnan(x)] == [x for x in facts.risk if not math.isnan(x)]


def test_contradictions_are_found_here_too() -> None:
    """A position without layouts is an error, not an estimate."""
    with pytest.raises(ImpossibleError):
        SampledFacts(parse_position("5x2x?\nHHHHH\n10H14\n".replace("4", "3")), Density(0.2))
    seen = parse_position("5x3x?\nHHHHH\n14H41\nHHHHH\n")
    wrong = Observation(seen.rules, seen.shown.replace(b"\x01", b"\x00"))
    with pytest.raises(ContradictionError):
        count(wrong, prior=Density(0.2), nodes=1, sampled=True)


def test_dropping_states_keeps_the_sum_on_average() -> None:
    """Over many draws the mean of what is kept is what was there."""
    weights = {state: 1 / (1 + state) for state in range(40)}
    stream = Stream(7, Purpose.SAMPLE)
    sums = dict.fromkeys(weights, 0.0)
    rounds = 4000
    for _ in range(rounds):
        kept = dict(weights)
        times = _thin(kept, 10, stream)
        assert len(kept) in (10, 11)
        for state, weight in kept.items():
            assert weight == pytest.approx(weights[state] * times.get(state, 1))
            sums[state] += weight / rounds
    for state, weight in weights.items():
        assert sums[state] == pytest.approx(weight, rel=0.25)


def test_a_beam_of_enough_width_drops_nothing() -> None:
    """All expected mines are those of the exact table."""
    seen = positions("expert-stuck")[1]
    components = read_constraints(seen.shown, seen.grid, seen.rules.clues).components
    exact = count(seen, prior=Density(0.25))
    for component in components:
        table = BeamTable(component, find_order(component, 30), 1 / 3, 10_000)
        for box, mines in table.expected():
            assert mines / len(box.cells) == pytest.approx(exact.risk[box.cells[0]], abs=1e-12)
