"""The function `mw.analyse`, and its results in Python and as JSON."""

from __future__ import annotations

import itertools
import json
import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from layout_oracle import MODELS, Oracle, random_position
from suites import answers, positions

import mineproof as mw
from mineproof.backend import native
from mineproof.core.clues import UNOPENED, ClueRule
from mineproof.core.observation import Observation
from mineproof.core.words import decimal
from mineproof.inference.counting import Density, Known, count
from mineproof.notation.position_text import format_position, parse_position
from mineproof.proof import ranking
from mineproof.proof.ranking import rank, safest, unopened_neighbours
from mineproof.search.winning import PLAYOUTS

LAST_CELLS = "5x2x2\nHH1HH\nHH1HH\n"
FIELDS = [
    "rows",
    "columns",
    "mines",
    "layouts",
    "safe",
    "mined",
    "risk",
    "exact",
    "moves",
    "win",
    "win_exact",
    "elapsed_ms",
]


def test_text_and_observation_give_the_same() -> None:
    text = mw.analyse(LAST_CELLS)
    seen = mw.analyse(parse_position(LAST_CELLS))
    assert (text.rows, text.columns, text.mines) == (2, 5, 2)
    assert text.layouts == seen.layouts
    assert text.risk == seen.risk
    assert text.moves == seen.moves
    assert text.exact
    assert (text.win, text.win_exact) == (seen.win, seen.win_exact)


@pytest.mark.parametrize("place", [0, 2, 14, 250])
def test_fields_of_an_expert_position(place: int) -> None:
    seen = positions("expert-stuck")[place]
    found = mw.analyse(format_position(seen))
    answer = answers("expert-stuck")[place]
    facts = count(seen)
    assert found.layouts == answer.layouts
    assert len(found.safe) == answer.safe
    assert [seen.grid.index(cell) for cell in found.safe] == list(facts.safe)
    assert [seen.grid.index(cell) for cell in found.mined] == list(facts.mined)
    flat = [value for row in found.risk for value in row]
    for index, value in enumerate(flat):
        assert (value is None) == (seen.shown[index] != UNOPENED)
        assert value is None or value == facts.risk[index]
    listed = {seen.grid.index(move.cell) for move in found.moves}
    assert listed == set(seen.unopened).difference(facts.mined)
    assert len(found.moves) == len(listed)


def test_the_order_of_moves() -> None:
    """Moves are sorted by risk, then by number of unopened neighbours, then in row order."""
    seen = positions("expert-stuck")[14]
    facts = count(seen)
    order = rank(facts)
    around = unopened_neighbours(seen)
    keys = [(facts.risk[i], around[i], i) for i in order]
    grid, shown = seen.grid, seen.shown
    assert list(around) == [
        sum(shown[other] == UNOPENED for other in grid.neighbours(i)) for i in range(len(shown))
    ]
    for (risk, near, index), (next_risk, next_near, next_index) in itertools.pairwise(keys):
        assert next_risk > risk - ranking.EQUAL
        if abs(next_risk - risk) <= ranking.EQUAL:
            assert (near, index) < (next_near, next_index)
    assert safest(facts) == order[0]


def test_best_play_comes_first_where_it_is_known() -> None:
    """Moves are sorted by win chance, even if a move with a lower risk wins less often."""
    found = mw.analyse("4x4x4\n" + "HHHH\n" * 4)
    wins = [move.win or 0.0 for move in found.moves]
    assert found.win_exact
    assert found.win == wins[0] == pytest.approx(961 / 1820)
    assert wins == sorted(wins, reverse=True)
    assert {tuple(move.cell) for move in found.moves[-4:]} == {(1, 1), (1, 2), (2, 1), (2, 2)}


