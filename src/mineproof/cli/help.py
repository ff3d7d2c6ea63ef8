"""How help is written: examples and exit statuses under each command's options."""

from __future__ import annotations

import click

STATUSES = (
    "Exit status: 0 done, 2 bad input, 3 work limit reached, 130 interrupted, "
    "141 nobody reads the output."
)


class Commands(click.Group):
    """A group whose epilog is printed as it stands."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the epilog without joining its lines."""
        _write(self.epilog, formatter)


class Command(click.Command):
    """A command whose epilog, the examples, is printed as it stands."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the epilog without joining its lines."""
        _write(self.epilog, formatter)


def _write(epilog: str | None, formatter: click.HelpFormatter) -> None:
    if epilog:
        formatter.write_paragraph()
        for line in epilog.splitlines():
            formatter.write(f"{line}\n")


def examples(*lines: str) -> str:
    """Give an epilog that shows calls of a command, each on its own line."""
    title = "Example:" if len(lines) == 1 else "Examples:"
    return "\n".join([title, *(f"  mineproof {line}" for line in lines)])
