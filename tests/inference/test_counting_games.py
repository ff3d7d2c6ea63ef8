"""Both engines on real games: stored answers, model counters, symmetry, sums and limits."""

from __future__ import annotations

import math
import random
import sys
from itertools import combinations
from typing import Any

import pytest
from conftest import import_extra
from layout_oracle import MODELS, Engine, expected_mines
from pysat import card, solvers
from suites import answers, check, positions

from mineproof.core.board import deal
from mineproof.core.clues import UNOPENED, ClueRule
from mineproof.core.errors import ContradictionError, WorkLimitError
from mineproof.core.observation import Observation
from mineproof.core.rules import EXPERT, PublicRules
from mineproof.inference.counting import Density, Known, Range

STUCK = positions("expert-stuck")


def import_model_counter() -> Any:
    """Import pyganak, which does not support the newest Python versions."""
    if sys.version_info >= (3, 14):
        pytest.skip("pyganak has no wheel for this Python")
    return import_extra("pyganak")


@pytest.mark.parametrize("name", ["games", "scattered"])
def test_suites(engine: Engine, name: str) -> None:
    """Each engine returns the stored counts, proofs and lowest risks."""
    for seen, answer in zip(positions(name), answers(name), strict=True):
        assert seen.rules.mines is not None
        check(engine(seen, Known(seen.rules.mines)), answer)


def test_stuck_expert_positions(engine: Engine) -> None:
    """Each engine returns the stored answers for all 500 positions."""
    for seen, answer in zip(STUCK, answers("expert-stuck"), strict=True):
        check(engine(seen, Known(99)), answer)


def clauses(seen: Observation, variable: dict[int, int]) -> list[list[int]]:
    """Return clauses that are equivalent to the clues."""
    found: list[list[int]] = []
    for index, clue in enumerate(seen.shown):
        if clue < UNOPENED:
            near = [variable[i] for i in seen.grid.neighbours(index) if i in variable]
            found += [[-x for x in group] for group in combinations(near, clue + 1)]
            found += [list(group) for group in combinations(near, len(near) - clue + 1)]
    return found


@pytest.mark.parametrize("place", range(0, 500, 25))
def test_model_counter_without_the_mine_count(engine: Engine, place: int) -> None:
    """Without the mine count, a model counter finds the same number of layouts."""
    pyganak = import_model_counter()
    seen = STUCK[place]
    variable = {cell: number for number, cell in enumerate(seen.unopened, 1)}
    counter = pyganak.Counter()
    counter.new_vars(len(variable))
    counter.add_clauses(clauses(seen, variable))
    assert engine(seen, Density(0.2)).layouts == counter.count()


SMALL = [place for place, seen in enumerate(STUCK) if len(seen.unopened) < 112][:6]


@pytest.mark.parametrize("place", SMALL)
def test_model_counter_with_the_mine_count(engine: Engine, place: int) -> None:
    """With the mine count, a model counter finds the same number of layouts.

    A SAT solver confirms the proofs.
    """
    pyganak = import_model_counter()
    seen = STUCK[place]
    variable = {cell: number for number, cell in enumerate(seen.unopened, 1)}
    numbers = list(variable.values())
    total = card.CardEnc.equals(numbers, 99, top_id=len(numbers), encoding=card.EncType.seqcounter)
    formula = clauses(seen, variable) + total.clauses
    counter = pyganak.Counter()
    counter.new_vars(len(numbers))
    counter.add_clauses(formula)
    counter.set_sampling_set(numbers)
    facts = engine(seen, Known(99))
    assert facts.layouts == counter.count()
    with solvers.Solver("cadical153", bootstrap_with=formula) as solver:
        proved = [i for i in seen.unopened if not solver.solve(assumptions=[variable[i]])]
        assert facts.safe == tuple(proved)
        proved = [i for i in seen.unopened if not solver.solve(assumptions=[-variable[i]])]
        assert facts.mined == tuple(proved)


@pytest.mark.parametrize("place", [1, 3, 200, 435])
def test_risks_sum_to_the_mines(engine: Engine, place: int) -> None:
    """The risks add up to the number of mines. A cell's clue probabilities add up to its safety."""
    facts = engine(STUCK[place], Known(99))
    assert expected_mines(facts) == pytest.approx(99, abs=1e-9)
    for index in STUCK[place].unopened[::40]:
        assert sum(facts.values(index)) == pytest.approx(1 - facts.risk[index], abs=1e-12)


def turned(seen: Observation, quarter: bool, mirror: bool) -> tuple[Observation, list[int]]:
    """Return a turned or mirrored position, and the new index of each cell."""
    rows, columns = seen.rules.rows, seen.rules.columns
    height, width = (columns, rows) if quarter else (rows, columns)
    target = []
    for index in range(rows * columns):
        row, column = divmod(index, columns)
        if mirror:
            column = columns - 1 - column
        row, column = (column, rows - 1 - row) if quarter else (row, column)
        target.append(row * width + column)
    shown = bytearray(len(target))
    for index, place in enumerate(target):
        shown[place] = seen.shown[index]
    rules = PublicRules(height, width, seen.rules.mines, clues=seen.rules.clues)
    return Observation(rules, bytes(shown)), target


