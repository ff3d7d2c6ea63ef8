"""The exact endgame in Python and in C++, compared with exhaustive search and known results."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from conftest import Require
from hypothesis import given
from hypothesis import strategies as st
from layout_oracle import random_position
from minimax_oracle import BestPlay, divided_position
from search_positions import search_in_core

from mineproof.backend import native
from mineproof.core.clues import EXACT, UNOPENED
from mineproof.core.errors import WorkLimitError
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.inference.budget import Budget
from mineproof.search.choice import GuessSettings
from mineproof.search.endgame import MINE, Endgame
from mineproof.search.layouts import DividedPosition, list_layouts
from mineproof.search.winning import (
    NATIVE,
    PYTHON,
    WinChances,
    search_in_python,
)

SMALL_BOARDS = [
    ("3x3", 2, 24),
    ("4x4", 2, 102),
    ("4x4", 3, 400),
    ("5x4", 3, 864),
    ("5x5", 2, 266),
    ("4x4", 4, 961),
    ("5x5", 3, 1798),
    ("4x4", 5, 1461),
    ("5x4", 4, 2950),
]
"""Size, mines, and the number of layouts that best play wins according to other programs."""


def closed(rows: int, columns: int, mines: int) -> Observation:
    """Return a board with no open cell."""
    return Observation(PublicRules(rows, columns, mines), bytes([UNOPENED] * rows * columns))


def few_unopened(seed: int) -> Observation:
    """Return a position small enough for the oracle, of any density."""
    return random_position(seed, EXACT, most_unopened=random.Random(seed).choice((5, 7, 9)))


@pytest.fixture(scope="module", params=["python", "native"])
def search(request: pytest.FixtureRequest, require: Require) -> Any:
    """Return one of the two implementations as `search(observation, limits, moves)`."""
    if request.param == "python":
        return search_in_python
    require("native", native is not None, "the native core is not there")
    return search_in_core


@given(seed=st.integers(0, 10**6))
def test_best_play_is_what_trying_everything_finds(search: Any, seed: int) -> None:
    """The chances of winning, before and after every move, equal those that minimax finds."""
    seen = few_unopened(seed)
    oracle, found = BestPlay(seen), search(seen, PYTHON, True)
    assert found.exact
    assert found.win == pytest.approx(oracle.win(), abs=1e-12)
    possible = [i for i in seen.unopened if any(not x >> i & 1 for x in oracle.layouts)]
    for index in possible:
        assert found.moves[index] == pytest.approx(oracle.win(index), abs=1e-12)
    if found.best is None:
        assert not possible
    else:
        assert oracle.moves[found.best] == oracle.won


@pytest.mark.parametrize(("rows", "columns", "mines"), [(3, 3, 2), (2, 4, 3), (1, 8, 3)])
def test_small_boards_by_trying_everything(
    search: Any, rows: int, columns: int, mines: int
) -> None:
    seen = closed(rows, columns, mines)
    oracle, found = BestPlay(seen), search(seen, PYTHON, True)
    assert found.moves == {i: pytest.approx(oracle.win(i), abs=1e-12) for i in seen.unopened}


@pytest.mark.parametrize(("size", "mines", "won"), SMALL_BOARDS)
def test_small_boards(require: Require, size: str, mines: int, won: int) -> None:
    """On small boards, best play wins as many layouts as other programs have computed."""
    require("native", native is not None, "the native core is not there")
    rows, columns = map(int, size.split("x"))
    found = search_in_core(closed(rows, columns, mines), NATIVE, False)
    assert found.exact
    assert found.win is not None
    assert found.win * math.comb(rows * columns, mines) == pytest.approx(won, abs=1e-6)


def test_a_small_board_in_python() -> None:
    """The pure-Python search solves a board with 560 layouts."""
    found = search_in_python(closed(4, 4, 3), PYTHON, False)
    assert found.exact
    assert found.win == pytest.approx(400 / 560)


@pytest.mark.parametrize(
    "limits",
    [
        GuessSettings(layouts=4, endgame_work=10**6),
        GuessSettings(layouts=60, endgame_work=10**6),
        GuessSettings(layouts=900, endgame_work=700),
    ],
)
@pytest.mark.parametrize("moves", [False, True])
def test_the_twins_answer_alike(require: Require, limits: GuessSettings, moves: bool) -> None:
    """Both implementations return equal values, best moves, exactness and work."""
    require("native", native is not None, "the native core is not there")
    for seed in range(120):
        seen = divided_position(seed) if seed % 2 else random_position(seed, EXACT)
        core = search_in_core(seen, limits, moves)
        twin = search_in_python(seen, limits, moves)
        assert core.win == pytest.approx(twin.win, abs=1e-12)
        assert core.moves == pytest.approx(twin.moves, abs=1e-12)
        assert (core.exact, core.best, core.steps) == (twin.exact, twin.best, twin.steps)


def test_a_work_cap_never_lies(search: Any) -> None:
    """If the work limit is too small, the search returns the right answer or none."""
    seen = closed(3, 4, 3)
    right = search(seen, PYTHON, True)
    assert right.exact
    unsolved = 0
    for work in range(0, right.steps + 50, right.steps // 20):
        found: WinChances = search(seen, GuessSettings(layouts=1000, endgame_work=work), True)
        assert found.win in (None, right.win)
        assert set(found.moves.items()) <= set(right.moves.items())
        assert found.exact == (found.win is not None)
        unsolved += not found.exact
    assert unsolved > 5
    assert search(seen, GuessSettings(layouts=1000, endgame_work=right.steps), True) == right


def test_layouts_are_listed_once_each() -> None:
    """The list of layouts is complete. Each layout has the clues that its cells would show."""
    for seed in range(60):
        seen = few_unopened(seed)
        oracle, position = BestPlay(seen), DividedPosition(seen)
        whole = position.whole()
        listed = list(list_layouts(whole, position.mines))
        known = ~sum(1 << cell for cell in whole.cells)
        rows = position.rows(whole, 10**6)
        assert len(listed) == len(oracle.layouts) == whole.layouts
        assert set(listed) == {layout & ~known for layout in oracle.layouts}
        assert rows is not None
        for layout, row in zip(listed, rows[position.mines], strict=True):
            mined = layout | next(iter(oracle.layouts)) & known
            for cell, shown in zip(whole.cells, row, strict=True):
                near = sum(mined >> other & 1 for other in seen.grid.neighbours(cell))
                assert shown == (MINE if mined >> cell & 1 else near)
        if whole.layouts > 1:
            assert position.rows(whole, whole.layouts - 1) is None


def test_weights_count() -> None:
    """Only mines distinguish these layouts, so best play bets on the heaviest layout."""
    rows = [bytes([MINE, 1]), bytes([1, MINE])]
    assert Endgame(rows).best() == (0, 1, 1)
    assert Endgame(rows, [2, 3]).best() == (0, 3, 2)
    assert Endgame(rows, [5, 3]).best() == (1, 5, 3)
    free = [row + bytes([place]) for place, row in enumerate(rows)]
    assert Endgame(free, [5, 3]).best() == (2, 8, 0)
    assert [move.value for move in Endgame(free, [5, 3]).all()] == [3, 5, 8]


def test_the_order_of_layouts_does_not_matter() -> None:
    """If the layouts are shuffled, the search finds the same moves in the same number of steps."""
    position = DividedPosition(closed(3, 4, 3))
    found = position.rows(position.whole(), 10**6)
    assert found is not None
    rows = found[3]
    answers = set()
    for seed in range(3):
        random.Random(seed).shuffle(rows)
        work = Budget()
        game = Endgame(rows, budget=work)
        answers.add((game.best(), tuple(game.all()), work.spent))
    assert len(answers) == 1


def test_work_is_shared() -> None:
    """Several games share one budget."""
    rows = [bytes([MINE, 1, 0]), bytes([1, MINE, 0])]
    work = Budget(nodes=10)
    Endgame(rows, budget=work).best()
    Endgame(rows, budget=work).best()
    with pytest.raises(WorkLimitError, match="more than 10 nodes"):
        Endgame(rows, budget=work).best()
    with pytest.raises(WorkLimitError, match="the answer takes more"):
        Endgame(rows, budget=Budget().fork(seconds=-1)).best()
