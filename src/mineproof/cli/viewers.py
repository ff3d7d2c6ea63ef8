"""Three ways to show a game while an agent plays it: redrawn in place, by lines, as JSON."""

from __future__ import annotations

import json
import time
from collections import deque
from typing import Any, Self

import click
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from mineproof.cli.text import END_LEGEND, draw, fit
from mineproof.core.clues import EXACT
from mineproof.core.decision import Decision
from mineproof.core.game import Game, Result
from mineproof.core.grid import Cell
from mineproof.notation.game_id import format_game_id
from mineproof.notation.records import Record
from mineproof.review.metrics import Metrics, measure
from mineproof.review.verdicts import review

LAST_MOVES = 3
"""How many moves stand below a board that is redrawn."""
LUCK_LIMIT = 2500
"""Up to this many cells the luck of a game is worked out at its end."""
_ENDS = {Result.WIN: "won", Result.LOSS: "lost", Result.STUCK: "stuck"}


class LineViewer:
    """Shows a game: one line a move, and the board at the end."""

    def __init__(self, console: Console, game: Game, agent: str, delay: float) -> None:
        """Keep what is to be shown; `delay` is in seconds a move."""
        self.console = console
        self.game = game
        self.agent = agent
        self.delay = delay

    def __enter__(self) -> Self:
        """Show the start."""
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Leave the last picture where it is."""

    def __call__(self, _game: Game, decision: Decision) -> None:
        """Show a move that has just been made, and wait."""
        self.move(decision)
        time.sleep(self.delay)

    def start(self) -> None:
        """Show the start."""
        self.console.print(title(self.game, self.agent))

    def move(self, decision: Decision) -> None:
        """Show a move that has just been made."""
        self.console.print(move_text(len(self.game.moves), decision))

    def end(self, record: Record) -> None:
        """Show how the game ended."""
        last = record.steps[-1].move.cell if record.steps else record.first
        self.console.print(draw(self.game.observation, self.game.board, last=last))
        self.console.print(end_text(self.game, record))


class LiveViewer(LineViewer):
    """Redraws the board in place, with the last moves below it."""

    def __init__(self, console: Console, game: Game, agent: str, delay: float) -> None:
        """Set up the part of the screen that is redrawn."""
        super().__init__(console, game, agent, delay)
        self._moves: deque[Text] = deque(maxlen=LAST_MOVES)
        self._live = Live(console=console, auto_refresh=False, vertical_overflow="crop")

    def __exit__(self, *_error: object) -> None:
        """Leave the last picture where it is."""
        self._live.stop()

    def start(self) -> None:
        """Show the start."""
        self._live.start()
        self._redraw(self.game.first)

    def move(self, decision: Decision) -> None:
        """Show a move that has just been made."""
        self._moves.append(move_text(len(self.game.moves), decision))
        self._redraw(decision.move.cell)

    def end(self, record: Record) -> None:
        """Show how the game ended."""
        self.console.print(end_text(self.game, record))

    def _redraw(self, last: Cell | None) -> None:
        game = self.game
        width, height = self.console.size
        part = fit(game.rules.grid, width, height - LAST_MOVES - 2, last)
        board = game.board if game.is_over else None
        picture = draw(game.observation, board, last=last, part=part)
        lines = [*self._moves, *[Text()] * (LAST_MOVES - len(self._moves))]
        for line in lines:
            line.truncate(width, overflow="ellipsis")
        self._live.update(Group(title(game, self.agent), picture, *lines), refresh=True)


class JsonViewer(LineViewer):
    """Writes JSON lines: the game, each move, the end."""

    def start(self) -> None:
        """Write the start."""
        _write({"game": format_game_id(self.game), "seed": self.game.seed, "agent": self.agent})

    def move(self, decision: Decision) -> None:
        """Write a move."""
        _write(
            {
                "move": len(self.game.moves),
                "action": decision.move.action,
                "cell": decision.move.cell,
                "proved": decision.proved,
                "risk": decision.risk,
                "reason": decision.reason.text,
                "clues": decision.reason.clues,
            }
        )

    def end(self, record: Record) -> None:
        """Write how the game ended."""
        assert record.outcome is not None
        _write({**vars(record.outcome), **measure(self.game, record.steps).plain()})


def title(game: Game, agent: str) -> Text:
    """Name a game and who plays it."""
    return Text(f"game {format_game_id(game)}, seed {game.seed}, agent {agent}", "bold")


def move_text(number: int, decision: Decision) -> Text:
    """Write a move, whether it is proved, and why."""
    text = Text(f"{number:4} {decision.move.action} {decision.move.cell} ")
    if decision.proved:
        text.append("proved", "green")
    else:
        risk = "" if decision.risk is None else f" {decision.risk:.1%}"
        text.append(f"guess{risk}", "yellow")
    return text.append(f": {decision.reason}")


def end_text(game: Game, record: Record) -> Text:
    """Write the outcome of a game and its figures."""
    assert record.outcome is not None
    outcome = record.outcome
    metrics = measure(game, record.steps)
    style = {Result.WIN: "bold green", Result.LOSS: "bold red"}.get(outcome.result, "bold yellow")
    text = Text().append(END_LEGEND + "\n", "bright_black")
    text.append(_ENDS[outcome.result], style)
    text.append(f" after {_count(len(record.steps), 'move')}, {_count(record.guesses, 'guess')}")
    if game.rules.public().marks_matter:
        text.append(f", {_count(outcome.hits, 'hit')}, {_count(outcome.false_marks, 'false mark')}")
        text.append(f", score {outcome.score:.2f}")
    text.append(f"\n{metrics_text(metrics)}, CPU time {record.milliseconds:.0f} ms")
    return text.append(luck_text(record))


def luck_text(record: Record) -> str:
    """Write how much luck a game took; nothing where it had no guess or is too large to judge."""
    rules = record.rules
    if rules.rows * rules.columns > LUCK_LIMIT or rules.clues != EXACT:
        return ""
    found = review(record, proofs=False)
    if not found.guesses:
        return ""
    needless = f" ({_count(found.needless, 'needless guess')})" if found.needless else ""
    return f", luck {found.luck:.2g}{needless}"


def metrics_text(metrics: Metrics) -> str:
    """Write the figures of a game in one line."""
    text = f"3BV {metrics.solved} of {metrics.bbbv}, {_count(metrics.openings, 'opening')}, "
    text += _count(metrics.clicks, "click")
    if metrics.efficiency is not None:
        text += f", efficiency {metrics.efficiency:.2f}"
    return text


def _count(number: int, noun: str) -> str:
    plural = "es" if noun.endswith("s") else "s"
    return f"{number} {noun}" if number == 1 else f"{number} {noun}{plural}"


def _write(values: dict[str, Any]) -> None:
    click.echo(json.dumps(values))
