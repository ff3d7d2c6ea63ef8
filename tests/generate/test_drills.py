"""Drills: the stated kind of reasoning proves a safe cell, and no easier kind does."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, cast

import pytest
from sat_proofs import has_layout

import mineproof as mw
from mineproof.core.clues import UNOPENED
from mineproof.core.errors import WorkLimitError
from mineproof.core.grid import Cell
from mineproof.core.observation import Observation
from mineproof.core.rules import NO_GUESS
from mineproof.generate import DrillKind, boards
from mineproof.generate.boards import Order
from mineproof.generate.drills import (
    REASONING,
    Drill,
    drill_at,
    find_drill,
    format_drill,
    with_known_mines,
)
from mineproof.inference.counting import count
from mineproof.notation.inputs import parse_inputs
from mineproof.proof.kinds import ReasoningKind
from mineproof.service import game_answers

if TYPE_CHECKING:
    from mineproof.service.answers import Context

SAT_SECONDS, SAT_DRILLS = 4.0, 20
"""CPU seconds to spend on each kind of drill, and the maximum number of drills to check."""
LEVELS = (mw.BEGINNER, mw.INTERMEDIATE)
ORDER = Order(replace(mw.INTERMEDIATE, start=NO_GUESS), Cell(3, 3))


def clues_of(seen: Observation) -> list[Cell]:
    """Return the open cells that have unopened neighbours."""
    shown, near = seen.shown, seen.grid.neighbours
    indices = [
        index
        for index, code in enumerate(shown)
        if code < UNOPENED and any(shown[other] == UNOPENED for other in near(index))
    ]
    return [seen.grid.cell(index) for index in indices]


def around(seen: Observation, clues: Collection[Cell]) -> set[Cell]:
    """Return the unopened cells next to some clues."""
    near = {i for clue in clues for i in seen.grid.neighbours(seen.grid.index(clue))}
    return {seen.grid.cell(index) for index in near if seen.shown[index] == UNOPENED}


def safe_by_few(seen: Observation, number: int) -> set[Cell]:
    """Return the safe cells that groups of up to N clues prove, according to a SAT solver."""
    known: dict[Cell, bool] = {}
    groups = [
        group
        for size in range(1, number + 1)
        for group in combinations(clues_of(seen), size)
        if size == 1 or around(seen, group[:1]) & around(seen, group[1:])
    ]
    grown = True
    while grown:
        grown = False
        for group in groups:
            for cell in around(seen, group) - set(known):
                mine = {other: known[other] for other in around(seen, group) if other in known}
                for mined in (True, False):
                    if not has_layout(seen, group, cell, mined, False, known=mine):
                        known[cell], grown = not mined, True
    return {cell for cell, mined in known.items() if not mined}


def confirm(drill: Drill) -> None:
    """Use a SAT solver to confirm the answers, and that nothing easier proves a safe cell."""
    seen, clues = drill.position, clues_of(drill.position)
    assert drill.answers
    for cell in drill.answers[:5]:
        assert not has_layout(seen, clues, cell, True, True)
    kind = REASONING[drill.kind]
    few = min(kind - 1, 2)
    assert few == 0 or not safe_by_few(seen, few)
    if kind <= ReasoningKind.TWO_CLUES:
        assert safe_by_few(seen, kind)
    for cell in around(seen, clues) if drill.kind is DrillKind.MINE_COUNT else ():
        assert has_layout(seen, clues, cell, True, False)


@pytest.mark.full
@pytest.mark.parametrize("kind", DrillKind)
def test_sat_confirms_a_sample_of_drills(kind: DrillKind) -> None:
    """Confirm drills with a SAT solver: no easier kind of reasoning proves a safe cell.

    The test checks as many drills as time allows, at least two, on small boards first.
    """
    end = time.process_time() + SAT_SECONDS
    orders = [Order(replace(level, start=NO_GUESS), Cell(3, 3)) for level in LEVELS]
    for index in range(SAT_DRILLS):
        if index < 2 or time.process_time() < end:
            confirm(find_drill(orders[index % len(orders)], kind, 5, index))


@pytest.mark.parametrize("kind", DrillKind)
def test_the_easiest_proof_is_of_the_kind(kind: DrillKind) -> None:
    """The easiest proof that `why` shows uses the drill's kind of reasoning."""
    drill = find_drill(ORDER, kind, 40)
    found = drill.explanation
    assert found.cell in drill.answers
    assert int(found.difficulty) == REASONING[kind]
    named = any(step.rule[0].isdigit() for step in found.steps)
    assert not named or kind is not DrillKind.SUBSET


