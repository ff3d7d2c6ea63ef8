"""`mineproof arena`: board sets, runs, checks and tables."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from mineproof import WorkLimitError, arena
from mineproof.arena.tables import FORMATS
from mineproof.cli import options
from mineproof.cli.commands import BAD_INPUT, Commands, argument, flag, new_command, option
from mineproof.cli.lab import CLUSTER, connect
from mineproof.cli.options import LimitOptions, Whole
from mineproof.cli.progress import count_games, progress
from mineproof.core.words import counted
from mineproof.match.results import Summary
from mineproof.notation.files import write_text
from mineproof.workers.batch import cores

_FILE = click.Path(dir_okay=False, path_type=Path)
_EXISTING = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group("arena", cls=Commands)
def command() -> None:
    """Compare solvers on the same boards.

    Examples:
      mineproof arena sets
      mineproof arena run sprint-2026 --agent exact --out exact.json
      mineproof arena table *.json
    """


@new_command("sets", under=command)
def sets_command(
    *,
    name: str | None = argument(required=False),
    out: Path | None = option("--out FILE", "Write the boards to FILE.", _FILE),
) -> None:
    """List the board sets, or write the boards of one.

    Examples:
      mineproof arena sets
      mineproof arena sets sprint-2026 --out sprint.boards
    """
    if name is None:
        for one in arena.board_sets().values():
            click.echo(f"{one.name:<25} {one.about}")
        return
    chosen = arena.board_set(name)
    if out is None:
        click.echo(f"{chosen.name}: {chosen.about}\nSHA-256: {chosen.sha256}")
        return
    chosen.write(out)
    click.echo(f"{out}: {counted(len(chosen.deals()), 'board')}, SHA-256 {chosen.sha256}")


@new_command("run", under=command)
def run_command(  # noqa: PLR0913  (one parameter per option)
    *,
    boards: str = argument(metavar="SET"),
    agent: str | None = options.AGENT,
    budget: str | None = options.BUDGET,
    limits: LimitOptions = options.LIMITS,
    out: Path = option("--out FILE", "Write the result to FILE.", _FILE, required=True),
    first: int | None = option("--first N", "Play only the first N boards.", Whole(1)),
    jobs: int | None = options.JOBS,
    cluster: str | None = CLUSTER,
    salt: str | None = options.SALT,
    resume: bool = flag("--resume", "Continue a run that was stopped."),
    force: bool = flag("--force", "Overwrite FILE."),
) -> None:
    """Play an agent on a board set, and write a result file.

    SET is the name of a set (`mineproof arena sets` lists them) or a board file.

    Examples:
      mineproof arena run sprint-2026 --agent exact --out exact.json
      mineproof arena run my.boards --agent "engine:./solver" --out solver.json --jobs 2
    """
    chosen = arena.board_set(boards)
    text = options.player_text(agent, budget)
    summary = Summary()
    try:
        with progress("games", len(chosen.deals(first))) as advance:
            arena.run(
                chosen,
                limits.isolation(text),
                out,
                first=first,
                jobs=jobs or cores(),
                runner=None if cluster is None else connect(cluster),
                resume=resume,
                force=force,
                salt=salt,
                report=partial(count_games, summary=summary, advance=advance),
            )
    except (KeyboardInterrupt, WorkLimitError):
        click.echo(f"stopped; add --resume to continue {out}", err=True)
        raise
    click.echo(f"{out}: {summary}")


@new_command("check", under=command)
def check_command(
    *,
    file: Path = argument(type=_EXISTING),
    count: int = option(
        "--replay N", "Play N boards again with the same agent.", Whole(0), default=0
    ),
    boards: Path | None = option("--boards FILE", "Read the boards from FILE.", _FILE),
    jobs: int | None = options.JOBS,
) -> None:
    """Check that a result file is valid, and play some of its boards again.

    Example:
      mineproof arena check exact.json --replay 100
    """
    result = arena.read_result(file)
    click.echo(f"{file}: {counted(result.games, 'game')} of {result.agent.name} on {result.set}")
    if not count:
        return
    found = list(arena.replay(result, count, boards=boards, jobs=jobs or cores()))
    again = f"{counted(min(count, result.games), 'board')} played again:"
    click.echo("\n".join(found) or f"{again} no difference")
    if found:
        raise click.exceptions.Exit(BAD_INPUT)


@new_command("table", under=command)
def table_command(
    *,
    files: tuple[Path, ...] = argument(nargs=-1, required=True, type=_EXISTING),
    kind: str = option("--format", "Choose the format.", click.Choice(FORMATS), default="text"),
    out: Path | None = option("--out FILE", "Write the table to FILE.", _FILE),
) -> None:
    """Compare result files: a row per agent, and each pair on shared boards.

    Examples:
      mineproof arena table *.json
      mineproof arena table *.json --format html --out table.html
    """
    _write(arena.table(arena.read_result(file) for file in files).format(kind), out)  # type: ignore[arg-type]


@new_command("leaderboard", under=command)
def leaderboard_command(
    *,
    folder: Path = argument(type=click.Path(exists=True, file_okay=False, path_type=Path)),
    out: Path | None = option("--out FILE", "Write the page to FILE.", _FILE),
) -> None:
    """Make a page of the result files in a folder.

    Example:
      mineproof arena leaderboard results --out leaderboard.md
    """
    _write(arena.leaderboard(folder), out)


def _write(text: str, out: Path | None) -> None:
    if out is None:
        click.echo(text, nl=False)
    else:
        write_text(out, text)
        click.echo(f"wrote {out}")
