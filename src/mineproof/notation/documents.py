"""The text grids in the source documents 000 (letters) and 003 (numbers), for lessons.

The report on resolution uses letters: `X` is a mine, a digit a revealed cell, `M` a flagged cell
and `U` an unknown cell. The report on three agents uses numbers: -3 is outside the board, -2 an
unexplored cell, -1 a mine (on a board) or a flag (in a position), and 0 to 8 a clue. Its "play
ground" also shows the probability of a mine. Each line is a row, with its values separated by
blanks. Neither form contains the number of mines, so pass it when reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from mineproof.core.board import Board
from mineproof.core.clues import EXPLODED, UNOPENED, WITHHELD
from mineproof.core.errors import NotationError, RulesError
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules, check_size
from mineproof.notation.position_text import check_shown
from mineproof.notation.text import BLANKS, quote, split_lines

OUTSIDE, UNEXPLORED, FLAGGED, MINE = "-3", "-2", "-1", "-1"
Value = TypeVar("Value")

# The code of an unopened cell with a flag. Only this module uses it.
_MARKED = 12

_LETTERS = {str(clue): clue for clue in range(9)} | {"X": EXPLODED, "M": _MARKED, "U": UNOPENED}
_NUMBERS = {str(clue): clue for clue in range(9)} | {FLAGGED: _MARKED, UNEXPLORED: UNOPENED}
_BOARD_NUMBERS = {str(clue): clue for clue in range(9)} | {MINE: EXPLODED}


def format_letters(observation: Observation, board: Board | None = None) -> str:
    """Return a position in the letters of document 000.

    If the board is passed, return the debug view, which shows an `X` for every mine without a flag.

    Raises:
        NotationError: if a cell is open without a clue, for which there is no letter.
    """
    shown = bytearray(_coded(observation))
    for mine in () if board is None else board.mine_indices:
        if shown[mine] == UNOPENED:
            shown[mine] = EXPLODED
    return _write(shown, _LETTERS, observation.rules.columns)


def parse_letters(text: str, mines: int | None = None) -> Observation:
    """Return the position written in the letters of document 000. An `X` is a shown mine.

    Raises:
        NotationError: if the text is not such a grid; the message names the line.
    """
    return _observation(_read(text, _LETTERS.get, "0-8, X, M or U"), mines)


def format_numbers(observation: Observation, frame: bool = False) -> str:
    """Return a position in the numbers of document 003.

    -2 is an unexplored cell, -1 a flagged cell, and 0 to 8 a clue. As in the report, a shown mine
    becomes -1, like a flag.

    Args:
        observation: the position.
        frame: whether to add a frame of -3.

    Raises:
        NotationError: if a cell is open without a clue, for which there is no number.
    """
    codes = _coded(observation).replace(bytes([EXPLODED]), bytes([_MARKED]))
    return _write(codes, _NUMBERS, observation.rules.columns, frame)


def parse_numbers(text: str, mines: int | None = None) -> Observation:
    """Return the position written in the numbers of document 003, with or without a frame of -3.

    Raises:
        NotationError: if the text is not such a grid; the message names the line.
    """
    return _observation(_read(text, _NUMBERS.get, "-2, -1 or 0 to 8", framed=True), mines)


def format_board_numbers(board: Board, frame: bool = False) -> str:
    """Return a board in the numbers of document 003: -1 for a mine, otherwise the clue."""
    cells = zip(board.clues, board.mined, strict=True)
    codes = bytes(EXPLODED if mined else clue for clue, mined in cells)
    return _write(codes, _BOARD_NUMBERS, board.columns, frame)


def parse_board_numbers(text: str) -> Board:
    """Return the board written in the numbers of document 003, with or without a frame of -3.

    Raises:
        NotationError: if the text is not such a grid, or a clue does not match its mines.
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


def play_ground(observation: Observation, risks: Mapping[int, float]) -> list[list[float]]:
    """Return the play ground of document 003's first agent, row by row.

    -2 is an unexplored cell, -1 a flagged cell or a shown mine, 0 an explored cell, and any other
    number the probability of a mine from `risks`.
    """
    values = [max(0.0, risks.get(index, 0.0)) or -2.0 for index in range(observation.grid.size)]
    for index, code in enumerate(observation.shown):
        if code == EXPLODED or observation.marks[index]:
            values[index] = -1.0
        elif code != UNOPENED:
            values[index] = 0.0
    return _rows(values, observation.rules.columns)


