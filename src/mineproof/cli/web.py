"""`mineproof web`: serve the page to a browser on this computer."""

from __future__ import annotations

import webbrowser

import click

from mineproof.cli.commands import argument, flag, new_command, option, require
from mineproof.cli.inputs import read_given
from mineproof.cli.options import Whole
from mineproof.core.observation import Observation
from mineproof.notation.position_text import format_position
from mineproof.notation.records import Record, format_record, verify

NEEDED = ("starlette", "uvicorn", "websockets")


@new_command("web")
def command(
    *,
    game: str | None = argument(required=False, metavar="[GAME-ID or FILE]"),
    no_browser: bool = flag("--no-browser", "Print the address, but do not open a browser."),
    app: bool = flag("--app", "Open a separate window if a suitable browser is installed."),
    port: int = option(
        "--port PORT", "Serve on this port.", Whole(0, 65535), default=0, show_default="a free one"
    ),
    agent: tuple[str, ...] = option(
        "--agent AGENT",
        "Offer an agent of your own (FILE.py:Class) or an engine; can be repeated.",
        multiple=True,
        show_default="the strongest",
    ),
) -> None:
    """Play in a browser, with agents to watch, ask and race.

    The first --agent is the one to start with.

    Examples:
      mineproof web
      mineproof web expert:s7
      mineproof web --app
      mineproof web position.mine --no-browser --port 8000
      mineproof web --agent my_agent.py:MyAgent
    """
    require("web", *NEEDED)
    from mineproof.web.app import Server
    from mineproof.web.folder import Folder, default_folder
    from mineproof.web.server import run

    first = None if game is None else open_argument(game)
    server = Server(Folder(default_folder()), agent, first)
    click.echo("Mineproof runs here until you press Ctrl-C:", err=True)
    run(server, port, lambda address: _show(address, browser=not no_browser, app=app))


def _show(address: str, *, browser: bool, app: bool) -> None:
    """Print the address, then open it in a separate window, in the browser, or not at all."""
    click.echo(address)
    if app:
        from mineproof.web.window import open_window

        hindrance = open_window(address)
        if not hindrance:
            return
        click.echo(f"no separate window: {hindrance}", err=True)
    if browser:
        webbrowser.open(address)


def open_argument(argument: str) -> str:
    """Return the text of the game or position in a file, or the text of a game id.

    Raises:
        InputError: it is neither, or too large for the page.
        OSError: the file cannot be read.
    """
    from mineproof.service.limits import check_board

    given = read_given(argument)[0]
    check_board(given.rules)
    if isinstance(given, Observation):
        return format_position(given)
    return format_record(verify(given)) if isinstance(given, Record) else str(given)
