"""`mineproof cs50`: the CS50 project's files, and a check of a student's own."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mineproof.cli.commands import Command, Commands, examples
from mineproof.cli.options import Number
from mineproof.cs50.project import write_project
from mineproof.cs50check.process import ALL_CHECKS
from mineproof.cs50check.supervisor import check_file

SOMETHING_FAILS = 1


@click.group(
    "cs50",
    cls=Commands,
    epilog=examples("cs50 new my-project --skeleton", "cs50 check my-project/minesweeper.py"),
)
def command() -> None:
    """Start CS50's Minesweeper project, or check your own AI."""


@command.command(
    "new", cls=Command, epilog=examples("cs50 new my-project", "cs50 new my-project --skeleton")
)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--skeleton", is_flag=True, help="Leave the functions that students write empty.")
def new(folder: Path, skeleton: bool) -> None:
    """Write a complete project into FOLDER, ready for `python runner.py`.

    Nothing is overwritten: if one of the files exists, nothing is written.
    """
    written = write_project(folder, skeleton=skeleton)
    for path in written:
        click.echo(path)
    click.echo("")
    click.echo(f"Now: pip install -r {folder / 'requirements.txt'}")
    click.echo(f"     python {folder / 'runner.py'}")
    if skeleton:
        click.echo(f"     mineproof cs50 check {folder / 'minesweeper.py'}")


@command.command(
    "check",
    cls=Command,
    epilog=examples("cs50 check minesweeper.py", "cs50 check minesweeper.py --json")
    + "\n\nExit status: 0 all checks pass, 1 some check fails, "
    "2 the file cannot be read or imported.",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
@click.option("--required-only", is_flag=True, help="Leave out what is only advised.")
@click.option(
    "--timeout",
    type=Number(min=0.1),
    default=15.0,
    show_default=True,
    metavar="SECONDS",
    help="How long a single check may take.",
)
def check(file: Path, as_json: bool, required_only: bool, timeout: float) -> None:
    """Check FILE, a student's own minesweeper.py, and explain each failure with a position.

    The file runs in a process of its own: one that loops, crashes or prints without end is
    reported like any other failure.
    """
    checks = tuple(check for check in ALL_CHECKS if check.required or not required_only)
    report = check_file(file, timeout, checks)
    click.echo(json.dumps(report.to_json()) if as_json else report.to_text())
    if not report.passed:
        raise click.exceptions.Exit(SOMETHING_FAILS)
