"""Boards and games as text for the terminal, in colour if it has colours.

Every cell takes two characters, so that 30 columns fit into 80. The last cell played is in
brackets. All signs can be told apart without colour. They are ASCII, except on a full screen.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

from rich.console import Console
from rich.text import Span, Text

from mineproof import Analysis, Board, Cell, Observation
from mineproof.advice.chances import Risks
from mineproof.core.board_text import SIGNS, column_labels, sign_of
from mineproof.core.clues import UNOPENED, WITHHELD
from mineproof.core.grid import Grid

UNOPENED_SIGN = SIGNS[UNOPENED]
MOST_CELLS = 20_000
"""Maximum number of cells to draw. Of a larger board, only a part is drawn."""
_IN_PLAY = {".": "unopened", "F": "flagged", "*": "exploded", "-": "open without a clue"}
_AT_END = {"F": "flagged", "m": "mine", "x": "wrong flag", "*": "exploded"}
TILES = {".": "\u25aa", "F": "\u2691", "!": "\u2690", "m": "\u2739", "*": "\u2739", "x": "\u2717"}
"""Unicode characters for signs: square, flags, stars, cross. All are one column wide."""
RISK_LEGEND = "++ safe, ** mine, 07 risk in percent, <1 below 1, 7 clue, M mine shown, - no clue"

DIM = "bright_black"
_RISK_STYLES = ((0.1, "green"), (0.2, "yellow"), (0.35, "dark_orange"), (1.1, "red"))

_CLUES = ("bright_blue", "green", "bright_red", "magenta", "yellow", "cyan", "bright_white", DIM)
_STYLES = {str(clue): style for clue, style in enumerate(_CLUES, 1)}
_STYLES |= dict.fromkeys((UNOPENED_SIGN, "-"), DIM) | dict.fromkeys("*x", "bold white on red")
_STYLES |= {"m": "red", "F": "bold yellow"}


class Sign(NamedTuple):
    """The characters that show a cell, and their style."""

    letter: str
    style: str = ""


_SAFE, _MINED = Sign("++", "bold black on green"), Sign("**", "bold red")


class Viewport(NamedTuple):
    """The rows and columns of a board that are drawn."""

    rows: range
    columns: range


class PipedConsole(Console):
    """A console that raises `BrokenPipeError` when the reader of a pipe is gone."""

    def on_broken_pipe(self) -> None:
        """Raise the error; rich itself would end the program with status 1."""
        self.quiet = True
        raise BrokenPipeError


def console(*, stderr: bool = False) -> Console:
    """Return the console that all commands print on; it respects NO_COLOR.

    In a terminal it breaks lines between words; in a pipe it does not break them.
    """
    found = PipedConsole(stderr=stderr, highlight=False, markup=False)
    found.soft_wrap = not found.is_terminal
    return found


def has_screen() -> bool:
    """Return whether a full screen is possible: in a terminal that can move its cursor."""
    streams = (sys.stdin, sys.stdout)
    if not all(stream and stream.isatty() for stream in streams):
        return False
    return os.name == "nt" or os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")


def tiles_for(console: Console) -> Mapping[str, str]:
    """Return Unicode characters for the signs; empty if the terminal may not show them."""
    is_capable = console.encoding.startswith("utf") and os.environ.get("TERM") != "linux"
    return TILES if is_capable else {}


def legend(tiles: Mapping[str, str] | None = None, *, end: bool = False) -> str:
    """Return what the signs on a board mean, in the game or at its end."""
    words, tiles = (_AT_END if end else _IN_PLAY), tiles or {}
    return ", ".join(f"{tiles.get(sign, sign)} {word}" for sign, word in words.items())


def draw(  # noqa: PLR0913  (all but one have defaults, and are given by name)
    observation: Observation,
    board: Board | None = None,
    *,
    last: Cell | None = None,
    notes: Mapping[int, Sign] | None = None,
    viewport: Viewport | None = None,
    letters: int = 1,
    tiles: Mapping[str, str] | None = None,
) -> Text:
    """Draw a position.

    Args:
        observation: the position.
        board: the mines, if they may be shown.
        last: the cell to put into brackets.
        notes: other signs for unopened cells, such as what an agent has proved.
        viewport: the part to draw; by default all, or the part around `last` of a huge board.
        letters: characters per cell.
        tiles: other characters for signs; see `tiles_for`.
    """
    grid = observation.grid
    shown = viewport or fit(grid, *_unlimited(grid), last)
    starts = (row * grid.columns for row in shown.rows)
    rows = [
        [_sign(observation, start + column, board, notes or {}, tiles) for column in shown.columns]
        for start in starts
    ]
    return _picture(rows, shown, len(str(grid.rows - 1)) + 1, letters=letters, last=last)


def draw_risks(analysis: Analysis, width: int, *, styled: bool = True) -> Text:
    """Draw the risk of every cell in two characters, with gaps if they fit into `width`.

    Styles take far longer to print than characters. So `styled` should be false if the output has
    no colours.
    """
    columns = analysis.columns
    margin, signs = len(str(analysis.rows - 1)) + 1, _analysis_signs(analysis)
    rows = [signs[start : start + columns] for start in range(0, len(signs), columns)]
    shown = Viewport(range(analysis.rows), range(columns))
    gap = " " if margin + 3 * columns <= width else ""
    return _picture(rows, shown, margin, letters=2, gap=gap, styled=styled)


def _picture(  # noqa: PLR0913  (all that two kinds of boards differ in)
    signs: Sequence[Sequence[Sign]],
    shown: Viewport,
    margin: int,
    *,
    letters: int,
    gap: str = " ",
    last: Cell | None = None,
    styled: bool = True,
) -> Text:
    """Draw rows of signs with row and column numbers, and brackets around the last cell."""
    step = letters + len(gap)
    labels = column_labels(shown.columns, margin, " " * (step - 2))
    lines, spans, begin = [labels], [Span(0, len(labels), DIM)], len(labels) + 1
    for row, cells in zip(shown.rows, signs, strict=True):
        line = f"{row:>{margin - 1}} " + "".join([f"{gap}{sign:>{letters}}" for sign, _ in cells])
        has_brackets = last is not None and last.row == row and last.column in shown.columns
        if last is not None and has_brackets:
            start = margin + (last.column - shown.columns[0]) * step
            line = f"{line[:start]}[{line[start + 1 : start + step]}]{line[start + step + 1 :]}"
        if styled:
            spans.append(Span(begin, begin + margin, DIM))
            starts = range(begin + margin + len(gap), begin + len(line) + 1, step)
            spans += _spans(cells, starts, letters, apart=has_brackets)
        lines.append(line)
        begin += len(line) + 1
    text = Text("\n".join(lines), no_wrap=True, overflow="ignore", spans=spans if styled else None)
    text.rstrip()
    return text


def _spans(cells: Sequence[Sign], starts: range, letters: int, *, apart: bool) -> Iterator[Span]:
    """Return the styles of a row. Adjacent cells of the same style share a span unless `apart`."""
    column = 0
    for style, alike in groupby(sign.style for sign in cells):
        count = len(list(alike))
        group = starts[column : column + count]
        if starts.step > letters and (apart or " on " in style or "reverse" in style):
            yield from (Span(start, start + letters, style) for start in group)
        elif style:
            yield Span(group[0], group[-1] + letters, style)
        column += count


def _sign(
    observation: Observation,
    index: int,
    board: Board | None,
    notes: Mapping[int, Sign],
    tiles: Mapping[str, str] | None,
) -> Sign:
    letter = sign_of(observation.shown, observation.marks, index, board)
    noted = notes.get(index) if letter == UNOPENED_SIGN else None
    sign = noted or Sign(letter, _STYLES.get(letter, ""))
    return Sign(tiles.get(sign.letter, sign.letter), sign.style) if tiles else sign


def fit(grid: Grid, width: int, height: int, focus: Cell | None, cell_width: int = 2) -> Viewport:
    """Return the part of a board around a cell that fits into this many columns and lines."""
    label = len(str(grid.rows - 1)) + 2
    heading = len(str(grid.columns - 1))
    rows = min(grid.rows, max(1, height - heading))
    columns = min(grid.columns, max(1, (width - label) // cell_width))
    row, column = focus or Cell(0, 0)
    return Viewport(_around(row, rows, grid.rows), _around(column, columns, grid.columns))


def hidden_text(grid: Grid, shown: Viewport) -> str:
    """Return which rows and columns are off-screen; empty if there are none."""
    parts = [
        f"{name}s {' and '.join(outside)}"
        for name, part, whole in (
            ("column", shown.columns, grid.columns),
            ("row", shown.rows, grid.rows),
        )
        if (outside := list(_outside(part, whole)))
    ]
    return f"Off-screen: {', '.join(parts)}" if parts else ""


def _outside(part: range, whole: int) -> Iterator[str]:
    for first, last in ((0, part[0] - 1), (part[-1] + 1, whole - 1)):
        if first <= last:
            yield str(first) if first == last else f"{first} to {last}"


def _unlimited(grid: Grid) -> tuple[int, int]:
    """Return the output size for pipes. The whole board fits unless it is huge."""
    return (10**4, 10**4) if grid.size <= MOST_CELLS else (200, 100)


def _around(centre: int, length: int, whole: int) -> range:
    start = max(0, min(centre - length // 2, whole - length))
    return range(start, start + length)


def _analysis_signs(analysis: Analysis) -> list[Sign]:
    facts = analysis.facts
    opened, closed = cache(_opened), cache(_risk_sign)  # many cells look the same
    signs = [
        closed(risk) if code == UNOPENED else opened(code)
        for code, risk in zip(facts.observation.shown, facts.risk, strict=True)
    ]
    for index in facts.safe:
        signs[index] = _SAFE
    for row, column in analysis.mined:
        signs[row * analysis.columns + column] = _MINED
    if not facts.safe and (best := analysis.best_moves(1)):
        index = facts.observation.grid.index(best[0].cell)
        signs[index] = Sign(signs[index].letter, f"{signs[index].style} reverse")
    return signs


def _risk_sign(risk: float) -> Sign:
    style = next(style for limit, style in _RISK_STYLES if risk < limit)
    return Sign(two_letters(risk), style)


def risk_signs(found: Risks) -> dict[int, Sign]:
    """Return the risks as notes for `draw`, two characters each."""
    signs = {index: _risk_sign(risk) for index, risk in enumerate(found.risk) if risk is not None}
    return signs | dict.fromkeys(found.safe, _SAFE) | dict.fromkeys(found.mined, _MINED)


def _opened(code: int) -> Sign:
    if code < UNOPENED:
        return Sign(str(code) if code else "", DIM)
    return Sign("-", DIM) if code == WITHHELD else Sign("M", "red")


def two_letters(risk: float) -> str:
    """Return a risk above 0 and below 1 in two characters."""
    return "<1" if risk < 0.01 else f"{min(99, round(risk * 100)):02d}"


def shortened(items: Sequence[object], most: int) -> str:
    """Return a list such as `1, 2, 3 and 5 more`."""
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(map(str, items[:most])) + more
