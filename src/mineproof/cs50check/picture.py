"""Values and positions as text, small and in a fixed order."""

from __future__ import annotations

Cell = tuple[int, int]
LONGEST = 400
_LEGEND = {
    "?": "a cell of the sentence",
    "M": "a mine, as follows from the above",
    "S": "safe, as follows from the above",
    "X": "a mine, but called safe",
    "O": "safe, but called a mine",
    "o": "opened",
    "s": "the AI knows it to be safe",
    "*": "the AI knows it to be a mine",
}


def show(value: object) -> str:
    """Write a value as Python does, sets in order and sentences as they read."""
    text = _show(value)
    return text if len(text) <= LONGEST else text[:LONGEST] + " ..."


def _show(value: object) -> str:
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(_show, value))) + "}" if value else "set()"
    if isinstance(value, list):
        return "[" + ", ".join(map(_show, value)) + "]"
    if hasattr(value, "cells") and hasattr(value, "count") and not isinstance(value, tuple):
        return f"{_show(value.cells)} = {_show(value.count)}"
    return repr(value)


def draw(size: tuple[int, int], marks: dict[Cell, str], caption: str = "") -> list[str]:
    """Draw a board with row and column numbers, and say what the letters mean."""
    height, width = size
    if not height or not width:
        return []
    cell_width = len(str(width - 1)) + 1
    labels = len(str(height - 1))
    lines = [" " * labels + "".join(f"{j:>{cell_width}}" for j in range(width))]
    for i in range(height):
        row = "".join(f"{marks.get((i, j), '.'):>{cell_width}}" for j in range(width))
        lines.append(f"{i:>{labels}}{row}")
    used = [letter for letter in _LEGEND if letter in marks.values()]
    notes = [caption] if caption else [f"{letter}  {_LEGEND[letter]}" for letter in used]
    return lines + notes
