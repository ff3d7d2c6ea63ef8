"""The flags for the rules of a game, the same for every command that plays."""

from __future__ import annotations

import functools
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from mineproof.cli.numbers import Whole
from mineproof.core.errors import NotationError
from mineproof.core.grid import Cell
from mineproof.core.random import MAX_SEED
from mineproof.core.rules import LEVELS, Rules, with_options

DEFAULT_LEVEL = "expert"

_FLAGS = (
    click.option(
        "--level",
        metavar="LEVEL",
        help=f"{', '.join(LEVELS)}, or ROWSxCOLUMNS/MINES with a count or a density "
        f"(16x30/99, 50x50/0.15).  [default: {DEFAULT_LEVEL}]",
    ),
    click.option(
        "--start",
        metavar="START",
        help="The first cell: any (may be a mine), safe, opening (no mine next to it either), "
        "or given:K (K x sqrt(cells) safe cells are opened).  [default: by level]",
    ),
    click.option(
        "--goal",
        metavar="GOAL",
        help="open (every safe cell) or mark (every mine too).  [default: open]",
    ),
    click.option(
        "--explosion",
        metavar="RULE",
        help="lose (the game ends) or continue (the mine is shown, play goes on).  [default: lose]",
    ),
    click.option(
        "--clues",
        metavar="MODEL",
        help="exact, withheld:P (shown with probability P), optimistic (at most the truth) or "
        "cautious (at least the truth).  [default: exact]",
    ),
    click.option(
        "--mine-count",
        metavar="KNOWN",
        help="known or unknown to the player.  [default: known]",
    ),
    click.option(
        "--flood/--no-flood",
        default=None,
        help="Whether opening a 0 opens its neighbours.  [default: flood]",
    ),
    click.option(
        "--seed",
        type=Whole(0, MAX_SEED),
        metavar="SEED",
        help="Which game: the same seed gives the same game again.  "
        "[default: random; 0 where many games are played]",
    ),
)


@dataclass(frozen=True)
class RuleFlags:
    """What the user said about the rules; None where nothing was said."""

    level: str | None
    seed: int | None
    options: dict[str, Any]

    def rules(self) -> Rules:
        """Give the rules of a game to deal."""
        level = DEFAULT_LEVEL if self.level is None else self.level
        return self.applied_to(Rules.parse(level))

    def applied_to(self, rules: Rules) -> Rules:
        """Change given rules, whose size and mines stay, by the flags."""
        return with_options(rules, **self.options)

    def some_seed(self) -> int:
        """Give the seed that was asked for, or a random one that is short to type."""
        return secrets.randbelow(10**9) if self.seed is None else self.seed


def rule_flags(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the rule flags to a command, which gets them together as `flags`."""

    @functools.wraps(function)
    def collected(*args: Any, level: str | None, seed: int | None, **given: Any) -> Any:
        names = ("start", "goal", "explosion", "clues", "mine_count", "flood")
        options = {name: given.pop(name) for name in names}
        return function(*args, flags=RuleFlags(level, seed, options), **given)

    for flag in reversed(_FLAGS):
        collected = flag(collected)
    return collected


def parse_cell(text: str) -> Cell:
    """Read `ROW,COLUMN`, or the two with a blank between them.

    Raises:
        NotationError: the text is no cell.
    """
    parts = text.replace(",", " ").split()
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() for part in parts):
        raise NotationError(f"expected a row and a column such as 3,4, got {text!r}")
    row, column = (int(part.lstrip("0")[:9] or "0") for part in parts)
    return Cell(row, column)