def test_a_risk_worth_taking() -> None:
    """In the example from the docs, the safest move wins half as often as the best move."""
    found = mw.analyse("4x3x5\n1H2H\nH4HH\nHHH2\n")
    assert (found.layouts, found.win, found.win_exact) == (4, 0.5, True)
    best, safest = found.moves[:2]
    assert (best.cell, best.risk, best.win) == ((0, 3), 0.5, 0.5)
    assert (safest.cell, safest.risk, safest.win) == ((0, 1), 0.25, 0.25)


def test_some_wins_unknown() -> None:
    seen = positions("expert-stuck")[14]
    facts = count(seen)
    plain = rank(facts)
    assert rank(facts, {plain[3]: 0.5, plain[5]: 0.25}) == [plain[3], *plain[:3], *plain[4:]]


@pytest.mark.skipif(native is None, reason="the native core is not built")
@pytest.mark.parametrize("place", [0, 2, 14, 250])
def test_few_moves_are_the_first_of_all_moves(place: int) -> None:
    seen = positions("expert-stuck")[place]
    found = mw.analyse(format_position(seen))
    wins = {seen.grid.index(move.cell): move.win or 0.0 for move in found.moves if move.win}
    order = rank(found.facts, wins)
    if not found.win_exact:
        order.sort(key=lambda index: -wins.get(index, 0.0))
    for many in (0, 1, 3, 7, len(order)):
        few = [seen.grid.index(move.cell) for move in found.best_moves(many)]
        assert few == order[:many]


def test_moves_name_the_playouts_behind_their_chances() -> None:
    """A chance that is the mean of playouts comes with their number and its standard error."""
    found = mw.analyse(mw.Game("beginner", seed=7, first=(0, 0)))
    best, other = found.moves[0], found.moves[-1]
    assert (best.cell, best.playouts, other.playouts) == (found.safe[0], PLAYOUTS, 0)
    low, high = best.interval
    assert best.win is not None
    assert 0.9 < low < best.win < high <= 1
    exact = mw.analyse(LAST_CELLS).moves[0]
    assert (exact.win_exact, exact.playouts, exact.error) == (True, 0, 0)


def test_the_last_bits_do_not_decide_a_tie() -> None:
    """Risks that differ only by rounding count as equal when moves are sorted."""

    class Rounded:
        observation = parse_position("4x1x1\nHHHH\n")
        mined: tuple[int, ...] = ()
        risk = (0.25, 0.25 - 2**-50, 0.25 - 2**-52, 0.25 + 2**-51)

    facts = Rounded()
    assert rank(facts) == [0, 3, 1, 2]  # type: ignore[arg-type]
    assert safest(facts) == 0  # type: ignore[arg-type]


def test_no_moves_when_not_asked_for() -> None:
    """`moves=False` omits the moves and the win chance, and does not change the risks."""
    found = mw.analyse(LAST_CELLS, moves=False)
    assert found.moves == ()
    assert found.win is None
    assert found.risk == mw.analyse(LAST_CELLS).risk


@pytest.mark.parametrize("text", [LAST_CELLS, "3x3x?\nHHH\nH2F\nHHH"])
def test_an_analysis_can_be_pickled(text: str) -> None:
    """The copy has the same facts, and can compute those that nobody has read yet."""
    found = mw.analyse(text)
    copy = pickle.loads(pickle.dumps(found))
    assert copy.to_plain() == found.to_plain()
    assert copy.facts.sample(3) == found.facts.sample(3)


def test_json_is_the_contract() -> None:
    """The JSON is a single line.

    The number of layouts is a string, and open cells have null risks.
    """
    line = mw.analyse("4x2x3\nHH2M\nHHHF\n").to_json()
    assert "\n" not in line
    plain = json.loads(line)
    assert list(plain) == FIELDS
    assert plain["layouts"] == "8"
    assert plain["safe"] == plain["mined"] == []
    assert plain["risk"][0][2] is None
    assert plain["risk"][0][3] is None
    assert plain["moves"][0].keys() == {"cell", "risk", "win"}
    assert plain["win"] == plain["moves"][0]["win"] == 0.375
    assert plain["win_exact"] is True
    assert plain["elapsed_ms"] >= 0


