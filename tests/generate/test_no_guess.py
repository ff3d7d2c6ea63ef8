"""No-guess boards: every board that can be won without a guess is dealt equally often."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache, reduce
from itertools import combinations
from operator import or_

import pytest
from conftest import Require

import mineproof as mw
from mineproof.backend import native
from mineproof.core.board import Board, deal_attempt, is_dealt
from mineproof.core.rules import NO_GUESS, OPENING, Rules, Start
from mineproof.generate import no_guess
from mineproof.notation.game_id import format_game_id, parse_game_id

SMALL = Rules(4, 4, 3, NO_GUESS)
CROWDED = Rules(3, 4, 7, NO_GUESS)
"""Rules with so many mines that some must be next to the first cell."""


def openings(rules: Rules, first: mw.Cell) -> set[tuple[int, ...]]:
    """Return the mines of every board that `opening` can deal, derived from its definition."""
    grid, index = rules.grid, rules.grid.index(first)
    near = set(grid.neighbours(index))
    far = [cell for cell in range(grid.size) if cell != index and cell not in near]
    if rules.mines > len(far):
        rest = combinations(sorted(near), rules.mines - len(far))
        return {tuple(sorted((*far, *some))) for some in rest}
    return set(combinations(far, rules.mines))


@lru_cache(maxsize=4)
def all_layouts(cells: int, mines: int) -> list[int]:
    """Return all layouts with this many mines, with one bit per cell."""
    return [sum(1 << cell for cell in some) for some in combinations(range(cells), mines)]


def proved_to_the_end(rules: Rules, mines: tuple[int, ...], first: mw.Cell) -> bool:
    """Return whether a board can be won without a guess, found by listing all layouts."""
    grid = rules.grid
    around = [sum(1 << near for near in grid.neighbours(cell)) for cell in range(grid.size)]
    truth, new, opened = sum(1 << mine for mine in mines), [grid.index(first)], 0
    layouts = all_layouts(grid.size, rules.mines)
    while new:
        for cell in new:
            opened |= 1 << cell
            clue = (truth & around[cell]).bit_count()
            layouts = [
                one
                for one in layouts
                if not one >> cell & 1 and (one & around[cell]).bit_count() == clue
            ]
        mined = reduce(or_, layouts)
        new = [cell for cell in range(grid.size) if not (mined | opened) >> cell & 1]
    return opened.bit_count() == grid.size - rules.mines


@pytest.mark.parametrize(
    ("rules", "first"),
    [
        (SMALL, (0, 0)),
        (Rules(4, 5, 4, NO_GUESS), (1, 1)),
        (Rules(3, 6, 4, NO_GUESS), (1, 0)),
        (Rules(5, 5, 3, NO_GUESS), (0, 2)),
        (CROWDED, (1, 1)),
    ],
)
def test_exactly_the_boards_that_can_be_proved(rules: Rules, first: tuple[int, int]) -> None:
    """A board counts as no-guess if and only if listing all layouts solves it."""
    cell = mw.Cell(*first)
    for mines in openings(rules, cell):
        board = Board.from_mines(rules.rows, rules.columns, mines)
        assert no_guess.is_no_guess(board, cell) == proved_to_the_end(rules, mines, cell)


@pytest.mark.parametrize(("rules", "count"), [(SMALL, 4000), (Rules(3, 6, 4, NO_GUESS), 6000)])
def test_each_board_is_as_likely_as_any_other(rules: Rules, count: int) -> None:
    """A chi-square test over many seeds finds all no-guess boards equally likely."""
    first = mw.Cell(0, 0)
    every = {mines for mines in openings(rules, first) if proved_to_the_end(rules, mines, first)}
    found = Counter(no_guess.find(rules, seed, first)[0].mine_indices for seed in range(count))
    assert set(found) == every
    mean = count / len(every)
    statistic = sum((number - mean) ** 2 / mean for number in found.values())
    freedom = len(every) - 1
    assert abs(statistic - freedom) < 4 * (2 * freedom) ** 0.5


@pytest.mark.parametrize(
    "rules",
    [SMALL, Rules(2, 3, 5, NO_GUESS), Rules(9, 9, 12, NO_GUESS), Rules(1, 9, 3, NO_GUESS)],
    ids=lambda rules: rules.level,
)
def test_the_core_deals_the_same(
    rules: Rules, require: Require, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The C++ core and Python deal the same boards after the same number of tries."""
    require("native", native is not None, "the native core is not built")
    first = rules.first_cell
    assert first is not None
    fast = [no_guess.find(rules, seed, first) for seed in range(12)]
    monkeypatch.setattr(no_guess, "native", None)
    assert fast == [no_guess.find(rules, seed, first) for seed in range(12)]


