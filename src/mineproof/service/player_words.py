"""Refusals in a player's words: what to do, in place of what was expected."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def _marks(found: re.Match[str]) -> str:
    wanted, got = int(found[1]), int(found[2])
    apart = NUMBERS[abs(wanted - got)] if abs(wanted - got) < len(NUMBERS) else "some"
    if wanted > got:
        return f"Mark {apart} more {'neighbour' if apart == 'one' else 'neighbours'} first."
    return f"Too many neighbours are marked: take {apart} away."


_WORDS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"expected (\d+) marks? next to .* got (\d+)", _marks),
    ("game is paused", "The game is paused: press P to go on."),
    ("game has ended", "The game is over: U takes the last move back, N begins a new one."),
    (
        "unmarked cell, got .* marked|which is marked",
        "This cell is marked: take the mark away first.",
    ),
    ("which is open", "This cell is open already."),
    ("opened cell with a clue to chord", "Only an open number can open the cells around it."),
    ("unmarked unopened cell next to", "There is nothing left to open around this number."),
    ("an unopened cell to (mark|unmark)", "Only an unopened cell can be marked."),
    ("first move to open", "Open a cell first."),
    ("a move to undo", "There is no move to take back."),
    ("an undone move to redo", "There is no move to make again."),
    (r"expected 0 to (\d+) mines", r"This board has room for \1 mines at most."),
    (r"at most (\d+) cells", lambda found: f"A board can have {int(found[1]):,} cells at most."),
    ("fewer questions|busy", "Too much is going on at once. Try again in a moment."),
    (
        "ms_toollib to read",
        "Replays are read where Mineproof is installed with `pip install mineproof[replays]`: "
        "there, `mineproof web` opens this page.",
    ),
    ("its process ended", "That could not be worked out: the file is damaged, or it is too much."),
    (
        "games that are whole, got (.*), put aside",
        r"A saved game is damaged. It was put aside, as \1.damaged.",
    ),
    ("replay that is whole", "This replay is damaged."),
)


def player_words(error: str) -> str:
    """Say what was refused as players say it; other refusals as they stand."""
    for pattern, words in _WORDS:
        found = re.search(pattern, error, re.IGNORECASE)
        if found is not None:
            return found.expand(words) if isinstance(words, str) else words(found)
    return error[:1].upper() + error[1:]


def with_words(message: dict[str, Any]) -> dict[str, Any]:
    """Give a message, and where it refuses something the same for players."""
    return {**message, "words": player_words(message["error"])} if "error" in message else message
