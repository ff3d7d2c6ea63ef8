"""What all commands share: how their help reads, and how they end."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from mineproof.core.errors import InputError, WorkLimitError

BAD_INPUT = 2
WORK_LIMIT = 3
INTERRUPTED = 130
NOBODY_READS = 141
STATUSES = (
    "Exit status: 0 done, 2 bad input, 3 work limit reached, 130 interrupted, "
    "141 nobody reads the output."
)


def examples(*lines: str) -> str:
    """Give an epilog that shows calls of a command, each on its own line."""
    title = "Example:" if len(lines) == 1 else "Examples:"
    return "\n".join([title, *(f"  mineproof {line}" for line in lines)])


class Command(click.Command):
    """A command whose epilog, the examples, is printed as it stands."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the epilog without joining its lines."""
        if self.epilog:
            formatter.write_paragraph()
            for line in self.epilog.splitlines():
                formatter.write(f"{line}\n")


class Commands(Command, click.Group):
    """A group of commands."""


def new_command(
    name: str, *calls: str, note: str = "", under: click.Group | None = None, **settings: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a function a command, whose help ends with example calls and a note."""
    add = click.command if under is None else under.command
    return add(name, cls=Command, epilog=examples(*calls) + note, **settings)


@contextmanager
def reported() -> Iterator[None]:
    """Turn what a command raises into the end of the program that users are promised."""
    try:
        yield
    except KeyboardInterrupt:
        raise click.exceptions.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _silence_stdout()
        raise click.exceptions.Exit(NOBODY_READS) from None
    except WorkLimitError as error:
        raise _failed(str(error), WORK_LIMIT) from error
    except MemoryError:
        raise _failed("expected to need less memory than there is", WORK_LIMIT) from None
    except OSError as error:
        raise _failed(file_message(error)) from error
    except ValueError as error:
        raise _failed(str(error)) from error


def file_message(error: OSError) -> str:
    """Say which file cannot be used, and why."""
    if error.filename is None:
        return str(error)
    return f"expected a file that can be used, got {error.filename}: {error.strerror}"


def _failed(message: str, status: int = BAD_INPUT) -> click.exceptions.Exit:
    """Print what is wrong on stderr, and give the end of the program."""
    click.echo(f"mineproof: error: {message}", err=True)
    return click.exceptions.Exit(status)


def _silence_stdout() -> None:
    """Send what is still buffered nowhere: flushing it at exit would fail again."""
    try:
        target = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, target)
    os.close(nowhere)


def require(extra: str, *packages: str) -> None:
    """Say how to install what is missing.

    Raises:
        InputError: a package of the extra is not installed.
    """
    for package in packages:
        if importlib.util.find_spec(package) is None:
            install = f"python -m pip install 'mineproof[{extra}]'"
            raise InputError(
                f"expected the extra {extra} to be installed ({install}), got no {package}"
            )
