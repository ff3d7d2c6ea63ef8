"""What a page may ask for: every limit of the service in one place."""

from __future__ import annotations

from mineproof.core.errors import InputError
from mineproof.core.rules import Rules

MESSAGE_BYTES = 512 * 1024
"""The longest message that a page may send: one with a file in it."""
FILE_CHARACTERS = 480 * 1024
"""The longest file in a message, as base64."""
COACHED = 1_000
"""How many games a coach looks at together."""
COACHED_DRILLS = 60
"""How many drills of them are sent."""
CELLS = 40_000
"""The largest board: 200 x 200."""
MOVES = 20_000
"""The longest game."""
VALUES = 40_000
"""How many values a message may hold."""
EXPORT_CHARACTERS = 16 * 1024 * 1024
"""The longest export."""
GAMES = 100
"""How many games may be open at once."""
SAVED_GAMES = 200
"""How many games are kept; the oldest go first."""
RESULTS = 5_000
"""How many results are kept; the oldest go first."""
QUESTIONS_EACH = 8
"""Questions that one page may have in work at once."""
WAITING_EACH = 100
"""Commands of one page that may wait until it is their turn."""
SHORT_SECONDS = 2.0
"""A long question with a shorter time limit does not wait behind the others."""
QUICK_SECONDS = 15.0
"""Time for an agent's move, a hint or a reason."""
ANALYSIS_SECONDS = 60.0
"""Time for an analysis, unless the page asks for less."""
RACE_SECONDS = 300.0
"""Time for a race."""
RACERS = 4
"""The most agents in a race."""
SETTINGS = 64
"""How many settings are remembered."""
SETTINGS_CHARACTERS = 4096
"""How long they may be together."""
DEPTH = 16
"""How deep the lists and objects of a message may be nested."""
SAVE_SECONDS = 0.2
"""Seconds to wait after a move before saving the game, so that quick moves share one save."""


class BusyError(InputError):
    """Too much has been asked at once."""

    code = "busy"


def check_board(rules: Rules) -> Rules:
    """Give rules back if the page can show such a board.

    Raises:
        InputError: the board is too large.
    """
    cells = rules.rows * rules.columns
    if cells > CELLS:
        raise InputError(
            f"expected at most {CELLS} cells on the page, got {cells}",
            code="board-too-large",
            most=CELLS,
        )
    return rules


def check_moves(count: int) -> None:
    """Refuse a game that is too long for the page.

    Raises:
        InputError: it is.
    """
    if count > MOVES:
        raise InputError(
            f"expected at most {MOVES} moves in a game on the page, got more",
            code="game-too-long",
            most=MOVES,
        )
