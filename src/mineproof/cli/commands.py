"""Shared parts of all commands: declaring options, help texts, errors and exit statuses.

A command is a function whose parameters have declarations as their defaults. `new_command` turns
them into click options and arguments, and its docstring into the help:

    @new_command("site")
    def command(*, out: Path = option("--out DIR", "Write the site to DIR.", required=True)):

If the docstring ends with `Example:` or `Examples:` and calls, the help ends with them, too.
"""

from __future__ import annotations

import functools
import importlib.util
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from mineproof import LEVELS, InputError, WorkLimitError
from mineproof.core.interrupts import INTERRUPTED
from mineproof.core.words import printable_lines

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

BAD_INPUT = 2
WORK_LIMIT = 3
PIPE_CLOSED = 141
CELL = "ROW,COLUMN"
"""The placeholder of options that take a cell."""
STATUSES = (
    "Exit status: 0 done, 2 bad input, 3 work limit reached, 130 interrupted, "
    "141 output pipe closed."
)

Function = Callable[..., Any]


def option(name: str, help: str, kind: Any = None, **settings: Any) -> Any:
    """Declare an option as the default value of the parameter or field that receives it.

    The name includes the placeholder for the value that the help shows, as in `--jobs N`.
    """
    name, _, metavar = name.partition(" ")
    complete = _completed if kind is None else None
    settings |= {"help": help, "type": kind, "metavar": metavar or None, "shell_complete": complete}
    return lambda parameter: click.option(name, parameter, **settings)


def flag(name: str, help: str) -> Any:
    """Declare an option that takes no value."""
    return option(name, help, is_flag=True)


def argument(**settings: Any) -> Any:
    """Declare an argument, which is required unless the settings say otherwise."""
    complete = None if "type" in settings else _completed
    return lambda parameter: click.argument(parameter, shell_complete=complete, **settings)


def _completed(_ctx: click.Context, parameter: click.Parameter, text: str) -> list[CompletionItem]:
    """Complete the name of an agent or a level; otherwise the name of a file."""
    from click.shell_completion import CompletionItem

    from mineproof.agents.registry import agents

    known: dict[str, Iterable[str]] = dict.fromkeys(("AGENT", "A", "B"), agents())
    known["LEVEL"] = LEVELS
    words = known.get(parameter.metavar or parameter.human_readable_name, ())
    found = [CompletionItem(word) for word in words if word.startswith(text)]
    return found or [CompletionItem(text, type="file")]


def group(kind: type) -> Any:
    """Declare the fields of a dataclass as options; the command gets one object with all values."""
    members = {field.name: field.default for field in fields(kind)}

    def declare(parameter: str) -> Callable[[Function], Function]:
        def add(function: Function) -> Function:
            @functools.wraps(function)
            def call(**values: Any) -> Any:
                gathered = kind(**{name: values.pop(name) for name in members})
                return function(**{parameter: gathered}, **values)

            return _declare_all(call, members)

        return add

    return declare


def _declare_all(function: Function, declarations: Mapping[str, Any]) -> Function:
    for name, declare in reversed(list(declarations.items())):
        function = declare(name)(function)
    return function


class Command(click.Command):
    """A command whose docstring ends with example calls, one per line."""

    def __init__(self, name: str | None, help: str | None = None, **settings: Any) -> None:
        """Split the docstring into the text and the examples, which follow the options."""
        text, *calls = re.split(r"\n\n(?=Examples?:\n)", inspect.cleandoc(help or ""))
        settings.setdefault("epilog", "\n".join(calls))
        super().__init__(name, help=text, **settings)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join a cell that is two arguments, as in `--first 3 4`."""
        takes_cell = {name for one in self.params if one.metavar == CELL for name in one.opts}
        for place in reversed(range(len(args) - 2)):
            name, row, column = args[place : place + 3]
            if name in takes_cell and row.isdecimal() and column.isdecimal():
                args[place + 1 : place + 3] = [f"{row},{column}"]
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the epilog without joining its lines."""
        if self.epilog:
            formatter.write_paragraph()
            for line in self.epilog.splitlines():
                formatter.write(f"{line}\n")


class Commands(Command, click.Group):
    """A group of commands."""


def new_command(name: str, under: click.Group | None = None) -> Callable[[Function], click.Command]:
    """Turn a function into a command, whose options are the defaults of its parameters."""
    add = click.command if under is None else under.command

    def make(function: Function) -> click.Command:
        parameters = inspect.signature(function).parameters.values()
        declared = _declare_all(function, {one.name: one.default for one in parameters})
        return add(name, cls=Command)(declared)

    return make


@contextmanager
def reported() -> Iterator[None]:
    """Turn exceptions into the documented messages and exit statuses."""
    try:
        yield
    except KeyboardInterrupt:
        raise click.exceptions.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _silence_stdout()
        raise click.exceptions.Exit(PIPE_CLOSED) from None
    except WorkLimitError as error:
        raise _failed(str(error), WORK_LIMIT) from error
    except MemoryError:
        raise _failed("out of memory", WORK_LIMIT) from None
    except (OSError, ValueError) as error:
        raise _failed(message_of(error)) from error


def message_of(error: Exception) -> str:
    """Return the message of an error; of an `OSError`, which file cannot be used, and why."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"cannot use {error.filename}: {error.strerror}"
    return str(error)


def _failed(message: str, status: int = BAD_INPUT) -> click.exceptions.Exit:
    click.echo(f"mineproof: error: {printable_lines(message)}", err=True)
    return click.exceptions.Exit(status)


def _silence_stdout() -> None:
    """Discard buffered output, because flushing it at exit would fail again."""
    with suppress(OSError, ValueError), open(os.devnull, "w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def require(extra: str, *packages: str) -> None:
    """Check that the packages of an extra are installed.

    Raises:
        InputError: one is missing; the message says how to install it.
    """
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise InputError(
                f"{package} is not installed. Run: python -m pip install 'mineproof[{extra}]'"
            )
