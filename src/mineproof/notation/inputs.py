"""Inputs of commands and of the page: game ids, records, positions and boards.

The type is detected from the first line. A record starts with `{` and a position with
`WIDTHxHEIGHTxMINES`. Numbers separated by blanks are a line of a board file, and text with colons
is a game id.
"""

from __future__ import annotations

from mineproof.core.clues import EXACT, ClueRule
from mineproof.core.errors import InputError, NotationError
from mineproof.core.observation import Observation
from mineproof.core.rules import ANY, Rules
from mineproof.notation.boards import LINE, parse_boards, parse_mbf
from mineproof.notation.game_id import GameId, parse_game_id
from mineproof.notation.position_text import HEADER, parse_positions
from mineproof.notation.records import Record, parse_records
from mineproof.notation.text import decode, quote, split_lines

Input = GameId | Record | Observation
"""A game without moves, a game with moves, or a position (without known mines)."""
KINDS = "a game id, a record, a position in .mine text or a board file"


def parse_inputs(
    text: str, *, flags_are_mines: bool = False, clues: ClueRule = EXACT
) -> list[Input]:
    """Return all inputs that text contains.

    Args:
        text: one or more inputs, all of the same type.
        flags_are_mines: in positions, treat each `F` as a proved mine.
        clues: in positions, the meaning of the digits.

    Raises:
        NotationError: if the text is of no known type or contains a mistake.
    """
    line = first_line(text)
    if line.startswith("{"):
        return [*parse_records(text)]
    if LINE.fullmatch(line.partition("#")[0].rstrip()):
        return [GameId(one.rules, 0, one.first, one.board) for one in parse_boards(text)]
    if ":" in line and not line[:1].isspace():
        return [parse_game_id(one) for one in split_lines(text) if one and one[0] != "#"]
    return [*parse_positions(text, flags_are_mines=flags_are_mines, clues=clues)]


def parse_input(text: str) -> Input:
    """Return the first input that text contains.

    Raises:
        NotationError: if the text is empty, of no known type, or contains a mistake.
    """
    line = first_line(text)
    if not line:
        raise NotationError(f"expected {KINDS}, got empty text")
    known = line.startswith("{") or HEADER.fullmatch(line) or ":" in line or LINE.match(line)
    if not known:
        raise NotationError(f"expected {KINDS}, got {quote(line)}")
    return parse_inputs(text)[0]


def parse_file(name: str, data: bytes) -> Input:
    """Return the first input in a file. `.mbf` files are read as bytes, all others as text."""
    if not name.lower().endswith(".mbf"):
        return parse_input(decode(data))
    board = parse_mbf(data)
    rules = Rules(board.rows, board.columns, len(board.mine_indices), ANY)
    return GameId(rules, 0, None, board)


def first_line(text: str) -> str:
    """Return the first line that is not blank or a comment, or an empty string."""
    lines = split_lines(text)
    return next((line for line in lines if line and not line.startswith("#")), "")


def position_of(given: Input, move: int | None = None) -> Observation:
    """Return an input's position. For a game, use the last position or the one before `move`.

    Raises:
        InputError: if there is no such move.
    """
    if isinstance(given, Observation):
        if move is not None:
            raise InputError("--move needs a game, but this is a single position. Omit --move")
        return given
    positions = given.positions() if isinstance(given, Record) else [given.game().observation]
    if move is not None and move > len(positions):
        raise InputError(f"expected --move from 1 to {len(positions)}, got {move}")
    return positions[-1 if move is None else move - 1]


def as_game(given: Input) -> GameId | Record:
    """Return the input if it is a game.

    Raises:
        NotationError: if it is a position, which cannot be played because its mines are not known.
    """
    if isinstance(given, Observation):
        raise NotationError(
            "a position cannot be played, because its mines are not known. "
            "Use a game id, a record or a board file"
        )
    return given
