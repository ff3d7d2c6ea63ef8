"""`mineproof lab`: run experiments, write reports, and compare two agents on the same boards."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mineproof import InputError, arena
from mineproof.arena.tables import FORMATS
from mineproof.cli import options
from mineproof.cli.commands import Commands, argument, flag, new_command, option, require
from mineproof.cli.options import RuleOptions, Whole
from mineproof.cli.progress import bar
from mineproof.core.words import counted, points, share
from mineproof.lab.catalogue import GROUPS, experiments, find, members
from mineproof.match.certainty import p_text

if TYPE_CHECKING:
    from mineproof.lab.chunks import Chunk
    from mineproof.lab.compare import Duel
    from mineproof.lab.running import Run
    from mineproof.lab.statistics import Sequential
    from mineproof.lab.work import ChunkAnswer
    from mineproof.match.certainty import Estimate
    from mineproof.workers.batch import Runner

OUT = option(
    "--out DIR",
    "Keep results in DIR, one folder per experiment.",
    click.Path(file_okay=False, path_type=Path),
    default=Path("lab-results"),
)
CLUSTER = option("--cluster ADDRESS", "Use a dask scheduler, such as tcp://host:8786.")


@click.group("lab", cls=Commands)
def command() -> None:
    """Run experiments, and compare agents on the same boards.

    Examples:
      mineproof lab list
      mineproof lab run documents --quick
    """


@new_command("list", under=command)
def list_command() -> None:
    """List the experiments and the groups of experiments.

    Example:
      mineproof lab list
    """
    click.echo("Experiments:")
    for one in experiments().values():
        count = len(one.conditions)
        source = f" ({one.source})" if one.source else ""
        click.echo(f"  {one.name:<22} {one.title}{source}: {count} x {one.games:,} games")
    click.echo("\nGroups:")
    for name, text in GROUPS.items():
        click.echo(f"  {name:<22} {text}: {len(members(name))} experiments")
    click.echo("\nTo run your own experiment, write a TOML file: `mineproof lab run FILE.toml`.")


@new_command("run", under=command)
def run_command(  # noqa: PLR0913  (one parameter per option)
    *,
    names: tuple[str, ...] = argument(nargs=-1, required=True, metavar="NAME..."),
    quick: bool = flag("--quick", "Use small samples: minutes instead of half an hour."),
    agents: tuple[str, ...] = option(
        "--agent A", "Replace the experiment's agents; can be repeated.", multiple=True
    ),
    games: int | None = option("--games N", "Set the games per condition.", Whole(1)),
    jobs: int | None = options.JOBS,
    cluster: str | None = CLUSTER,
    isolated: bool = options.ISOLATED,
    decision_seconds: float = options.SECONDS,
    salt: str | None = options.SALT,
    out: Path = OUT,
) -> None:
    """Run experiments, or continue them.

    NAME is an experiment or a group from `lab list`, or a TOML file. Finished games are kept:
    after Ctrl-C, run the same command again to continue.

    Examples:
      mineproof lab run documents --quick
      mineproof lab run capstone-wins --games 200 --out results
      mineproof lab run my-experiment.toml --jobs 4
      mineproof lab run ladder --agent exact --agent my-agent.py:Agent --out mine
    """
    require_lab()
    from mineproof.lab.running import prepare
    from mineproof.lab.store import Store

    chosen = {one.name: one for name in names for one in find(name)}
    if agents:
        chosen = {name: replace(one, agents=agents) for name, one in chosen.items()}
    runs = [
        prepare(
            one,
            games or (one.quick if quick else one.games),
            Store(out / name),
            isolated=isolated,
            salt=salt,
            seconds=decision_seconds,
        )
        for name, one in chosen.items()
    ]
    names_of_agents = {chunk.agent for run in runs for chunk in run.chunks}
    options.warn_not_isolated(isolated, names_of_agents)
    try:
        with runner_of(jobs, cluster, runs) as runner:
            for run in runs:
                _run_experiment(run, runner)
    except KeyboardInterrupt:
        click.echo("Stopped. Run the same command again to continue.", err=True)
        raise
    click.echo(f"Results are in {out}; `mineproof lab report --out {out}` draws them.")


@new_command("report", under=command)
def report_command(
    *, names: tuple[str, ...] = argument(nargs=-1, metavar="[NAME...]"), out: Path = OUT
) -> None:
    """Write report.html with figures and tables.

    Figures are SVG, PNG and PDF files, tables are CSV files. Without a NAME, the report covers all
    experiments in DIR.

    Example:
      mineproof lab report --out lab-results
    """
    require_lab()
    from mineproof.lab.report import write_report

    click.echo(f"The report is {write_report(out, names)}.")


@new_command("compare", under=command)
def compare_command(  # noqa: PLR0913  (one parameter per option)
    *,
    first: str = argument(metavar="A"),
    second: str = argument(metavar="B"),
    rules: RuleOptions = options.RULES,
    boards: str | None = option("--boards SET", "Play a board file or a set instead."),
    games: int | None = option(
        "--games N",
        "Set the maximum number of pairs.",
        Whole(1),
        show_default="1000, or all of SET",
    ),
    sprt: bool = flag("--sprt", "Stop as soon as a sequential test has a verdict."),
    effect: float = option(
        "--effect", "Set the difference to find, in the share of discordant pairs.", default=0.1
    ),
    alpha: float = option(
        "--alpha", "Set the chance of reporting a difference that is not there.", default=0.05
    ),
    beta: float = option(
        "--beta", "Set the chance of missing a difference of that size.", default=0.05
    ),
    jobs: int | None = options.JOBS,
    cluster: str | None = CLUSTER,
    isolated: bool = options.ISOLATED,
    decision_seconds: float = options.SECONDS,
    salt: str | None = options.SALT,
    out: Path = OUT,
    as_json: bool = flag("--json", "Print one JSON object."),
    kind: str | None = option("--format", "Print a table instead.", click.Choice(FORMATS)),
) -> None:
    """Compare two agents on the same boards.

    Prints both win rates, their difference with its 95 % interval, and McNemar's exact test.
    With --sprt, a sequential test on the discordant pairs (won by only one of the two) stops as
    soon as it has a verdict. --effect is how far the second agent's share of these pairs is from
    1/2. Run the same comparison again, with more --games if you like, to continue it.

    Examples:
      mineproof lab compare basic sentences --level intermediate --games 2000
      mineproof lab compare sentences exact --level expert --sprt
    """
    require_lab()
    from mineproof.lab.compare import Duel, duel
    from mineproof.lab.running import prepare
    from mineproof.lab.statistics import Sequential
    from mineproof.lab.store import Store

    test = Sequential(effect, alpha, beta) if sprt else None
    if as_json and kind is not None:
        raise click.UsageError("--json and --format cannot be combined")
    if boards is None:
        changes = {name: value for name, value in rules.changes.items() if value is not None}
        settings = {"level": rules.level or options.DEFAULT_LEVEL, **changes}
        count, seed = games or 1000, rules.seed or 0
    else:
        rules.check_unused()
        deals, settings = arena.board_set(boards).deals(games), {"boards": f"set:{boards}"}
        count, seed = len(deals), 0
    experiment = duel(first, second, settings, count, seed)
    if test is not None and not as_json and kind is None:
        click.echo(_test_text(test))
    match = Duel((first, second), test)
    options.warn_not_isolated(isolated, (first, second))
    store = Store(out / experiment.name)
    run = prepare(experiment, count, store, isolated=isolated, salt=salt, seconds=decision_seconds)
    with runner_of(jobs, cluster, [run]) as runner:
        _play(run, match, runner)
    if kind is not None:
        found = arena.table_of(match.pairs, experiment.conditions[0].level, (first, second))
        click.echo(found.format(kind), nl=False)  # type: ignore[arg-type]
    else:
        click.echo(json.dumps(_plain(match)) if as_json else _conclusion(match, (first, second)))
    if unfinished := store.unfinished():
        click.echo(unfinished, err=True)


def _play(run: Run, match: Duel, runner: Runner) -> None:
    """Add the games that are stored already, then play until the verdict or the last game."""
    missing = set(run.missing)
    for chunk in run.chunks:
        if chunk not in missing and not match.add(chunk, run.store.wins(chunk)):
            return

    def add(chunk: Chunk, answer: ChunkAnswer) -> tuple[bool, str]:
        return match.add(chunk, answer.wins), match.describe()

    _carry_out("compare", run, runner, add)


def _test_text(test: Sequential) -> str:
    low, high = test.bounds
    return (
        f"Sequential test on discordant pairs: 1/2 against 1/2 +- {test.effect:g}, error rates "
        f"{test.alpha:g} and {test.beta:g}. A difference is ruled out below {low:.2f} and "
        f"accepted above {high:.2f}."
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
        f"won by only one agent: {pairs.only_first} by {names[0]}, {pairs.only_second} by "
        f"{names[1]}; McNemar's exact test: p {p_text(pairs.p_value)}",
    ]
    if match.has_test:
        lines += [match.describe(), _verdict(match)]
    return "\n".join(lines)


def _verdict(match: Duel) -> str:
    from mineproof.lab.statistics import SequentialVerdict

    if match.verdict is SequentialVerdict.OPEN:
        return "verdict: undecided. Run again with more --games to continue"
    text = f"verdict: {match.verdict}"
    if match.verdict is SequentialVerdict.EQUAL:
        return text
    return f"{text} (a test that stops early tends to overstate the difference)"


def _plain(match: Duel) -> dict[str, Any]:
    pairs = match.pairs
    rates = {"first": pairs.first, "second": pairs.second, "difference": pairs.difference}
    plain = {"pairs": pairs.games, **vars(pairs)}
    plain |= {name: [one.value, one.low, one.high] for name, one in rates.items()}
    plain["p_value"] = pairs.p_value
    return plain | ({"verdict": match.verdict.value} if match.has_test else {})


def require_lab() -> None:
    """Check that the packages that run and draw experiments are installed."""
    require("lab", "duckdb", "scipy", "matplotlib")


def runner_of(jobs: int | None, cluster: str | None, runs: Sequence[Run]) -> Runner:
    """Return the runner for the games: a cluster, or processes on this computer.

    Raises:
        InputError: nothing answers at the address of the cluster.
    """
    if cluster is None:
        from mineproof.lab.running import has_own, processes

        return processes(jobs, separate=has_own(runs))
    return connect(cluster)


def connect(cluster: str) -> Runner:
    """Return the runner that plays games on a dask cluster.

    Raises:
        InputError: nothing answers at the address.
    """
    require("cluster", "distributed")
    from mineproof.workers.cluster import Cluster

    # Our own messages report a lost connection; dask would log far more about it.
    logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
    try:
        return Cluster(cluster, lambda text: click.echo(text, err=True))
    except ConnectionError as error:
        raise InputError(str(error)) from error


def _run_experiment(run: Run, runner: Runner) -> None:
    started, name = time.monotonic(), run.experiment.name
    total = _carry_out(name, run, runner, lambda _chunk, _answer: (True, ""))
    seconds = time.monotonic() - started
    kept = f", {run.games_done} kept from before" if run.games_done else ""
    click.echo(f"{name}: {counted(total, 'game')}{kept}, {seconds:.1f} s")
    if unfinished := run.store.unfinished():
        click.echo(f"  {unfinished}")


def _carry_out(
    name: str, run: Run, runner: Runner, add: Callable[[Chunk, ChunkAnswer], tuple[bool, str]]
) -> int:
    """Play the missing games with a progress bar. Return the number of games in the run.

    `add` takes each finished chunk, and returns whether to continue and a text to show.
    """
    from mineproof.lab.running import carry_out

    total, errors = sum(chunk.games for chunk in run.chunks), []
    with bar(name, total, run.games_done) as advance:

        def listen(chunk: Chunk, answer: ChunkAnswer) -> bool:
            is_open, text = add(chunk, answer)
            advance(answer.games, text)
            errors.append(answer.error)
            return is_open

        carry_out(run, runner, listen)
    if error := next(filter(None, errors), ""):
        click.echo(f"a game failed: {error}", err=True)
    return total
