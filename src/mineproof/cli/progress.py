"""Progress bars on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import click
from rich.text import Text

from mineproof.cli.text import console

Advance = Callable[[int, str], None]
"""Called with the number of items finished since the last call, and with text to show."""


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
