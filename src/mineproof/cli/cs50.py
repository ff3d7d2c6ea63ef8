"""`mineproof cs50`: the CS50 project's files, and a check of students' own."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import click

from mineproof.cli.commands import Commands, examples, new_command
from mineproof.cli.options import Number
from mineproof.core.errors import InputError
from mineproof.cs50.project import write_project
from mineproof.cs50check.case import PASS
from mineproof.cs50check.checks import Check
from mineproof.cs50check.supervisor import ALL_CHECKS, FileReport, check_file
from mineproof.notation.codec import to_plain

SOMETHING_FAILS = 1
BAD_FILE = 2
Found = FileReport | InputError
"""What came of a file."""
Write = Callable[[Path, Found], object]


class ClassRow(NamedTuple):
    """One file of a class: the columns of the table and of `--csv`."""

    file: str
    verdict: str
    """`right`, `wrong`, or `bad file` where there is nothing to check."""
    required_passed: int | str = ""
    required: int | str = ""
    advised_passed: int | str = ""
    advised: int | str = ""
    mend_first: str = ""
    """The first required check that fails, else the first advised one; or what is bad."""


@click.group(
    "cs50",
    cls=Commands,
    epilog=examples("cs50 new my-project", "cs50 check my-project/minesweeper.py"),
)
def command() -> None:
    """Start CS50's Minesweeper project, or check your own AI."""


@new_command("new", "cs50 new my-project", "cs50 new my-project --solution", under=command)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--solution", is_flag=True, help="Write a solution, not empty functions to fill.")
def new(folder: Path, solution: bool) -> None:
    """Write a complete project into FOLDER, ready for `python runner.py`.

    The functions that students write are left empty.
    Nothing is overwritten: if one of the files exists, nothing is written.
    """
    written = write_project(folder, solution=solution)
    for path in written:
        click.echo(path)
    click.echo("")
    click.echo(f"Now: pip install -r {folder / 'requirements.txt'}")
    click.echo(f"     python {folder / 'runner.py'}")
    if not solution:
        click.echo(f"     mineproof cs50 check {folder / 'minesweeper.py'}")


@new_command(
    "check",
    "cs50 check minesweeper.py",
    "cs50 check minesweeper.py --json",
    "cs50 check class/*.py --csv",
    note="\n\nExit status: 0 all that the contract asks is right, 1 something of it fails, "
    "2 a file cannot be read or imported.",
    under=command,
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a file instead of text.")
@click.option("--csv", "as_csv", is_flag=True, help="One line of CSV a file, for a class.")
@click.option("--required-only", is_flag=True, help="Leave out what is only advised.")
@click.option(
    "--timeout",
    type=Number(min=0.1),
    default=15.0,
    show_default=True,
    metavar="SECONDS",
    help="How long a single check may take.",
)
def check(
    files: tuple[Path, ...], as_json: bool, as_csv: bool, required_only: bool, timeout: float
) -> None:
    """Check FILES, students' own minesweeper.py, and explain each failure with a position.

    Each file runs in a process of its own, which never holds a board: one that loops, crashes,
    prints without end or looks for the mines is reported like any other failure. Several files
    give a table, a line each.
    """
    if as_json and as_csv:
        raise click.UsageError("expected --json or --csv, got both")
    checks = tuple(check for check in ALL_CHECKS if check.required or not required_only)
    if len(files) == 1 and not (as_json or as_csv):
        report = check_file(files[0], timeout, checks)
        click.echo(report.to_text())
        status = _status(report)
    else:
        write = _write_json if as_json else _csv_writer() if as_csv else _table_writer(files)
        status = 0
        for file in files:
            found = _report(file, timeout, checks)
            write(file, found)
            status = max(status, _status(found))
    if status:
        raise click.exceptions.Exit(status)


def _report(file: Path, timeout: float, checks: tuple[Check, ...]) -> Found:
    """Check a file; a bad one never stops the others."""
    try:
        return check_file(file, timeout, checks)
    except InputError as error:
        return error


def _status(report: Found) -> int:
    if isinstance(report, InputError):
        return BAD_FILE
    return 0 if report.passed else SOMETHING_FAILS


def _write_json(file: Path, report: Found) -> None:
    if isinstance(report, InputError):
        click.echo(json.dumps({"file": str(file), "passed": False, "error": str(report)}))
    else:
        click.echo(json.dumps(to_plain(report)))


def _csv_writer() -> Write:
    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow(ClassRow._fields)
    return lambda file, report: lines.writerow(_row(file, report))


def _table_writer(files: tuple[Path, ...]) -> Write:
    width = max(len(str(file)) for file in files)
    click.echo(f"{'file':<{width}}  verdict   required  recommended  fix first")

    def write(file: Path, report: Found) -> None:
        row = _row(file, report)
        required = advised = ""
        if isinstance(report, FileReport):
            required = f"{row.required_passed} of {row.required}"
            advised = f"{row.advised_passed} of {row.advised}"
        counts = f"{required:<8}  {advised:<11}"
        click.echo(f"{row.file:<{width}}  {row.verdict:<8}  {counts}  {row.mend_first}".rstrip())

    return write


def _row(file: Path, report: Found) -> ClassRow:
    if isinstance(report, InputError):
        return ClassRow(str(file), "bad file", mend_first=str(report))
    required = [one.status == PASS for one in report.results if one.required]
    advised = [one.status == PASS for one in report.results if not one.required]
    first = report.fix_first
    return ClassRow(
        str(file),
        "right" if report.passed else "wrong",
        sum(required),
        len(required),
        sum(advised),
        len(advised),
        "" if first is None else f"{first.name}: {first.behaviour}",
    )
