"""`mineproof games`: an agent plays many games; a line a game, and a summary."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

import click

from mineproof import __version__
from mineproof.agents.loading import file_of
from mineproof.cli.commands import Command, examples
from mineproof.cli.options import (
    RuleFlags,
    Whole,
    is_game_id,
    jobs_option,
    player_options,
    player_text,
    read_input,
    rule_flags,
)
from mineproof.core.errors import InputError, NotationError
from mineproof.match.batch import (
    Deal,
    DealtGames,
    Played,
    check_player,
    dealt,
    from_boards,
    play_deals,
)
from mineproof.match.isolated import Isolation
from mineproof.match.many import MOST_GAMES
from mineproof.match.results import ResultFile, Summary
from mineproof.notation.boards import parse_boards
from mineproof.notation.codec import to_plain
from mineproof.notation.game_id import GameId, parse_game_id
from mineproof.workers.batch import cores


@click.command(
    "games",
    cls=Command,
    epilog=examples(
        "games expert.boards --agent basic --jobs 4 --output basic.txt",
        "games expert.boards --agent basic --jobs 4 --output basic.txt --resume",
        "games --count 1000 --level beginner --agent basic --seed 1 > lines.txt",
    ),
)
@click.argument("file", required=False)
@player_options
@rule_flags
@click.option(
    "--isolated/--no-isolated",
    default=True,
    show_default=True,
    help="Whether an agent of your own thinks in a process of its own.",
)
@click.option("--count", type=Whole(1, MOST_GAMES), metavar="N", help="Deal N games, no FILE.")
@jobs_option
@click.option(
    "--output", type=click.Path(dir_okay=False), metavar="OUT", help="Write the lines to OUT."
)
@click.option("--resume", is_flag=True, help="Play only the games that OUT lacks.")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON objects; OUT keeps its lines.")
def command(  # noqa: PLR0913  (click hands over one argument for each option)
    *,
    file: str | None,
    agent: str | None,
    budget: str | None,
    decision_seconds: float,
    isolated: bool,
    flags: RuleFlags,
    count: int | None,
    jobs: int | None,
    output: str | None,
    resume: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Let an agent play every game of a board file, or --count dealt games.

    Each game gives a line `index win|loss|stuck guesses moves ms` (guesses: opens that the
    agent had not proved; ms: CPU time), in any order, on stdout or in --output. The summary
    with its 95 % interval goes to stdout with --output, else to stderr.

    FILE is a game id, or a board file, which has a line for each game with mines as
    row*columns+column: `rows columns mines first_row first_column m1,m2,...`; `-` reads it from
    stdin. Its games say size and first cell;
    --level and --start are for dealt games. Game i has the seed SEED + i (SEED is 0 unless
    given): a dealt game its board, and every game its agent's random choices.
    """
    name = player_text(agent, budget)
    player = Isolation(name, decision_seconds) if isolated and file_of(name) else name
    check_player(player)  # before OUT is touched
    deals = _deals(file, count, flags)
    results = _results(output, deals, name, resume=resume, force=force)
    summary = Summary()
    if results is not None:
        summary.add(results.done.values())
        deals = _left(deals, results.done)
    report = Reporter(summary, results, as_json)
    try:
        with report.progress(len(deals)):
            play_deals(player, deals, report, jobs or cores())
    except (KeyboardInterrupt, InputError) as error:
        report.summarise()
        if results is not None and isinstance(error, KeyboardInterrupt):
            click.echo(f"stopped: the same command with --resume goes on in {output}", err=True)
        raise
    finally:
        if results is not None:
            results.close()
    report.summarise()


def _left(deals: Sequence[Deal], done: Container[int]) -> Sequence[Deal]:
    """Leave out the games that were played before."""
    if not done:
        return deals
    if isinstance(deals, DealtGames):
        return deals.without(done)
    return [deal for deal in deals if deal.index not in done]


