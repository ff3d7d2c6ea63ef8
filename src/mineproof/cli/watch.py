"""`mineproof watch`: an agent plays one game in the terminal, each move with its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mineproof.cli.commands import Command, examples
from mineproof.cli.options import (
    Number,
    RuleFlags,
    parse_cell,
    player_options,
    player_text,
    rule_flags,
)

if TYPE_CHECKING:
    from mineproof.cli.viewers import LineViewer
    from mineproof.core.game import Game

DELAY = 0.1
"""Seconds between moves in a terminal, where nothing else is asked for."""


@click.command(
    "watch",
    cls=Command,
    epilog=examples(
        "watch",
        "watch --agent basic --level beginner --seed 7",
        "watch --level 5x5/4 --json --record game.json",
        "watch --agent deep --budget 1s",
    ),
)
@player_options
@rule_flags
@click.option("--first", metavar="ROW,COLUMN", help="The first cell.  [default: by the start rule]")
@click.option(
    "--delay",
    type=Number(0, 60),
    help=f"Seconds between moves.  [default: {DELAY}, 0 in pipes]",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line: game, moves, end.")
@click.option("--record", type=click.Path(dir_okay=False), help="Save the game to this file.")
def command(  # noqa: PLR0913  (click hands over one argument for each option)
    *,
    agent: str | None,
    budget: str | None,
    flags: RuleFlags,
    first: str | None,
    delay: float | None,
    as_json: bool,
    record: str | None,
) -> None:
    """Watch an agent play one game, move by move, each with its reason."""
    from mineproof.agents.loading import make_agent
    from mineproof.core.game import Game
    from mineproof.match.play import begin, play
    from mineproof.notation.records import write_records

    name = player_text(agent, budget)
    player = make_agent(name)
    game = Game(flags.rules(), flags.some_seed(), None if first is None else parse_cell(first))
    begin(game)
    with _viewer(game, name, as_json, delay) as viewer:
        played = play(game, player, watcher=viewer, player=name)
    viewer.end(played)
    if record is not None:
        write_records(record, [played])


def _viewer(game: Game, agent: str, as_json: bool, delay: float | None) -> LineViewer:
    from mineproof.cli.text import console
    from mineproof.cli.viewers import JsonViewer, LineViewer, LiveViewer

    screen = console()
    if screen.is_terminal and not screen.is_dumb_terminal and not as_json:
        return LiveViewer(screen, game, agent, DELAY if delay is None else delay)
    return (JsonViewer if as_json else LineViewer)(screen, game, agent, delay or 0)
