"""All limits of the service."""

from __future__ import annotations

from typing import TypeVar

from mineproof.core.errors import InputError
from mineproof.core.rules import PublicRules, Rules

MESSAGE_BYTES = 512 * 1024
"""Maximum size of a message from a page. A message can contain a file."""
FILE_CHARACTERS = 480 * 1024
"""Maximum length of a file in a message, encoded as base64."""
COACHED = 1_000
"""Maximum number of games that the coach sums up."""
COACH_SECONDS = 30.0
"""Time limit for coaching one saved game in the background."""
COACHED_DRILLS = 60
"""Maximum number of drills that the coach sends."""
DRILL_CELLS = 900
"""Maximum number of cells in a drill that comes back."""
CELLS = 40_000
"""Maximum number of cells on a board: 200x200."""
MOVES = 20_000
"""Maximum number of moves in a game."""
VALUES = 40_000
"""Maximum number of values in a message."""
EXPORT_CHARACTERS = 16 * 1024 * 1024
"""Maximum length of an export."""
GAMES = 100
"""Maximum number of open games."""
SAVED_GAMES = 200
"""Maximum number of saved games. Beyond it, the oldest are deleted."""
RESULTS = 5_000
"""Maximum number of stored results. Beyond it, the oldest are deleted."""
QUESTIONS_EACH = 8
"""Maximum number of unanswered questions per page."""
WAITING_EACH = 100
"""Maximum number of waiting commands per page."""
SHORT_SECONDS = 2.0
"""A long question with a time limit below this does not queue behind other long ones."""
QUICK_SECONDS = 15.0
"""Time limit for an agent's move, a hint or a reason."""
ANALYSIS_SECONDS = 60.0
"""Time limit for an analysis. A page may request less time."""
RACE_SECONDS = 300.0
"""Time limit for a race, and for a series of boards, which then ends early."""
SERIES = 1_000
"""Maximum number of boards in a series."""
RACERS = 4
"""Maximum number of agents in a race."""
SETTINGS = 64
"""Maximum number of stored settings."""
SETTINGS_CHARACTERS = 4096
"""Maximum length of all settings together."""
SAVE_SECONDS = 0.2
"""Seconds to wait after a move before saving the game, so that quick moves share one save."""


AnyRules = TypeVar("AnyRules", bound=Rules | PublicRules)


class BusyError(InputError):
    """Too many requests at the same time."""

    code = "busy"


def check_board(rules: AnyRules) -> AnyRules:
    """Return the rules unchanged if the page can show a board of this size.

    Raises:
        InputError: the board is too large.
    """
    check(rules.rows * rules.columns, CELLS, "cells on the page", "board-too-large")
    return rules


def check_moves(count: int) -> None:
    """Check that a game is not too long for the page.

    Raises:
        InputError: it is too long.
    """
    check(count, MOVES, "moves in a game on the page", "game-too-long")


def check(count: int, most: int, what: str, code: str = InputError.code) -> None:
    """Check that a number does not exceed a limit.

    Raises:
        InputError: it does.
    """
    if count > most:
        raise InputError(f"expected at most {most:,} {what}, got {count:,}", code=code, most=most)
