"""What a command or the page is given: games by id or with their moves, positions, boards.

Their first line tells them apart: `{` begins a record, `WIDTHxHEIGHTxMINES` a position, numbers
with blanks between them are a line of a board file, and anything with colons is a game id.
"""

from __future__ import annotations

from mineproof.core.board import Board
from mineproof.core.clues import EXACT, ClueRule
from mineproof.core.errors import InputError, NotationError
from mineproof.core.observation import Observation
from mineproof.core.rules import ANY, Rules
from mineproof.notation.boards import LINE, BoardLine, parse_boards, parse_mbf
from mineproof.notation.game_id import GameId, parse_game_id
from mineproof.notation.position_text import HEADER, parse_positions
from mineproof.notation.records import Record, parse_records
from mineproof.notation.text import decode, quote, split_lines

Input = GameId | Record | Observation
"""A game without moves, a game with them, or a position, whose mines nobody knows."""
KINDS = "a game id, a record, a position in .mine text or a board file"


def parse_inputs(
    text: str, *, flags_are_mines: bool = False, clues: ClueRule = EXACT
) -> list[Input]:
    """Read a text, whatever of these it holds; all that it holds is of one kind.

    Args:
        text: one or several of a kind.
        flags_are_mines: in positions, take each `F` as a fact.
        clues: in positions, what the digits mean.

    Raises:
        NotationError: it is none of them, or something is wrong inside; the message says where.
    """
    line = first_line(text)
    if line.startswith("{"):
        return [*parse_records(text)]
    if LINE.fullmatch(line.partition("#")[0].rstrip()):
        return [_of_line(one) for one in parse_boards(text)]
    if ":" in line and not line[:1].isspace():
        return [parse_game_id(one) for one in split_lines(text) if one and one[0] != "#"]
    return [*parse_positions(text, flags_are_mines=flags_are_mines, clues=clues)]


def parse_input(text: str) -> Input:
    """Read a text, of several things the first.

    Raises:
        NotationError: there is nothing of any kind.
    """
    line = first_line(text)
    if not line:
        raise NotationError(f"expected {KINDS}, got an empty text")
    known = line.startswith("{") or HEADER.fullmatch(line) or ":" in line or LINE.match(line)
    if not known:
        raise NotationError(f"expected {KINDS}, got {quote(line)}")
    return parse_inputs(text)[0]


def parse_file(name: str, data: bytes) -> Input:
    """Read what a file holds; `.mbf` boards are bytes, all else is text."""
    return _of_mbf(data) if name.lower().endswith(".mbf") else parse_input(decode(data))


def first_line(text: str) -> str:
    """Give the first line that is neither blank nor a comment; empty if there is none."""
    lines = split_lines(text)
    return next((line for line in lines if line and not line.startswith("#")), "")


def position_of(given: Input, move: int | None = None) -> Observation:
    """Give the position of whatever was given: of a game the last one, or that before a move.

    Raises:
        InputError: there is no such move.
    """
    if isinstance(given, Observation):
        if move is not None:
            raise InputError("expected --move with a game, got a position")
        return given
    positions = given.positions() if isinstance(given, Record) else [given.game().observation]
    if move is not None and move > len(positions):
        raise InputError(f"expected --move from 1 to {len(positions)}, got {move}")
    return positions[-1 if move is None else move - 1]


def as_game(given: Input) -> GameId | Record:
    """Give back a game.

    Raises:
        NotationError: it is a position, which nobody can play on: its mines are not known.
    """
    if isinstance(given, Observation):
        raise NotationError(
            "expected a game (an id, a record or a board file), got a position, "
            "which does not say where its mines are"
        )
    return given


def _of_line(line: BoardLine) -> GameId:
    return GameId(line.rules, 0, line.first, line.board)


def _of_mbf(data: bytes) -> GameId:
    board: Board = parse_mbf(data)
    rules = Rules(board.rows, board.columns, len(board.mine_indices), ANY)
    return GameId(rules, 0, None, board)
