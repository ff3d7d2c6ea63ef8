"""What the commands of the lab share: who plays, where results go, how it is shown."""

from __future__ import annotations

import importlib.util
import logging
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.cli.progress import bar
from mineproof.core.errors import InputError

if TYPE_CHECKING:
    from mineproof.lab.chunks import Chunk
    from mineproof.lab.running import Run
    from mineproof.lab.work import ChunkAnswer
    from mineproof.workers.batch import Runner

OUT = "lab-results"

out_flag = click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(OUT),
    show_default=True,
    metavar="DIR",
    help="Where results are kept, a folder for each experiment.",
)
cluster_flag = click.option(
    "--cluster", metavar="ADDRESS", help="A dask scheduler, such as tcp://host:8786."
)
isolated_flag = click.option(
    "--isolated", is_flag=True, help="Let agents of your own think in processes of their own."
)


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


def runner_of(jobs: int | None, cluster: str | None, runs: Sequence[Run]) -> Runner:
    """Give who plays: a cluster, or processes of this machine.

    Raises:
        InputError: nothing answers at the address of the cluster.
    """
    if cluster is None:
        from mineproof.lab.running import has_own, processes

        return processes(jobs, apart=has_own(runs))
    require("cluster", "distributed")
    from mineproof.workers.cluster import Cluster

    # What matters of a lost connection is in our own messages; dask logs much more of it.
    logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
    try:
        return Cluster(cluster, lambda text: click.echo(text, err=True))
    except ConnectionError as error:
        raise InputError(str(error)) from error


def carry_out_with_bar(run: Run, runner: Runner) -> None:
    """Run one experiment behind a progress bar, and say in a line what was done."""
    from mineproof.lab.running import carry_out

    started = time.monotonic()
    total = sum(chunk.games for chunk in run.chunks)
    with bar(run.experiment.name, total, run.games_done) as advance:

        def listen(_chunk: Chunk, answer: ChunkAnswer) -> bool:
            advance(answer.games, "")
            return True

        carry_out(run, runner, listen)
    seconds = time.monotonic() - started
    kept = f", {run.games_done} kept from before" if run.games_done else ""
    games = "1 game" if total == 1 else f"{total} games"
    click.echo(f"{run.experiment.name}: {games}{kept}, {seconds:.1f} s")
