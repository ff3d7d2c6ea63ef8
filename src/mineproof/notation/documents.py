"""The text boards of the source documents, for lessons: letters (000) and numbers (003).

The letters are those of the report on resolution: `X` a mine, a digit a revealed cell, `M`
a marked one, `U` an unknown one. The numbers are those of the report on three agents: -3
outside the board, -2 unexplored, -1 a mine (of a board) or a flag (of a player), 0 to 8 a
clue, and on its "play ground" the probability of a mine. Values stand with blanks between
them, one line a row. Neither says how many mines there are: give that when reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeVar

from mineproof.core.board import Board
from mineproof.core.clues import EXPLODED, UNOPENED, WITHHELD
from mineproof.core.errors import NotationError, RulesError
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules, check_size
from mineproof.notation.position_text import check_shown
from mineproof.notation.text import BLANKS, quote, split_lines

OUTSIDE, UNEXPLORED, FLAGGED, MINE = "-3", "-2", "-1", "-1"
Value = TypeVar("Value")

# Stands beside the codes of `core.clues` while a text is read: unopened with a mark.
_MARKED = 12

_LETTERS = {str(clue): clue for clue in range(9)} | {"X": EXPLODED, "M": _MARKED, "U": UNOPENED}
_NUMBERS = {str(clue): clue for clue in range(9)} | {FLAGGED: _MARKED, UNEXPLORED: UNOPENED}
_BOARD_NUMBERS = {str(clue): clue for clue in range(9)} | {MINE: EXPLODED}


def format_letters(observation: Observation, board: Board | None = None) -> str:
    """Write a position with the letters of 000; with the board, as its debug view.

    The debug view shows an `X` at every mine that is not marked.

    Raises:
        NotationError: a cell is open without a clue, for which there is no letter.
    """
    shown = bytearray(_coded(observation))
    for mine in () if board is None else board.mine_indices:
        if shown[mine] == UNOPENED:
            shown[mine] = EXPLODED
    return _write(shown, _LETTERS, observation.rules.columns)


def parse_letters(text: str, mines: int | None = None) -> Observation:
    """Read a position with the letters of 000; an `X` is a mine that is shown.

    Raises:
        NotationError: the text is not such a grid; the message says where.
    """
    return _observation(_read(text, _LETTERS.get, "0-8, X, M or U"), mines)


def format_numbers(observation: Observation, frame: bool = False) -> str:
    """Write a position with the numbers of 003: -2 unexplored, -1 flagged, 0 to 8 a clue.

    A mine that is shown becomes -1 like a flag, as there.

    Args:
        observation: the position.
        frame: put a frame of -3 around it.

    Raises:
        NotationError: a cell is open without a clue, for which there is no number.
    """
    codes = _coded(observation).replace(bytes([EXPLODED]), bytes([_MARKED]))
    return _write(codes, _NUMBERS, observation.rules.columns, frame)


def parse_numbers(text: str, mines: int | None = None) -> Observation:
    """Read a position with the numbers of 003, with or without a frame of -3.

    Raises:
        NotationError: the text is not such a grid; the message says where.
    """
    return _observation(_read(text, _NUMBERS.get, "-2, -1 or 0 to 8", framed=True), mines)


def format_board_numbers(board: Board, frame: bool = False) -> str:
    """Write a board with the numbers of 003: -1 a mine, 0 to 8 the clue of any other cell."""
    cells = zip(board.clues, board.mined, strict=True)
    codes = bytes(EXPLODED if mined else clue for clue, mined in cells)
    return _write(codes, _BOARD_NUMBERS, board.columns, frame)


def parse_board_numbers(text: str) -> Board:
    """Read a board with the numbers of 003, with or without a frame of -3.

    Raises:
        NotationError: the text is not such a grid, or a clue does not count its mines.
    """
    rows = _read(text, _BOARD_NUMBERS.get, "-1 or 0 to 8", framed=True)
    codes = [code for row in rows for code in row]
    board = Board(len(rows), len(rows[0]), bytes(code == EXPLODED for code in codes))
    for index, code in enumerate(codes):
        if code not in (EXPLODED, board.clues[index]):
            row, column = divmod(index, board.columns)
            raise NotationError(
                f"expected the clue {board.clues[index]} at row {row}, column {column} "
                f"(its number of mines), got {code}"
            )
    return board


class PlayGround(NamedTuple):
    """What 003's first agent keeps: which cells it explored and flagged, and its probabilities.

    Cells are indices. Those in none of the three are unexplored and unknown.
    """

    rows: int
    columns: int
    explored: frozenset[int]
    flagged: frozenset[int]
    risks: Mapping[int, float]


def play_ground(observation: Observation, risks: Mapping[int, float]) -> PlayGround:
    """Put a position and an agent's probabilities together as 003 does; shown mines are flagged."""
    shown, marks = observation.shown, observation.marks
    flagged = frozenset(i for i, code in enumerate(shown) if code == EXPLODED or marks[i])
    explored = frozenset(i for i, code in enumerate(shown) if code not in (UNOPENED, EXPLODED))
    kept = {i: risk for i, risk in risks.items() if i not in flagged | explored and risk > 0}
    return PlayGround(observation.rules.rows, observation.rules.columns, explored, flagged, kept)


