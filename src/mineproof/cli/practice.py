"""Practice in the terminal: a game goes on from any of its moves."""

from __future__ import annotations

import secrets

from mineproof import advice
from mineproof.core.board import Board
from mineproof.core.errors import InputError
from mineproof.session import Session


def practice(session: Session, number: int, fresh: bool) -> Session:
    """Give a game that goes on before a move, on the same board or on a layout drawn anew.

    Raises:
        InputError: there is no such move, or clues may be wrong.
        WorkLimitError: the layouts are too many to count.
    """
    if number > len(session.moves):
        raise InputError(f"expected a move from 1 to {len(session.moves)}, got {number}")
    step, board = session.offset + number - 1, None
    if fresh:
        layout = advice.draw_layout(session.observation_at(step), secrets.randbits(64))
        board = Board(session.rules.rows, session.rules.columns, layout)
    return session.branch(step, board)
