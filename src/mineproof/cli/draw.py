"""`mineproof draw`: a position or a game as a picture."""

from __future__ import annotations

from pathlib import Path

import click

from mineproof.cli.commands import new_command
from mineproof.cli.options import (
    Number,
    Whole,
    agent_option,
    check_outputs,
    move_option,
    parse_cell,
    player_text,
    read_given,
)
from mineproof.core.errors import InputError
from mineproof.core.game import Game
from mineproof.core.observation import Observation
from mineproof.draw import compose
from mineproof.draw.games import animation_svg, changes
from mineproof.draw.pixels import animation_png, board_png
from mineproof.draw.svg import board_svg, check_size
from mineproof.match.isolated import player
from mineproof.match.play import play
from mineproof.notation.files import write_file
from mineproof.notation.game_id import GameId
from mineproof.notation.inputs import position_of
from mineproof.notation.records import Record

HELP = """Draw a position, or a whole game as an animation, into a file .svg or .png.

FILE is a position in `.mine` text, a record (its game is animated; of several the first), or a
game id or board file, whose game --agent plays. `-` reads stdin. --move N draws the position of
a game before its move N instead (from 1; one more than the moves is the end).
"""
SUFFIXES = (".svg", ".png")


@new_command(
    "draw",
    "draw position.mine --risks --out risks.svg",
    "draw position.mine --why 3,4 --out proof.png",
    "draw game.json --out game.svg",
    "draw beginner:s7 --agent exact --out game.png",
    help=HELP,
)
@click.argument("file")
@click.option("--out", required=True, metavar="PICTURE", help="The file to write: .svg or .png.")
@click.option("--risks", is_flag=True, help="Show the risk of every cell.")
@click.option("--why", metavar="ROW,COLUMN", help="Show the proof of a cell, in words in SVG.")
@move_option
@agent_option
@click.option(
    "--theme",
    type=click.Choice(["auto", "light", "dark"]),
    default="auto",
    show_default=True,
    help="auto: what the reader's system prefers; light in PNG.",
)
@click.option(
    "--side", type=Whole(8, 256), default=28, show_default=True, help="Pixels of a cell, in PNG."
)
@click.option(
    "--delay", type=Number(0.02, 60), default=0.35, show_default=True, help="Seconds a move."
)
@click.option("--force", is_flag=True, help="Overwrite PICTURE.")
def command(  # noqa: PLR0913  (one for each argument and option)
    file: str,
    *,
    out: str,
    risks: bool,
    why: str | None,
    move: int | None,
    agent: str | None,
    theme: str,
    side: int,
    delay: float,
    force: bool,
) -> None:
    """Draw a picture."""
    path = Path(out)
    if path.suffix not in SUFFIXES:
        raise InputError(f"expected --out FILE.svg or FILE.png, got {out}")
    check_outputs([out], force)
    found = _read(file, agent)
    if isinstance(found, Observation) or move is not None:
        position = position_of(found, move)
        picture = _still(position, path.suffix, risks, why, theme, side)
    elif risks or why is not None:
        raise click.UsageError("expected --move with --risks or --why of a game")
    else:
        picture = _animation(found, path.suffix, theme, side, delay)
    write_file(path, picture)


def _read(file: str, agent: str | None) -> Observation | Record:
    """Read what is to be drawn; a game without moves is played."""
    given = read_given(file)[0]
    check_size(given.rules.rows, given.rules.columns)  # before anything is played
    return _played(given.game(), agent) if isinstance(given, GameId) else given


def _played(game: Game, agent: str | None) -> Record:
    name = player_text(agent, None)
    with player(name) as found:
        return play(game, found, player=name)


def _still(  # noqa: PLR0913, PLR0917  (all that a still picture depends on)
    position: Observation, suffix: str, risks: bool, why: str | None, theme: str, side: int
) -> bytes:
    cell = None if why is None else parse_cell(why)
    tiles, columns, caption = compose(position, risks=risks, proof=cell)
    if suffix == ".png":
        return board_png(tiles, columns, side=side, theme=theme)
    return board_svg(tiles, len(tiles) // columns, columns, theme, caption).encode()


def _animation(record: Record, suffix: str, theme: str, side: int, delay: float) -> bytes:
    if suffix == ".svg":
        return animation_svg(record, theme, delay).encode()
    columns = record.rules.columns
    return animation_png(changes(record), columns, side=side, theme=theme, seconds=delay)