BY_COUNT = "5x5x8\nHHHHH\nH112H\nH101H\nH312H\nHHHHH\n"
"""A position in which the clues prove two safe cells, and the mine count six more."""


@pytest.mark.full
@pytest.mark.parametrize("kind", DrillKind)
def test_answers_are_all_proved_safe_cells(kind: DrillKind) -> None:
    """The answers are the safe cells of `analyse`, with the mine count, at every level."""
    drills = [
        find_drill(Order(replace(level, start=start), Cell(3, 3)), kind, 1)
        for level in (mw.BEGINNER, mw.INTERMEDIATE, mw.EXPERT)
        for start in (NO_GUESS, mw.BEGINNER.start)
    ]
    by_page = game_answers.drill(cast("Context", None), kind, 7)
    pairs: list[tuple[Observation, list[tuple[int, int]]]]
    pairs = [(drill.position, list(drill.answers)) for drill in drills]
    pairs.append((mw.parse_position(by_page["position"]), [*map(tuple, by_page["answers"])]))
    for position, answers in pairs:
        assert answers == list(mw.analyse(position, moves=False).safe)


def test_answers_by_cases_use_the_mine_count_too() -> None:
    found = drill_at(mw.parse_position(BY_COUNT))
    assert found is not None
    assert (found.kind, len(found.answers)) == (DrillKind.CASES, 8)


def test_drills_are_pure_functions_and_files() -> None:
    """The same arguments return the same drill, and its text is parsed into the same position."""
    drills = [find_drill(ORDER, DrillKind.PATTERN, 3, index) for index in range(3)]
    assert drills == [find_drill(ORDER, DrillKind.PATTERN, 3, index) for index in range(3)]
    assert len({drill.position.shown for drill in drills}) == 3
    text = "\n".join(format_drill(drill, f"{i}: ", True) for i, drill in enumerate(drills))
    assert parse_inputs(text) == [drill.position for drill in drills]
    assert all(drill_at(drill.position) == drill for drill in drills)


@pytest.mark.parametrize("kind", DrillKind)
def test_known_mines_are_flagged_and_leave_the_drill_as_hard(kind: DrillKind) -> None:
    """All flags are on proved mines. Flags that harder reasoning proves would give hints."""
    drills = [find_drill(ORDER, kind, 60, index) for index in range(3)]
    flags = 0
    for drill in drills:
        seen = with_known_mines(drill)
        marked = {index for index, mark in enumerate(seen.marks) if mark}
        flags += len(marked)
        assert marked <= set(count(drill.position).mined)
        assert drill_at(Observation(seen.rules, seen.shown)) == drill
        by_one = {cell for cell in marked if int(explain(seen, cell)) == 1}
        assert REASONING[kind] > ReasoningKind.TWO_CLUES or marked == by_one
    assert flags


def explain(seen: Observation, index: int) -> float:
    """Return the difficulty of the easiest proof of a cell."""
    return mw.explain(seen, seen.grid.cell(index)).difficulty


def test_positions_that_train_nothing() -> None:
    """A position has no drill if no cell is proved safe."""
    one = drill_at(mw.parse_position("5x3x2\n1HHHH\n112HH\n001HH\n"))
    assert one is not None
    assert one.kind is DrillKind.ONE_CLUE
    assert drill_at(mw.parse_position("2x2x1\nHH\n1H\n")) is None
    assert drill_at(mw.parse_position("3x3x1\nH10\n110\n000\n")) is None


def test_what_no_board_has_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no board has a drill of the requested kind, the error says so."""
    monkeypatch.setattr(boards, "MOST_SEEDS", 3)
    with pytest.raises(WorkLimitError, match="a drill of kind cases"):
        find_drill(Order(mw.Rules.parse("9x9/1"), Cell(3, 3)), DrillKind.CASES, 0)
