"""What the commands of the lab share: who plays, where results go, how it is shown."""

from __future__ import annotations

import importlib.util
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
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
from rich.text import Text

from mineproof.cli.numbers import Whole
from mineproof.cli.text import console
from mineproof.core.errors import InputError

if TYPE_CHECKING:
    from mineproof.lab.chunks import Chunk
    from mineproof.lab.running import Run, Workers
    from mineproof.lab.work import Answer

OUT = "lab-results"

out_flag = click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(OUT),
    show_default=True,
    metavar="DIR",
    help="Where results are kept, a folder for each experiment.",
)
jobs_flag = click.option(
    "--jobs", type=Whole(1, 1024), metavar="N", help="Processes.  [default: one a core]"
)
cluster_flag = click.option(
    "--cluster", metavar="ADDRESS", help="A dask scheduler, such as tcp://host:8786."
)

Advance = Callable[[int, str], None]


def require(extra: str, *packages: str) -> None:
    """Say how to install what is missing.

    Raises:
        InputError: a package of the extra is not installed.
    """
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise InputError(
                f"expected the extra {extra} to be installed (pip install 'mineproof[{extra}]'), "
                f"got no {package}"
            )


def require_lab() -> None:
    """Say how to install what experiments need, for the commands that run or draw them."""
    require("lab", "duckdb", "scipy", "matplotlib")


def workers_of(jobs: int | None, cluster: str | None) -> Workers:
    """Give those who play: a cluster, or processes of this machine."""
    if cluster is not None:
        require("cluster", "distributed")
        from mineproof.lab.cluster import Cluster

        # What matters of a lost connection is in our own messages; dask logs much more of it.
        logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
        return Cluster(cluster, lambda text: click.echo(text, err=True))
    from mineproof.lab.pool import Here, ProcessPool
    from mineproof.lab.running import cores

    count = jobs or cores()
    return Here() if count == 1 else ProcessPool(count)


@contextmanager
def bar(name: str, total: int, done: int) -> Iterator[Advance]:
    """Show a progress bar on stderr; call what it gives with games that ended, and a text.

    The text stands below the bar. Where stderr is no terminal texts are printed, a line each.
    """
    columns = (
        TextColumn("{task.fields[name]}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]:.0f} games/s"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    started, played = time.monotonic(), 0
    screen = console(stderr=True)
    progress, below = Progress(*columns, console=screen), Text()
    task = progress.add_task("", total=total, completed=done, name=name, rate=0.0)

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


def carry_out_with_bar(run: Run, workers: Workers) -> None:
    """Run one experiment behind a progress bar, and say in a line what was done."""
    from mineproof.lab.running import carry_out

    started = time.monotonic()
    total = sum(chunk.games for chunk in run.chunks)
    with bar(run.experiment.name, total, run.games_done) as advance:

        def listen(_chunk: Chunk, answer: Answer) -> bool:
            advance(answer.games, "")
            return True

        carry_out(run, workers, listen)
    seconds = time.monotonic() - started
    kept = f", {run.games_done} kept from before" if run.games_done else ""
    games = "1 game" if total == 1 else f"{total} games"
    click.echo(f"{run.experiment.name}: {games}{kept}, {seconds:.1f} s")
