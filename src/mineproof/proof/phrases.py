"""Phrases for sentences: numbers, cells and clues in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from mineproof.core.grid import Cell
from mineproof.core.words import joined
from mineproof.inference.clue_graph import MINE_COUNT, Statement
from mineproof.proof.statements import Reading

LISTED = 6
"""Maximum number of cells or clues that a sentence names."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def number(count: int) -> str:
    """Return a number as text, in words up to nine."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else f"{count:,}"


def counted(count: int, noun: str) -> str:
    """Return a number with its noun, such as `one mine` or `two mines`."""
    return f"{number(count)} {noun}" if count == 1 else f"{number(count)} {noun}s"


def only(count: int, noun: str) -> str:
    """Return a number that is too small, such as `only two cells` or `no cells`."""
    return f"{'only ' if count else ''}{counted(count, noun)}"


def listed(reading: Reading, cells: Iterable[int]) -> str:
    """List cells. If there are many, name the first ones and count the rest."""
    names = [str(reading.grid.cell(cell)) for cell in sorted(cells)]
    if len(names) > LISTED:
        names = [*names[: LISTED - 1], f"{len(names) - LISTED + 1} more"]
    return joined(names)


def are(cells: Sequence[int], mined: bool) -> str:
    """Return `is safe`, `are safe`, `is a mine` or `are mines`."""
    if mined:
        return "is a mine" if len(cells) == 1 else "are mines"
    return "is safe" if len(cells) == 1 else "are safe"


def is_or_are(count: int) -> str:
    """Return `is` or `are`, depending on the number."""
    return "is" if count == 1 else "are"


def named(reading: Reading, clue: int) -> str:
    """Name a clue, such as `the 2 at (3, 4)`."""
    if clue == MINE_COUNT:
        return "the mine count"
    return f"the {reading.observation.shown[clue]} at {reading.grid.cell(clue)}"


def named_all(clues: Sequence[int], name: Callable[[int], str]) -> str:
    """Name several clues, or return how many there are if there are too many to name."""
    if len(clues) > LISTED:
        return f"these {len(clues)} clues"
    return joined(list(map(name, clues)))


def upper(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def meaning(reading: Reading, statement: Statement) -> str:
    """Return how many mines a clue allows, such as `two mines` or `at least two mines`."""
    if statement.clue == MINE_COUNT:
        return counted(statement.most, "mine")
    degree = len(reading.grid.neighbours(statement.clue))
    shown = reading.observation.shown[statement.clue]
    bounds = reading.observation.rules.clues.bounds(shown, degree)
    if bounds.least == bounds.most:
        return counted(statement.most, "mine")
    if bounds.most == degree:
        return f"at least {counted(statement.least, 'mine')}"
    if bounds.least == 0:
        return f"at most {counted(statement.most, 'mine')}"
    return between(statement.least, statement.most)


def between(least: int, most: int) -> str:
    """Return a range of mines, such as `one mine` or `one to two mines`."""
    if least == most:
        return counted(most, "mine")
    return f"{number(least)} to {counted(most, 'mine')}"


def region(cells: Sequence[Cell]) -> str:
    """Name the rows and columns of cells, such as `rows 2 to 4, column 7`."""
    rows = sorted(cell.row for cell in cells)
    columns = sorted(cell.column for cell in cells)
    return f"{_span('row', rows)}, {_span('column', columns)}"


def _span(name: str, numbers: list[int]) -> str:
    low, high = numbers[0], numbers[-1]
    return f"{name} {low}" if low == high else f"{name}s {low} to {high}"
