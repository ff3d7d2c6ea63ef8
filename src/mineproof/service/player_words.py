"""Error messages for players, chosen by the code of the error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from mineproof.core.errors import CodedError, ContradictionError

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def _wrong_marks(values: Mapping[str, Any]) -> str:
    missing = values["wanted"] - values["found"]
    number = NUMBERS[abs(missing)]
    if missing < 0:
        return f"Too many flags around this number. Remove {number}."
    return f"Too few flags around this number. Flag {number} more."


WORDS: dict[str, str | Callable[[Mapping[str, Any]], str]] = {
    "already-open": "This cell is already open.",
    "board-too-large": "This board is too large. The page can show {most:,} cells at most.",
    "busy": "Too many requests at once. Try again in a moment.",
    "cannot-mark": "This cell is already open. You can only flag unopened cells.",
    "chord-needs-clue": "This cell shows no number. You can only chord on an open number.",
    "contradiction": "No mine layout fits these clues: {listed}.",
    "damaged-game": "A saved game is damaged and can't be opened. It was moved to {key}.damaged.",
    "damaged-replay": "This replay is damaged. Try another copy of the file.",
    "deadline": "That took longer than {seconds:g} s. Try a smaller board or an easier position.",
    "game-over": "The game is over. Press N for a new game or U to undo.",
    "game-too-long": "This game is too long. The page can show {most:,} moves at most.",
    "internal": "Something went wrong. Try again, or reload the page.",
    "large-export": "The games are too long to export: at most {most:,} characters.",
    "many-games": "The coach sums up at most {most:,} games.",
    "marked": "This cell is flagged. Remove the flag first.",
    "needs-toollib": (
        "This page can't read replays. Run `pip install 'mineproof[replays]'`, "
        "then start `mineproof web`."
    ),
    "nothing-to-chord": "There is nothing left to open around this number.",
    "nothing-to-redo": "There is nothing to redo.",
    "nothing-to-undo": "There is nothing to undo.",
    "open-first": "You can't flag cells before the first click. Open a cell first.",
    "out-of-memory": "There isn't enough memory for that. Try a smaller board.",
    "paused": "The game is paused. Press P to resume.",
    "saved-game": (
        "This game was saved, so your own agent could read its mines. "
        "Start a new game for your agent."
    ),
    "too-many-mines": "That's too many mines. This board has room for {most:,}.",
    "unknown-agent": "There is no agent called {name}. Choose one from the list.",
    "worker-died": "That didn't work. The file may be damaged, or the job may be too big.",
    "wrong-marks": _wrong_marks,
}
"""The message for each code: what is wrong, and what to do."""


def player_words(error: CodedError) -> str:
    """Return the message for players, or the text of the error if its code has none."""
    words = WORDS.get(error.code)
    write = words.format_map if isinstance(words, str) else words
    # An error from user code or an older worker may lack a value.
    with suppress(LookupError, TypeError, ValueError):
        if write is not None:
            return write(error.values)
    text = str(error)
    return text[:1].upper() + text[1:]


def refusal(error: CodedError) -> dict[str, Any]:
    """Return the fields of a message that reports an error to the page."""
    fields: dict[str, Any] = {"error": str(error), "code": error.code, "words": player_words(error)}
    if isinstance(error, ContradictionError):
        fields["conflict"] = error.conflict
    return fields
