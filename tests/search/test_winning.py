"""`win_chances`: supported rules, limits, and edge cases."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest
from conftest import Require
from layout_oracle import random_position
from minimax_oracle import divided_position
from search_positions import search_in_core

from mineproof.advice.analysis import analyse
from mineproof.backend import native
from mineproof.core.board import deal
from mineproof.core.clues import EXACT, UNOPENED, ClueRule
from mineproof.core.errors import ContradictionError, InputError
from mineproof.core.observation import Observation
from mineproof.core.rules import Explosion, Goal, PublicRules, Rules
from mineproof.inference.budget import Budget
from mineproof.inference.counting import count
from mineproof.notation.position_text import parse_position
from mineproof.search.choice import GuessSettings
from mineproof.search.winning import (
    PYTHON,
    UNKNOWN,
    search_in_python,
    win_chances,
)

SQUARE = parse_position("2x2x1\nHH\nHH\n")


@pytest.fixture(scope="module", params=["python", "native"])
def search(request: pytest.FixtureRequest, require: Require) -> Any:
    """Return one of the two implementations as `search(observation, limits)`."""
    if request.param == "python":
        return search_in_python
    require("native", native is not None, "the native core is not there")
    return search_in_core


@pytest.mark.parametrize(
    "changes",
    [
        {"mines": None},
        {"clues": ClueRule.parse("optimistic")},
        {"clues": ClueRule.parse("withheld:0.5")},
        {"goal": Goal.MARK},
        {"explosion": Explosion.CONTINUE},
    ],
)
def test_other_rules_are_left_alone(changes: dict[str, Any]) -> None:
    """There is no answer for rules under which best play is not defined."""
    rules = replace(SQUARE.rules, **changes)
    assert win_chances(count(Observation(rules, SQUARE.shown))) == UNKNOWN


def test_a_guess_among_four(search: Any) -> None:
    """With one mine in four cells that are all neighbours, no clue tells the cells apart."""
    found = search(SQUARE, PYTHON)
    assert (found.win, found.exact, found.best) == (0.25, True, 0)
    assert found.moves == {0: 0.25, 1: 0.25, 2: 0.25, 3: 0.25}


@pytest.mark.parametrize("text", ["2x1x1\n1H\n", "2x1x0\n00\n", "2x1x1\n1M\n", "1x1x1\nH\n"])
def test_a_game_that_is_won(search: Any, text: str) -> None:
    """If all safe cells are open, the chance is 1 and there is no move."""
    found = search(parse_position(text), PYTHON)
    assert (found.win, found.exact, found.best) == (1.0, True, None)
    assert all(chance == 0 for chance in found.moves.values())


def test_proved_cells_cost_nothing(search: Any) -> None:
    """Opening a cell that is safe in all layouts does not change the chance of winning."""
    seen = 0
    for seed in range(80):
        position = divided_position(seed) if seed % 2 else random_position(seed, EXACT)
        found = search(position, GuessSettings(layouts=200, endgame_work=100_000))
        if not found.exact:
            continue
        facts = count(position)
        for index in facts.safe:
            seen += 1
            assert found.moves[index] == pytest.approx(found.win, abs=1e-12)
        for index in facts.mined:
            assert found.moves.get(index, 0.0) == 0
        for index, chance in found.moves.items():
            assert chance <= min(found.win, 1 - facts.risk[index]) + 1e-12
    assert seen > 50


def test_positions_without_a_layout(search: Any) -> None:
    for text in ("5x1x2\n0H2HH\n", "6x1x3\nH1HH1H\n"):
        with pytest.raises(
            InputError, match=r"(?i)no mine layout fits|expected a position that some layout"
        ):
            search(parse_position(text), PYTHON)
        with pytest.raises(ContradictionError):
            analyse(text)


def test_limits_must_make_sense(search: Any) -> None:
    """The limit on layouts must be at least 1 and at most what can be listed."""
    seen = parse_position("2x1x1\nHH\n")
    for layouts in (0, 20_001):
        with pytest.raises(InputError, match="expected 1 to 20000 layouts"):
            search(seen, GuessSettings(layouts=layouts))


def test_too_large_is_unknown(search: Any) -> None:
    """On large unopened boards, the search ends quickly without an answer."""
    for size in ("30x16x99", "1000x1000x150000", "60x40x1200"):
        columns, rows, _ = map(int, size.split("x"))
        seen = parse_position(f"{size}\n" + ("H" * columns + "\n") * rows)
        found = search(seen, PYTHON)
        assert (found.win, found.exact, found.moves) == (None, False, {})


def test_a_large_board_in_many_parts(require: Require) -> None:
    """Each enclosed part is solved separately, regardless of the rest."""
    require("native", native is not None, "the native core is not there")
    board = deal(Rules.parse("200x200/0.15"), 1, (0, 0))
    source = random.Random(1)
    clues = zip(board.clues, board.mined, strict=True)
    shown = bytes(
        clue if not mined and source.random() < 0.8 else UNOPENED for clue, mined in clues
    )
    seen = Observation(PublicRules(200, 200, sum(board.mined)), shown)
    found = search_in_core(seen, GuessSettings(layouts=5000, endgame_work=10**6))
    assert found.best is not None
    assert count(seen).risk[found.best] == 0


def test_a_deadline_ends_the_search(search: Any) -> None:
    seen = parse_position("5x5x3\n" + "HHHHH\n" * 5)
    settings = GuessSettings(layouts=5000, endgame_work=10**9)
    assert search(seen, settings, budget=Budget(1e-9)).win is None


class AlarmError(Exception):
    """Raised by the handler of an alarm."""


def test_an_interrupt_ends_a_long_search(require: Require) -> None:
    """Signals are handled while the core searches."""
    require("native", native is not None, "the native core is not there")

    def raise_alarm(number: int, frame: FrameType | None) -> None:
        raise AlarmError

    seen = parse_position("4x5x5\n" + "HHHH\n" * 5)
    before = signal.signal(signal.SIGALRM, raise_alarm)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(AlarmError):
            search_in_core(seen, GuessSettings(layouts=20_000, endgame_work=10**12))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_many_cells_and_one_mine(search: Any) -> None:
    """On a long row, the search goes as deep as the row has cells."""
    found = search(
        parse_position("400x1x1\n" + "H" * 400 + "\n"),
        GuessSettings(layouts=500, endgame_work=10**7),
        False,
    )
    assert found.exact
    assert found.win == pytest.approx(1 - 1 / 400)


def test_the_choice_of_backend() -> None:
    """Without the core, pure Python answers."""
    code = (
        "from mineproof.search.winning import win_chances\n"
        "from mineproof.notation.position_text import parse_position\n"
        "from mineproof.inference.counting import count\n"
        "print(win_chances(count(parse_position('2x2x1\\nHH\\nHH\\n'))).win)\n"
    )
    environment = {**os.environ, "MINEPROOF_BACKEND": "python"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "0.25\n"
