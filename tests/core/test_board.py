"""Boards and how they are dealt: uniformly, reproducibly, and identically in C++."""

from __future__ import annotations

import importlib.util
import itertools
from collections import Counter
from math import comb

import pytest
from conftest import Require
from hypothesis import given
from hypothesis import strategies as st
from strategies import boards, first_cells, rules, seeds

from mineproof.core.board import Board, deal, deal_attempt, deal_given
from mineproof.core.errors import InputError, RulesError
from mineproof.core.rules import ANY, EXPERT, HARD, OPENING, SAFE, Rules, StartKind, with_options


@given(boards())
def test_clues_count_mined_neighbours(board: Board) -> None:
    for index, cell in enumerate(board.grid.cells()):
        near = [board.grid.cell(other) in board.mines for other in board.grid.neighbours(index)]
        assert board.clues[index] == sum(near)
        assert board.mined[index] == (cell in board.mines)
    assert list(board.mine_indices) == sorted(board.grid.index(mine) for mine in board.mines)


def test_mines_are_given_as_cells_or_indices() -> None:
    assert Board.from_mines(2, 3, [(0, 2), 4]) == Board(2, 3, bytes([0, 0, 1, 0, 1, 0]))


@pytest.mark.parametrize(
    ("mines", "message"),
    [
        ([6], "expected mines from 0 to 5, got 6"),
        ([-1], "expected mines from 0 to 5, got -1"),
        ([2, 2], "expected distinct mines, got 2 twice"),
        ([2, (0, 2)], "expected distinct mines, got 2 twice"),
        ([(2, 0)], r"expected a cell on the 2x3 board .*, got \(2, 0\)"),
    ],
)
def test_mines_that_do_not_fit(mines: list[int | tuple[int, int]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Board.from_mines(2, 3, mines)


@pytest.mark.parametrize("mined", [b"", b"\0" * 5, b"\0" * 7, b"\0\0\2\0\0\0"])
def test_bytes_that_are_no_board(mined: bytes) -> None:
    """A board must have one byte per cell, with the value 0 or 1."""
    with pytest.raises(RulesError, match="expected 6 bytes, each 0 or 1, got"):
        Board(2, 3, mined)
    with pytest.raises(RulesError, match="expected 1 to 1000 rows, got 0"):
        Board(0, 3, mined)


@given(rules(max_side=9), seeds(), st.data())
def test_deals_keep_what_the_start_rule_promises(
    setting: Rules, seed: int, data: st.DataObject
) -> None:
    """Under `safe` and `opening`, the first cell is never a mine.

    Under `opening`, its neighbours are mines only if there is no other room for them.
    """
    first = data.draw(first_cells(setting))
    board = deal(setting, seed, first)
    assert len(board.mine_indices) == setting.mines
    assert board == deal(setting, seed, first)
    index = setting.grid.index(first)
    near = setting.grid.neighbours(index)
    if setting.start in (SAFE, OPENING):
        assert not board.mined[index]
    if setting.start == OPENING:
        far = setting.grid.size - 1 - len(near)
        assert sum(board.mined[other] for other in near) == max(0, setting.mines - far)


def test_starts_that_need_a_first_cell_say_so() -> None:
    """The starts `safe` and `opening` need a first cell to deal a board. Other starts do not."""
    for start in (SAFE, OPENING):
        with pytest.raises(RulesError, match=f"the start {start} needs a first cell"):
            deal(Rules(3, 3, 1, start), 0)
    with pytest.raises(InputError, match=r"expected a cell on the 3x3 board .*, got \(3, 0\)"):
        deal(Rules(3, 3, 1), 0, (3, 0))
    assert deal(Rules(3, 3, 1, ANY), 0) == deal(Rules(3, 3, 1, ANY), 0, (1, 1))
    assert deal(HARD, 5) == deal(HARD, 5, (2, 2))


def test_seeds_give_the_same_boards_for_ever() -> None:
    """Ids, records and results depend on these boards, so the boards must never change."""
    assert deal(Rules(4, 5, 4), 7, (1, 1)).mine_indices == (4, 8, 15, 17)
    assert deal(EXPERT, 7, (0, 0)).mine_indices[:6] == (1, 3, 10, 18, 24, 27)


UNIFORM = [
    (Rules(2, 3, 2, ANY), (0, 0), comb(6, 2)),
    (Rules(2, 3, 2, SAFE), (0, 1), comb(5, 2)),
    (Rules(1, 6, 3, SAFE), (0, 2), comb(5, 3)),
    (Rules(4, 4, 2, OPENING), (0, 0), comb(12, 2)),
    (Rules(3, 4, 5, OPENING), (1, 1), comb(8, 2)),
    (Rules(2, 2, 2, OPENING), (0, 0), comb(3, 2)),
    (Rules(2, 2, 3, OPENING), (0, 0), 1),
    (with_options(Rules(2, 3, 2), start="given:1"), None, comb(6, 2)),
]


@pytest.mark.parametrize(("setting", "first", "layouts"), UNIFORM)
def test_every_layout_is_dealt_equally_often(
    setting: Rules, first: tuple[int, int] | None, layouts: int
) -> None:
    """Every layout that the start rule allows is dealt about equally often."""
    number = 300 * layouts
    dealt = Counter(deal(setting, seed, first).mine_indices for seed in range(number))
    assert len(dealt) == layouts
    share = 1 / layouts
    bound = 5 * (number * share * (1 - share)) ** 0.5
    for count in dealt.values():
        assert abs(count - number * share) <= bound


def test_given_cells_are_safe_and_uniform() -> None:
    """Every choice of given cells is equally likely."""
    setting = with_options(Rules(2, 3, 2), start="given:1")
    board = Board.from_mines(2, 3, [1, 5])
    number = 3000
    drawn = Counter(deal_given(setting, board, seed) for seed in range(number))
    assert set(drawn) == set(itertools.combinations([0, 2, 3, 4], setting.given_count))
    share = 1 / len(drawn)
    for count in drawn.values():
        assert abs(count - number * share) <= 5 * (number * share * (1 - share)) ** 0.5


@given(rules(), seeds())
def test_given_cells_are_as_many_as_the_rules_say(setting: Rules, seed: int) -> None:
    """Given cells are distinct safe cells in increasing order. Other starts give no cells."""
    board = deal(setting, seed, (0, 0))
    cells = deal_given(setting, board, seed)
    assert len(cells) == setting.given_count
    assert list(cells) == sorted(set(cells))
    assert not any(board.mined[cell] for cell in cells)


def test_neighbouring_seeds_deal_independent_boards() -> None:
    """Boards from consecutive seeds share as many mines as random boards would."""
    number = 2000
    layouts = [set(deal(EXPERT, seed, (0, 0)).mine_indices) for seed in range(number + 1)]
    shared = [len(one & other) for one, other in itertools.pairwise(layouts)]
    cells, mines = 479, 99
    mean = mines * mines / cells
    variance = mean * (1 - mines / cells) * (cells - mines) / (cells - 1)
    assert abs(sum(shared) / number - mean) < 5 * (variance / number) ** 0.5
    assert len({frozenset(layout) for layout in layouts}) == number + 1


def _same_as_native(setting: Rules, seed: int, first: tuple[int, int]) -> bool:
    from mineproof import _native

    index = setting.grid.index(first)
    start = setting.start.kind.value
    native = _native.deal(setting.rows, setting.columns, setting.mines, start, index, seed)
    return bool(native == deal_attempt(setting, seed, first).mined)


@pytest.fixture
def _native(require: Require) -> None:
    found = importlib.util.find_spec("mineproof._native") is not None
    require("native", found, "mineproof._native is not built")


@pytest.mark.usefixtures("_native")
@given(rules(max_side=20), seeds(), st.data())
def test_the_native_core_deals_the_same(setting: Rules, seed: int, data: st.DataObject) -> None:
    """The C++ core and Python deal the same board under every start."""
    assert _same_as_native(setting, seed, data.draw(first_cells(setting)))


@pytest.mark.usefixtures("_native")
def test_the_native_core_deals_the_same_at_the_extremes() -> None:
    """Tests boards without mines, with one safe cell, with one row, and of the maximum size."""
    for start in (ANY, SAFE, OPENING):
        for rows, columns in ((1, 1), (1, 7), (7, 1), (2, 2), (3, 3), (4, 5)):
            for mines in range(rows * columns):
                setting = Rules(rows, columns, mines, start)
                first = (rows // 2, columns // 2)
                assert all(_same_as_native(setting, seed, first) for seed in range(3))
    assert _same_as_native(Rules(1000, 1000, 120_000, OPENING), 3, (500, 500))


@pytest.mark.usefixtures("_native")
@pytest.mark.parametrize(
    "arguments",
    [
        (0, 9, 1, "any", 0, 0),
        (9, 1001, 1, "any", 0, 0),
        (3, 3, 9, "any", 0, 0),
        (3, 3, -1, "any", 0, 0),
        (3, 3, 1, "safe", 9, 0),
        (3, 3, 1, "safe", -1, 0),
        (3, 3, 1, "soon", 0, 0),
    ],
)
def test_the_native_core_refuses_what_it_cannot_deal(
    arguments: tuple[int, int, int, str, int, int],
) -> None:
    """Wrong arguments raise ValueError instead of crashing the process."""
    from mineproof import _native

    with pytest.raises(ValueError, match="expected"):
        _native.deal(*arguments)


def test_the_kinds_of_start_are_all_tested_for_uniformity() -> None:
    """The list above must cover every start except `no-guess`, which has separate tests."""
    tested = {setting.start.kind for setting, _, _ in UNIFORM} | {StartKind.NO_GUESS}
    assert tested == set(StartKind)
