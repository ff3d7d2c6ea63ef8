"""Boards and games as text for the terminal, in colour if it has colours.

Every cell takes two characters, so that 30 columns fit into 80. The last cell played is in
brackets. All signs are ASCII and can be told apart without colour.
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
"""Maximum number of cells on a board for which luck is computed after a game."""
MOST_CELLS = 20_000
"""Maximum number of cells on a board that is drawn completely."""
LEGEND = ". unopened, F flagged, * exploded, - open without a clue"
END_LEGEND = "F flagged, m mine, x wrong flag, * exploded"
RISK_LEGEND = "++ safe, ** mine, 07 risk in percent, <1 below 1, 7 clue, M mine shown, - no clue"

_DIM = "bright_black"
_ENDS = {
    Result.WIN: ("won", "bold green"),
    Result.LOSS: ("lost", "bold red"),
    Result.STUCK: ("stuck", "bold yellow"),
}
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
        observation: the position.
        board: the mines, if they may be shown.
        last: the cell to put into brackets.
        notes: other signs for unopened cells, such as what an agent has proved.
        viewport: the part to draw; by default all, or the part around `last` of a huge board.
        letters: characters per cell.
    """
    grid = observation.grid
    shown = viewport or fit(grid, *_unlimited(grid), last)
    starts = (row * grid.columns for row in shown.rows)
    rows = [
        [_sign(observation, start + column, board, notes or {}) for column in shown.columns]
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
    lines, spans, begin = [labels], [Span(0, len(labels), _DIM)], len(labels) + 1
    for row, cells in zip(shown.rows, signs, strict=True):
        line = f"{row:>{margin - 1}} " + "".join([f"{gap}{sign:>{letters}}" for sign, _ in cells])
        has_brackets = last is not None and last.row == row and last.column in shown.columns
        if last is not None and has_brackets:
            start = margin + (last.column - shown.columns[0]) * step
            line = f"{line[:start]}[{line[start + 1 : start + step]}]{line[start + step + 1 :]}"
        if styled:
            spans.append(Span(begin, begin + margin, _DIM))
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
    observation: Observation, index: int, board: Board | None, notes: Mapping[int, Sign]
) -> Sign:
    letter = sign_of(observation.shown, observation.marks, index, board)
    noted = notes.get(index) if letter == UNOPENED_SIGN else None
    return noted or Sign(letter, _STYLES.get(letter, ""))


def fit(grid: Grid, width: int, height: int, focus: Cell | None, cell_width: int = 2) -> Viewport:
    """Return the part of a board around a cell that fits into this many columns and lines."""
    label = len(str(grid.rows - 1)) + 2
    heading = len(str(grid.columns - 1))
    rows = min(grid.rows, max(1, height - heading))
    columns = min(grid.columns, max(1, (width - label) // cell_width))
    row, column = focus or Cell(0, 0)
    return Viewport(_around(row, rows, grid.rows), _around(column, columns, grid.columns))


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
        return Sign(str(code) if code else "", _DIM)
    return Sign("-", _DIM) if code == WITHHELD else Sign("M", "red")


def two_letters(risk: float) -> str:
    """Return a risk above 0 and below 1 in two characters."""
    return "<1" if risk < 0.01 else f"{min(99, round(risk * 100)):02d}"


def move_text(number: int, said: Decision | Step, seen: Observation | None = None) -> Text:
    """Return a move with what its player claimed about it, and why.

    Args:
        number: the number of the move, from 1.
        said: the move with its claim and reason.
        seen: the position after the move, which shows whether a proof was false.
    """
    text = Text(f"{number:4} {said.move.action} {said.move.cell}")
    if said.proved is not None:
        text.append(" ").append(*_claim(said, seen))
    words = printable(str(said.reason))
    return text.append(f": {words}") if words else text


def _claim(said: Decision | Step, seen: Observation | None) -> tuple[str, str]:
    if not said.proved:
        risk = f" {percent(said.risk)}" if said.risk else ", no estimate"
        return f"guess{'' if said.risk is None else risk}", "yellow"
    opened = said.move.action is Action.OPEN
    if opened and seen is not None and seen[said.move.cell] == EXPLODED:
        return "FALSE PROOF, it is a mine", "bold red"
    return "proved", "green"


def end_text(game: Game, record: Record) -> Text:
    """Return the result of a game and its statistics."""
    outcome = record.outcome
    text = Text().append(END_LEGEND + "\n", _DIM).append(*_end_words(outcome))
    text.append(f" after {counted(len(record.steps), 'move')}, {counted(record.guesses, 'guess')}")
    if outcome is not None and game.rules.public().marks_matter:
        text.append(
            f", {counted(outcome.hits, 'hit')}, {counted(outcome.false_marks, 'wrong flag')}"
            f", score {outcome.score:.2f}"
        )
    text.append(_false_proofs(record), "bold red")
    if game.board is not None:
        text.append(f"\n{metrics_text(measure(game, record.steps))}")
        text.append(f", CPU time {record.milliseconds:.0f} ms")
    return text.append(luck_text(record))


def _end_words(outcome: Outcome | None) -> tuple[str, str]:
    if outcome is None:
        return "unfinished", "bold yellow"
    return _ENDS[outcome.result]


def shortened(items: Sequence[object], most: int) -> str:
    """Return a list such as `1, 2, 3 and 5 more`."""
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(map(str, items[:most])) + more


def _false_proofs(record: Record) -> str:
    """Return a list of the moves that were wrongly called proved; empty if there are none."""
    numbers = record.false_proofs
    if not numbers:
        return ""
    moves = [f"move {number} {record.steps[number - 1].move}" for number in numbers]
    return f", {counted(len(numbers), 'false proof')} ({shortened(moves, 5)})"


def luck_text(record: Record) -> str:
    """Return how much luck a game took; empty if it had no guesses or cannot be judged."""
    rules = record.rules
    if rules.rows * rules.columns > LUCK_LIMIT or rules.clues != EXACT or record.outcome is None:
        return ""
    found = review(record, proofs=False)
    if not found.guesses or found.unjudged:
        return ""
    needless = f" ({counted(found.needless, 'needless guess')})" if found.needless else ""
    return f", luck {found.luck:.2g}{needless}"


def metrics_text(metrics: Metrics) -> str:
    """Return the statistics of a game in one line."""
    text = f"3BV {metrics.solved} of {metrics.bbbv}, {counted(metrics.openings, 'opening')}, "
    text += counted(metrics.clicks, "click")
    if metrics.efficiency is not None:
        text += f", efficiency {metrics.efficiency:.2f}"
    return text
