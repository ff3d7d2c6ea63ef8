"""`mineproof convert`: games from one form into another, replays into records and back."""

from __future__ import annotations

from pathlib import Path

import click

from mineproof.cli.coaching import find_files, read_games
from mineproof.cli.commands import new_command
from mineproof.cli.options import check_outputs, naming
from mineproof.core.errors import InputError
from mineproof.core.words import counted
from mineproof.notation.files import write_file
from mineproof.notation.records import Record, write_records
from mineproof.review.replay_writing import format_evf
from mineproof.review.replays import ReplayReader


@new_command(
    "convert",
    "convert expert.avf --out game.json",
    "convert replays/ --out games.jsonl",
    "convert game.json --out game.evf",
)
@click.argument("files", nargs=-1, required=True)
@click.option("--out", required=True, metavar="OUT", help="Where to: .json or .jsonl, or .evf.")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
def command(files: tuple[str, ...], *, out: str, force: bool) -> None:
    """Write games in another form: players' replays as records, a record as a replay.

    FILES are records, players' replays (.avf, .mvf, .rmv, .evf; needs the extra `replays`) or
    folders of both. OUT is a file of records, one a line, or with the suffix .evf a replay of one
    game, which the programs of players open. Moves that have no time are written ten a second.
    """
    path = Path(out)
    if path.suffix not in (".json", ".jsonl", ".evf"):
        raise InputError(f"expected --out FILE.json, FILE.jsonl or FILE.evf, got {out}")
    check_outputs([out], force)
    games: list[Record] = []
    with ReplayReader() as reader:
        for file in find_files(files):
            with naming(file):
                games += read_games(file, reader)
    if path.suffix != ".evf":
        write_records(path, games)
    elif len(games) == 1:
        write_file(path, format_evf(games[0]))
    else:
        raise InputError(f"expected one game for a replay, got {len(games)}")
    click.echo(f"wrote {counted(len(games), 'game')} into {out}")
