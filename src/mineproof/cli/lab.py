"""`mineproof lab`: experiments that anyone can repeat."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from mineproof.cli.commands import Commands, examples, new_command
from mineproof.cli.lab_compare import compare_command
from mineproof.cli.lab_work import (
    carry_out_with_bar,
    cluster_flag,
    isolated_flag,
    out_flag,
    require_lab,
    runner_of,
)
from mineproof.cli.options import Whole, jobs_option

_games = click.option("--games", type=Whole(1), metavar="N", help="Games of each condition.")


@click.group("lab", cls=Commands, epilog=examples("lab list", "lab run documents --quick"))
def command() -> None:
    """Compare agents fairly, at scale, and repeat every figure of the source documents."""


@new_command("list", "lab list", under=command)
def list_command() -> None:
    """List the experiments and the groups of experiments."""
    from mineproof.lab.catalogue import GROUPS, experiments, members

    click.echo("Experiments:")
    for one in experiments().values():
        count = len(one.conditions)
        source = f" ({one.source})" if one.source else ""
        click.echo(f"  {one.name:<22} {one.title}{source}: {count} x {one.games:,} games")
    click.echo("\nGroups:")
    for name, text in GROUPS.items():
        click.echo(f"  {name:<22} {text}: {len(members(name))} experiments")
    click.echo("\nAn experiment of your own is a TOML file: `mineproof lab run FILE.toml`.")


@new_command(
    "run",
    "lab run documents --quick",
    "lab run capstone-wins --games 200 --out results",
    "lab run my-experiment.toml --jobs 4",
    "lab run ladder --agent exact --agent my-agent.py:Agent --out mine",
    under=command,
)
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--quick", is_flag=True, help="Small samples: minutes instead of half an hour.")
@click.option(
    "--agent",
    "agents",
    multiple=True,
    metavar="A",
    help="Who plays instead of the experiment's own agents; may be given several times.",
)
@_games
@jobs_option
@cluster_flag
@isolated_flag
@out_flag
def run_command(  # noqa: PLR0913  (click hands over one argument for each option)
    *,
    names: tuple[str, ...],
    quick: bool,
    agents: tuple[str, ...],
    games: int | None,
    jobs: int | None,
    cluster: str | None,
    isolated: bool,
    out: Path,
) -> None:
    """Run experiments, or go on with them where they stopped.

    NAME is an experiment or a group of `lab list`, or a TOML file. Every finished chunk of
    games is kept; Ctrl-C stops, and running the same command again goes on.
    """
    require_lab()
    from mineproof.lab.catalogue import find
    from mineproof.lab.running import prepare
    from mineproof.lab.store import Store

    chosen = {one.name: one for name in names for one in find(name)}
    if agents:
        chosen = {name: replace(one, agents=agents) for name, one in chosen.items()}
    counts = {one.name: games or (one.quick if quick else one.games) for one in chosen.values()}
    runs = [
        prepare(one, counts[one.name], Store(out / one.name), isolated=isolated)
        for one in chosen.values()
    ]
    try:
        with runner_of(jobs, cluster, runs) as runner:
            for run in runs:
                carry_out_with_bar(run, runner)
    except KeyboardInterrupt:
        click.echo("Stopped; the same command goes on from what is finished.", err=True)
        raise
    click.echo(f"Results are in {out}; `mineproof lab report --out {out}` draws them.")


@new_command("report", "lab report --out lab-results", under=command)
@click.argument("names", nargs=-1, metavar="[NAME...]")
@out_flag
def report_command(*, names: tuple[str, ...], out: Path) -> None:
    """Write report.html, figures (SVG, PNG and PDF) and tables (CSV) of what was run.

    Without a NAME, of all experiments that were run into DIR.
    """
    require_lab()
    from mineproof.lab.report import write_report

    path = write_report(out, names)
    click.echo(f"The report is {path}.")


command.add_command(compare_command)
