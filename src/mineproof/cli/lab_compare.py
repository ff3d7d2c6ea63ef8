"""`mineproof lab compare`: two agents on the same boards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.cli.commands import new_command
from mineproof.cli.lab_work import cluster_flag, isolated_flag, out_flag, require_lab, runner_of
from mineproof.cli.options import DEFAULT_LEVEL, RuleFlags, Whole, jobs_option, rule_flags
from mineproof.cli.progress import bar

if TYPE_CHECKING:
    from mineproof.lab.chunks import Chunk
    from mineproof.lab.compare import Duel
    from mineproof.lab.experiment import Setting
    from mineproof.lab.running import Run
    from mineproof.lab.statistics import Sequential
    from mineproof.lab.work import ChunkAnswer
    from mineproof.match.certainty import Estimate
    from mineproof.workers.batch import Runner

HELP = """Compare two agents on the same boards.

Gives both win rates, their difference with its 95 % interval, and McNemar's exact test. With
--sprt a sequential test on the discordant pairs (those that only one of them wins) stops as soon
as it has a verdict; its bounds are printed before, and how it stands while it runs. The same
comparison run again goes on where it stopped, also with more --games.
"""


@new_command(
    "compare",
    "lab compare basic sentences --level intermediate --games 2000",
    "lab compare sentences exact --level expert --sprt",
    help=HELP,
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
    return f"{found.value:.2%} (95 % interval {found.low:.2%} to {found.high:.2%})"


def _conclusion(match: Duel, names: tuple[str, str]) -> str:
    from mineproof.core.words import counted

    pairs, gap = match.pairs, match.pairs.difference
    lines = [
        f"{names[0]}: won {_rate(pairs.first)}",
        f"{names[1]}: won {_rate(pairs.second)}",
        f"difference, second - first, {counted(pairs.games, 'pair')}: {gap.value:+.2%} "
        f"(95 % interval {gap.low:+.2%} to {gap.high:+.2%})",
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
