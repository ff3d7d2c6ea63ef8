"""Risks estimated in bands of the board: proofs are correct, and estimates are close."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from layout_oracle import MODELS, Oracle, expected_mines, random_position, random_prior
from midgames import midgames

import mineproof as mw
from mineproof.core.clues import UNOPENED, ClueRule
from mineproof.core.errors import ContradictionError, WorkLimitError
from mineproof.core.observation import Observation
from mineproof.core.random import Purpose, Stream
from mineproof.inference.budget import Budget
from mineproof.inference.counting import Density, bands, count
from mineproof.inference.counting.bands import BandFacts
from mineproof.notation.position_text import parse_position

OPTIMISTIC = ClueRule.parse("optimistic")


def scattered(
    rows: int, columns: int, mines: int, opened: int, seed: int
) -> tuple[Observation, bytes]:
    """Return a position with random open cells, and the mines of its board."""
    dice = random.Random(seed)
    rules = mw.PublicRules(rows, columns, mines)
    mined = bytearray(rows * columns)
    for index in dice.sample(range(len(mined)), mines):
        mined[index] = 1
    shown = bytearray([UNOPENED]) * len(mined)
    for index in dice.sample(range(len(mined)), opened):
        if not mined[index]:
            shown[index] = sum(mined[near] for near in rules.grid.neighbours(index))
    return Observation(rules, bytes(shown)), bytes(mined)


def hidden(seen: Observation) -> Observation:
    """Return the position with an unknown mine count."""
    return Observation(replace(seen.rules, mines=None), seen.shown)


@pytest.mark.parametrize("shape", [(12, 40, 90, 150), (40, 12, 90, 150), (25, 25, 200, 120)])
@pytest.mark.parametrize("seed", range(3))
def test_close_to_the_exact_risks(shape: tuple[int, int, int, int], seed: int) -> None:
    """Exact counting confirms the cells that bands prove, and the risks differ little."""
    seen, _ = scattered(*shape, seed)
    exact, found = count(seen), BandFacts(seen)
    assert set(found.safe) <= set(exact.safe)
    assert set(found.mined) <= set(exact.mined)
    assert len(found.safe) > 0.5 * len(exact.safe)
    errors = [abs(found.risk[index] - exact.risk[index]) for index in seen.unopened]
    assert math.fsum(errors) / len(errors) < 0.03
    assert all(math.isnan(found.risk[i]) for i, code in enumerate(seen.shown) if code != UNOPENED)
    assert found.layouts is None
    assert not found.exact


def test_where_counting_is_too_much_work() -> None:
    """If exact counting takes too much work, bands still prove cells correctly."""
    seen, mined = scattered(60, 60, 1260, 1080, 0)
    with pytest.raises(WorkLimitError):
        count(seen)
    found = BandFacts(seen)
    assert found.safe
    assert found.mined
    assert not any(mined[index] for index in found.safe)
    assert all(mined[index] for index in found.mined)
    assert found.nodes <= 2 * bands.NODES
    expected = seen.hits + math.fsum(found.risk[index] for index in seen.unopened)
    assert expected == pytest.approx(1260, rel=0.05)
    index = next(i for i in seen.unopened if 0 < found.risk[i] < 1)
    assert sum(found.values(index)) == pytest.approx(1 - found.risk[index])
    assert sum(found.sample(1)) == 1260


def test_an_unknown_mine_count() -> None:
    """If the mine count is unknown, no cell that bands call safe is a mine."""
    seen, mined = scattered(30, 40, 240, 250, 1)
    found = BandFacts(hidden(seen))
    assert not any(mined[index] for index in found.safe)


def test_not_even_narrow_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    """If even the narrowest bands take too much work, an error is raised."""
    monkeypatch.setattr(bands, "NODES", 0)
    with pytest.raises(WorkLimitError, match="no estimate within 0 nodes and 1 GB"):
        BandFacts(scattered(12, 40, 90, 150, 0)[0])


def test_champion_plays_such_positions() -> None:
    """`champion` opens a cell that bands prove safe."""
    seen, mined = scattered(60, 60, 1260, 1080, 0)
    agent = mw.make_agent("champion")
    agent.start(seen.rules, 1)
    decision = agent.decide(seen)
    assert decision is not None
    assert decision.proved
    assert not mined[seen.grid.index(decision.move.cell)]


def noisy(rules: mw.Rules, seed: int, cells: int, clues: ClueRule = OPTIMISTIC) -> Observation:
    """Return a position with random open cells and clues of a rule."""
    board = mw.deal(rules, seed, (0, 0))
    safe = [index for index, mine in enumerate(board.mined) if not mine]
    shown = bytearray([UNOPENED]) * len(board.mined)
    for index in Stream(seed, Purpose.AGENT).choose(safe, cells):
        degree = len(board.grid.neighbours(index))
        shown[index] = clues.show(seed, index, board.clues[index], degree)
    public = mw.PublicRules(rules.rows, rules.columns, rules.mines, clues=clues)
    return Observation(public, bytes(shown))


def test_only_when_asked_and_only_when_needed() -> None:
    """Estimates are used only with `sampled=True`, and only if exact counting fails."""
    seen, _ = scattered(12, 40, 90, 150, 0)
    assert count(seen, sampled=True).exact
    with pytest.raises(WorkLimitError):
        count(seen, budget=Budget(nodes=5))
    facts = count(seen, budget=Budget(nodes=5), sampled=True)
    assert not facts.exact
    assert facts.layouts is None


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_nothing_false_is_proved(model: ClueRule, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every cell that bands prove is the same in all layouts."""
    monkeypatch.setattr(bands, "WIDTHS", (4,))
    for seed in range(60):
        seen = random_position(seed, model)
        prior = random_prior(seed, seen)
        oracle = Oracle(seen, prior)
        if not oracle.layouts:
            continue
        facts = BandFacts(seen, prior)
        assert set(facts.safe) <= set(oracle.proved(0))
        assert set(facts.mined) <= set(oracle.proved(1))
        assert all(0 <= facts.risk[index] <= 1 for index in seen.unopened)


