"""Moves as text, and errors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moves import chord_cell, mark_cell, open_cell, unmark_cell
from strategies import attempt

from mineproof.core.decision import Reason
from mineproof.core.errors import ContradictionError, InputError, NotationError
from mineproof.core.grid import Cell
from mineproof.core.move import Action, Move

coordinates = st.integers(0, 999)
moves = st.builds(Move, st.sampled_from(Action), st.builds(Cell, coordinates, coordinates))


@given(moves)
def test_format_then_parse_gives_the_move_back(move: Move) -> None:
    assert Move.parse(str(move)) == move


def test_moves_have_short_names() -> None:
    """Each action has a function that makes a move."""
    made = [open_cell(1, 2), mark_cell(1, 2), unmark_cell(1, 2), chord_cell(1, 2)]
    assert [str(move) for move in made] == ["open 1,2", "mark 1,2", "unmark 1,2", "chord 1,2"]
    assert Move.parse("  open 1 2 ") == open_cell(1, 2)


@pytest.mark.parametrize(
    "text", ["", "open", "open 1", "jump 1,2", "open -1,2", "OPEN 1,2", "open ٣,2"]
)
def test_what_is_no_move_is_quoted(text: str) -> None:
    """The message quotes the text and lists the actions."""
    with pytest.raises(NotationError) as caught:
        Move.parse(text)
    assert str(caught.value).startswith("expected a move such as 'open 3,4' (open, mark, unmark,")
    assert str(caught.value).endswith(f"got {text!r}")


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    """Any text is either parsed as a move or raises `NotationError`."""
    attempt(Move.parse, text)


def test_errors_are_builtins_and_keep_their_facts() -> None:
    """Errors are ValueErrors with attributes for the line number and the conflicting clues."""
    assert issubclass(InputError, ValueError)
    assert str(NotationError("expected x", 3)) == "line 3: expected x"
    assert NotationError("expected x").line is None
    assert ContradictionError("none", ((0, 1),), True).conflict == ((0, 1),)
    assert str(Reason("because", (Cell(0, 0),))) == "because"
