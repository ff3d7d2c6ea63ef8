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


@contextmanager
def progress(unit: str, total: int, *, quiet: bool = False) -> Iterator[Advance]:
    """Show a bar if stderr is a terminal; `quiet` if lines are printed there as well."""
    if quiet or not sys.stderr.isatty():
        yield lambda _done, _text: None
        return
    with bar(unit, total, unit=unit) as advance:
        yield advance


@contextmanager
def bar(name: str, total: int, done: int = 0, unit: str = "games") -> Iterator[Advance]:
    """Show a progress bar; call what it gives with what has ended, and a text.

    The text stands below the bar. Where stderr is no terminal texts are printed, a line each.
    """
    from rich.console import Group
    from rich.live import Live
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]:.0f} " + f"{unit}/s"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    started, played = time.monotonic(), 0
    screen = console(stderr=True)
    progress, below = Progress(*columns, console=screen), Text()
    task = progress.add_task(name, total=total, completed=done, rate=0.0)

    def advance(games: int, text: str) -> None:
        nonlocal played
        played += games
        rate = played / max(time.monotonic() - started, 1e-3)
        progress.update(task, advance=games, rate=rate)
        below.plain = text
        if text and not screen.is_terminal:
            click.echo(text, err=True)

    with ExitStack() as stack:
        if screen.is_terminal:
            stack.enter_context(Live(Group(progress, below), console=screen, transient=True))
        yield advance
