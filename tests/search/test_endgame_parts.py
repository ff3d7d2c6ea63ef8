"""Positions that divide into parts, compared with a search of the undivided position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from conftest import Require
from minimax_oracle import divided_position
from search_positions import search_in_core

from mineproof.backend import native
from mineproof.core.observation import Observation
from mineproof.inference.budget import Budget
from mineproof.notation.position_text import parse_position
from mineproof.search.best_play import divide, solve_groups
from mineproof.search.choice import GuessSettings
from mineproof.search.endgame import Endgame
from mineproof.search.layouts import DividedPosition
from mineproof.search.winning import search_in_python

LARGE = 10**6
MOST_LAYOUTS = 150


@pytest.fixture(scope="module", params=["python", "native"])
def search(request: pytest.FixtureRequest, require: Require) -> Any:
    """Return one of the two implementations as `search(observation, limits, moves)`."""
    if request.param == "python":
        return search_in_python
    require("native", native is not None, "the native core is not there")
    return search_in_core


def whole_game(seen: Observation) -> tuple[Endgame, tuple[int, ...]]:
    """Return the game on the full list of layouts, and its cells."""
    position = DividedPosition(seen)
    whole = position.whole()
    rows = position.rows(whole, LARGE)
    assert rows is not None
    return Endgame(rows[position.mines]), whole.cells


def divided(count: int) -> Iterator[Observation]:
    """Return positions that divide into parts, with few layouts in total."""
    for seed in range(count):
        seen = divided_position(seed)
        if DividedPosition(seen).whole().layouts <= MOST_LAYOUTS:
            yield seen


@pytest.mark.parametrize("limit", [3, 12, 50])
def test_parts_against_the_whole(search: Any, limit: int) -> None:
    """Exact values are correct, other values are lower bounds, and no move beats the best move."""
    exact = rough = moves = 0
    for seen in divided(150):
        game, cells = whole_game(seen)
        found = search(seen, GuessSettings(layouts=limit, endgame_work=LARGE), True)
        values = {cell: move.value for cell, move in zip(cells, game.all(), strict=True)}
        best = max(values.values(), default=game.total)
        exact += found.exact
        if found.exact:
            assert found.win == pytest.approx(best / game.total, abs=1e-12)
        elif found.win is not None:
            rough += 1
            assert found.win <= best / game.total + 1e-12
        if found.best is not None:
            assert values[found.best] == best
        for cell, chance in found.moves.items():
            moves += 1
            assert chance == pytest.approx(values[cell] / game.total, abs=1e-12)
    assert exact > 20
    assert moves > 50
    assert rough > 0 or limit != 12


def test_regions_finished_in_turn_may_be_exact() -> None:
    """Positions with several regions are solved without listing combinations of their layouts."""
    varied = exact = 0
    for seen in divided(150):
        position = DividedPosition(seen)
        if any(len(part.regions) > 1 for part in divide(position.regions, position.mines)):
            game, _ = whole_game(seen)
            largest = max(region.layouts for region in position.regions)
            found = solve_groups(position, largest, False, Budget())
            if largest >= game.total:
                continue
            varied += 1
            exact += found.exact
            assert found.win is not None
            assert float(found.win) <= game.best().value / game.total + 1e-12
    assert varied > 20
    assert exact > varied // 3


def enclosed_corner() -> Observation:
    """Return a position with a separate corner. The layouts of the rest are too many to list."""
    rest = "0" * 20 + "1" + "H" * 6
    lane = "0" * 23 + "1" + "H" * 6
    lines = ["HH1" + rest, "H21" + rest, "110" + rest, *[lane] * 13]
    return parse_position("30x16x40\n" + "\n".join(lines) + "\n")


def test_a_part_with_a_fixed_number_of_mines(search: Any) -> None:
    """The best move in a separate corner is found although the rest is too large to search."""
    seen = enclosed_corner()
    found = search(seen, GuessSettings(layouts=100, endgame_work=LARGE), True)
    assert found.win is None
    assert not found.exact
    assert found.moves == {}
    assert found.best is not None
    assert seen.grid.cell(found.best) in {(0, 0), (0, 1), (1, 0)}


def test_parts_multiply(search: Any) -> None:
    """The chances of separate parts are multiplied: two 50/50s, or a 50/50 and untouched cells."""
    pairs = search(
        parse_position("6x2x2\nH1001H\nH1001H\n"),
        GuessSettings(layouts=2, endgame_work=LARGE),
        True,
    )
    assert pairs.exact
    assert pairs.moves == {i: pytest.approx(0.25) for i in (0, 5, 6, 11)}
    field = search(
        parse_position("6x1x2\nH1H-HH\n"), GuessSettings(layouts=2, endgame_work=LARGE), True
    )
    assert field.exact
    assert field.win == pytest.approx(0.25)
    assert field.moves.keys() == {0, 2, 4, 5}
