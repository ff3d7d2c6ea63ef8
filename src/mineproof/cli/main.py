"""The command `mineproof`: names its subcommands, and loads the one that is asked for.

A subcommand is a module of this package with a click command called `command`:
`cli/lab.py` is `mineproof lab`. Adding one is adding a file, and a line here.
"""

from __future__ import annotations

import importlib
from typing import Any

import click

from mineproof.cli.commands import STATUSES, Commands, reported

COMMANDS = {
    "agents": "List the agents, weakest first; describe or check one.",
    "analyse": "Give layouts, proved cells, risks and best moves of positions.",
    "bench": "Time the exact engine, beside its twin and its peers.",
    "cs50": "Start CS50's Minesweeper project, or check your own AI.",
    "draw": "Draw a position, a proof or a whole game as a picture.",
    "games": "Let an agent play many games.",
    "lab": "Compare agents fairly, at scale, and repeat every figure.",
    "play": "Play a game in the terminal.",
    "review": "Give a verdict on every move of a game.",
    "site": "Write the page as a static site: nothing to install, any host serves it.",
    "watch": "Watch an agent play one game, move by move.",
    "web": "Play in a browser, with agents to watch, ask and race.",
    "why": "Say why a cell is safe or mined, or what its risk rests on.",
}
"""What the help says of each: it lists them without loading them."""


class LazyCommands(Commands):
    """A group whose commands are the modules of this package."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name every command."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load the module of one command; None if there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        found = importlib.import_module(f"mineproof.cli.{cmd_name}").command
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in the help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what went wrong becomes a message and an exit status."""
        with reported():
            return super().invoke(ctx)


def _show_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from mineproof import __version__
    from mineproof.backend import backend

    click.echo(f"mineproof {__version__} ({backend()} backend)")
    ctx.exit()


@click.command(
    cls=LazyCommands,
    epilog=STATUSES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and which backend runs, and exit.",
)
def mineproof_command() -> None:
    """Play Minesweeper, watch agents reason about it, and measure how strong they are."""


def main() -> None:
    """Run the command line."""
    mineproof_command(prog_name="mineproof")
