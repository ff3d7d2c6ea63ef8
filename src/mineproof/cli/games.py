"""`mineproof games`: an agent plays many games; a line a game, and a summary."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Sequence
from contextlib import nullcontext
from itertools import groupby

import click

from mineproof import __version__
from mineproof.agents.loading import file_of
from mineproof.cli.commands import new_command
from mineproof.cli.options import (
    OutputFlags,
    RuleFlags,
    Whole,
    is_game_id,
    jobs_option,
    naming,
    output_flags,
    player_options,
    player_text,
    read_input,
    rule_flags,
)
from mineproof.cli.progress import progress
from mineproof.core.errors import InputError
from mineproof.core.words import share
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


@new_command(
    "games",
    "games expert.boards --agent basic --jobs 4 --output basic.txt",
    "games expert.boards --agent basic --jobs 4 --output basic.txt --resume",
    "games --count 1000 --level beginner --agent basic --seed 1 > lines.txt",
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
@output_flags
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
    output: OutputFlags,
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
    results = output.open(lambda path: ResultFile(path, len(deals), _run(name, deals)))
    summary = Summary()
    if results is not None:
        summary.add(results.done.values())
        deals = _left(deals, results.done)

    def report(games: Sequence[Played]) -> None:
        if results is not None:
            results.write(games)
        else:
            lines = (json.dumps(to_plain(game)) if as_json else str(game) for game in games)
            click.echo("\n".join(lines))
        summary.add(games)
        advance(len(games), f"{share(summary.wins / max(1, summary.games), 1)} won")

    def summarise() -> None:
        text = json.dumps(summary.plain()) if as_json else str(summary)
        click.echo(text, err=results is None)  # stdout has the lines then

    try:
        with (
            results or nullcontext(),
            progress("games", len(deals), quiet=output.on_screen) as advance,
        ):
            play_deals(player, deals, report, jobs or cores())
    except (KeyboardInterrupt, InputError) as error:
        summarise()
        if results is not None and isinstance(error, KeyboardInterrupt):
            click.echo(
                f"stopped: the same command with --resume goes on in {output.path}", err=True
            )
        raise
    summarise()


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
    with naming("stdin" if file == "-" else file):
        boards = parse_boards(read_input(file))
    return from_boards(boards, flags.applied_to, flags.seed or 0)


def _of_game(game: GameId, flags: RuleFlags) -> list[Deal]:
    """Give the one game of an id, which says its own rules."""
    flags.check_unused("a game that is given")
    mined = None if game.board is None else game.board.mined
    return [Deal(0, game.rules, game.seed, game.first or game.rules.first_cell, mined)]


def _run(agent: str, deals: Sequence[Deal]) -> dict[str, str]:
    """Return what a result file has to know of the run that it belongs to."""
    run = {"agent": agent, "games": _name(deals), "version": __version__}
    if own := file_of(agent):
        run["file"] = hashlib.sha256(own.read_bytes()).hexdigest()[:16]
    return run


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
