"""Progress bars on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

import click
from rich.text import Text

from mineproof.cli.text import console
from mineproof.core.words import share
from mineproof.match.batch import Played
from mineproof.match.results import Summary

Advance = Callable[[int, str], None]
"""Called with the number of items finished since the last call, and with text to show."""


def count_games(games: Sequence[Played], summary: Summary, advance: Advance) -> None:
    """Add games that have just ended to a summary. Show their errors and the progress."""
    summary.add(games)
    for error in filter(None, (game.error for game in games)):
        click.echo(error, err=True)
    advance(len(games), f"{share(summary.wins / max(1, summary.games), 1)} won")


@contextmanager
def progress(unit: str, total: int, *, quiet: bool = False) -> Iterator[Advance]:
    """Show a bar if stderr is a terminal. `quiet` hides it, so that it does not disturb lines."""
    if quiet or not sys.stderr.isatty():
        yield lambda _done, _text: None
        return
    with bar(unit, total, unit=unit) as advance:
        yield advance


@contextmanager
def bar(name: str, total: int, done: int = 0, unit: str = "games") -> Iterator[Advance]:
    """Show a progress bar with the latest text below it.

    If stderr is not a terminal, print only the texts, one per line.
    """
    from rich import progress as rich_progress
    from rich.console import Group
    from rich.live import Live

    columns = (
        rich_progress.TextColumn("{task.description}"),
        rich_progress.BarColumn(),
        rich_progress.MofNCompleteColumn(),
        rich_progress.TextColumn("{task.fields[rate]:.0f} " + f"{unit}/s"),
        rich_progress.TimeElapsedColumn(),
        rich_progress.TextColumn("left"),
        rich_progress.TimeRemainingColumn(),
    )
    started, finished = time.monotonic(), 0
    screen = console(stderr=True)
    bars, below = rich_progress.Progress(*columns, console=screen), Text()
    task = bars.add_task(name, total=total, completed=done, rate=0.0)

    def advance(count: int, text: str) -> None:
        nonlocal finished
        finished += count
        rate = finished / max(time.monotonic() - started, 1e-3)
        bars.update(task, advance=count, rate=rate)
        below.plain = text
        if text and not screen.is_terminal:
            click.echo(text, err=True)

    with ExitStack() as stack:
        if screen.is_terminal:
            stack.enter_context(Live(Group(bars, below), console=screen, transient=True))
        yield advance