def test_shown_mines_and_flags() -> None:
    """An `M` is a shown mine. An `F` is a mine only with `flags_are_mines=True`."""
    notes = mw.analyse("3x1x1\nHFH\n")
    assert notes.risk == [[pytest.approx(1 / 3)] * 3]
    facts = mw.analyse("3x1x1\nHFH\n", flags_are_mines=True)
    assert facts.risk == [[0.0, 1.0, 0.0]]
    assert facts.mined == ((0, 1),)
    assert [move.cell for move in facts.moves] == [(0, 0), (0, 2)]
    shown = mw.analyse("3x1x1\nHMH\n")
    assert shown.risk == [[0.0, None, 0.0]]
    assert shown.mined == ()
    with pytest.raises(mw.ContradictionError):
        mw.analyse("3x1x1\nHFF\n", flags_are_mines=True)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_digits_mean_what_the_model_says(model: ClueRule) -> None:
    """`analyse` accepts a clue rule, or its text, and computes the risks under that rule."""
    seen = random_position(12, model)
    assert seen.rules.mines is not None
    oracle = Oracle(seen, Known(seen.rules.mines))
    text = format_position(seen)
    for clues in (model, str(model)):
        found = mw.analyse(text, clues=clues)
        assert found.layouts == len(oracle.layouts)
        for index in seen.unopened:
            row, column = seen.grid.cell(index)
            assert found.risk[row][column] == pytest.approx(float(oracle.risk(index)), abs=1e-12)
    bare = Observation(
        mw.PublicRules(seen.rules.rows, seen.rules.columns, seen.rules.mines), seen.shown
    )
    assert mw.analyse(bare, clues=model).layouts == len(oracle.layouts)


def test_an_unknown_number_of_mines() -> None:
    """If the mine count is unknown, `analyse` uses the given density, or estimates the density."""
    text = "4x1x?\nH1HH\n"
    found = mw.analyse(text, density=0.4)
    assert found.mines is None
    assert found.facts.prior == Density(0.4)
    assert found.risk[0][3] == pytest.approx(0.4)
    assert 0.05 < (mw.analyse(text).risk[0][3] or 0) < 0.5
    assert mw.analyse("4x1x1\nH1HH\n", density=0.4).risk[0][3] == 0.0
    with pytest.raises(mw.InputError, match="density between 0 and 1"):
        mw.analyse(text, density=1.5)


def test_limits() -> None:
    """If a limit is exceeded, `analyse` raises an error, or estimates the risks if allowed."""
    text = format_position(positions("expert-stuck")[1])
    with pytest.raises(mw.WorkLimitError):
        mw.analyse(text, nodes=3)
    found = mw.analyse(text, nodes=3, sampled=True)
    assert not found.exact
    assert found.layouts is None
    assert json.loads(found.to_json())["layouts"] is None
    assert mw.analyse(text, budget=60.0).exact


@pytest.mark.parametrize(
    "text", ["", "3x1x1\nHH\n", "3x1x1\n1H1\n\n3x1x1\nHHH\n", "3x1x9\nHHH\n", "x"]
)
def test_texts_that_are_no_position(text: str) -> None:
    with pytest.raises(mw.NotationError):
        mw.analyse(text)


@given(st.data())
def test_any_text_is_answered_or_refused(data: st.DataObject) -> None:
    """For rows of random letters, `analyse` returns consistent facts or raises `InputError`."""
    rows, columns = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 5))
    letters = st.text("HHHHH.FM?-0112345678Hx", min_size=columns, max_size=columns)
    lines = data.draw(st.lists(letters, min_size=rows, max_size=rows))
    mines = data.draw(st.integers(0, 12).map(str) | st.just("?"))
    text = "\n".join([f"{columns}x{rows}x{mines}", *lines])
    try:
        found = mw.analyse(text, clues=data.draw(st.sampled_from([None, *MODELS])))
    except mw.InputError:
        return
    assert found.layouts
    flat = [value for row in found.risk for value in row]
    assert flat.count(0.0) == len(found.safe)
    assert flat.count(1.0) == len(found.mined)
    if mines != "?":
        total = sum(value for value in flat if value) + found.facts.observation.hits
        assert total == pytest.approx(int(mines))


