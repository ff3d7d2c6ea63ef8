"""`mineproof bench`: how fast the exact engine is here, beside its twin and its peers."""

from __future__ import annotations

import json

import click

from mineproof.cli.commands import new_command
from mineproof.lab.speed import ROUNDS, Rate, Timing, positions, rates, time_engines

QUICK = 40
GAMES = 20_000


@new_command("bench", "bench", "bench --quick", "bench positions.mine --json")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False))
@click.option("--quick", is_flag=True, help=f"Take {QUICK} positions and one round.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object with all figures.")
def command(file: str | None, quick: bool, as_json: bool) -> None:
    """Time the exact engine over the positions of FILE, and whole games in the core.

    FILE is `.mine` text; by default the 500 stuck expert positions of the source tree, or as
    many as are made quickly where there is none.
    Times are CPU time. Ratios are to the first row, in the same run.
    """
    texts = positions(file, QUICK if quick else None)
    timings = time_engines(texts, 1 if quick else ROUNDS)
    done = list(rates(GAMES // 10 if quick else GAMES))
    if as_json:
        engines = [timing._asdict() for timing in timings]
        plain = {"positions": len(texts), "engines": engines, "rates": [r._asdict() for r in done]}
        click.echo(json.dumps(plain))
    else:
        click.echo(f"{len(texts)} positions, from text to all risks, microseconds of CPU")
        click.echo(table(timings))
        click.echo("\n".join(["", *map(rate_line, done)]).rstrip())


def table(timings: list[Timing]) -> str:
    """Write the times with their ratios to the first row."""
    names = ("engine", "median", "99 %", "worst", "x median", "x 99 %", "x worst")
    width = max(len(timing.name) for timing in timings)
    lines = [f"{names[0]:<{width}}" + "".join(f"{name:>10}" for name in names[1:])]
    for name, *values in timings:
        ratios = [value / own for value, own in zip(values, timings[0][1:], strict=True)]
        fields = [*(f"{value:10,.1f}" for value in values), *(f"{ratio:10.1f}" for ratio in ratios)]
        lines.append(f"{name:<{width}}" + "".join(fields))
    return "\n".join(lines)


def rate_line(rate: Rate) -> str:
    """Write how much is done in a second."""
    return f"{rate.name}: {rate.amount:,.0f} {rate.unit} (CPU)"
