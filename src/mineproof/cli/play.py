"""`mineproof play`: a person plays in the terminal, with an agent to ask."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import click

from mineproof.cli.commands import Command, examples
from mineproof.cli.options import RuleFlags, rule_flags
from mineproof.core.errors import NotationError

if TYPE_CHECKING:
    from mineproof.session import Session

HELP = """Play a game in the terminal.

Type `open 3 4` (row, column, both from 0), `mark 3 4`, `chord 3 4`, `hint`, `why 3 4`,
`ai`, `undo`; `help` lists all commands. Commands can come through a pipe, too.
"""


@click.command(
    "play",
    cls=Command,
    help=HELP,
    epilog=examples("play", "play --level beginner --seed 7", "play --load game.json"),
)
@click.option(
    "--agent",
    metavar="AGENT",
    help="Who gives hints; see `mineproof agents`.  [default: the strongest]",
)
@rule_flags
@click.option("--load", type=click.Path(dir_okay=False), help="Go on with a saved game.")
def command(agent: str | None, flags: RuleFlags, load: str | None) -> None:
    """Play a game."""
    from mineproof.agents.registry import strongest
    from mineproof.cli.person import TerminalGame
    from mineproof.cli.text import console
    from mineproof.session import Session

    session = Session(flags.rules(), flags.some_seed())
    if load is not None:
        _load(session, load)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text are no command, either
    TerminalGame(session, agent or strongest(), console()).run(sys.stdin)


def _load(session: Session, path: str) -> None:
    from mineproof.notation.text import read_text

    try:
        session.load(read_text(path))
    except NotationError as error:
        raise NotationError(f"{path}: {error}") from None
