"""The command `mineproof`: finds its subcommands by file name and loads them when needed.

A subcommand is a module of this package with a click command called `command`:
`cli/lab.py` is `mineproof lab`. Adding one is adding a file. Its heavy imports belong
inside its functions, so that `mineproof --help` stays fast.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import click

import mineproof.cli
from mineproof.cli.commands import STATUSES, Commands, reported


class LazyCommands(Commands):
    """A group whose commands are the modules of this package."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name every module that defines a command."""
        modules = pkgutil.iter_modules(mineproof.cli.__path__)
        names = [module.name.replace("_", "-") for module in modules]
        return [name for name in names if self.get_command(ctx, name) is not None]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load the module of one command; None if there is no such command."""
        module_name = cmd_name.replace("-", "_")
        known = {module.name for module in pkgutil.iter_modules(mineproof.cli.__path__)}
        if module_name not in known:
            return None
        module = importlib.import_module(f"mineproof.cli.{module_name}")
        found = getattr(module, "command", None)
        return found if isinstance(found, click.Command) else None

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
