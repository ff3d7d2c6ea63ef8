"""Boards in a terminal: row and column labels, colours where the terminal has them.

Every cell takes two characters, so that 30 columns fit into 80; the cell that was played
last stands in brackets. All signs are ASCII and differ without colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from mineproof.core.board import Board
from mineproof.core.board_text import SIGNS, column_labels, sign_of
from mineproof.core.clues import UNOPENED
from mineproof.core.grid import Cell, Grid
from mineproof.core.observation import Observation

UNOPENED_SIGN = SIGNS[UNOPENED]
MOST_CELLS = 20_000
"""Boards with more cells than this are never drawn as a whole."""
LEGEND = ". unopened, F marked, * exploded, - open without a clue"
END_LEGEND = "F marked, m mine, x false mark, * exploded"

_STYLES = {
    "1": "bright_blue",
    "2": "green",
    "3": "bright_red",
    "4": "magenta",
    "5": "yellow",
    "6": "cyan",
    "7": "bright_white",
    "8": "bright_black",
    UNOPENED_SIGN: "bright_black",
    "-": "bright_black",
    "*": "bold white on red",
    "x": "bold white on red",
    "m": "red",
    "F": "bold yellow",
}


class Sign(NamedTuple):
    """How one cell looks."""

    letter: str
    style: str = ""


class Window(NamedTuple):
    """The part of a board that is drawn."""

    rows: range
    columns: range


class PipedConsole(Console):
    """A console that leaves it to the program what happens when nobody reads any more."""

    def on_broken_pipe(self) -> None:
        """Say so once; rich itself would end the program with status 1."""
        self.quiet = True
        raise BrokenPipeError


def console(*, stderr: bool = False) -> Console:
    """Give the console that all commands print on; it obeys NO_COLOR and knows pipes."""
    return PipedConsole(stderr=stderr, highlight=False, markup=False, soft_wrap=True)


def draw(
    observation: Observation,
    *,
    board: Board | None = None,
    last: Cell | None = None,
    notes: Mapping[int, Sign] | None = None,
    window: Window | None = None,
) -> Text:
    """Draw a position.

    Args:
        observation: what the player sees.
        board: the truth, where it may be shown.
        last: the cell to put into brackets.
        notes: other signs for unopened cells, such as what an agent has proved.
        window: the part to draw; all by default, of a huge board the part around `last`.
    """
    grid = observation.grid
    shown = window or fit(grid, *_unlimited(grid), last)
    width = len(str(grid.rows - 1))
    text = Text(column_labels(shown.columns, width + 1), "bright_black")
    for row in shown.rows:
        text.append(f"\n{row:>{width}} ", "bright_black")
        for column in shown.columns:
            index = row * grid.columns + column
            sign = _sign(observation, index, board, notes or {})
            text.append(_before(last, row, column))
            text.append(sign.letter, sign.style)
        text.append("]" if last == (row, shown.columns[-1]) else "")
    return text


def _before(last: Cell | None, row: int, column: int) -> str:
    if last == (row, column):
        return "["
    return "]" if last == (row, column - 1) else " "


def _sign(
    observation: Observation, index: int, board: Board | None, notes: Mapping[int, Sign]
) -> Sign:
    letter = sign_of(observation.shown, observation.marks, index, board)
    noted = notes.get(index) if letter == UNOPENED_SIGN else None
    return noted or Sign(letter, _STYLES.get(letter, ""))


def fit(grid: Grid, width: int, height: int, focus: Cell | None) -> Window:
    """Choose the part of a board that fits into so many characters, around a cell."""
    label = len(str(grid.rows - 1)) + 2
    heading = len(str(grid.columns - 1))
    rows = min(grid.rows, max(1, height - heading))
    columns = min(grid.columns, max(1, (width - label) // 2))
    row, column = focus or Cell(0, 0)
    return Window(_around(row, rows, grid.rows), _around(column, columns, grid.columns))


def _unlimited(grid: Grid) -> tuple[int, int]:
    """Give the characters for a board on paper without end, unless nobody could read it."""
    return (10**4, 10**4) if grid.size <= MOST_CELLS else (200, 100)


def _around(place: int, length: int, whole: int) -> range:
    start = max(0, min(place - length // 2, whole - length))
    return range(start, start + length)