def test_a_contradiction_is_an_error_with_the_clues() -> None:
    """The error lists a minimal set of clues that contradict each other."""
    with pytest.raises(mw.ContradictionError) as caught:
        mw.analyse("5x1x2\n0H2HH\n")
    assert caught.value.conflict == ((0, 0), (0, 2))


def test_numbers_of_any_length() -> None:
    """Numbers that are too long for `str` are written correctly, including their zeros."""
    for number in (0, 7, 10**3999, 10**4000, 10**9000 + 12345, 3**20000):
        text = decimal(number)
        value = 0
        for start in range(0, len(text), 1000):
            part = text[start : start + 1000]
            value = value * 10 ** len(part) + int(part)
        assert value == number
        assert text == "0" or text[0] != "0"


def test_a_huge_board_has_its_digits() -> None:
    """For a board with 40,000 cells, all digits of the number of layouts are written."""
    size = 200
    shown = bytes([UNOPENED]) * (size * size)
    found = mw.analyse(Observation(mw.PublicRules(size, size, 8000), shown), moves=False)
    digits = json.loads(found.to_json())["layouts"]
    assert found.layouts == math.comb(40_000, 8_000)
    assert len(digits) > 4300


@pytest.mark.parametrize(
    "wrong",
    [
        {"density": 0.0},
        {"density": 2.0},
        {"density": math.nan},
        {"budget": 0.0},
        {"budget": -1.0},
        {"budget": math.nan},
        {"nodes": 0},
        {"nodes": -5},
        {"nodes": 10**30},
    ],
)
def test_limits_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    """An invalid limit is an error, even if it would not affect the position."""
    for text in (LAST_CELLS, "3x1x?\nH1H\n"):
        with pytest.raises(mw.InputError, match=r"expected .*, got"):
            mw.analyse(text, **wrong)  # type: ignore[arg-type]


def test_a_position_is_an_observation_or_text() -> None:
    """Values of other types are rejected, and the error names the type."""
    for wrong in (None, LAST_CELLS.encode(), 5):
        with pytest.raises(TypeError, match="expected a Game, an Observation, a Record"):
            mw.analyse(wrong)  # type: ignore[arg-type]


def test_the_package_keeps_its_names() -> None:
    """`mw.analyse` is the function, not the submodule with the same name."""
    assert callable(mw.analyse)
    assert mw.Analysis.__name__ == "Analysis"
    assert repr(mw.analyse(LAST_CELLS)).startswith("<Analysis 2x5, ")


@pytest.mark.skipif(mw.backend() != "native", reason="playouts need the native core")
def test_a_deep_analysis_improves_an_estimate_and_no_exact_chance() -> None:
    """Each round plays out the best moves once more; an exact chance cannot be improved."""
    rows = "HHHHHHHH H2HHHHHH HHHHHHHH HHH3HHHH HHHHHHHH HHHHHH1H HHHHHHHH HHHHHHHH"
    text = "\n".join(["8x8x12", *rows.split()])
    found = mw.analyse(text, budget=60.0)
    assert found.win is not None
    quick, rounds = found.win, found.deepen()
    first, second = next(rounds), next(rounds)
    assert second == 2 * first > 0
    assert not found.win_exact
    assert found.win != quick
    assert abs(found.win - quick) < 0.2
    assert found.moves[0].win == found.win
    assert list(mw.analyse("4x1x1\nH1HH\n", budget=60.0).deepen()) == []