def format_play_ground(ground: Sequence[Sequence[float]], decimals: int | None = None) -> str:
    """Return the text of a play ground.

    Args:
        ground: its values, row by row.
        decimals: the number of decimals. By default all are written, so that reading is exact.
    """

    def write(value: float) -> str:
        if value <= 0:
            return f"{value:.0f}"
        return repr(float(value)) if decimals is None else f"{value:.{decimals}f}"

    return _lines([list(map(write, row)) for row in ground])


def parse_play_ground(text: str) -> list[list[float]]:
    """Return the play ground that text contains, row by row.

    Raises:
        NotationError: if the text is not such a grid; the message names the line.
    """
    return _read(text, _ground_value, "-2, -1 or a number from 0 to 1")


def _ground_value(word: str) -> float | None:
    if word in (UNEXPLORED, FLAGGED):
        return float(word)
    number = re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,30})?(e-[0-9]{1,3})?", word)
    return float(word) if number and float(word) <= 1 else None


def _coded(observation: Observation) -> bytes:
    """Return the codes of a position, with `_MARKED` for flagged cells."""
    if WITHHELD in observation.shown:
        cell = observation.grid.cell(observation.shown.index(WITHHELD))
        raise NotationError(f"expected a clue on every open cell, but {cell} has none")
    cells = zip(observation.shown, observation.marks, strict=True)
    return bytes(_MARKED if mark and code == UNOPENED else code for code, mark in cells)


def _observation(rows: list[list[int]], mines: int | None) -> Observation:
    codes = bytes(code for row in rows for code in row)
    shown = codes.replace(bytes([_MARKED]), bytes([UNOPENED]))
    marks = bytes(code == _MARKED for code in codes)
    rules = PublicRules(len(rows), len(rows[0]), mines)
    check_shown(shown, rules)
    return Observation(rules, shown, marks)


def _rows(values: list[Value], columns: int) -> list[list[Value]]:
    return [values[start : start + columns] for start in range(0, len(values), columns)]


def _write(
    codes: Iterable[int], words: Mapping[str, int], columns: int, frame: bool = False
) -> str:
    written = {code: word for word, code in words.items()}
    rows = _rows([written[code] for code in codes], columns)
    if frame:
        edge = [OUTSIDE] * (columns + 2)
        rows = [edge, *([OUTSIDE, *row, OUTSIDE] for row in rows), edge]
    return _lines(rows)


def _lines(rows: list[list[str]]) -> str:
    """Return rows of words as text, with the words aligned to the right."""
    width = max(len(word) for row in rows for word in row)
    return "".join(" ".join(word.rjust(width) for word in row) + "\n" for row in rows)


def _read(
    text: str, value: Callable[[str], Any], expected: str, framed: bool = False
) -> list[list[Any]]:
    """Return the values of a grid. `value` must return None for a word that is not valid."""
    lines = enumerate(split_lines(text), 1)
    rows = [(number, re.split(f"[{BLANKS}]+", line)) for number, line in lines if line]
    if not rows:
        raise NotationError("expected a grid, got empty text")
    columns = len(rows[0][1])
    for number, row in rows:
        if len(row) != columns:
            raise NotationError(f"expected {columns} values per row, got {len(row)}", number)
    if framed and rows[0][1][0] == OUTSIDE:
        rows = _without_frame(rows)
    try:
        check_size(len(rows), len(rows[0][1]))
    except RulesError as error:
        raise NotationError(str(error), rows[0][0]) from None
    found = [[value(word) for word in row] for _, row in rows]
    for (number, row), values in zip(rows, found, strict=True):
        if None in values:
            column = values.index(None)
            raise NotationError(
                f"expected {expected}, got {quote(row[column])} at column {column}", number
            )
    return found


def _without_frame(rows: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    edges = [rows[0], rows[-1], *((number, [row[0], row[-1]]) for number, row in rows)]
    for number, row in edges:
        if any(word != OUTSIDE for word in row):
            raise NotationError(f"the frame of {OUTSIDE} has a gap", number)
    if len(rows) < 3 or len(rows[0][1]) < 3:
        raise NotationError(f"expected cells inside the frame of {OUTSIDE}", rows[0][0])
    return [(number, row[1:-1]) for number, row in rows[1:-1]]
