"""The risks of a position as a coloured grid."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from mineproof.advice.analysis import Analysis
from mineproof.core.clues import UNOPENED, WITHHELD
from mineproof.core.grid import Cell

LEGEND = "++ safe, ** mine, 07 risk in percent, <1 below one, 7 clue, M mine shown, - no clue"
_STEPS = ((0.1, "green"), (0.2, "yellow"), (0.35, "dark_orange"), (1.1, "red"))
_DIM = "bright_black"


def draw_risks(analysis: Analysis, width: int) -> Text:
    """Draw the risk of every cell, two letters each, with a gap if `width` leaves room for it."""
    margin = len(str(analysis.rows - 1)) + 1
    gap = " " if margin + 3 * analysis.columns <= width else ""
    text = Text()
    for line in _labels(analysis.columns, gap):
        text.append(" " * margin + line.rstrip() + "\n", _DIM)
    signs = _signs(analysis)
    for row in range(analysis.rows):
        text.append(f"{row:>{margin - 1}} ", _DIM)
        for _ in range(analysis.columns):
            letters, style = next(signs)
            text.append(gap)
            text.append(f"{letters:>2}", style)
        text.append("\n")
    text.rstrip()
    return text


def _labels(columns: int, gap: str) -> list[str]:
    """Write the numbers of the columns from top to bottom, a line for each digit."""
    places = len(str(columns - 1))
    return [
        "".join(f"{gap} {_digit(column, 10**place)}" for column in range(columns))
        for place in reversed(range(places))
    ]


def _digit(column: int, unit: int) -> str:
    """Give one digit of a column's number; tens and more stand only where they change."""
    if unit > 1 and (column < unit or column % unit):
        return " "
    return str(column // unit % 10)


def _signs(analysis: Analysis) -> Iterator[tuple[str, str]]:
    """Give the letters and the style of every cell."""
    shown = analysis.facts.observation.shown
    safe, mined = set(analysis.safe), set(analysis.mined)
    best = analysis.moves[0].cell if analysis.moves else None
    for row, risks in enumerate(analysis.risk):
        for column, risk in enumerate(risks):
            cell = Cell(row, column)
            if risk is None:
                yield _opened(shown[row * analysis.columns + column])
            elif cell in safe:
                yield "++", "bold black on green"
            elif cell in mined:
                yield "**", "bold red"
            else:
                yield percent(risk), _style(risk) + (" reverse" if cell == best else "")


def _opened(code: int) -> tuple[str, str]:
    if code < UNOPENED:
        return (str(code) if code else ""), _DIM
    return ("-", _DIM) if code == WITHHELD else ("M", "red")


def percent(risk: float) -> str:
    """Write a risk that is neither 0 nor 1 with two letters."""
    return "<1" if risk < 0.01 else f"{min(99, round(risk * 100)):02d}"


def _style(risk: float) -> str:
    return next(style for limit, style in _STEPS if risk < limit)
