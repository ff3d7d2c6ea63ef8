"""Guessing: the C++ core and pure Python choose the same cells, and their numbers are right."""

from __future__ import annotations

import math
from dataclasses import asdict, fields, replace

import pytest
from conftest import Require
from search_positions import guess_positions, noise, noisy_evaluation

import mineproof as mw
from mineproof.backend import native
from mineproof.core.clues import UNOPENED, ClueRule
from mineproof.core.errors import InputError
from mineproof.core.observation import Observation
from mineproof.inference.counting import Density, count
from mineproof.inference.counting.facts import assume
from mineproof.notation.position_text import parse_position
from mineproof.search.choice import USUAL, Choice, GuessSettings
from mineproof.search.guessing import choose, choose_in_python

LOOKING = GuessSettings(layouts=0)
"""Settings with look-ahead but without an endgame."""
CLOSE_CALLS = GuessSettings(layouts=0, margin=0.05)
"""Settings with which the evaluation often decides."""


def check_alike(ours: Choice | None, twin: Choice | None) -> None:
    """Compare two choices made without an evaluation."""
    assert ours is not None
    assert twin is not None
    assert (ours.cell, ours.exact) == (twin.cell, twin.exact)
    assert (ours.win is None) == (twin.win is None)
    assert [each.cell for each in ours.candidates] == [each.cell for each in twin.candidates]
    for mine, other in zip(ours.candidates, twin.candidates, strict=True):
        assert mine.risk == pytest.approx(other.risk, abs=1e-9)
        assert mine.next_safety == pytest.approx(other.next_safety, abs=1e-9)
        assert mine.win == pytest.approx(other.win, abs=1e-9)


@pytest.mark.parametrize(
    "settings",
    [LOOKING, CLOSE_CALLS, pytest.param(USUAL, marks=pytest.mark.full)],
    ids=["survival", "close", "usual"],
)
def test_the_twin_decides_alike(require: Require, settings: GuessSettings) -> None:
    """Core and Python choose the same cell with equal numbers in hundreds of game positions."""
    require("native", native is not None, "the native core does not guess")
    positions = guess_positions()
    assert len(positions) > 200
    for seen in positions:
        facts = count(seen)
        twin = choose_in_python(facts, settings)
        check_alike(choose(facts, settings), twin)
        check_evaluated(choose(facts, settings, noisy_evaluation()), twin)


def check_evaluated(ours: Choice | None, twin: Choice | None) -> None:
    """Check that the evaluation ranks the cells that pure Python compares, best estimate first."""
    assert ours is not None
    assert twin is not None
    if twin.best.next_safety is None:  # an endgame, or a part of one
        assert ours == twin
        return
    compared = {each.cell: each.survival for each in twin.candidates}
    judged = [each for each in ours.candidates if each.win is not None]
    assert judged
    for each in judged:
        assert each.survival == pytest.approx(compared[each.cell], abs=1e-9)
    wins = [each.win or 0.0 for each in judged]
    assert wins == pytest.approx(sorted(wins, reverse=True), abs=2e-6)


def test_the_twin_decides_alike_without_a_mine_count(require: Require) -> None:
    """If a density replaces the mine count, there is no evaluation and no endgame."""
    require("native", native is not None, "the native core does not guess")
    compared = 0
    for seen in guess_positions()[::4]:
        facts = count(seen, prior=Density(0.2))
        if facts.safe or not seen.unopened:
            continue
        compared += 1
        ours = choose(facts, USUAL, noisy_evaluation())
        check_alike(ours, choose_in_python(facts, USUAL))
        assert ours is not None
        assert not ours.exact
    assert compared > 30


@pytest.mark.parametrize("place", range(0, 200, 10))
def test_survival_is_what_it_says(place: int) -> None:
    """The safety and next safety of a candidate equal those computed by the engine."""
    seen = guess_positions()[place]
    facts = count(seen)
    choice = choose(facts, LOOKING)
    assert choice is not None
    last = choice.candidates[-1]
    index = seen.grid.index(last.cell)
    assert last.risk == pytest.approx(facts.risk[index])
    after = 0.0
    for value, chance in enumerate(facts.values(index)):
        if chance > 0:
            next_facts = count(assume(seen, index, value))
            known = set(next_facts.mined)
            risks = [next_facts.risk[i] for i in next_facts.observation.unopened if i not in known]
            after += chance * (1 - min(risks, default=0.0))
    assert last.survival == pytest.approx(after, abs=1e-9)
    assert last.survival is not None
    assert choice.best.survival is not None
    assert choice.best.survival >= last.survival - 1e-9