def test_attempts_follow_the_seed() -> None:
    """The first attempt is the board that `opening` deals. The first no-guess board is used."""
    first = mw.Cell(3, 3)
    rules = replace(mw.EXPERT, start=NO_GUESS)
    opening = replace(rules, start=OPENING)
    assert deal_attempt(rules, 5, first) == mw.deal(opening, 5, first)
    board, tries = no_guess.find(rules, 5, first)
    attempts = [deal_attempt(rules, 5, first, number) for number in range(tries)]
    assert attempts[-1] == board == mw.deal(rules, 5, first)
    assert [no_guess.is_no_guess(one, first) for one in attempts] == [False] * (tries - 1) + [True]


def test_exact_wins_every_game_without_a_guess() -> None:
    """`exact` wins no-guess boards without a guess, from any first cell."""
    rules = replace(mw.INTERMEDIATE, start=NO_GUESS)
    for seed in range(10):
        record = mw.play(mw.Game(rules, seed, (seed, 15 - seed)), mw.make_agent("exact"))
        assert record.outcome is not None
        assert (record.outcome.result, record.guesses) == ("win", 0)


def test_an_agent_wins_by_its_own_proofs() -> None:
    """`basic` wins boards dealt by `no-guess:basic`, but not every other no-guess board."""
    rules = replace(mw.BEGINNER, start=Start.parse("no-guess:basic"))
    plain = replace(mw.BEGINNER, start=NO_GUESS)
    asked_more = 0
    for seed in range(12):
        board = mw.deal(rules, seed, (3, 3))
        assert no_guess.is_no_guess(board, (3, 3))
        assert mw.play(mw.Game(rules, seed, (3, 3)), mw.make_agent("basic")).guesses == 0
        asked_more += not no_guess.is_no_guess(mw.deal(plain, seed, (3, 3)), (3, 3), rules.start)
    assert asked_more > 0


def test_unknown_agents_are_refused_before_the_first_click() -> None:
    """The error for an unknown agent lists the agents."""
    with pytest.raises(mw.RulesError, match=r"no-guess:AGENT with one of .*exact.*, got 'nobody'"):
        mw.Game(replace(mw.BEGINNER, start=Start.parse("no-guess:nobody")))


def test_too_hard_a_demand_says_how_rare_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the maximum number of tries, the error says how rare such boards are."""
    monkeypatch.setattr(no_guess, "MOST_TRIES", 300)
    with pytest.raises(mw.WorkLimitError, match="within 300 tries: probably fewer than 1 in 100"):
        mw.Game(Rules(16, 30, 170, NO_GUESS), 1, (3, 3))
    assert no_guess.most_tries(Rules(1000, 1000, 9, NO_GUESS)) == 50


def test_a_first_cell_is_needed() -> None:
    with pytest.raises(mw.RulesError, match="the start no-guess needs a first cell"):
        mw.deal(SMALL, 1)
    with pytest.raises(mw.InputError, match="expected"):
        mw.deal(SMALL, 1, (9, 9))


def test_ids_give_the_board_again() -> None:
    """The id of a no-guess game lists the mines only if an agent other than `exact` is named."""
    game = mw.Game(replace(mw.BEGINNER, start=NO_GUESS), 3, (2, 2))
    assert format_game_id(game) == "9x9/10:no-guess:s3:f2,2"
    other = mw.Game(replace(mw.BEGINNER, start=Start.parse("no-guess:clue-heap")), 3, (2, 2))
    text = format_game_id(other)
    assert text.startswith("9x9/10:no-guess-clue-heap:s3:f2,2:m")
    for one in (game, other):
        again = parse_game_id(format_game_id(one)).game()
        assert (again.rules, again.board) == (one.rules, one.board)


def test_whether_a_board_is_dealt_is_known_in_a_moment() -> None:
    """`is_dealt` recognises dealt boards. It gives up early on very rare boards, to save time."""
    rules = replace(mw.BEGINNER, start=NO_GUESS)
    board = mw.deal(rules, 3, (2, 2))
    assert is_dealt(board, rules, 3, (2, 2))
    assert not is_dealt(board, rules, 4, (2, 2))
    dense = Rules(16, 30, 170, NO_GUESS)
    assert not is_dealt(deal_attempt(dense, 1, (3, 3)), dense, 1, (3, 3))


def test_seeds_of_128_bits_deal_such_boards_too() -> None:
    """Seeds of 128 bits also deal no-guess boards, although the core accepts only 64 bits."""
    seed = 2**128 - 1
    rules = replace(mw.BEGINNER, start=NO_GUESS)
    board = mw.deal(rules, seed, (3, 3))
    assert board != mw.deal(rules, seed >> 64, (3, 3))
    assert no_guess.is_no_guess(board, mw.Cell(3, 3))
