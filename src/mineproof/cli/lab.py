"""`mineproof lab`: experiments that anyone can repeat, and two agents on the same boards."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.cli.commands import Commands, examples, new_command, require
from mineproof.cli.options import (
    DEFAULT_LEVEL,
    RuleFlags,
    Whole,
    jobs_option,
    rule_flags,
)
from mineproof.cli.progress import bar
from mineproof.core.errors import InputError
from mineproof.core.words import counted, points, share

if TYPE_CHECKING:
    from mineproof.lab.chunks import Chunk
    from mineproof.lab.compare import Duel
    from mineproof.lab.experiment import Setting
    from mineproof.lab.running import Run
    from mineproof.lab.statistics import Sequential
    from mineproof.lab.work import ChunkAnswer
    from mineproof.match.certainty import Estimate
    from mineproof.workers.batch import Runner

COMPARE_HELP = """Compare two agents on the same boards.

Gives both win rates, their difference with its 95 % interval, and McNemar's exact test. With
--sprt a sequential test on the discordant pairs (those that only one of them wins) stops as soon
as it has a verdict; its bounds are printed before, and how it stands while it runs. The same
comparison run again goes on where it stopped, also with more --games.
"""
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
@click.option("--games", type=Whole(1), metavar="N", help="Games of each condition.")
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


@new_command(
    "compare",
    "lab compare basic sentences --level intermediate --games 2000",
    "lab compare sentences exact --level expert --sprt",
    help=COMPARE_HELP,
    under=command,
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@rule_flags
@click.option(
    "--games",
    type=Whole(1),
    default=1000,
    show_default=True,
    metavar="N",
    help="Most pairs to play.",
)
@click.option("--sprt", is_flag=True, help="Stop as soon as a sequential test has a verdict.")
@click.option(
    "--effect",
    default=0.1,
    show_default=True,
    help="The difference to find: how far from 1/2 the second's share of discordant pairs is.",
)
@click.option("--alpha", default=0.05, show_default=True, help="Chance of a false difference.")
@click.option("--beta", default=0.05, show_default=True, help="Chance to miss a difference.")
@jobs_option
@cluster_flag
@isolated_flag
@out_flag
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def compare_command(  # noqa: PLR0913  (click hands over one argument for each option)
    *,
    first: str,
    second: str,
    flags: RuleFlags,
    games: int,
    sprt: bool,
    effect: float,
    alpha: float,
    beta: float,
    jobs: int | None,
    cluster: str | None,
    isolated: bool,
    out: Path,
    as_json: bool,
) -> None:
    """Compare two agents."""
    require_lab()
    from mineproof.lab.compare import Duel, duel
    from mineproof.lab.running import prepare
    from mineproof.lab.statistics import Sequential
    from mineproof.lab.store import Store

    test = Sequential(effect, alpha, beta) if sprt else None
    experiment = duel(first, second, _settings(flags), games, flags.seed or 0)
    if test is not None and not as_json:
        click.echo(_test_text(test))
    match = Duel((first, second), test)
    run = prepare(experiment, games, Store(out / experiment.name), isolated=isolated)
    with runner_of(jobs, cluster, [run]) as runner:
        _play(run, match, runner)
    click.echo(json.dumps(_plain(match)) if as_json else _conclusion(match, (first, second)))


def _settings(flags: RuleFlags) -> dict[str, Setting]:
    """Give the flags as settings of an experiment."""
    given = {name: value for name, value in flags.options.items() if value is not None}
    return {"level": flags.level or DEFAULT_LEVEL, **given}


def _play(run: Run, match: Duel, runner: Runner) -> None:
    """Take in what is stored already, then play until the verdict or the end."""
    from mineproof.lab.running import carry_out

    missing = set(run.missing)
    for chunk in run.chunks:
        if chunk not in missing and not match.add(chunk, run.store.wins(chunk)):
            return
    total = sum(chunk.games for chunk in run.chunks)
    with bar("compare", total, run.games_done) as advance:

        def listen(chunk: Chunk, answer: ChunkAnswer) -> bool:
            goes_on = match.add(chunk, answer.wins)
            advance(answer.games, match.describe())
            return goes_on

        carry_out(run, runner, listen)


def _test_text(test: Sequential) -> str:
    low, high = test.bounds
    return (
        f"Sequential test on discordant pairs: 1/2 against 1/2 +- {test.effect:g}, errors "
        f"{test.alpha:g} and {test.beta:g}; a side is given up below {low:.2f} and taken as "
        f"shown above {high:.2f}."
    )


def _rate(found: Estimate) -> str:
    return f"{share(found.value)} (95 % interval {share(found.low)} to {share(found.high)})"


def _conclusion(match: Duel, names: tuple[str, str]) -> str:
    pairs, gap = match.pairs, match.pairs.difference
    lines = [
        f"{names[0]}: won {_rate(pairs.first)}",
        f"{names[1]}: won {_rate(pairs.second)}",
        f"difference, second - first, {counted(pairs.games, 'pair')}: "
        f"{points(gap.value, gap.low, gap.high)}",
        f"won by one alone: {pairs.only_first} and {pairs.only_second}; "
        f"McNemar's exact test: p = {pairs.p_value:.3g}",
    ]
    if match.has_test:
        lines += [match.describe(), _verdict(match)]
    return "\n".join(lines)


def _verdict(match: Duel) -> str:
    from mineproof.lab.statistics import SequentialVerdict

    if match.verdict is SequentialVerdict.OPEN:
        return "verdict: none yet; more --games go on from here"
    text = f"verdict: {match.verdict}"
    if match.verdict is SequentialVerdict.EQUAL:
        return text
    return f"{text} (a test that stops early tends to overstate the difference)"


def _plain(match: Duel) -> dict[str, object]:
    pairs, gap = match.pairs, match.pairs.difference
    found: dict[str, object] = {
        "pairs": pairs.games,
        "both": pairs.both,
        "only_first": pairs.only_first,
        "only_second": pairs.only_second,
        "neither": pairs.neither,
        "first": [pairs.first.value, pairs.first.low, pairs.first.high],
        "second": [pairs.second.value, pairs.second.low, pairs.second.high],
        "difference": [gap.value, gap.low, gap.high],
        "p_value": pairs.p_value,
    }
    return found | ({"verdict": match.verdict.value} if match.has_test else {})


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