def positions(kind: str) -> Iterator[Observation]:
    """Return positions of a kind that can also be counted exactly."""
    shapes = [(16, 30, 99, 120), (12, 40, 90, 150), (40, 16, 100, 90), (16, 16, 40, 60)]
    if kind.startswith("played"):
        yield from midgames(30)
        yield from midgames(10, mw.Rules(30, 40, 240), 1000)
    elif kind.startswith("scattered"):
        yield from (scattered(*shapes[seed % 4], seed)[0] for seed in range(40))
    else:
        sizes = [mw.Rules(*size) for size in ((10, 16, 24), (8, 20, 25), (16, 9, 25), (12, 12, 25))]
        rule = ClueRule.parse(kind)
        yield from (noisy(sizes[seed % 4], seed, 40, rule) for seed in range(40))


KINDS = ("played", "played hidden", "scattered", "scattered hidden", *map(str, MODELS[1:]))


@pytest.mark.parametrize("kind", KINDS)
def test_the_stated_error_holds(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean error is below the stated bound in 99 of 100 estimates, with bands of any width.

    In *hidden* positions, the mine count is unknown.
    """
    means, stated = [], []
    for seen in positions(kind):
        asked = hidden(seen) if kind.endswith("hidden") else seen
        exact = count(asked)
        for width in bands.WIDTHS:
            with monkeypatch.context() as patch:
                patch.setattr(bands, "WIDTHS", (width,))
                found = BandFacts(asked)
            gaps = [abs(found.risk[index] - exact.risk[index]) for index in asked.unopened]
            means.append(math.fsum(gaps) / len(gaps))
            stated.append(found.error)
    assert len(means) == 200
    exceeded = sum(mean > error + 1e-9 for mean, error in zip(means, stated, strict=True))
    assert exceeded <= 2
    assert math.fsum(stated) < 6 * math.fsum(means)  # and the bound is not far too high


def test_noisy_clues_are_estimated_closely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimates are reproducible, close to the exact risks, and add up to about the mine count."""
    monkeypatch.setattr(bands, "WIDTHS", (6,))
    seen = noisy(mw.Rules(12, 12, 25), 2, 50)
    exact, facts = count(seen, budget=Budget(nodes=10_000_000)), BandFacts(seen)
    gaps = [abs(facts.risk[index] - exact.risk[index]) for index in seen.unopened]
    mean = math.fsum(gaps) / len(gaps)
    assert 0 < mean < 0.06
    assert mean < facts.error < 5 * mean
    assert expected_mines(facts) == pytest.approx(25, abs=1.5)
    assert sum(facts.sample(1)) == 25
    again = BandFacts(seen)
    assert [again.risk[index] for index in seen.unopened] == [
        facts.risk[index] for index in seen.unopened
    ]


def test_contradictions_are_found_here_too() -> None:
    """Adjacent clues that contradict each other are an error, not an estimate."""
    seen = parse_position("5x3x?\nHHHHH\n14H41\nHHHHH\n")
    wrong = Observation(seen.rules, seen.shown.replace(b"\x01", b"\x00"))
    with pytest.raises(ContradictionError):
        count(wrong, prior=Density(0.2), budget=Budget(nodes=1), sampled=True)


@pytest.mark.parametrize("mines", [True, False])
def test_a_large_board_within_its_time(mines: bool) -> None:
    """With little time, narrower bands are used, so that the time limit is met."""
    seen, mined = scattered(300, 300, 13_500, 15_000, 4)
    if not mines:
        seen = hidden(seen)
    started = time.process_time()
    facts = count(seen, budget=Budget(8), sampled=True)
    assert time.process_time() - started < 9
    assert not any(mined[index] for index in facts.safe)
    assert all(mined[index] for index in facts.mined)


def test_a_time_too_short_for_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bands, "NODES", 0)
    with pytest.raises(WorkLimitError, match=r"no estimate within 1 s and 1 GB"):
        count(scattered(60, 60, 1260, 1080, 0)[0], budget=Budget(1), sampled=True)
