"""The command `mineproof`, which loads its subcommands on demand.

A subcommand is a module of this package with a click command called `command`:
`cli/lab.py` is `mineproof lab`. To add one, add a file and a line in `COMMANDS`.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import click

from mineproof.cli.commands import BAD_INPUT, STATUSES, Commands, reported
from mineproof.core.errors import did_you_mean
from mineproof.core.interrupts import INTERRUPTED, exit_at_once, raise_interrupts
from mineproof.core.user_code import VARIABLE, load

COMMANDS = {
    "agents": "List the agents, weakest first; describe or check one.",
    "analyse": "Analyse positions: layouts, proved cells, risks and best moves.",
    "arena": "Compare solvers on the same boards.",
    "bench": "Benchmark the exact engine against its Python twin and ms_toollib.",
    "convert": "Convert players' replays to records, and records to replays.",
    "cs50": "Start CS50's Minesweeper project, or check your own AI.",
    "draw": "Draw a position, a proof or a whole game as a picture.",
    "engine": "Use an agent from another program, over the engine protocol.",
    "games": "Play many games with an agent.",
    "generate": "Generate boards, such as no-guess boards, and drills.",
    "lab": "Run experiments, and compare agents on the same boards.",
    "play": "Play a game in the terminal.",
    "review": "Review your games: mistakes, what they cost, what to practise.",
    "site": "Build the page as a static site that any web host can serve.",
    "watch": "Watch an agent play one game, move by move.",
    "web": "Play in a browser, with agents to watch, ask and race.",
    "why": "Explain why a cell is safe or a mine, or what its risk is.",
}
"""The help line of each command, so that `--help` lists them without loading them."""


class LazyCommands(Commands):
    """A group whose commands are the modules of this package."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load the module of a command; return None if there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        found = importlib.import_module(f"mineproof.cli.{cmd_name}").command
        assert isinstance(found, click.Command)
        raise_interrupts()  # all modules that the command starts with are imported
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; if it is unknown, suggest the closest one."""
        name = str(args[0])
        if name not in COMMANDS and not name.startswith("-"):
            ctx.fail(f"expected a command, got {name!r}{did_you_mean(name, COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in the help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command, and turn exceptions into messages and exit statuses."""
        with reported():
            return super().invoke(ctx)


def _show_version(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from mineproof import __version__
    from mineproof.backend import backend

    limits = ": champion has no trained evaluation, deep is missing"
    name = f"{backend()} backend{limits if backend() == 'python' else ''}"
    click.echo(f"mineproof {__version__} ({name})")
    ctx.exit()


def _load_clue_rules(_ctx: click.Context, _option: click.Parameter, files: list[str]) -> None:
    for file in files:
        load(file)


@click.command(
    cls=LazyCommands,
    epilog=STATUSES,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "show_default": True,
    },
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and the backend in use, and exit.",
)
@click.option(
    "--clue-rules",
    metavar="FILE.py",
    multiple=True,
    expose_value=False,
    callback=_load_clue_rules,
    help=f"Load your own clue rules (or set {VARIABLE}).",
)
def mineproof_command() -> None:
    """Play Minesweeper, watch agents reason about it, and measure how strong they are."""


def main() -> None:
    """Run the command line, even if some of its streams are closed."""
    _open_streams()
    try:
        with reported():
            mineproof_command(prog_name="mineproof")
    except click.exceptions.Exit as end:
        sys.exit(end.exit_code)
    except KeyboardInterrupt:  # a second Ctrl-C, while the first one was handled
        sys.exit(INTERRUPTED)
    finally:
        exec("")  # else Python ends by the signal itself if that interrupted an `exec`
        exit_at_once()


def _open_streams() -> None:
    """Replace closed streams: read no input, discard messages, and stop if stdout is closed."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115  (open until the end)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        click.echo("mineproof: error: standard output is closed", err=True)
        sys.exit(BAD_INPUT)
