"""`mineproof review`: a verdict on every move of recorded games."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from mineproof.cli.commands import Command, examples
from mineproof.cli.options import is_game_id, read_given, read_input
from mineproof.cli.text import console, printable
from mineproof.core.errors import InputError, NotationError
from mineproof.notation.files import write_text
from mineproof.notation.records import Record
from mineproof.review.chains import Chains, reader_of, trace_record
from mineproof.review.chains_svg import draw_chains
from mineproof.review.replays import is_replay
from mineproof.review.verdicts import Review, review


@click.command(
    "review",
    cls=Command,
    epilog=examples(
        "review game.json",
        "review --all game.json",
        "review --json games.jsonl",
        "review game.json --chains chains.svg",
    ),
)
@click.argument("record")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game, a line each.")
@click.option("--all", "every", is_flag=True, help="List proved moves too.")
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
def command(record: str, *, as_json: bool, every: bool, chains: str | None, reader: str) -> None:
    """Give a verdict on every move of a game: proved, best guess, avoidable risk or reckless.

    RECORD is a file of records, one JSON object a line, as `watch --record` and `save` write
    them, or a player's replay (.avf, .mvf, .rmv, .evf; needs the extra `replays`).
    A move is judged by what could be known before it. Where there was a better move, it is
    named with its proof. Proved moves are listed with `--all`; the totals always come.
    `--chains` also writes the chains of influence: which cells each conclusion rests on.
    """
    games = _records(record)
    if chains is not None:
        found_chains = write_chains(games, chains, reader)
    for number, game in enumerate(games):
        found = review(game)
        if as_json:
            click.echo(json.dumps(found.to_plain(), allow_nan=False))
        else:
            show(game, found, f"game {number}: " if len(games) > 1 else "", every)
    if chains is not None and not as_json:
        click.echo(chains_line(found_chains, reader or reader_of(games[0])))


def _records(argument: str) -> list[Record]:
    """Read the games to review; a game without moves or a position has nothing to judge."""
    is_text = argument != "-" and not is_game_id(argument) and not is_replay(argument)
    if is_text and not read_input(argument).strip():
        raise NotationError("expected a record, got an empty file")
    games = read_given(argument)
    found = [game for game in games if isinstance(game, Record)]
    if len(found) < len(games):
        raise NotationError(
            "expected records, games with their moves (as `watch --record` and `save` write "
            f"them), got something without moves in {argument}"
        )
    return found


def chains_line(found: Chains, reader: str) -> str:
    """Say how long the longest chain is and how far influence reaches."""
    return (
        f"chains of influence, as {reader} reasons: the longest has {found.length} conclusions, "
        f"the farthest reach is {found.reach}"
    )


def write_chains(games: Sequence[Record], file: str, reader: str = "") -> Chains:
    """Write the chains of influence of a game into a file, and give them.

    Raises:
        InputError: there are several games, or the file has another suffix.
    """
    path = Path(file)
    if path.suffix not in (".svg", ".json"):
        raise InputError(f"expected --chains FILE.svg or FILE.json, got {file}")
    if len(games) != 1:
        raise InputError(f"expected one game for --chains, got {len(games)}")
    found = trace_record(games[0], reader)
    if path.suffix == ".svg":
        text = draw_chains(found, games[0].rules.rows, games[0].rules.columns)
    else:
        text = json.dumps(found.to_plain()) + "\n"
    write_text(path, text)
    return found


def show(game: Record, found: Review, title: str = "", every: bool = False) -> None:
    """Print a review for people."""
    rules = game.rules
    end = "unfinished" if game.outcome is None else game.outcome.result.value
    player = f" by {printable(game.player)}" if game.player else ""
    screen = console()
    screen.print(f"{title}{rules.rows}x{rules.columns}/{rules.mines}{player}, {end}")
    for line in review_lines(found, every):
        screen.print(line)


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
        f"luck: all guesses survive with a chance of {found.luck:.1%}, "
        f"and with the least risk each time of {found.best_luck:.1%}"
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
