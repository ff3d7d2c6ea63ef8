"""Moves and results of games as text for the terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from mineproof import Action, Decision, Game, Observation, Outcome, Record, Result
from mineproof.cli.text import DIM, legend, shortened
from mineproof.core.clues import EXACT, EXPLODED
from mineproof.core.words import NO_BREAK, counted, percent, printable
from mineproof.notation.records import Step
from mineproof.review.metrics import Metrics, measure
from mineproof.review.verdicts import review

_ENDS = {
    Result.WIN: ("won", "bold green"),
    Result.LOSS: ("lost", "bold red"),
    Result.STUCK: ("stuck", "bold yellow"),
}
_CELL = re.compile(r"\(\d+, \d+\)")
_SPACES = {0xE000: " ", 0xE001: NO_BREAK}
"""The spaces at which no line is broken (inside a cell such as (3, 4), and no-break spaces), by the
character that replaces them while lines are wrapped."""
_CONSOLE = Console()
LINE_WIDTH, INDENT = 80, 5
"""The width of a printed move, and the indent of a reason that needs separate lines."""
LUCK_LIMIT = 2500
"""Maximum number of cells on a board for which luck is computed after a game."""


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


def move_lines(number: int, said: Decision | Step, seen: Observation | None = None) -> list[Text]:
    """Return a move in one line of at most `LINE_WIDTH` characters.

    If its reason does not fit there, it follows in indented lines.
    """
    line = move_text(number, said, seen)
    if line.cell_len <= LINE_WIDTH:
        return [line]
    reason = printable(str(said.reason))
    line.right_crop(len(reason) + 2)
    rest = wrapped([reason], LINE_WIDTH - INDENT)
    return [line, *(Text(" " * INDENT).append_text(part) for part in rest)]


def wrapped(lines: Sequence[str | Text], width: int, indent: int = 0) -> list[Text]:
    """Break lines between words, so that they fit the width.

    The parts of a line after its first are indented.
    """
    found = []
    for line in lines:
        text = line.copy() if isinstance(line, Text) else Text(line)
        joined = _CELL.sub(lambda cell: cell[0].replace(" ", "\ue000"), text.plain)
        text.plain = joined.replace(NO_BREAK, "\ue001")
        for number, part in enumerate(text.wrap(_CONSOLE, width - indent)):
            part.rstrip()
            part.plain = part.plain.translate(_SPACES)
            found.append(Text(" " * indent if number else "").append_text(part))
    return found


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
    text = Text().append(legend(end=True) + "\n", DIM).append(*end_words(outcome))
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


def end_words(outcome: Outcome | None) -> tuple[str, str]:
    """Return how a game ended, and the style of these words."""
    if outcome is None:
        return "unfinished", "bold yellow"
    return _ENDS[outcome.result]


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
