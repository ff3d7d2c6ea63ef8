"""From a text or file that somebody pastes, opens or names at the start to what it is."""

from __future__ import annotations

from typing import NamedTuple

from mineproof.core.board import Board
from mineproof.core.errors import NotationError
from mineproof.core.rules import ANY, Rules
from mineproof.notation.boards import parse_board_line, parse_mbf
from mineproof.notation.game_id import GameId, format_game_id, parse_game_id
from mineproof.notation.position_text import HEADER, format_position, parse_positions
from mineproof.notation.records import parse_record, verify
from mineproof.notation.text import decode, split_lines
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
    lines = [line for line in split_lines(text) if line and not line.startswith("#")]
    if not lines:
        raise NotationError("expected a game id, a record or a position, got an empty text")
    if lines[0].startswith("{"):
        record = verify(parse_record(lines[0]))
        check_board(record.rules)
        return Opened("record", lines[0])
    if HEADER.fullmatch(lines[0]):
        position = parse_positions(text)[0]
        size = position.rules
        check_board(Rules(size.rows, size.columns, 0))
        return Opened("position", format_position(position))
    if " " in lines[0] or "\t" in lines[0]:
        return _from_board_line(lines[0])
    check_board(parse_game_id(lines[0]).rules)
    return Opened("id", lines[0])


def open_bytes(name: str, data: bytes) -> Opened:
    """Find out what a file holds; `.mbf` boards are bytes, all else is text."""
    if name.lower().endswith(".mbf"):
        return _from_board(parse_mbf(data))
    return open_text(decode(data))


def _from_board(board: Board) -> Opened:
    rules = Rules(board.rows, board.columns, len(board.mine_indices), ANY)
    return Opened("id", format_game_id(GameId(check_board(rules), 0, None, board)))


def _from_board_line(line: str) -> Opened:
    found = parse_board_line(line)
    check_board(found.rules)
    return Opened("id", format_game_id(GameId(found.rules, 0, found.first, found.board)))
