"""From exceptions to messages and exit statuses: the same for every command."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from mineproof.core.errors import WorkLimitError

BAD_INPUT = 2
WORK_LIMIT = 3
INTERRUPTED = 130
NOBODY_READS = 141


class Failure(click.ClickException):
    """Bad input: a message for the user, and the exit status that goes with it."""

    exit_code = BAD_INPUT

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message on stderr."""
        click.echo(f"mineproof: error: {self.format_message()}", file=file, err=file is None)


class WorkLimitFailure(Failure):
    """An answer that would take too much work."""

    exit_code = WORK_LIMIT


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
        raise WorkLimitFailure(str(error)) from error
    except OSError as error:
        raise Failure(_file_message(error)) from error
    except ValueError as error:
        raise Failure(str(error)) from error


def _file_message(error: OSError) -> str:
    if error.filename is None:
        return str(error)
    return f"expected a file that can be used, got {error.filename}: {error.strerror}"


def _silence_stdout() -> None:
    """Send what is still buffered nowhere: flushing it at exit would fail again."""
    try:
        target = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, target)
    os.close(nowhere)
