"""`mineproof web`: the game in a browser, served by this machine for this machine."""

from __future__ import annotations

import webbrowser
from typing import TYPE_CHECKING

import click

from mineproof.cli.commands import new_command, require
from mineproof.cli.options import Whole, read_given

if TYPE_CHECKING:
    from mineproof.service.files import Opened

NEEDED = ("starlette", "uvicorn", "websockets")


@new_command(
    "web",
    "web",
    "web expert:s7",
    "web --app",
    "web position.mine --no-browser --port 8000",
    "web --agent my_agent.py:MyAgent",
)
@click.argument("game", required=False, metavar="[GAME-ID or FILE]")
@click.option("--no-browser", is_flag=True, help="Print the address, open no browser.")
@click.option("--app", is_flag=True, help="In a window of its own, where a browser can do that.")
@click.option("--port", type=Whole(0, 65535), default=0, help="[default: a free one]")
@click.option(
    "--agent",
    default="",
    metavar="AGENT",
    help="Who helps at first; one of your own, FILE.py:Class, is offered beside the others.",
)
def command(*, game: str | None, no_browser: bool, app: bool, port: int, agent: str) -> None:
    """Play in a browser, with agents to watch, ask and race."""
    require("web", *NEEDED)
    from mineproof.web.app import Server
    from mineproof.web.folder import Folder, default_folder
    from mineproof.web.server import run

    first = None if game is None else open_argument(game)
    server = Server(Folder(default_folder()), agent, first)
    click.echo("Mineproof runs until Ctrl-C at", err=True)
    run(server, port, lambda address: _show(address, browser=not no_browser, app=app))


def _show(address: str, *, browser: bool, app: bool) -> None:
    """Print the address and open it: in a window of its own, in the browser, or not at all."""
    click.echo(address)
    if app:
        from mineproof.web.window import open_window

        hindrance = open_window(address)
        if not hindrance:
            return
        click.echo(f"no window of its own: {hindrance}", err=True)
    if browser:
        webbrowser.open(address)


def open_argument(argument: str) -> Opened:
    """Open what stands on the command line: a file if there is one, else a game id.

    Raises:
        InputError: it is neither, or too large for the page.
        OSError: the file cannot be read.
    """
    from mineproof.service.files import open_input

    return open_input(read_given(argument)[0])
