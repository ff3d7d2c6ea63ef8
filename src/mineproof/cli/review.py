"""`mineproof review`: a verdict on every move of a game, and what many games come to."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import click

from mineproof.cli.coaching import (
    PLOTS,
    MakeBudget,
    ManyGames,
    cost_words,
    figures,
    find_files,
    read_games,
    write_drills,
    write_plot,
)
from mineproof.cli.commands import BAD_INPUT, WORK_LIMIT, new_command, require
from mineproof.cli.options import Number, check_outputs, memory_option
from mineproof.cli.progress import progress
from mineproof.cli.text import console
from mineproof.core.errors import InputError
from mineproof.core.words import counted, percent, printable
from mineproof.draw.svg import check_size
from mineproof.inference.budget import Budget
from mineproof.notation.codec import to_plain
from mineproof.notation.files import write_text
from mineproof.notation.records import Record
from mineproof.review.chains import Chains, reader_of, trace_record
from mineproof.review.chains_svg import draw_chains
from mineproof.review.coach import GameReport, coach
from mineproof.review.coaching import Coaching
from mineproof.review.replays import ReplayReader
from mineproof.review.verdicts import Review, review

BUDGET = 300.0
"""Seconds that a game may take, unless told otherwise."""
BRIEF_SECONDS = 60.0
"""The same of a game that is still played."""
JUDGING = 0.75
"""The share of them for verdicts; what mistakes cost takes the rest."""
NAMED = 10
"""Moves that are named of those without a verdict."""


@new_command(
    "review",
    "review game.json",
    "review --all game.json",
    "review replays/ --drills mine.mine --plot mine.svg",
    "review --json monday.avf tuesday.avf",
    "review game.json --chains chains.svg",
)
@click.argument("files", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="A JSON object a game, and their sum.")
@click.option("--all", "every", is_flag=True, help="List every move of every game, proved too.")
@click.option("--drills", metavar="FILE", help="Write drills from these games, as .mine text.")
@click.option("--plot", metavar="FILE", help="Draw what was missed: .svg, .png or .pdf.")
@click.option("--force", is_flag=True, help="Overwrite the files that are written.")
@click.option(
    "--chains",
    metavar="FILE",
    help="Write the chains of influence of the game: .svg for a picture, .json for data.",
)
@click.option(
    "--reader",
    metavar="AGENT",
    default="",
    help="The agent whose reasons make the chains: the player if it is one, else clue-heap.",
)
@click.option(
    "--budget",
    type=Number(0, min_open=True),
    default=BUDGET,
    metavar="T",
    help=f"Seconds a game.  [{BUDGET:g}]",
)
@memory_option
def command(  # noqa: PLR0913  (click hands over one argument for each option)
    files: tuple[str, ...],
    *,
    as_json: bool,
    every: bool,
    drills: str | None,
    plot: str | None,
    force: bool,
    chains: str | None,
    reader: str,
    budget: float,
    memory: int | None,
) -> None:
    """Coach a player: what was missed in games, what it cost, what to practise next.

    FILES are records, one JSON object a line, as `watch --record` and `save` write them,
    players' replays (.avf, .mvf, .rmv, .evf; needs the extra `replays`), or folders of both.
    Nothing leaves this machine.

    One game gets a verdict on each move: proved, best guess, avoidable risk or reckless, by what
    could be known before it. Where there was a better move, it is named with its proof. Proved
    moves are listed with `--all`; the totals always come.

    Many games get a line each and a summary: which kinds of reasoning were missed most, how many
    wins that cost, luck, time lost before moves that were proved, and what to practise. Files
    that cannot be read are named and skipped; the status is 2 then.

    Moves that take more time or memory than a game may take are named; the status is 3 then.
    """
    if plot is not None and Path(plot).suffix not in PLOTS:
        raise InputError(f"expected --plot FILE{', FILE'.join(PLOTS)}, got {plot}")
    if plot is not None:
        require("lab", "matplotlib")
    check_outputs((drills, plot, chains), force)
    found, limits = find_files(files), partial(Budget, budget, memory)
    with ReplayReader() as replays:
        games = read_games(found[0], replays) if len(found) == 1 else []
        if len(games) == 1 or every or chains is not None:
            games = games or [game for file in found for game in read_games(file, replays)]
            coaching, skipped = _closely(games, as_json, every, chains, reader, limits), 0
        else:
            coaching, skipped = _many(found, replays, as_json, limits)
    _write(coaching, drills, plot, as_json)
    if skipped:
        raise click.exceptions.Exit(BAD_INPUT)
    if any(game.unjudged for game in coaching.games):
        raise click.exceptions.Exit(WORK_LIMIT)


def _closely(  # noqa: PLR0913, PLR0917  (one for each option that matters here)
    games: Sequence[Record],
    as_json: bool,
    every: bool,
    chains: str | None,
    reader: str,
    limits: MakeBudget,
) -> Coaching:
    """Judge every move of games with its proof."""
    if chains is not None:
        found_chains = write_chains(games, chains, reader)
    reports = []
    for number, game in enumerate(games):
        budget = limits()
        found = _review(game, budget.share(JUDGING))
        reports.append(coach(game, f"game {number}", found, budget))
        if as_json:
            plain = {**to_plain(found), "coach": to_plain(reports[-1])}
            click.echo(json.dumps(plain, allow_nan=False))
        else:
            title = f"game {number}: " if len(games) > 1 else ""
            show(game, found, title, every, reports[-1])
            for line in unjudged_lines(found, budget, reports[-1].unjudged):
                click.echo(line)
    if chains is not None and not as_json:
        click.echo(chains_line(found_chains, reader or reader_of(games[0])))
    return Coaching(tuple(reports))


def _review(game: Record, budget: Budget) -> Review:
    """Judge the moves; a bar shows how far it has come."""
    with progress("moves", len(game.steps)) as advance:
        return review(game, watcher=lambda _number, _verdict: advance(1, ""), budget=budget)


def unjudged_lines(found: Review, budget: Budget, also: Iterable[int] = ()) -> Iterator[str]:
    """Name the moves that the budget left no room for, and those without a cost."""
    unweighed = [number for number in also if number not in found.unjudged]
    for what, numbers in (("verdict", found.unjudged), ("cost", unweighed)):
        if numbers:
            named = ", ".join(map(str, numbers[:NAMED]))
            more = f" and {len(numbers) - NAMED} more" if len(numbers) > NAMED else ""
            moves = counted(len(numbers), "move")
            yield f"no {what} within {budget.words}: {moves} ({named}{more})"


def brief_review(record: Record, seconds: float = BRIEF_SECONDS) -> list[str]:
    """Judge the moves of a game that goes on, for whoever plays it."""
    budget = Budget(seconds)
    found = review(record, budget=budget)
    return [*review_lines(found), *unjudged_lines(found, budget)]


def _many(
    files: Sequence[str], replays: ReplayReader, as_json: bool, limits: MakeBudget
) -> tuple[Coaching, int]:
    """Judge many games; Ctrl-C leaves those that were read, and what they come to.

    Raises:
        InputError: none of them can be read.
    """
    many = ManyGames(as_json, limits)
    try:
        many.take(files, replays)
    finally:
        many.summarise()
    if not many.coaching.games:
        raise InputError(f"expected games that can be read, got none of {len(files)} files")
    return many.coaching, many.skipped


def _write(found: Coaching, drills: str | None, plot: str | None, as_json: bool) -> None:
    said = []
    if drills is not None:
        said.append(write_drills(found, drills))
    if plot is not None:
        write_plot(found, plot)
        said.append(f"a plot in {plot}")
    if said:
        click.echo(f"wrote {' and '.join(said)}", err=as_json)


def chains_line(found: Chains, reader: str) -> str:
    """Say how long the longest chain is and how far influence reaches."""
    return (
        f"chains of influence, as {reader} reasons: the longest has "
        f"{counted(found.length, 'conclusion')}, the farthest reach is {found.reach}"
    )


def write_chains(games: Sequence[Record], file: str, reader: str = "") -> Chains:
    """Write the chains of influence of a game into a file, and give them.

    Raises:
        InputError: there are several games, the file has another suffix, or the board is too
            large for a picture.
    """
    path = Path(file)
    if path.suffix not in (".svg", ".json"):
        raise InputError(f"expected --chains FILE.svg or FILE.json, got {file}")
    if len(games) != 1:
        raise InputError(f"expected one game for --chains, got {len(games)}")
    if path.suffix == ".svg":
        check_size(games[0].rules.rows, games[0].rules.columns)  # before all is traced
    found = trace_record(games[0], reader)
    if path.suffix == ".svg":
        text = draw_chains(found, games[0].rules.rows, games[0].rules.columns)
    else:
        text = json.dumps(to_plain(found)) + "\n"
    write_text(path, text)
    return found


def show(game: Record, found: Review, title: str, every: bool, report: GameReport) -> None:
    """Print a review for people."""
    rules = game.rules
    end = "unfinished" if game.outcome is None else game.outcome.result.value
    player = f" by {printable(game.player)}" if game.player else ""
    screen = console()
    screen.print(f"{title}{rules.rows}x{rules.columns}/{rules.mines}{player}, {end}")
    for line in (*review_lines(found, every), *coach_lines(report)):
        screen.print(line)


def coach_lines(report: GameReport) -> list[str]:
    """Say what mistakes cost, and how fast the game was."""
    lines = ["figures: " + ", ".join(figures(report))]
    if report.mistakes:
        kinds = ", ".join(dict.fromkeys(one.missed.words for one in report.mistakes))
        lines.append(f"avoidable risks cost {cost_words(report)}; missed: {kinds}")
    return lines


def review_lines(found: Review, every: bool = False) -> list[str]:
    """Write the verdicts, of proved moves only where all are asked for, and their totals."""
    lines = [
        f"{verdict.number:4} {verdict.move}: {verdict.kind}. {verdict.text}"
        for verdict in found.verdicts
        if every or verdict.kind != "proved"
    ]
    totals = ", ".join(f"{count} {name}" for name, count in found.totals.items())
    lines.append(f"moves judged: {len(found.verdicts)} ({totals})")
    lines.append(
        f"luck: all guesses survive with a chance of {percent(found.luck)}, "
        f"and with the least risk each time of {percent(found.best_luck)}"
    )
    if found.false_proofs:
        numbers = ", ".join(map(str, found.false_proofs))
        lines.append(f"false proofs, called proved by the player and not so: moves {numbers}")
    rating = found.rating
    if rating.proofs:
        lines.append(
            f"difficulty of the proofs: hardest {rating.hardest} ({rating.rule}), "
            f"mean {rating.mean}"
        )
    return lines