@pytest.mark.parametrize("finalists", [2, 8])
def test_none_is_left_out_that_would_be_compared(finalists: int) -> None:
    """A look-ahead that ends early leaves the same finalists as a complete one."""
    settings = GuessSettings(layouts=0, margin=0.03, finalists=finalists)
    whole = replace(settings, margin=1.0, finalists=1000)
    cut = 0
    for seen in guess_positions()[::3]:
        facts = count(seen)
        choice = choose(facts, settings, noisy_evaluation())
        every = choose(facts, whole, noisy_evaluation())
        assert choice is not None
        assert every is not None
        cut += len(every.candidates) - len(choice.candidates)
        found = [each for each in every.candidates if each.win is not None]
        judged = {each.cell: each.survival or 0.0 for each in found}
        order = sorted(judged.values(), reverse=True)
        least = max(order[0] - settings.margin, order[:finalists][-1])
        clear = {cell for cell, survival in judged.items() if survival > least + 1e-8}
        compared = {each.cell for each in choice.candidates if each.win is not None}
        assert clear <= compared
        assert len(compared) <= finalists
        assert all(judged[cell] > least - 1e-8 for cell in compared)
    assert cut > 200


def test_a_cell_that_tells_more_is_preferred() -> None:
    """Among cells with the same risk, the one whose clue leads to a safe move is opened."""
    seen = parse_position("7x3x4\nHHHHHHH\nHHH2HHH\nHHHHHHH\n")
    facts = count(seen)
    choice = choose(facts, LOOKING)
    assert choice is not None
    survivals = [each.survival or 0.0 for each in choice.candidates]
    assert choice.best.survival == max(survivals)


def test_what_cannot_be_asked() -> None:
    """Positions with proved cells, estimated facts or unreliable clues are rejected."""
    with pytest.raises(InputError, match=r"\(0, 3\) is proved safe"):
        choose(count(parse_position("6x1x1\nH1HHHH\n")))
    rules = mw.PublicRules(1, 4, 2, clues=ClueRule.parse("optimistic"))
    noisy = Observation(rules, bytes([1, UNOPENED, UNOPENED, UNOPENED]))
    with pytest.raises(InputError, match="exact clues"):
        choose(count(noisy))


def test_no_cell_is_left() -> None:
    """If only proved mines are left, there is no guess to make."""
    facts = count(parse_position("3x1x3\nHHM\n"))
    assert choose(facts) is None
    assert choose_in_python(facts) is None


@pytest.mark.parametrize("work", [0, 1])
def test_little_work_still_gives_a_cell(work: int) -> None:
    """A tiny work limit still allows a look-ahead for the safest cell. A limit of 0 allows none."""
    settings = GuessSettings(layouts=0, look_work=work)
    for seen in guess_positions()[::20]:
        facts = count(seen)
        choice = choose(facts, settings)
        assert choice is not None
        assert len(choice.candidates) == 1
        assert (choice.best.next_safety is None) == (work == 0)
        python = choose_in_python(facts, settings)
        assert python is not None
        assert python.cell == choice.cell
        known = set(facts.mined)
        least = min(facts.risk[i] for i in seen.unopened if i not in known)
        assert choice.best.risk is not None
        assert choice.best.risk <= least + 1e-9


def test_the_core_has_the_same_settings(require: Require) -> None:
    """Each setting has the same default in the core as in the Python dataclass."""
    require("native", native is not None, "the native core does not guess")
    assert native is not None
    usual = native.GuessSettings()
    for field in fields(USUAL):
        assert getattr(usual, field.name) == getattr(USUAL, field.name), field.name
    changed = asdict(GuessSettings(1e6, 70, 7, 71, 72, 0.5, 0.6, 0.1, 3))
    made = native.GuessSettings(**changed)
    assert {name: getattr(made, name) for name in changed} == changed
    for name, value in (("layouts", -1), ("reach", 1.5), ("margin", math.nan), ("look_work", -1)):
        with pytest.raises(ValueError, match="expected"):
            native.GuessSettings(**{name: value})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "MINEVAL3"),
        (b"MINEVAL1" + bytes(8), "MINEVAL3"),
        (b"MINEVAL3", "more bytes"),
        (b"MINEVAL3" + bytes(8), "layers of 1 to 256"),
        (b"MINEVAL3" + b"\x01\0\0\0\x01\0\0\0" + bytes(8), "more bytes"),
        (noise() + bytes(4), "fewer bytes"),
        (noise()[:-2] + b"\0\x7e", "finite weights"),
    ],
)
def test_data_that_are_no_evaluation(require: Require, data: bytes, message: str) -> None:
    require("native", native is not None, "the native core is not built")
    assert native is not None
    with pytest.raises(ValueError, match=message):
        native.Evaluation(data)


def test_a_cell_that_tells_nothing_can_wait() -> None:
    """A cell that always shows the same clue is guessed only if all candidates are such cells."""
    dead = 0
    for seen in guess_positions():
        facts = count(seen)
        choice = choose(facts, LOOKING)
        assert choice is not None
        cells = [seen.grid.index(each.cell) for each in choice.candidates]
        kinds = [sum(1 for x in facts.values(index) if x > 0) for index in cells]
        dead += kinds.count(1)
        assert kinds[0] > 1 or max(kinds) == 1
    assert dead > 10
