"""`mineproof cs50`: start the CS50 project, and check students' files."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import click

from mineproof import InputError
from mineproof.cli.commands import Commands, argument, flag, new_command, option
from mineproof.cli.options import Number
from mineproof.cs50.project import write_project
from mineproof.cs50check.case import PASS
from mineproof.cs50check.checks import Check
from mineproof.cs50check.report import report_text, to_fix
from mineproof.cs50check.supervisor import ALL_CHECKS, FileReport, check_file
from mineproof.notation.codec import to_plain

SOMETHING_FAILS = 1
BAD_FILE = 2
Found = FileReport | InputError
"""The report on a file, or the reason why it cannot be checked."""
Write = Callable[[Path, Found], object]


class ClassRow(NamedTuple):
    """The columns of the table and of `--csv`: one row per student's file."""

    file: str
    verdict: str
    """`right`, `wrong`, or `bad file` if it cannot be checked."""
    required_passed: int | str = ""
    required: int | str = ""
    advised_passed: int | str = ""
    advised: int | str = ""
    mend_first: str = ""
    """What to fix first (a required check or an error); for a correct file, the first advice."""


@click.group("cs50", cls=Commands)
def command() -> None:
    """Start CS50's Minesweeper project, or check your own AI.

    Examples:
      mineproof cs50 new my-project
      mineproof cs50 check my-project/minesweeper.py
    """


@new_command("new", under=command)
def new(
    *,
    folder: Path = argument(type=click.Path(path_type=Path, file_okay=False)),
    solution: bool = flag("--solution", "Write a solution instead of empty functions."),
) -> None:
    """Write a complete project into FOLDER, ready for `python runner.py`.

    The functions that students write are left empty.
    If one of the files already exists, nothing is written.

    Examples:
      mineproof cs50 new my-project
      mineproof cs50 new my-project --solution
    """
    written = write_project(folder, solution=solution)
    for path in written:
        click.echo(path)
    click.echo("")
    click.echo(f"Now: pip install -r {folder / 'requirements.txt'}")
    click.echo(f"     python {folder / 'runner.py'}")
    if not solution:
        click.echo(f"     mineproof cs50 check {folder / 'minesweeper.py'}")


@new_command("check", under=command)
def check(
    *,
    files: tuple[Path, ...] = argument(nargs=-1, required=True, type=click.Path(path_type=Path)),
    as_json: bool = flag("--json", "Print one JSON object per file."),
    as_csv: bool = flag("--csv", "Print one line of CSV per file, for a class."),
    required_only: bool = flag("--required-only", "Leave out recommended checks."),
    timeout: float = option(
        "--timeout SECONDS", "Limit the time of a single check.", Number(0.1), default=15.0
    ),
) -> None:
    """Check students' files, and explain each failure.

    FILES are students' own minesweeper.py. Each one runs in a separate process that never holds
    a board. If it loops, crashes, prints endlessly or looks for the mines, that is reported like
    any other failure. Each failure is explained with a position. Several files print a table
    with one line per file.

    The exit status is 0 if all required checks pass, 1 if one fails, and 2 if a file cannot be
    read or imported.

    Examples:
      mineproof cs50 check minesweeper.py
      mineproof cs50 check minesweeper.py --json
      mineproof cs50 check class/*.py --csv
    """
    if as_json and as_csv:
        raise click.UsageError("--json and --csv cannot be combined")
    checks = tuple(check for check in ALL_CHECKS if check.required or not required_only)
    if len(files) == 1 and not (as_json or as_csv):
        report = check_file(files[0], timeout, checks)
        click.echo(report_text(report))
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
    """Check a file, and return the error if it is bad, so that the others are still checked."""
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
    first, kind = report.fix_first, "advice: " if report.passed else ""
    return ClassRow(
        str(file),
        "right" if report.passed else "wrong",
        sum(required),
        len(required),
        sum(advised),
        len(advised),
        "" if first is None else f"{kind}{to_fix(first)}",
    )