@pytest.mark.parametrize("place", [2, 95, 273, 435])
def test_symmetry(engine: Engine, place: int) -> None:
    """Turning or mirroring a board turns or mirrors the risks and proofs."""
    seen = STUCK[place]
    facts = engine(seen, Known(99))
    for quarter, mirror in ((True, False), (False, True), (True, True)):
        other, target = turned(seen, quarter, mirror)
        again = engine(other, Known(99))
        assert again.layouts == facts.layouts
        assert set(again.safe) == {target[index] for index in facts.safe}
        for index in seen.unopened:
            assert again.risk[target[index]] == pytest.approx(facts.risk[index], abs=1e-12)


def scattered(seed: int, cells: int = 150, clues: str = "exact") -> Observation:
    """Return an expert position with random open cells."""
    board = deal(EXPERT, seed, (0, 0))
    model = ClueRule.parse(clues)
    safe = [index for index, mine in enumerate(board.mined) if not mine]
    shown = bytearray([UNOPENED]) * len(board.mined)
    for index in random.Random(seed).sample(safe, cells):
        shown[index] = model.show(
            seed, index, board.clues[index], len(board.grid.neighbours(index))
        )
    return Observation(PublicRules(16, 30, 99, clues=model), bytes(shown))


def test_scattered_openings_are_solved(engine: Engine) -> None:
    """On 40 expert boards with 150 random open cells, risks add up and proofs are correct."""
    for seed in range(40):
        facts = engine(scattered(seed), Known(99))
        assert expected_mines(facts) == pytest.approx(99, abs=1e-9)
        board = deal(EXPERT, seed, (0, 0))
        assert not any(board.mined[index] for index in facts.safe)
        assert all(board.mined[index] for index in facts.mined)


def test_a_small_budget_is_kept_and_repeatable(engine: Engine) -> None:
    """A node limit that is too low always leads to an error, and a sufficient one never does."""
    seen = scattered(4)
    for _ in range(2):
        with pytest.raises(WorkLimitError, match="more than 50 nodes"):
            engine(seen, Known(99), 50)
    nodes = engine(seen, Known(99)).nodes
    assert engine(seen, Known(99), nodes).nodes == nodes
    with pytest.raises(WorkLimitError):
        engine(seen, Known(99), nodes - 1)


def test_a_time_limit_ends_hopeless_work(engine: Engine) -> None:
    """Counting many noisy clues takes too long, so the time limit ends it."""
    with pytest.raises(WorkLimitError):
        engine(scattered(1, 200, "optimistic"), Known(99), 10**9, 0.05)


def test_extreme_priors(engine: Engine) -> None:
    """Boards without clues have the expected risks under extreme mine counts and densities."""
    closed = Observation(PublicRules(4, 5, None), bytes([UNOPENED]) * 20)
    assert engine(closed, Known(0)).safe == tuple(range(20))
    assert engine(closed, Known(20)).mined == tuple(range(20))
    assert engine(closed, Known(7)).layouts == math.comb(20, 7)
    assert engine(closed, Known(7)).risk[3] == pytest.approx(0.35, abs=1e-15)
    assert engine(closed, Range(20, 40)).mined == tuple(range(20))
    assert engine(closed, Range(0, 20)).risk[0] == pytest.approx(0.5, abs=1e-12)
    assert engine(closed, Density(0.001)).risk[0] == pytest.approx(0.001, rel=1e-12)
    assert engine(closed, Density(0.999)).layouts == 2**20
    with pytest.raises(ContradictionError) as caught:
        engine(closed, Known(21))
    assert caught.value.uses_mine_count
    assert caught.value.conflict == ()


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_clues_above_their_neighbours(engine: Engine, model: ClueRule) -> None:
    """A clue larger than its number of neighbours is a contradiction under every clue rule."""
    seen = Observation(PublicRules(1, 3, None, clues=model), bytes([2, UNOPENED, UNOPENED]))
    with pytest.raises(ContradictionError) as caught:
        engine(seen, Density(0.5))
    assert caught.value.conflict == ((0, 0),)


def test_a_huge_board(engine: Engine) -> None:
    """The layouts of a position with 40,000 cells and 12,000 mines are counted exactly."""
    side = 200
    shown = bytearray([UNOPENED]) * (side * side)
    for row in range(10, 190, 4):
        for column in range(10, 190, 4):
            shown[row * side + column] = 1 + (row + column) % 3
    seen = Observation(PublicRules(side, side, 12_000), bytes(shown))
    facts = engine(seen, Known(12_000))
    assert expected_mines(facts) == pytest.approx(12_000, rel=1e-9)
    assert facts.layouts is not None
    assert facts.layouts.bit_length() > 20_000
