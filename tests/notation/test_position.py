"""`.mine` files: reading, writing, and every mistake that they can contain."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import attempt, drawn_positions, observations

from mineproof.core.clues import EXPLODED, UNOPENED, WITHHELD, Cautious
from mineproof.core.errors import NotationError
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules
from mineproof.notation.position_text import (
    format_position,
    format_positions,
    parse_position,
    parse_positions,
)

EVERY_LETTER = "5x3x4\n012H.\nF-M?1\n00000\n"


def test_every_letter_has_its_meaning() -> None:
    position = parse_position(EVERY_LETTER)
    assert (position.rules.rows, position.rules.columns, position.rules.mines) == (3, 5, 4)
    assert list(position.shown) == [
        *(0, 1, 2, UNOPENED, UNOPENED),
        *(UNOPENED, WITHHELD, EXPLODED, EXPLODED, 1),
        *(0, 0, 0, 0, 0),
    ]
    assert position.marked == {(1, 0)}


def test_digits_up_to_eight() -> None:
    for clue in range(9):
        assert parse_position(f"3x3x8\nHHH\nH{clue}H\nHHH")[1, 1] == clue


def test_flags_are_notes_or_facts() -> None:
    """An F is a flag on an unopened cell, or a shown mine if `flags_are_mines` is set."""
    note = parse_position("2x1x1\nFH")
    fact = parse_position("2x1x1\nFH", flags_are_mines=True)
    assert (note.shown[0], note.marks, note.hits) == (UNOPENED, b"\1\0", 0)
    assert (fact.shown[0], fact.marks, fact.hits) == (EXPLODED, b"\0\0", 1)


def test_unknown_mines_and_clue_model_go_into_the_rules() -> None:
    """A ? in the header means that the number of mines is unknown."""
    model = Cautious()
    rules = parse_position("2x1x?\n1H", clues=model).rules
    assert rules == PublicRules(1, 2, None, clues=model)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff2x2x1\nH1\n11\n",
        "2x2x1\r\nH1\r\n11\r\n",
        "2x2x1 \nH1\t\n11  \n\n\n",
        "\n\n  2x2x1\n  H1\n  11",
        "2x2x1\n.1\n11",
    ],
)
def test_spaces_and_line_ends_mean_nothing(text: str) -> None:
    """Spaces, a byte order mark and Windows line ends are ignored."""
    assert parse_position(text) == parse_position("2x2x1\nH1\n11\n")


def test_several_positions_are_separated_by_blank_lines() -> None:
    found = parse_positions("1x1x0\nH\n\n \r\n2x1x1\n1H\n")
    assert [position.rules.columns for position in found] == [1, 2]
    assert format_positions(found) == "1x1x0\nH\n\n2x1x1\n1H\n"


def test_a_position_may_have_only_mines_left() -> None:
    assert parse_position("1x1x1\nH").rules.mines == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a position, got empty text"),
        (" \r\n\n\ufeff"[:3], "expected a position, got empty text"),
        ("hello", "line 1: expected a header WIDTHxHEIGHTxMINES such as 30x16x99, got 'hello'"),
        (
            "\n2x2\nHH\nHH",
            "line 2: expected a header WIDTHxHEIGHTxMINES such as 30x16x99, got '2x2'",
        ),
        (
            "2X2x1\nHH\nHH",
            "line 1: expected a header WIDTHxHEIGHTxMINES such as 30x16x99, got '2X2x1'",
        ),
        (
            "2x2x-1\nHH\nHH",
            "line 1: expected a header WIDTHxHEIGHTxMINES such as 30x16x99, got '2x2x-1'",
        ),
        (
            "٢x2x1\nHH\nHH",
            "line 1: expected a header WIDTHxHEIGHTxMINES such as 30x16x99, got '٢x2x1'",
        ),
        ("0x2x0\n\n", "line 1: expected 1 to 1000 columns, got 0"),
        ("2x1001x0\nHH", "line 1: expected 1 to 1000 rows, got 1001"),
        ("999999999x2x0\nHH", "line 1: expected 1 to 1000 columns, got 999999999"),
        ("2x2x1\nHH\nHHH", "line 3: expected 2 cells in row 1, got 3"),
        ("2x2x1\nHH\nH", "line 3: expected 2 cells in row 1, got 1"),
        ("2x2x1\nHH", "line 2: expected 2 rows, got 1"),
        ("2x2x1", "line 1: expected 2 rows, got 0"),
        ("2x2x1\nHH\nHH\nHH", "line 4: expected 2 rows, got 3"),
        (
            "3x2x1\nHHH\nH9H",
            "line 3: expected a cell 0-8, H, ., F, M, ? or -, got '9' at row 1, column 1",
        ),
        (
            "2x1x1\nhH",
            "line 2: expected a cell 0-8, H, ., F, M, ? or -, got 'h' at row 0, column 0",
        ),
        (
            "2x2x1\nHH\nH\u2588",
            "line 3: expected a cell 0-8, H, ., F, M, ? or -, got '█' at row 1, column 1",
        ),
        (
            "2x1x1\nH\0",
            "line 2: expected a cell 0-8, H, ., F, M, ? or -, got '\\x00' at row 0, column 1",
        ),
        ("2x1x3\nHH", "line 1: expected 0 to 2 mines (0 shown, 2 cells unopened), got 3"),
        ("3x1x1\nMM2", "line 1: expected 2 to 2 mines (2 shown, 0 cells unopened), got 1"),
        (
            "2x2x1\nH4\nHH",
            "line 2: expected a clue up to 3 at row 0, column 1 (its number of neighbours), got 4",
        ),
        (
            "3x3x1\nHHH\n6HH\nHHH",
            "line 3: expected a clue up to 5 at row 1, column 0 (its number of neighbours), got 6",
        ),
        (
            "3x1x1\nH3H",
            "line 2: expected a clue up to 2 at row 0, column 1 (its number of neighbours), got 3",
        ),
        (
            "1x3x1\nH\nH\n2",
            "line 4: expected a clue up to 1 at row 2, column 0 (its number of neighbours), got 2",
        ),
        (
            "1x1x0\n1",
            "line 2: expected a clue up to 0 at row 0, column 0 (its number of neighbours), got 1",
        ),
        ("1x1x0\nH\n\n1x1x0\nH", "line 4: expected one position, but another follows: '1x1x0'"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, message: str) -> None:
    """The message about a mistake names its line and cell."""
    with pytest.raises(NotationError) as caught:
        parse_position(text)
    assert str(caught.value) == message


def test_a_flag_taken_as_a_fact_counts_against_the_mines() -> None:
    assert parse_position("3x1x1\nF1F").marks == b"\1\0\1"
    with pytest.raises(NotationError, match="expected 2 to 2 mines"):
        parse_position("3x1x1\nF1F", flags_are_mines=True)


def test_errors_of_later_positions_count_lines_from_the_top() -> None:
    with pytest.raises(NotationError) as caught:
        parse_positions("1x1x0\nH\n\n2x1x0\nHQ\n")
    assert caught.value.line == 5


def test_a_marked_open_cell_has_no_text() -> None:
    """A flag on an open cell, which no game produces, is rejected instead of silently dropped."""
    with pytest.raises(
        NotationError, match=r"only on unopened cells, but \(0, 0\) is open and flagged"
    ):
        format_position(Observation(PublicRules(1, 1, 0), b"\0", b"\1"))


@given(drawn_positions())
def test_format_then_parse_gives_the_position_back(position: Observation) -> None:
    assert parse_position(format_position(position)) == position


@given(observations())
def test_positions_of_games_survive(position: Observation) -> None:
    """Positions reached in play, under any rules, survive a round trip."""
    again = parse_position(format_position(position), clues=position.rules.clues)
    assert (again.shown, again.marks) == (position.shown, position.marks)
    assert (again.rules.mines, again.rules.clues) == (position.rules.mines, position.rules.clues)


@given(st.lists(drawn_positions(max_side=3), min_size=1, max_size=4))
def test_files_of_positions_survive(positions: list[Observation]) -> None:
    assert parse_positions(format_positions(positions)) == positions


@given(drawn_positions(max_side=4), st.data())
def test_a_changed_text_is_read_or_refused(position: Observation, data: st.DataObject) -> None:
    text = format_position(position)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 3)))
    letters = st.text(st.sampled_from("0189HF.M?-x\n\r \0é9") | st.characters(), max_size=3)
    changed = text[:start] + data.draw(letters) + text[end:]
    assert _survives(attempt(parse_positions, changed))


@given(st.text() | st.text("0123456789xHFM?.-\n "))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Any position that can be read can be written and read again."""
    assert _survives(attempt(parse_positions, text))


def _survives(positions: list[Observation] | None) -> bool:
    return positions is None or parse_positions(format_positions(positions)) == positions
