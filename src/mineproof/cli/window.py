"""`mineproof window`: the game in a window of the desktop."""

from __future__ import annotations

from importlib.machinery import PathFinder
from importlib.util import find_spec

import click

from mineproof.cli.errors import Failure
from mineproof.cli.help import Command, examples
from mineproof.cli.rules import RuleFlags, rule_flags

INSTALL = "python -m pip install 'mineproof[window]'"


@click.command(
    "window",
    cls=Command,
    epilog=examples(
        "window",
        "window --level intermediate --agent sentences",
        "window 16x30/99:s7",
        "window --theme dark --agent my_agent.py:MyAgent",
    ),
)
@click.argument("game", required=False, metavar="[GAME-ID or FILE]")
@click.option("--agent", metavar="AGENT", help="Who helps.  [default: as last time]")
@click.option(
    "--theme", type=click.Choice(("light", "dark")), help="The colours.  [default: as last time]"
)
@rule_flags
def command(game: str | None, agent: str | None, theme: str | None, flags: RuleFlags) -> None:
    """Play in a window, with an agent beside you; GAME-ID or FILE gives a game again."""
    check_installed()
    asked = flags.level is not None or any(value is not None for value in flags.options.values())
    if game is not None and (asked or flags.seed is not None):
        raise Failure("expected a game id or file, or rules and a seed, got both")
    from mineproof.window.opening import Wishes, run

    run(Wishes(game, flags.rules() if asked else None, flags.seed, agent, theme))


def check_installed() -> None:
    """Say what is missing and how to install it, if the window cannot be opened.

    Raises:
        Failure: pygame-ce is not there.
    """
    found = find_spec("pygame")
    if found is None:
        raise Failure(f"expected pygame-ce for the window, which is not installed: {INSTALL}")
    # The older pygame has the same name but not all that the window needs.
    if PathFinder.find_spec("pygame.window", found.submodule_search_locations) is None:
        raise Failure(
            "expected pygame-ce for the window, got the older pygame: "
            f"python -m pip uninstall pygame && {INSTALL}"
        )
