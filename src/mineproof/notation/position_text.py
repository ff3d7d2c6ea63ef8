"""Positions as `.mine` text: a header, then one line of letters for each row.

The header is `WIDTHxHEIGHTxMINES`, with `?` if the number of mines is not known. `0` to `8` is an
opened cell with that clue, `H` or `.` an unopened cell, `F` an unopened cell with a flag, `M` or
`?` a shown mine, and `-` an opened cell without a clue. Hill's JSMinesweeper reads and writes the
same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import compress

from mineproof.core.clues import EXACT, EXPLODED, UNOPENED, ClueRule
from mineproof.core.errors import ContradictionError, NotationError, RulesError
from mineproof.core.observation import Observation
from mineproof.core.rules import PublicRules, check_size
from mineproof.notation.text import quote, split_lines

HEADER = re.compile(r"([0-9]{1,9})x([0-9]{1,9})x([0-9]{1,9}|\?)")
LETTERS = "012345678H-M"
"""The letter to write for each cell code."""
MARKED = "F"
_UNKNOWN = 255


class ImpossibleClueError(NotationError, ContradictionError):
    """A clue that exceeds its number of neighbours, so that no layout fits the position."""

    def __init__(self, message: str, line: int | None, cell: tuple[int, int]) -> None:
        """Set the message, and the clue's cell as the conflict."""
        super().__init__(message, line)
        self.conflict = (cell,)


def _table(codes: dict[str, int]) -> bytes:
    return bytes(codes.get(chr(byte), _UNKNOWN) for byte in range(256))


_CODES = {letter: code for code, letter in enumerate(LETTERS)} | {".": UNOPENED, "?": EXPLODED}
_SHOWN = _table(_CODES | {MARKED: UNOPENED})
_MARKS = bytes(byte == ord(MARKED) for byte in range(256))
_WRITTEN = LETTERS.encode().ljust(256, b"!")


def parse_position(
    text: str, *, flags_are_mines: bool = False, clues: ClueRule = EXACT
) -> Observation:
    """Return the position in text that contains exactly one.

    Args:
        text: the `.mine` text.
        flags_are_mines: treat each `F` as a shown mine, not as the player's note.
        clues: the meaning of the digits.

    Raises:
        NotationError: if the text is not one position; the message names the line.
    """
    blocks = list(split_positions(text))
    if len(blocks) > 1:
        line, lines = blocks[1]
        raise NotationError(f"expected one position, but another follows: {quote(lines[0])}", line)
    return _position(*blocks[0], flags_are_mines, clues)


def parse_positions(
    text: str, *, flags_are_mines: bool = False, clues: ClueRule = EXACT
) -> list[Observation]:
    """Return all positions in text. Blank lines separate them; see `parse_position`."""
    return [_position(*block, flags_are_mines, clues) for block in split_positions(text)]


def format_position(observation: Observation) -> str:
    """Return a position as `.mine` text.

    Raises:
        NotationError: if an opened cell is flagged, which has no letter.
    """
    rules = observation.rules
    mines = "?" if rules.mines is None else rules.mines
    return "\n".join([f"{rules.columns}x{rules.rows}x{mines}", *format_rows(observation), ""])


def format_rows(observation: Observation) -> list[str]:
    """Return the letters of a position, one string per row.

    Raises:
        NotationError: if an opened cell is flagged, which has no letter.
    """
    rows, columns = observation.rules.rows, observation.rules.columns
    letters = bytearray(observation.shown.translate(_WRITTEN))
    for index in compress(range(rows * columns), observation.marks):
        if observation.shown[index] != UNOPENED:
            cell = observation.grid.cell(index)
            raise NotationError(
                f"expected flags only on unopened cells, but {cell} is open and flagged"
            )
        letters[index] = ord(MARKED)
    body = letters.decode("ascii")
    return [body[start : start + columns] for start in range(0, rows * columns, columns)]


def format_positions(observations: Iterable[Observation]) -> str:
    """Return several positions as text, with a blank line between them."""
    return "\n".join(format_position(observation) for observation in observations)


