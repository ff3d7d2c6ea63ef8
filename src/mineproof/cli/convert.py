"""`mineproof convert`: turn replays into records, and records into replays."""

from __future__ import annotations

from pathlib import Path

import click

from mineproof.cli.coaching import find_files, read_games
from mineproof.cli.commands import argument, flag, new_command, option
from mineproof.cli.inputs import naming
from mineproof.cli.options import check_outputs
from mineproof.core.errors import InputError
from mineproof.core.words import counted
from mineproof.notation.files import write_file
from mineproof.notation.records import Record, write_records
from mineproof.review.replay_writing import format_evf
from mineproof.review.replays import ReplayReader


@new_command("convert")
def command(
    *,
    files: tuple[str, ...] = argument(nargs=-1, required=True),
    out: str = option("--out OUT", "Write to OUT: .json, .jsonl or .evf.", required=True),
    force: bool = flag("--force", "Overwrite OUT."),
) -> None:
    """Convert players' replays to records, or one record to a replay.

    FILES are records, players' replays (.avf, .mvf, .rmv, .evf; needs the extra `replays`) or
    folders of both. If OUT ends with .evf, it is a replay of one game, which players' programs
    can open; otherwise it has one record per line. A replay needs a time for each move: moves
    without one are written 0.1 s apart.

    Examples:
      mineproof convert expert.avf --out game.json
      mineproof convert replays/ --out games.jsonl
      mineproof convert game.json --out game.evf
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
        raise InputError(f"a replay holds one game, got {len(games)}")
    click.echo(f"wrote {counted(len(games), 'game')} to {out}")
