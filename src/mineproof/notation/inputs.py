"""Inputs of commands and of the page: game ids, records, positions and boards.

The type is detected from the first line. A record starts with `{` and a position with
`WIDTHxHEIGHTxMINES`. Numbers separated by blanks are a line of a board file, and text with colons
is a game id.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

from mineproof.core.clues import EXACT, ClueRule
from mineproof.core.errors import InputError, NotationError, whole_number, wrong_type
from mineproof.core.game import Game
from mineproof.core.observation import Observation
from mineproof.core.rules import ANY, Rules
from mineproof.notation.boards import LINE, parse_boards, parse_mbf
from mineproof.notation.files import MOST_SOURCE, read_file, read_text, unpacked
from mineproof.notation.game_id import GameId, parse_game_id
from mineproof.notation.position_text import HEADER, parse_positions
from mineproof.notation.records import Record, parse_records
from mineproof.notation.text import decode, quote, split_lines

Input = GameId | Record | Observation
"""A game without moves, a game with moves, or a position (without known mines)."""
Source = Input | Game | str | os.PathLike[str]
"""Anything that names a position: an input, a game, or the text or path of an input."""
KINDS = "a game id, a record, a position in .mine text or a board file"
REPLAYS = (".avf", ".mvf", ".rmv", ".evf")
"""The suffixes of players' replays."""


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
    """Return the first input in a file. `.mbf` files are read as bytes, all others as text.

    Raises:
        NotationError: if the file is of no known type or contains a mistake.
    """
    if not name.lower().endswith(".mbf"):
        return parse_input(decode(unpacked(data, name, MOST_SOURCE)))
    board = parse_mbf(data)
    rules = Rules(board.rows, board.columns, len(board.mine_indices), ANY)
    return GameId(rules, 0, None, board)


def read_inputs(source: str | os.PathLike[str], **how: Any) -> list[Input]:
    """Return the games or positions that a path, a game id or text contains.

    Args:
        source: the path, id or text.
        **how: how to read positions; see `parse_inputs`.

    Raises:
        NotationError: there is no such file, or it contains neither games nor positions.
    """
    name = os.fspath(source)
    is_text = "\n" in name or not name.strip() or name.startswith("{") or LINE.fullmatch(name)
    if isinstance(source, str) and is_text:
        return parse_inputs(name, **how)
    if ":" in name and not os.path.isfile(name):
        return [parse_game_id(name)]
    if not os.path.exists(name):
        raise NotationError(f"expected {KINDS}, but there is no file {name!r}", file=name)
    if name.lower().endswith(".mbf"):
        return [parse_file(name, read_file(name))]
    if name.lower().endswith(REPLAYS):
        # A layer above reads replays in a separate process, so it is imported by name.
        return [importlib.import_module("mineproof.review.replays").read_replay(name)]
    return parse_inputs(read_text(name), **how)


def first_line(text: str) -> str:
    """Return the first line that is not blank or a comment, or an empty string."""
    lines = split_lines(text)
    return next((line for line in lines if line and not line.startswith("#")), "")


def input_of(source: Source, **how: Any) -> Input | Game:
    """Return the one game or position that a source names. `how` says how to read positions.

    Raises:
        TypeError: the source is of another type.
        NotationError: a text or a file does not contain exactly one game or position.
    """
    if isinstance(source, str | os.PathLike):
        found = read_inputs(source, **how)
        if len(found) != 1:
            raise NotationError(f"expected one game or position, got {len(found)}")
        return found[0]
    if isinstance(source, Observation | Game | Record | GameId):
        return source
    raise wrong_type("a Game, an Observation, a Record, a game id, .mine text or a path", source)


def position_of(source: Source, move: int | None = None, **how: Any) -> Observation:
    """Return the position that a source names: for a record, the last or the one before `move`.

    Raises:
        TypeError: the source is of another type, or the move is not a whole number.
        InputError: there is no such move.
    """
    move = None if move is None else whole_number(move, "move")
    given = input_of(source, **how)
    if isinstance(given, Observation):
        if move is not None:
            raise InputError("move needs a game, but this is a single position. Omit move")
        return given
    game = given.game() if isinstance(given, GameId) else given
    positions = [game.observation] if isinstance(game, Game) else game.positions()
    if move is not None and not 1 <= move <= len(positions):
        raise InputError(f"expected move from 1 to {len(positions)}, got {move}")
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