def format_play_ground(ground: PlayGround, decimals: int | None = None) -> str:
    """Write a play ground: -2 unexplored, -1 flagged, 0 explored, else the probability of a mine.

    Args:
        ground: the play ground.
        decimals: how many decimals to write; all of them by default, so that it can be read back.
    """
    texts = dict.fromkeys(ground.explored, "0") | dict.fromkeys(ground.flagged, FLAGGED)
    for index, risk in ground.risks.items():
        texts[index] = repr(float(risk)) if decimals is None else f"{risk:.{decimals}f}"
    size = ground.rows * ground.columns
    return _lines([texts.get(index, UNEXPLORED) for index in range(size)], ground.columns)


def parse_play_ground(text: str) -> PlayGround:
    """Read a play ground.

    Raises:
        NotationError: the text is not such a grid; the message says where.
    """
    rows = _read(text, _ground_value, "-2, -1 or a number from 0 to 1")
    values = [value for row in rows for value in row]
    return PlayGround(
        len(rows),
        len(rows[0]),
        frozenset(index for index, value in enumerate(values) if value == 0),
        frozenset(index for index, value in enumerate(values) if value == -1),
        {index: value for index, value in enumerate(values) if value > 0},
    )


def _ground_value(word: str) -> float | None:
    if word in (UNEXPLORED, FLAGGED):
        return float(word)
    number = re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,30})?(e-[0-9]{1,3})?", word)
    return float(word) if number and float(word) <= 1 else None


def _coded(observation: Observation) -> bytes:
    """Give the codes of a position with `_MARKED` at its marks."""
    if WITHHELD in observation.shown:
        cell = observation.grid.cell(observation.shown.index(WITHHELD))
        raise NotationError(f"expected a clue on every open cell, got none at {cell}")
    cells = zip(observation.shown, observation.marks, strict=True)
    return bytes(_MARKED if mark and code == UNOPENED else code for code, mark in cells)


def _observation(rows: list[list[int]], mines: int | None) -> Observation:
    codes = bytes(code for row in rows for code in row)
    shown = codes.replace(bytes([_MARKED]), bytes([UNOPENED]))
    marks = bytes(code == _MARKED for code in codes)
    rules = PublicRules(len(rows), len(rows[0]), mines)
    check_shown(shown, rules)
    return Observation(rules, shown, marks)


def _write(
    codes: Iterable[int], words: Mapping[str, int], columns: int, frame: bool = False
) -> str:
    written = {code: word for word, code in words.items()}
    return _lines([written[code] for code in codes], columns, frame)


def _lines(words: list[str], columns: int, frame: bool = False) -> str:
    """Write words in rows, aligned to the right."""
    rows = [words[start : start + columns] for start in range(0, len(words), columns)]
    if frame:
        edge = [OUTSIDE] * (columns + 2)
        rows = [edge, *([OUTSIDE, *row, OUTSIDE] for row in rows), edge]
    width = max(len(word) for row in rows for word in row)
    return "".join(" ".join(word.rjust(width) for word in row) + "\n" for row in rows)


def _read(
    text: str, value: Callable[[str], Value | None], expected: str, framed: bool = False
) -> list[list[Value]]:
    """Read rows of words of equal length; `value` gives None where a word is not as expected."""
    lines = enumerate(split_lines(text), 1)
    rows = [(number, re.split(f"[{BLANKS}]+", line)) for number, line in lines if line]
    if not rows:
        raise NotationError("expected a grid, got an empty text")
    columns = len(rows[0][1])
    for number, row in rows:
        if len(row) != columns:
            raise NotationError(f"expected {columns} values a row, got {len(row)}", number)
    if framed and rows[0][1][0] == OUTSIDE:
        rows = _without_frame(rows)
    try:
        check_size(len(rows), len(rows[0][1]))
    except RulesError as error:
        raise NotationError(str(error), rows[0][0]) from None
    found: list[list[Value]] = []
    for number, row in rows:
        found.append([])
        for column, word in enumerate(row):
            one = value(word)
            if one is None:
                raise NotationError(
                    f"expected {expected}, got {quote(word)} at column {column}", number
                )
            found[-1].append(one)
    return found


def _without_frame(rows: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """Take the frame of -3 off."""
    edges = [rows[0], rows[-1], *((number, [row[0], row[-1]]) for number, row in rows)]
    for number, row in edges:
        if any(word != OUTSIDE for word in row):
            raise NotationError(f"expected a frame of {OUTSIDE} all round, got a gap", number)
    if len(rows) < 3 or len(rows[0][1]) < 3:
        raise NotationError("expected cells inside the frame, got none", rows[0][0])
    return [(number, row[1:-1]) for number, row in rows[1:-1]]
