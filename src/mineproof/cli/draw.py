"""`mineproof draw`: a position or a game as a picture."""

from __future__ import annotations

from pathlib import Path

import click

from mineproof import Cell, InputError, Observation, Record, draw, play
from mineproof.cli import inputs, options
from mineproof.cli.commands import argument, flag, new_command, option
from mineproof.cli.options import Number, Whole
from mineproof.draw.svg import check_size
from mineproof.match.isolated import player
from mineproof.notation.game_id import GameId

SUFFIXES = (".svg", ".png")


@new_command("draw")
def command(  # noqa: PLR0913  (one parameter per argument and option)
    *,
    file: str = argument(),
    out: str = option("--out PICTURE", "Write to PICTURE: .svg or .png.", required=True),
    risks: bool = flag("--risks", "Show the risk of every cell."),
    why: Cell | None = options.WHY,
    graph: bool = flag("--graph", "Connect each clue with the unknown cells that it counts."),
    move: int | None = options.MOVE,
    agent: str | None = options.AGENT,
    theme: str = option(
        "--theme",
        "Choose the colours: auto follows the reader's system (in PNG: light).",
        click.Choice(["auto", "light", "dark"]),
        default="auto",
    ),
    side: int = option("--side N", "Set the pixels per cell.", Whole(8, 256), default=28),
    delay: float = option("--delay T", "Set the seconds per move.", Number(0.02, 60), default=0.35),
    force: bool = flag("--force", "Overwrite PICTURE."),
) -> None:
    """Draw a position as a picture, or a whole game as an animation.

    FILE is a position in `.mine` text, a record, a board file or a game id. `-` reads stdin. If
    there are several, the first is used. A record is animated; for a board or a game id, --agent
    plays the game first. With --move N, the position before move N is drawn. To draw the end of
    the game, use the number of its last move plus 1.

    Examples:
      mineproof draw position.mine --risks --out risks.svg
      mineproof draw position.mine --why 3,4 --out proof.png
      mineproof draw position.mine --graph --out graph.svg
      mineproof draw game.json --out game.svg
      mineproof draw beginner:s7 --agent exact --out game.png
    """
    if Path(out).suffix not in SUFFIXES:
        raise InputError(f"expected --out FILE.svg or FILE.png, got {out}")
    options.check_outputs([out], force)
    found = _read(file, agent)
    if isinstance(found, Observation) or move is not None:
        picture = draw(
            found, move=move, risks=risks, proof=why, graph=graph, size=side, theme=theme
        )
    elif risks or why is not None or graph:
        raise click.UsageError("--risks, --why and --graph need --move if FILE is a game")
    else:
        picture = draw(found, animate=True, seconds=delay, size=side, theme=theme)
    picture.save(out)


def _read(file: str, agent: str | None) -> Observation | Record:
    """Read the position or game to draw. If a game has no moves, the agent plays it first."""
    given = inputs.read_given(file)[0]
    check_size(given.rules.rows, given.rules.columns)  # fail before playing a game
    if not isinstance(given, GameId):
        return given
    name = options.player_text(agent)
    with player(name) as found:
        return play(given.game(), found, player=name)
