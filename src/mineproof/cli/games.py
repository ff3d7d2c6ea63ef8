"""`mineproof games`: play many games with an agent, and print one line per game and a summary."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import groupby

import click

from mineproof import InputError, WorkLimitError
from mineproof.agents.loading import is_foreign
from mineproof.arena.many import MOST_GAMES
from mineproof.cli import inputs, options
from mineproof.cli.commands import argument, flag, new_command, option
from mineproof.cli.options import LimitOptions, OutputOptions, RuleOptions, Whole
from mineproof.cli.progress import Advance, count_games, progress
from mineproof.match import batch
from mineproof.match.batch import Deal, DealtGames, Played
from mineproof.match.isolated import is_apart, new_salt
from mineproof.match.results import ResultFile, Summary, run_of
from mineproof.notation.boards import parse_boards
from mineproof.notation.codec import to_plain
from mineproof.notation.game_id import GameId, parse_game_id
from mineproof.workers.batch import cores


@new_command("games")
def command(  # noqa: PLR0913  (one parameter per option)
    *,
    file: str | None = argument(required=False),
    agent: str | None = options.AGENT,
    budget: str | None = options.BUDGET,
    limits: LimitOptions = options.LIMITS,
    salt: str | None = options.SALT,
    rules: RuleOptions = options.RULES,
    isolated: bool = options.ISOLATED,
    count: int | None = option(
        "--count N", "Deal N games instead of reading FILE.", Whole(1, MOST_GAMES)
    ),
    jobs: int | None = options.JOBS,
    output: OutputOptions = options.OUTPUT,
    as_json: bool = flag("--json", "Print JSON objects; OUT keeps its plain lines."),
) -> None:
    """Play every game of a board file with an agent, or --count dealt games.

    Each game prints one line, `index win|loss|stuck|failed|refused guesses moves ms`, in any
    order. Guesses are opened cells that the agent had not proved safe; ms is CPU time. A summary
    with a 95 % interval follows: on stderr, or on stdout with --output.

    FILE is a game id or a board file; `-` reads stdin. A board file has one line per game:
    `rows columns mines first_row first_column m1,m2,...`, where a mine is row*columns+column.
    --level and --start are for dealt games only. Game i has the seed SEED + i (SEED is 0 unless
    given), which deals the board and decides the agent's random choices.

    Examples:
      mineproof games expert.boards --agent basic --jobs 4 --output basic.txt
      mineproof games expert.boards --agent basic --jobs 4 --output basic.txt --resume
      mineproof games --count 1000 --level beginner --agent basic --seed 1 > lines.txt
    """
    name = options.player_text(agent, budget)
    deals = _deals(file, count, rules)
    options.warn_not_isolated(isolated, [name])
    if is_foreign(name):
        salt = salt or output.saved_salt() or new_salt()
    own = limits.isolation(name, salt)
    run = {**run_of(name, own.options), "games": _name(deals)}
    if is_foreign(name):
        run |= {"salt": salt, "isolated": is_apart(name, isolated)}
    player = own if is_apart(name, isolated) else name
    batch.check_player(player, limits.decision_seconds)  # fail before OUT is written
    lines = _Lines(output.open(lambda path: ResultFile(path, len(deals), run)), as_json)
    left = batch.left(deals, lines.done)
    try:
        with (
            lines.file or nullcontext(),
            progress("games", len(left), quiet=output.on_screen) as advance,
        ):
            batch.play_deals(
                player,
                left,
                lambda games: lines.add(games, advance),
                jobs or cores(),
                isolated=isolated,
                salt=salt or "",
                seconds=limits.decision_seconds,
            )
    except (KeyboardInterrupt, InputError, WorkLimitError) as error:
        lines.summarise()
        if lines.file is not None and isinstance(error, KeyboardInterrupt):
            click.echo(f"stopped; add --resume to continue {output.path}", err=True)
        raise
    lines.summarise()


class _Lines:
    """Writes one line per game to a file or to stdout, and adds the games up."""

    def __init__(self, file: ResultFile | None, as_json: bool) -> None:
        self.file = file
        self.done = {} if file is None else file.done
        self._json = as_json
        self._summary = Summary()
        self._summary.add(self.done.values())

    def add(self, games: Sequence[Played], advance: Advance) -> None:
        if self.file is not None:
            self.file.write(games)
        else:
            lines = (json.dumps(to_plain(game)) if self._json else str(game) for game in games)
            click.echo("\n".join(lines))
        count_games(games, self._summary, advance)

    def summarise(self) -> None:
        text = json.dumps(self._summary.plain()) if self._json else str(self._summary)
        click.echo(text, err=self.file is None)  # stdout is only for result lines


def _deals(file: str | None, count: int | None, rules: RuleOptions) -> Sequence[Deal]:
    """Return the games to play; those of a file are all checked before any is played."""
    if (file is None) == (count is None):
        raise click.UsageError("use either a FILE with games or --count")
    if file is None:
        return batch.dealt(rules.rules(), count or 0, rules.seed or 0)
    if inputs.is_game_id(file):
        rules.check_unused()
        game = parse_game_id(file)
        mined = None if game.board is None else game.board.mined
        return [Deal(0, game.rules, game.seed, game.first or game.rules.first_cell, mined)]
    if rules.level is not None or rules.start is not None:
        raise click.UsageError("--level and --start cannot be combined with a FILE")
    with inputs.naming("stdin" if file == "-" else file):
        boards = parse_boards(inputs.read_input(file))
    return batch.from_boards(boards, rules.applied_to, rules.seed or 0)


def _name(deals: Sequence[Deal]) -> str:
    """Return a short name for a list of games; it does not depend on the number of dealt games."""
    if deals and (isinstance(deals, DealtGames) or all(deal.mined is None for deal in deals)):
        return f"from {GameId(deals[0].rules, deals[0].seed, deals[0].first)} on"
    digest = hashlib.sha256()
    for rules, alike in groupby(deals, key=lambda deal: deal.rules):
        digest.update(repr(rules).encode())
        for deal in alike:
            digest.update(f"{deal.index} {deal.seed} {deal.first}".encode() + (deal.mined or b""))
    return digest.hexdigest()[:16]
