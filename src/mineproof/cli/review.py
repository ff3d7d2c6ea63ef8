"""`mineproof review`: a verdict on every move of a game, and a summary of many games."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import click

from mineproof import Budget, InputError, Record
from mineproof.cli import coaching, options
from mineproof.cli.coaching import MakeBudget, ManyGames
from mineproof.cli.commands import (
    BAD_INPUT,
    WORK_LIMIT,
    argument,
    flag,
    new_command,
    option,
    require,
)
from mineproof.cli.progress import progress
from mineproof.cli.text import console, shortened
from mineproof.core.words import counted, percent, printable
from mineproof.draw.svg import check_size
from mineproof.notation.codec import to_plain
from mineproof.notation.files import write_text
from mineproof.review.chains import reader_of, trace_record
from mineproof.review.chains_svg import draw_chains
from mineproof.review.coach import GameReport, coach
from mineproof.review.coaching import Coaching
from mineproof.review.replays import ReplayReader
from mineproof.review.verdicts import Review, Verdict, review

BUDGET = 300.0
"""Default time limit per game, in seconds."""
BRIEF_SECONDS = 60.0
"""Time limit for a review during a game, in seconds."""
JUDGING = 0.75
"""The share of the time for verdicts; the rest is for the cost of mistakes."""
NAMED = 10
"""Number of moves without a verdict to list."""


@new_command("review")
def command(  # noqa: PLR0913  (one parameter per option)
    *,
    files: tuple[str, ...] = argument(nargs=-1, required=True),
    as_json: bool = flag("--json", "Print one JSON object per game, and one for all."),
    every: bool = flag("--all", "List every move of every game, proved moves too."),
    drills: str | None = option("--drills FILE", "Write drills from these games, as .mine text."),
    plot: str | None = option("--plot FILE", "Draw what you missed: .svg, .png or .pdf."),
    force: bool = options.FORCE,
    chains: str | None = option(
        "--chains FILE", "Write the game's chains of influence: .svg or .json."
    ),
    reader: str = option(
        "--reader AGENT",
        "Choose the agent whose reasons form the chains.",
        default="",
        show_default="the player if it is an agent, else clue-heap",
    ),
    budget: float = option(
        "--budget T", "Limit the seconds per game.", options.Number(0, above=True), default=BUDGET
    ),
    memory: int | None = options.MEMORY,
) -> None:
    """Review your games: what you missed, what it cost, and what to practise next.

    FILES are records (one JSON object per line, as `watch --record` and `save` write them),
    players' replays (.avf, .mvf, .rmv, .evf; needs the extra `replays`), or folders of both.
    Nothing leaves this computer.

    One game gets a verdict on each move: proved, best guess, avoidable risk or reckless. If there
    was a better move, it is shown with its proof. Proved moves are listed only with --all.

    Several games get one line each and a summary: the kinds of reasoning you missed most, how
    many wins that cost, your luck, the time lost before proved moves, and what to practise. Files
    that cannot be read are skipped, and the exit status is 2.

    If a move takes too much time or memory, it is listed without a verdict, and the exit status
    is 3.

    Examples:
      mineproof review game.json
      mineproof review --all game.json
      mineproof review replays/ --drills mine.mine --plot mine.svg
      mineproof review --json monday.avf tuesday.avf
      mineproof review game.json --chains chains.svg
    """
    if plot is not None and Path(plot).suffix not in coaching.PLOTS:
        raise InputError(f"expected --plot FILE{', FILE'.join(coaching.PLOTS)}, got {plot}")
    if plot is not None:
        require("lab", "matplotlib")
    options.check_outputs((drills, plot, chains), force)
    found, limits = coaching.find_files(files), partial(Budget, budget, memory)
    with ReplayReader() as replays:
        games = coaching.read_games(found[0], replays) if len(found) == 1 else []
        if len(games) == 1 or every or chains is not None:
            games = games or [game for file in found for game in coaching.read_games(file, replays)]
            if chains is not None:
                line = write_chains(games, chains, reader)
            result, skipped = _closely(games, as_json, every, limits), 0
            if chains is not None and not as_json:
                click.echo(line)
        else:
            result, skipped = _many(found, replays, as_json, limits)
    _write(result, drills, plot, as_json)
    if skipped:
        raise click.exceptions.Exit(BAD_INPUT)
    if any(game.unjudged for game in result.games):
        raise click.exceptions.Exit(WORK_LIMIT)


def _closely(games: Sequence[Record], as_json: bool, every: bool, limits: MakeBudget) -> Coaching:
    """Judge every move of the games, with proofs."""
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
    return Coaching(tuple(reports))


def _review(game: Record, budget: Budget) -> Review:
    with progress("moves", len(game.steps)) as advance:
        return review(game, watcher=lambda _number, _verdict: advance(1, ""), budget=budget)


def unjudged_lines(found: Review, budget: Budget, also: Iterable[int] = ()) -> Iterator[str]:
    """Return lines that list the moves without a verdict, and those without a cost."""
    unweighed = [number for number in also if number not in found.unjudged]
    for what, numbers in (("verdict", found.unjudged), ("cost", unweighed)):
        if numbers:
            moves = counted(len(numbers), "move")
            yield f"no {what} within {budget.words}: {moves} ({shortened(numbers, NAMED)})"


def brief_review(record: Record, seconds: float = BRIEF_SECONDS) -> list[str]:
    """Review a game in progress, for its player."""
    budget = Budget(seconds)
    found = review(record, budget=budget)
    return [*review_lines(found), *unjudged_lines(found, budget)]


def _many(
    files: Sequence[str], replays: ReplayReader, as_json: bool, limits: MakeBudget
) -> tuple[Coaching, int]:
    """Judge many games; after Ctrl-C, sum up those that were read.

    Raises:
        InputError: none of them can be read.
    """
    many = ManyGames(as_json, limits)
    try:
        many.judge(files, replays)
    finally:
        many.summarise()
    if not many.coaching.games:
        raise InputError(f"none of the {len(files)} files can be read")
    return many.coaching, many.skipped


def _write(found: Coaching, drills: str | None, plot: str | None, as_json: bool) -> None:
    written = []
    if drills is not None:
        written.append(coaching.write_drills(found, drills))
    if plot is not None:
        from mineproof.lab.coach_figure import save_coaching

        save_coaching(found, Path(plot))
        written.append(f"a plot to {plot}")
    if written:
        click.echo(f"wrote {' and '.join(written)}", err=as_json)


def write_chains(games: Sequence[Record], file: str, reader: str = "") -> str:
    """Write the chains of influence of a game to a file, and return a one-line summary.

    Raises:
        InputError: there are several games, the suffix of the file is not supported, or the
            board is too large for a picture.
    """
    path = Path(file)
    if path.suffix not in (".svg", ".json"):
        raise InputError(f"expected --chains FILE.svg or FILE.json, got {file}")
    if len(games) != 1:
        raise InputError(f"--chains needs exactly one game, got {len(games)}")
    if path.suffix == ".svg":
        check_size(games[0].rules.rows, games[0].rules.columns)  # fail before tracing the game
    found = trace_record(games[0], reader)
    if path.suffix == ".svg":
        text = draw_chains(found, games[0].rules.rows, games[0].rules.columns)
    else:
        text = json.dumps(to_plain(found)) + "\n"
    write_text(path, text)
    return (
        f"chains of influence, as {reader or reader_of(games[0])} reasons: the longest has "
        f"{counted(found.length, 'conclusion')}, the farthest reach is {found.reach}"
    )


def show(game: Record, found: Review, title: str, every: bool, report: GameReport) -> None:
    """Print a review as readable text."""
    rules = game.rules
    end = "unfinished" if game.outcome is None else game.outcome.result.value
    player = f" by {printable(game.player)}" if game.player else ""
    head = f"{title}{rules.rows}x{rules.columns}/{rules.mines}{player}, {end}"
    console().print(head, *review_lines(found, every), *coach_lines(report), sep="\n")


def coach_lines(report: GameReport) -> list[str]:
    """Return lines about the speed of a game and the cost of its mistakes."""
    lines = ["figures: " + ", ".join(coaching.figures(report))]
    if report.mistakes:
        kinds = ", ".join(dict.fromkeys(one.missed.words for one in report.mistakes))
        lines.append(f"avoidable risks cost {coaching.cost_words(report)}; missed: {kinds}")
    return lines


def _verdict_lines(verdict: Verdict) -> Iterator[str]:
    """Yield the verdict on a move with its sign, and the proof that it opened a mine."""
    sign = f" {verdict.glyph}" if verdict.glyph else ""
    yield f"{verdict.number:4} {verdict.move}{sign}: {verdict.kind}. {verdict.text}"
    if verdict.mine is not None:
        yield f"     Why {verdict.mine.cell} was a mine: {verdict.mine.text}"


def review_lines(found: Review, every: bool = False) -> list[str]:
    """Return the verdicts and their totals; proved moves are left out unless `every` is set."""
    lines = [
        line
        for verdict in found.verdicts
        if every or verdict.kind != "proved"
        for line in _verdict_lines(verdict)
    ]
    totals = ", ".join(f"{count} {name}" for name, count in found.totals.items())
    lines.append(f"moves judged: {len(found.verdicts)} ({totals})")
    lines.append(
        f"luck: the chance of surviving all guesses was {percent(found.luck)}, "
        f"or {percent(found.best_luck)} with the lowest risk each time"
    )
    if found.false_proofs:
        numbers = ", ".join(map(str, found.false_proofs))
        lines.append(f"false proofs (moves wrongly called proved): {numbers}")
    rating = found.rating
    if rating.proofs:
        lines.append(
            f"difficulty of the proofs: hardest {rating.hardest} ({rating.rule}), "
            f"mean {rating.mean}"
        )
    return lines
