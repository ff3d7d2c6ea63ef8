"""Reads the texts and files that a user pastes, opens or names on the command line."""

from __future__ import annotations

import base64
from typing import NamedTuple

from mineproof.core.errors import InputError
from mineproof.core.observation import Observation
from mineproof.notation.game_id import format_game_id
from mineproof.notation.inputs import Input
from mineproof.notation.position_text import format_position
from mineproof.notation.records import Record, format_record, verify
from mineproof.service.limits import check_board


class Opened(NamedTuple):
    """The contents of a text or file: the `id` of a game, a `record`, or a `position`."""

    kind: str
    text: str


def read_base64(data: str) -> bytes:
    """Return the bytes of a file that a page sent as base64.

    Raises:
        InputError: the text is not base64.
    """
    try:
        return base64.b64decode(data, validate=True)
    except ValueError:
        raise InputError("expected a file as base64") from None


def open_input(given: Input) -> Opened:
    """Return the type and the text of an input.

    Raises:
        InputError: it is too large for the page, or its moves are not legal.
    """
    if isinstance(given, Observation):
        check_board(given.rules)
        return Opened("position", format_position(given))
    check_board(given.rules)
    if isinstance(given, Record):
        return Opened("record", format_record(verify(given)))
    return Opened("id", format_game_id(given))
