"""Messages for players, chosen by the code of an error."""

from __future__ import annotations

import json
import pickle
import string

import pytest

from mineproof.core.errors import (
    CodedError,
    ContradictionError,
    IllegalMoveError,
    InputError,
    NotationError,
    RulesError,
    WorkLimitError,
    error_from_plain,
    error_to_plain,
)
from mineproof.core.rules import Rules
from mineproof.service.limits import BusyError, check_board
from mineproof.service.player_words import WORDS, player_words, refusal
from mineproof.session import Session


def _refused(session: Session, action: str, cell: tuple[int, int] = (0, 0)) -> str:
    with pytest.raises(IllegalMoveError) as caught:
        getattr(session, action)(*([] if action in ("undo", "redo") else [cell]))
    return player_words(caught.value)


def test_moves_that_are_rejected_say_what_to_do() -> None:
    """The messages come from the errors that the game raises."""
    session = Session(Rules(3, 3, 1), 1)
    assert _refused(session, "undo") == "There is nothing to undo."
    assert _refused(session, "redo") == "There is nothing to redo."
    assert "Open a cell first." in _refused(session, "toggle_mark")
    session.new_from_id("3x3/2:s1:f1,1")
    assert _refused(session, "open", (1, 1)) == "This cell is already open."
    assert "Flag two more." in _refused(session, "chord", (1, 1))
    session.toggle_mark((0, 0))
    assert "Flag one more." in _refused(session, "chord", (1, 1))
    assert "Remove the flag first." in _refused(session, "open", (0, 0))
    session.pause()
    assert "Press P to resume." in _refused(session, "open", (0, 1))
    session.pause(False)
    session.stop()
    assert "The game is over." in _refused(session, "open", (0, 1))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            IllegalMoveError("no", code="wrong-marks", wanted=1, found=2),
            "Too many flags around this number. Remove one.",
        ),
        (BusyError("expected fewer"), "Too many requests at once. Try again in a moment."),
        (InputError("no", code="unknown-agent", name="busy-bee"), "no agent called busy-bee"),
        (ContradictionError("no", ((0, 0),), listed="the 8 at (0, 0)"), "clues: the 8 at (0, 0)."),
        (InputError("something else"), "Something else"),
        (InputError("values of another kind", code="too-many-mines", most="x"), "Values of"),
        (InputError("no values at all", code="wrong-marks"), "No values at all"),
    ],
)
def test_words_come_from_the_code(error: CodedError, words: str) -> None:
    """If an error's code has no message, or its values are wrong, the error's own text is shown."""
    assert words in player_words(error)


def test_too_large_and_too_many_name_the_limit() -> None:
    """Messages about limits write large numbers with commas."""
    with pytest.raises(InputError) as caught:
        check_board(Rules(300, 300, 0))
    assert "40,000 cells at most" in player_words(caught.value)
    with pytest.raises(RulesError) as caught:
        Rules(9, 9, 999)
    assert "room for 80" in player_words(caught.value)


def test_words_go_beside_the_error() -> None:
    """Programs read `code`, programmers read `error`, and players read `words`."""
    found = refusal(NotationError("no", 3, code="damaged-replay"))
    assert found["code"] == "damaged-replay"
    assert found["error"] == "line 3: no"
    assert found["words"] == WORDS["damaged-replay"]


@pytest.mark.parametrize("code", sorted(WORDS))
def test_every_entry_is_a_sentence(code: str) -> None:
    """Each message starts with a capital letter and ends with a full stop."""
    words = WORDS[code]
    if isinstance(words, str):
        assert words[0] in string.ascii_uppercase
        assert words.endswith(".")


@pytest.mark.parametrize(
    "error",
    [
        IllegalMoveError("no", code="wrong-marks", wanted=1, found=2),
        NotationError("no", 7, code="x", most=3),
        ContradictionError("no", ((0, 1),), True, listed="the 8"),
        WorkLimitError("late", code="deadline", seconds=1.5),
    ],
)
def test_codes_and_values_cross_between_processes(error: CodedError) -> None:
    """Errors survive pickling and, from processes with user code, a round trip as plain values."""
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.code, again.values) == (
        type(error),
        str(error),
        error.code,
        error.values,
    )
    plain = error_from_plain(json.loads(json.dumps(error_to_plain(error))))
    assert isinstance(error, type(plain))
    assert (str(plain), plain.code, plain.values) == (str(error), error.code, error.values)


@pytest.mark.parametrize("plain", [None, {}, {"error": "OSError", "text": "no"}, [1]])
def test_other_values_are_no_errors(plain: object) -> None:
    """Other values that user code sends are rejected."""
    with pytest.raises(ValueError, match="expected an error"):
        error_from_plain(plain)
