"""Boards and games in a terminal: drawn with labels, in colour where it has them; and in words.

Every cell takes two characters, so that 30 columns fit into 80; the cell that was played
last stands in brackets. All signs are ASCII and differ without colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import NamedTuple

from rich.console import Console
from rich.text import Span, Text

from mineproof.advice.analysis import Analysis
from mineproof.advice.chances import Risks
from mineproof.core.board import Board
from mineproof.core.board_text import SIGNS, column_labels, sign_of
from mineproof.core.clues import EXACT, EXPLODED, UNOPENED, WITHHELD
from mineproof.core.decision import Decision
from mineproof.core.game import Game, Outcome, Result
from mineproof.core.grid import Cell, Grid
from mineproof.core.move import Action
from mineproof.core.observation import Observation
from mineproof.core.words import counted, percent, printable
from mineproof.notation.records import Record, Step
from mineproof.review.metrics import Metrics, measure
from mineproof.review.verdicts import review

UNOPENED_SIGN = SIGNS[UNOPENED]
LUCK_LIMIT = 2500
"""Up to this many cells the luck of a game is worked out at its end."""
MOST_CELLS = 20_000
"""Boards with more cells than this are never drawn as a whole."""
LEGEND = ". unopened, F marked, * exploded, - open without a clue"
END_LEGEND = "F marked, m mine, x false mark, * exploded"
RISK_LEGEND = "++ safe, ** mine, 07 risk in percent, <1 below one, 7 clue, M mine shown, - no clue"

_DIM = "bright_black"
_ENDS = {Result.WIN: "won", Result.LOSS: "lost", Result.STUCK: "stuck"}
_RISK_STYLES = ((0.1, "green"), (0.2, "yellow"), (0.35, "dark_orange"), (1.1, "red"))

_STYLES = {
    "1": "bright_blue",
    "2": "green",
    "3": "bright_red",
    "4": "magenta",
    "5": "yellow",
    "6": "cyan",
    "7": "bright_white",
    "8": _DIM,
    UNOPENED_SIGN: _DIM,
    "-": _DIM,
    "*": "bold white on red",
    "x": "bold white on red",
    "m": "red",
    "F": "bold yellow",
}


class Sign(NamedTuple):
    """How one cell looks."""

    letter: str
    style: str = ""


_SAFE, _MINED = Sign("++", "bold black on green"), Sign("**", "bold red")


class Viewport(NamedTuple):
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
    """Give the console that all commands print on; it obeys NO_COLOR and knows pipes.

    In a terminal it breaks lines between words; in a pipe it leaves them whole.
    """
    found = PipedConsole(stderr=stderr, highlight=False, markup=False)
    found.soft_wrap = not found.is_terminal
    return found


def draw(  # noqa: PLR0913  (all but one have defaults, and are given by name)
    observation: Observation,
    board: Board | None = None,
    *,
    last: Cell | None = None,
    notes: Mapping[int, Sign] | None = None,
    viewport: Viewport | None = None,
    letters: int = 1,
) -> Text:
    """Draw a position.

    Args:
        observation: what the player sees.
        board: the truth, where it may be shown.
        last: the cell to put into brackets.
        notes: other signs for unopened cells, such as what an agent has proved.
        viewport: what to draw of it; all by default, of a huge board the part around `last`.
        letters: how many letters a cell has room for.
    """
    grid = observation.grid
    shown = viewport or fit(grid, *_unlimited(grid), last)
    width = len(str(grid.rows - 1))
    labels = column_labels(shown.columns, width + 1, " " * (letters - 1))
    text = Text(labels, _DIM, no_wrap=True, overflow="ignore")
    for row in shown.rows:
        text.append(f"\n{row:>{width}} ", _DIM)
        for column in shown.columns:
            index = row * grid.columns + column
            sign = _sign(observation, index, board, notes or {})
            text.append(_before(last, row, column))
            text.append(f"{sign.letter:>{letters}}", sign.style)
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


def fit(grid: Grid, width: int, height: int, focus: Cell | None, cell_width: int = 2) -> Viewport:
    """Choose the part of a board that fits into so many characters, around a cell."""
    label = len(str(grid.rows - 1)) + 2
    heading = len(str(grid.columns - 1))
    rows = min(grid.rows, max(1, height - heading))
    columns = min(grid.columns, max(1, (width - label) // cell_width))
    row, column = focus or Cell(0, 0)
    return Viewport(_around(row, rows, grid.rows), _around(column, columns, grid.columns))


def _unlimited(grid: Grid) -> tuple[int, int]:
    """Give the characters for a board on paper without end, unless nobody could read it."""
    return (10**4, 10**4) if grid.size <= MOST_CELLS else (200, 100)


def _around(centre: int, length: int, whole: int) -> range:
    start = max(0, min(centre - length // 2, whole - length))
    return range(start, start + length)


def draw_risks(analysis: Analysis, width: int, *, styled: bool = True) -> Text:
    """Draw the risk of every cell, two letters each, with a gap if `width` leaves room for it.

    Styles take far longer to print than letters: leave them out where nobody sees them.
    """
    margin, columns = len(str(analysis.rows - 1)) + 1, analysis.columns
    gap = " " if margin + 3 * columns <= width else ""
    labels = column_labels(range(columns), margin, gap)
    signs = _analysis_signs(analysis)
    lines, spans = [labels], [Span(0, len(labels), _DIM)]
    begin, step = len(labels) + 1, 2 + len(gap)
    for row in range(analysis.rows):
        cells = signs[row * columns : (row + 1) * columns]
        letters = "".join([f"{gap}{letter:>2}" for letter, _ in cells])
        lines.append(f"{row:>{margin - 1}} {letters}")
        if styled:
            spans.append(Span(begin, begin + margin, _DIM))
            spans += _spans(cells, begin + margin + len(gap), step)
        begin += margin + columns * step + 1
    text = Text("\n".join(lines), no_wrap=True, overflow="ignore", spans=spans if styled else None)
    text.rstrip()
    return text


def _spans(cells: Sequence[Sign], begin: int, step: int) -> Iterator[Span]:
    """Give the styles of a row: one span for cells side by side that look alike."""
    column = 0
    for style, alike in groupby(sign.style for sign in cells):
        count = len(list(alike))
        starts = range(begin + column * step, begin + (column + count) * step, step)
        if step > 2 and (" on " in style or "reverse" in style):  # gaps stay as they are
            yield from (Span(start, start + 2, style) for start in starts)
        else:
            yield Span(starts[0], starts[-1] + 2, style)
        column += count


def _analysis_signs(analysis: Analysis) -> list[Sign]:
    """Give the letters and the style of every cell."""
    facts, columns = analysis.facts, analysis.columns
    opened, closed = cache(_opened), cache(_risk_sign)  # many cells look the same
    signs = [
        closed(risk) if code == UNOPENED else opened(code)
        for code, risk in zip(facts.observation.shown, facts.risk, strict=True)
    ]
    for index in analysis.facts.safe:
        signs[index] = _SAFE
    for row, column in analysis.mined:
        signs[row * columns + column] = _MINED
    if not facts.safe and (best := analysis.best_moves(1)):
        index = facts.observation.grid.index(best[0].cell)
        signs[index] = Sign(signs[index].letter, f"{signs[index].style} reverse")
    return signs


def _risk_sign(risk: float) -> Sign:
    return Sign(two_letters(risk), _risk_style(risk))


def risk_signs(found: Risks) -> dict[int, Sign]:
    """Give the risks as signs of two letters for `draw`, by the index of the cell."""
    signs = {index: _risk_sign(risk) for index, risk in enumerate(found.risk) if risk is not None}
    signs.update(dict.fromkeys(found.safe, _SAFE))
    signs.update(dict.fromkeys(found.mined, _MINED))
    return signs


def _opened(code: int) -> Sign:
    if code < UNOPENED:
        return Sign(str(code) if code else "", _DIM)
    return Sign("-", _DIM) if code == WITHHELD else Sign("M", "red")


def two_letters(risk: float) -> str:
    """Write a risk that is neither 0 nor 1 with two letters."""
    return "<1" if risk < 0.01 else f"{min(99, round(risk * 100)):02d}"


def _risk_style(risk: float) -> str:
    return next(style for limit, style in _RISK_STYLES if risk < limit)


def move_text(number: int, said: Decision | Step, seen: Observation | None = None) -> Text:
    """Write a move, what its player said of it, and why.

    Args:
        number: of the move, from 1.
        said: the move with what was said of it.
        seen: the position after it: a cell called proved that has exploded is named as such.
    """
    text = Text(f"{number:4} {said.move.action} {said.move.cell}")
    if said.proved is not None:
        text.append(" ").append(*_claim(said, seen))
    words = printable(str(said.reason))
    return text.append(f": {words}") if words else text


def _claim(said: Decision | Step, seen: Observation | None) -> tuple[str, str]:
    if not said.proved:
        return f"guess{risk_words(said.risk)}", "yellow"
    opened = said.move.action is Action.OPEN
    if opened and seen is not None and seen[said.move.cell] == EXPLODED:
        return "FALSE PROOF, it is a mine", "bold red"
    return "proved", "green"


def risk_words(risk: float | None) -> str:
    """Write the risk of a guess: one that rounds to nothing or all is not told as that."""
    if risk is None:
        return ""
    if risk == 0:
        return ", no estimate"
    return f" {percent(risk)}"


def end_text(game: Game, record: Record) -> Text:
    """Write the outcome of a game and its figures."""
    outcome = record.outcome
    text = Text().append(END_LEGEND + "\n", "bright_black").append(*_end_words(outcome))
    text.append(f" after {counted(len(record.steps), 'move')}, {counted(record.guesses, 'guess')}")
    if outcome is not None and game.rules.public().marks_matter:
        text.append(
            f", {counted(outcome.hits, 'hit')}, {counted(outcome.false_marks, 'false mark')}"
        )
        text.append(f", score {outcome.score:.2f}")
    text.append(_false_proofs(record), "bold red")
    if game.board is not None:
        text.append(f"\n{metrics_text(measure(game, record.steps))}")
        text.append(f", CPU time {record.milliseconds:.0f} ms")
    return text.append(luck_text(record))


def _end_words(outcome: Outcome | None) -> tuple[str, str]:
    if outcome is None:
        return "unfinished", "bold yellow"
    styles = {Result.WIN: "bold green", Result.LOSS: "bold red"}
    return _ENDS[outcome.result], styles.get(outcome.result, "bold yellow")


def _false_proofs(record: Record) -> str:
    """Name the moves that were called proved and were not; nothing where all proofs held."""
    numbers = record.false_proofs
    if not numbers:
        return ""
    moves = ", ".join(f"move {number} {record.steps[number - 1].move}" for number in numbers[:5])
    more = f" and {len(numbers) - 5} more" if len(numbers) > 5 else ""
    return f", {counted(len(numbers), 'false proof')} ({moves}{more})"


def luck_text(record: Record) -> str:
    """Write how much luck a game took; nothing where it had no guess or is too large to judge."""
    rules = record.rules
    if rules.rows * rules.columns > LUCK_LIMIT or rules.clues != EXACT or record.outcome is None:
        return ""
    found = review(record, proofs=False)
    if not found.guesses or found.unjudged:
        return ""
    needless = f" ({counted(found.needless, 'needless guess')})" if found.needless else ""
    return f", luck {found.luck:.2g}{needless}"


def metrics_text(metrics: Metrics) -> str:
    """Write the figures of a game in one line."""
    text = f"3BV {metrics.solved} of {metrics.bbbv}, {counted(metrics.openings, 'opening')}, "
    text += counted(metrics.clicks, "click")
    if metrics.efficiency is not None:
        text += f", efficiency {metrics.efficiency:.2f}"
    return text
