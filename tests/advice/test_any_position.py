"""Questions about any position up to 1000x1000 end in time, if necessary with an error."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mw
from mineproof import advice
from mineproof.core.clues import UNOPENED
from mineproof.core.move import Action, Move

SECONDS = 1.0
PATIENCE = 15.0
"""The longest that an answer may take, in seconds. `benchmarks/hostile.py` is stricter."""
REFUSALS = ("no estimate within", "the answer takes more")


@st.composite
def positions(draw: st.DrawFn) -> mw.Observation:
    """Draw a position of any size and density, with some of its safe cells open."""
    rows, columns = (
        draw(st.sampled_from([9, 50, 200, 1000])),
        draw(st.sampled_from([30, 300, 1000])),
    )
    density = draw(st.sampled_from([0.02, 0.12, 0.2, 0.35]))
    share = draw(st.sampled_from([0.01, 0.2, 0.5, 0.95]))
    dice = random.Random(draw(st.integers(0, 10**6)))
    size = rows * columns
    mined = bytearray(dice.choices((1, 0), (density, 1 - density), k=size))
    clues = mw.Board(rows, columns, bytes(mined)).clues
    banded = draw(st.booleans())
    step = draw(st.integers(2, 4))
    shown = bytearray([UNOPENED]) * size
    for index in range(size):
        opens = index // columns % step == 0 if banded else dice.random() < share
        if opens and not mined[index]:
            shown[index] = clues[index]
    mines = mined.count(1) if draw(st.booleans()) else None
    return mw.Observation(mw.PublicRules(rows, columns, mines), bytes(shown))


def opened(position: mw.Observation) -> Move:
    """Return a move that opens the first unopened cell."""
    return Move(Action.OPEN, position.grid.cell(position.unopened[0]))


QUESTIONS: dict[str, Callable[[mw.Observation, advice.Budget], Any]] = {
    "risks": advice.risks,
    "hint": advice.hint,
    "may_guess": advice.may_guess,
    "win_chances": advice.win_chances,
    "why": lambda seen, budget: advice.why(seen, opened(seen).cell, budget),
    "verdict": lambda seen, budget: advice.verdict(seen, opened(seen), budget),
    "draw_layout": lambda seen, budget: advice.draw_layout(seen, 7, budget),
    "analyse": lambda seen, budget: advice.analyse(
        seen, budget=budget.seconds, memory=budget.memory, sampled=True
    ),
}


@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", QUESTIONS)
@settings(max_examples=3, deadline=None)
@given(position=positions())
def test_every_question_ends_in_time(name: str, position: mw.Observation) -> None:
    """Every question ends in time with an answer, an estimate or a clear error."""
    if not position.unopened:
        return
    began = time.process_time()
    try:
        found = QUESTIONS[name](position, advice.Budget(SECONDS, 400_000_000))
    except mw.WorkLimitError as error:
        assert str(error).startswith(REFUSALS)  # noqa: PT017  (or an answer)
    else:
        if name == "analyse":
            assert found.exact == (found.error is None)
    assert time.process_time() - began < PATIENCE
