"""From a text or file that somebody pastes, opens or names at the start to what it is."""

from __future__ import annotations

import base64
from typing import NamedTuple

from mineproof.core.errors import InputError
from mineproof.core.observation import Observation
from mineproof.core.rules import Rules
from mineproof.notation.game_id import format_game_id
from mineproof.notation.inputs import Input, parse_file, parse_input
from mineproof.notation.position_text import format_position
from mineproof.notation.records import Record, format_record, verify
from mineproof.service.limits import check_board


class Opened(NamedTuple):
    """What a text holds: a game's `id`, a `record`, or a `position` to analyse."""

    kind: str
    text: str


def open_text(text: str) -> Opened:
    """Find out what a text is.

    Raises:
        InputError: it is nothing that the page can show; the message says what was expected.
    """
    return open_input(parse_input(text))


def open_bytes(name: str, data: bytes) -> Opened:
    """Find out what a file holds; see `open_text`."""
    return open_input(parse_file(name, data))


def read_base64(data: str) -> bytes:
    """Read the bytes of a file as a page sends them.

    Raises:
        InputError: they are something else.
    """
    try:
        return base64.b64decode(data, validate=True)
    except ValueError:
        raise InputError("expected a file as base64") from None


def open_input(given: Input) -> Opened:
    """Take in what was read, if it is not too large for the page and its moves are possible."""
    if isinstance(given, Observation):
        check_board(Rules(given.rules.rows, given.rules.columns, 0))
        return Opened("position", format_position(given))
    check_board(given.rules)
    if isinstance(given, Record):
        return Opened("record", format_record(verify(given)))
    return Opened("id", format_game_id(given))
