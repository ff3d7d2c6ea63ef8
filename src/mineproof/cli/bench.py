"""`mineproof bench`: the speed of the exact engine, compared with other engines."""

from __future__ import annotations

import json

import click

from mineproof.cli.commands import argument, flag, new_command
from mineproof.lab.speed import ROUNDS, Rate, Timing, positions, rates, time_engines

QUICK = 40
GAMES = 20_000


@new_command("bench")
def command(
    *,
    file: str | None = argument(required=False, type=click.Path(exists=True, dir_okay=False)),
    quick: bool = flag("--quick", f"Use {QUICK} positions and one round."),
    as_json: bool = flag("--json", "Print one JSON object with all results."),
) -> None:
    """Time the exact engine on the positions of FILE, and whole games in the core.

    FILE is `.mine` text. By default, the 500 stuck expert positions of the source tree are used,
    or newly generated positions if there is no source tree.
    Times are CPU time. Ratios are relative to the first row of the same run.

    Examples:
      mineproof bench
      mineproof bench --quick
      mineproof bench positions.mine --json
    """
    texts = positions(file, QUICK if quick else None)
    timings = time_engines(texts, 1 if quick else ROUNDS)
    done = list(rates(GAMES // 10 if quick else GAMES))
    if as_json:
        engines = [timing._asdict() for timing in timings]
        plain = {"positions": len(texts), "engines": engines, "rates": [r._asdict() for r in done]}
        click.echo(json.dumps(plain))
    else:
        click.echo(f"{len(texts)} positions, from text to all risks, in microseconds of CPU time")
        click.echo(table(timings))
        click.echo("\n".join(["", *map(rate_line, done)]).rstrip())


def table(timings: list[Timing]) -> str:
    """Return a table of the times and their ratios to the first row."""
    names = ("engine", "median", "99 %", "worst", "x median", "x 99 %", "x worst")
    width = max(len(timing.name) for timing in timings)
    lines = [f"{names[0]:<{width}}" + "".join(f"{name:>10}" for name in names[1:])]
    for name, *values in timings:
        ratios = [value / own for value, own in zip(values, timings[0][1:], strict=True)]
        cells = [*(f"{value:10,.1f}" for value in values), *(f"{ratio:10.1f}" for ratio in ratios)]
        lines.append(f"{name:<{width}}" + "".join(cells))
    return "\n".join(lines)


def rate_line(rate: Rate) -> str:
    """Return a line such as `expert games: 9,000 games/s (CPU)`."""
    return f"{rate.name}: {rate.amount:,.0f} {rate.unit} (CPU)"
