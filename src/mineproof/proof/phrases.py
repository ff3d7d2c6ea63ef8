"""Small phrases: numbers, cells and clues as they stand in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from mineproof.core.words import joined
from mineproof.inference.clue_graph import MINE_COUNT, Statement
from mineproof.proof.statements import Reading

LISTED = 6
"""Cells that a sentence names at most."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number(count: int) -> str:
    """Write small numbers as words."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else f"{count:,}"


def counted(count: int, noun: str) -> str:
    """Write a number with its noun: one mine, two mines."""
    return f"{number(count)} {noun}" if count == 1 else f"{number(count)} {noun}s"


def listed(reading: Reading, cells: Iterable[int]) -> str:
    """Name cells, or only the first of many."""
    names = [str(reading.grid.cell(cell)) for cell in sorted(cells)]
    if len(names) > LISTED:
        names = [*names[: LISTED - 1], f"{len(names) - LISTED + 1} more"]
    return joined(names)


def are(cells: Sequence[int], mined: bool) -> str:
    """Say that cells are safe, or mines."""
    if mined:
        return "is a mine" if len(cells) == 1 else "are mines"
    return "is safe" if len(cells) == 1 else "are safe"


def is_or_are(count: int) -> str:
    """Return the verb for a number of things."""
    return "is" if count == 1 else "are"


def named(reading: Reading, clue: int) -> str:
    """Name a clue: the 2 at (3, 4)."""
    if clue == MINE_COUNT:
        return "the mine count"
    return f"the {reading.observation.shown[clue]} at {reading.grid.cell(clue)}"


def named_all(clues: Sequence[int], name: Callable[[int], str]) -> str:
    """Name several clues, or say how many there are if they are many."""
    if len(clues) > LISTED:
        return f"these {len(clues)} clues"
    return joined(list(map(name, clues)))


def upper(text: str) -> str:
    """Begin with a capital letter."""
    return text[:1].upper() + text[1:]


def meaning(reading: Reading, says: Statement) -> str:
    """Say how many mines a clue allows: two, at least two, at most two, one to two."""
    if says.clue == MINE_COUNT:
        return counted(says.most, "mine")
    degree = len(reading.grid.neighbours(says.clue))
    shown = reading.observation.shown[says.clue]
    bounds = reading.observation.rules.clues.bounds(shown, degree)
    if bounds.least == bounds.most:
        return counted(says.most, "mine")
    if bounds.most == degree:
        return f"at least {counted(says.least, 'mine')}"
    if bounds.least == 0:
        return f"at most {counted(says.most, 'mine')}"
    return between(says.least, says.most)


def between(least: int, most: int) -> str:
    """Write a range of mines: one mine, one to two mines."""
    if least == most:
        return counted(most, "mine")
    return f"{number(least)} to {counted(most, 'mine')}"
