"""From a text or file that somebody pastes, opens or names at the start to what it is."""

from __future__ import annotations

import base64
from typing import NamedTuple

from mineproof.core.errors import InputError
from mineproof.core.observation import Observation
from mineproof.core.rules import Rules
from mineproof.notation.game_id import format_game_id
from mineproof.notation.inputs import Input, parse_file, parse_input, parse_inputs
from mineproof.notation.position_text import format_position
from mineproof.notation.records import Record, format_record, verify
from mineproof.notation.text import decode
from mineproof.review.replays import is_replay, parse_replay
from mineproof.service.fields import SHOWN
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


def read_records(name: str, data: bytes) -> list[Record]:
    """Read the games of a file: records, or a player's replay.

    A damaged replay may end the process that reads it.

    Raises:
        InputError: the file holds no games with their moves; the message says what was expected.
    """
    if is_replay(name):
        games: list[Input] = [parse_replay(name, data)]
    else:
        games = parse_inputs(decode(data))
    records = [game for game in games if isinstance(game, Record)]
    if not records or len(records) < len(games):
        raise InputError(f"expected games with their moves, got something else in {name[:SHOWN]}")
    for record in records:
        check_board(record.rules)
    return records


def open_input(given: Input) -> Opened:
    """Take in what was read, if it is not too large for the page and its moves are possible."""
    if isinstance(given, Observation):
        check_board(Rules(given.rules.rows, given.rules.columns, 0))
        return Opened("position", format_position(given))
    check_board(given.rules)
    if isinstance(given, Record):
        return Opened("record", format_record(verify(given)))
    return Opened("id", format_game_id(given))
