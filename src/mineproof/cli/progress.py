"""A progress bar on stderr for many games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from mineproof.cli.text import console
from mineproof.match.results import Summary


@contextmanager
def bar(total: int) -> Iterator[Callable[[int, Summary], None]]:
    """Show a bar; call what it gives with each number of games that ended, and their summary."""
    columns = (
        MofNCompleteColumn(),
        BarColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)

        def advance(games: int, summary: Summary) -> None:
            rate = summary.wins / max(1, summary.games)
            progress.update(task, advance=games, description=f"{rate:.1%} won")

        yield advance