def split_positions(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of the first line and the lines of each position.

    Blank lines separate positions. Lines that start with `#` before a position are comments.

    Raises:
        NotationError: if the text contains no position.
    """
    start, found = 0, False
    lines = split_lines(text)
    lines.append("")
    while start < len(lines):
        end = lines.index("", start)
        while start < end and lines[start].startswith("#"):
            start += 1
        if end > start:
            found = True
            yield start + 1, lines[start:end]
        start = end + 1
    if not found:
        raise NotationError("expected a position, got empty text")


def _position(line: int, lines: list[str], flags_are_mines: bool, clues: ClueRule) -> Observation:
    try:
        rules = _header(lines[0], clues)
    except (NotationError, RulesError) as error:
        raise NotationError(str(error), line) from None
    letters = _letters(lines, rules, line)
    shown = letters.translate(_SHOWN)
    if _UNKNOWN in shown:
        index = shown.index(_UNKNOWN)
        raise _unknown_letter(chr(letters[index]), index, rules, line)
    marks = letters.translate(_MARKS) if b"F" in letters else None
    found = Observation(rules, shown, marks)
    if marks and flags_are_mines:
        found = found.with_marks_as_mines()
    check_shown(found.shown, rules, line)
    return found


@lru_cache(maxsize=64)
def _header(line: str, clues: ClueRule) -> PublicRules:
    match = HEADER.fullmatch(line)
    if match is None:
        raise NotationError(
            f"expected a header WIDTHxHEIGHTxMINES such as 30x16x99, got {quote(line)}"
        )
    columns, rows = int(match[1]), int(match[2])
    check_size(rows, columns)
    return PublicRules(rows, columns, None if match[3] == "?" else int(match[3]), clues=clues)


def _letters(lines: list[str], rules: PublicRules, line: int) -> bytes:
    """Return the letters of all rows, after checking their number and lengths."""
    for number, row in enumerate(lines[1 : rules.rows + 1], line + 1):
        if len(row) != rules.columns:
            raise NotationError(
                f"expected {rules.columns} cells in row {number - line - 1}, got {len(row)}", number
            )
    if len(lines) != rules.rows + 1:
        raise NotationError(
            f"expected {rules.rows} rows, got {len(lines) - 1}",
            line + min(len(lines) - 1, rules.rows + 1),
        )
    body = "".join(lines[1:])
    try:
        return body.encode("ascii")
    except UnicodeEncodeError as error:
        raise _unknown_letter(body[error.start], error.start, rules, line) from None


def _unknown_letter(letter: str, index: int, rules: PublicRules, line: int) -> NotationError:
    row, column = divmod(index, rules.columns)
    return NotationError(
        f"expected a cell 0-8, H, ., F, M, ? or -, got {letter!r} at row {row}, column {column}",
        line + 1 + row,
    )


def check_shown(shown: bytes, rules: PublicRules, line: int | None = None) -> None:
    """Reject an impossible mine count, and clues that exceed their number of neighbours.

    Args:
        shown: the codes of the cells.
        rules: the rules.
        line: the number of the line before the first row, for error messages.

    Raises:
        NotationError: if the mine count or a clue is impossible.
    """
    known = shown.count(EXPLODED)
    most = known + shown.count(UNOPENED)
    if rules.mines is not None and not known <= rules.mines <= most:
        raise NotationError(
            f"expected {known} to {most} mines ({known} shown, {most - known} cells unopened), "
            f"got {rules.mines}",
            line,
        )
    for index in rules.grid.border:  # other cells have eight neighbours, so any clue is possible
        most = len(rules.grid.neighbours(index))
        if most < shown[index] < UNOPENED:
            row, column = rules.grid.cell(index)
            raise ImpossibleClueError(
                f"expected a clue up to {most} at row {row}, column {column} "
                f"(its number of neighbours), got {shown[index]}",
                None if line is None else line + 1 + row,
                (row, column),
            )