def _deals(file: str | None, count: int | None, flags: RuleFlags) -> Sequence[Deal]:
    if (file is None) == (count is None):
        raise click.UsageError("expected a FILE of games, or --count for dealt ones")
    if file is None:
        return dealt(flags.rules(), count or 0, flags.seed or 0)
    if flags.level is not None or flags.options["start"] is not None:
        raise click.UsageError("expected --level and --start without a FILE, which says both")
    return _from_file(file, flags)


def _from_file(file: str, flags: RuleFlags) -> list[Deal]:
    """Read the games of a board file; all are checked before any is played."""
    if is_game_id(file):
        return _of_game(parse_game_id(file), flags)
    try:
        boards = parse_boards(read_input(file))
    except NotationError as error:
        name = "stdin" if file == "-" else file
        place = "" if "file" in error.values else f"{name}: "
        raise NotationError(f"{place}{error}") from None
    return from_boards(boards, flags.applied_to, flags.seed or 0)


def _of_game(game: GameId, flags: RuleFlags) -> list[Deal]:
    """Give the one game of an id, which says its own rules."""
    flags.check_unused("a game that is given")
    mined = None if game.board is None else game.board.mined
    return [Deal(0, game.rules, game.seed, game.first or game.rules.first_cell, mined)]


def _results(
    output: str | None, deals: Sequence[Deal], agent: str, *, resume: bool, force: bool
) -> ResultFile | None:
    if output is None:
        if resume or force:
            raise click.UsageError("expected --output with --resume or --force")
        return None
    path = Path(output)
    run = {"agent": agent, "games": _name(deals), "version": __version__}
    if own := file_of(agent):
        run["file"] = hashlib.sha256(own.read_bytes()).hexdigest()[:16]
    results = ResultFile(path, len(deals), run)
    if not resume and not force and path.exists() and path.stat().st_size > 0:
        raise InputError(f"expected --resume or --force, since {path} exists")
    results.resume() if resume else results.begin()
    return results


def _name(deals: Sequence[Deal]) -> str:
    """Tell two lists of games apart by a short text; dealt games go on as far as one likes."""
    if deals and (isinstance(deals, DealtGames) or all(deal.mined is None for deal in deals)):
        return f"from {GameId(deals[0].rules, deals[0].seed, deals[0].first)} on"
    digest = hashlib.sha256()
    for rules, alike in groupby(deals, key=lambda deal: deal.rules):
        digest.update(repr(rules).encode())
        for deal in alike:
            digest.update(f"{deal.index} {deal.seed} {deal.first}".encode() + (deal.mined or b""))
    return digest.hexdigest()[:16]


class Reporter:
    """Writes the line of each game that ends, shows progress, and adds up a summary."""

    def __init__(self, summary: Summary, results: ResultFile | None, as_json: bool) -> None:
        """Keep where lines go: to a file, else to stdout."""
        self._summary = summary
        self._results = results
        self._json = as_json
        self._advance: Callable[[int], None] | None = None

    def __call__(self, games: Sequence[Played]) -> None:
        """Take in games that have just ended."""
        if self._results is not None:
            self._results.write(games)
        else:
            lines = (json.dumps(to_plain(game)) if self._json else str(game) for game in games)
            click.echo("\n".join(lines))
        self._summary.add(games)
        if self._advance is not None:
            self._advance(len(games))

    def summarise(self) -> None:
        """Print the summary: to stdout, unless that is where the lines go."""
        text = json.dumps(self._summary.plain()) if self._json else str(self._summary)
        click.echo(text, err=self._results is None)

    @contextmanager
    def progress(self, total: int) -> Iterator[None]:
        """Show a bar on stderr in a terminal, unless lines are printed there as well."""
        lines_on_screen = self._results is None and sys.stdout.isatty()
        if lines_on_screen or not sys.stderr.isatty():
            yield
            return
        from mineproof.cli.progress import bar

        with bar("", total) as advance:
            self._advance = lambda games: advance(games, self._rate())
            yield
        self._advance = None

    def _rate(self) -> str:
        return f"{self._summary.wins / max(1, self._summary.games):.1%} won"
