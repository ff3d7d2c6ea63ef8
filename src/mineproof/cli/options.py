"""The options that several commands take: numbers, who plays, the rules, positions to read."""

from __future__ import annotations

import functools
import math
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from mineproof.agents.loading import OWN_CLASS, parse_agent
from mineproof.agents.registry import strongest
from mineproof.core.clues import clue_rules, form_of
from mineproof.core.errors import InputError, NotationError
from mineproof.core.grid import Cell
from mineproof.core.random import MAX_SEED
from mineproof.core.rules import LEVELS, Rules, with_options
from mineproof.core.words import printable
from mineproof.match.isolated import DECISION_SECONDS
from mineproof.match.results import ResumableFile
from mineproof.notation.game_id import GameId, parse_game_id
from mineproof.notation.inputs import KINDS, Input, as_game, parse_file, parse_inputs
from mineproof.notation.records import Record
from mineproof.notation.text import decode, read_file, read_stream, read_text
from mineproof.review.replays import is_replay, read_replay

Function = Callable[..., Any]
OutputFile = TypeVar("OutputFile", bound=ResumableFile[Any])
DEFAULT_LEVEL = "expert"


class Whole(click.IntRange):
    """A whole number within bounds."""

    name = "whole number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the number, or say which ones are possible."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"expected a whole number {_bounds(self)}, got {value!r}", param, ctx)


class Number(click.FloatRange):
    """A number within bounds; nan, which no bounds keep out, is none."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the number, or say which ones are possible."""
        try:
            number = super().convert(value, param, ctx)
        except click.BadParameter:
            number = math.nan
        if math.isnan(number):
            self.fail(f"expected a number {_bounds(self)}, got {value!r}", param, ctx)
        return number


def _bounds(kind: click.IntRange | click.FloatRange) -> str:
    low, high = kind.min, kind.max
    if high is not None:
        return f"from {low} to {high}"
    return f"above {low}" if kind.min_open else f"of at least {low}"


jobs_option = click.option(
    "--jobs", type=Whole(1, 1024), metavar="N", help="Processes.  [default: one a core]"
)
agent_option = click.option(
    "--agent", metavar="AGENT", help="Who plays; see `mineproof agents`.  [default: the strongest]"
)
_BUDGET = click.option(
    "--budget",
    metavar="T",
    help="The mean time for a guess, such as 0.2s, of an agent that takes one.  [agent: deep]",
)
decision_seconds_option = click.option(
    "--decision-seconds",
    type=Number(0, 3600, min_open=True),
    metavar="T",
    default=DECISION_SECONDS,
    show_default=True,
    help="How long an agent of your own may think about a move; then it is stopped.",
)
_CLUES = click.option(
    "--clues",
    metavar="MODEL",
    default="exact",
    show_default=True,
    help=f"What digits mean: {', '.join(map(form_of, clue_rules()))}.",
)
_FLAGS_ARE_MINES = click.option("--flags-are-mines", is_flag=True, help="Take every F as a fact.")
_RULES = (
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
        "no-guess (an opening on a board that proofs alone solve) or no-guess:AGENT (by that "
        "agent's own proofs), or given:K (K x sqrt(cells) safe cells are opened).  "
        "[default: by level]",
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
        help="What clues do: "
        + ", ".join(f"{form_of(rule)} ({rule.words})" for rule in clue_rules())
        + ".  [default: exact]",
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


def player_options(function: Function) -> Function:
    """Add the options that say who plays."""
    return agent_option(_BUDGET(decision_seconds_option(function)))


def player_text(agent: str | None, budget: str | None) -> str:
    """Give the text that names the agent, the strongest by default, with its time.

    Raises:
        InputError: there is no such agent, or it takes no time.
    """
    if budget is None:
        return strongest() if agent is None else agent
    text = "deep" if agent is None else agent
    if match := OWN_CLASS.fullmatch(text):  # whose file is not run here: it says the rest
        return f"{text}{',' if match['options'] else ':'}budget={budget}"
    spec, written = parse_agent(text)
    if "budget" not in spec.options:
        raise InputError(f"expected --budget with an agent that takes one (deep), got {text!r}")
    if "budget" in written:
        raise InputError(f"expected the budget once, got --budget and {text!r}")
    return f"{text}{',' if written else ':'}budget={budget}"


def position_options(function: Function) -> Function:
    """Add the options that say how positions in a file are read."""
    return _CLUES(_FLAGS_ARE_MINES(function))


def read_input(file: str) -> str:
    """Read a text file, or stdin for `-`.

    Raises:
        NotationError: there is no text, or too much of it.
    """
    return decode(read_stream(sys.stdin.buffer, "stdin")) if file == "-" else read_text(file)


def read_existing(file: str) -> str:
    """Read a text file that may hold anything that commands take, or stdin for `-`.

    Raises:
        NotationError: there is no such file.
    """
    if file != "-" and not Path(file).exists():
        raise NotationError(f"expected {KINDS}, got {file!r}: there is no such file", file=file)
    return read_input(file)


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Put the name of a file in front of what is wrong with it, unless it is there already.

    Raises:
        NotationError: something is wrong with the file.
    """
    try:
        yield
    except InputError as error:
        name = "" if "file" in error.values else f"{printable(file)}: "
        raise NotationError(f"{name}{error}") from None


def check_outputs(files: Iterable[str | None], force: bool) -> None:
    """Refuse to overwrite files.

    Raises:
        InputError: one is there.
    """
    for file in files:
        if file is not None and not force and Path(file).exists():
            raise InputError(f"expected --force to overwrite, since {file} exists")


def is_game_id(argument: str) -> bool:
    """Say whether an argument can only be a game id: it has colons, and no file has that name."""
    return argument != "-" and ":" in argument and not Path(argument).is_file()


def read_given(argument: str, **how: Any) -> list[Input]:
    """Read what an argument names: a file, stdin for `-`, or a game by its id.

    Args:
        argument: the argument.
        **how: how positions are read; see `parse_inputs`.

    Raises:
        NotationError: it is nothing that can be read; the message says what was expected.
    """
    if is_game_id(argument):
        return [parse_game_id(argument)]
    if argument.lower().endswith(".mbf"):
        return [parse_file(argument, read_file(argument))]
    if is_replay(argument) and Path(argument).exists():
        return [read_replay(argument)]
    return parse_inputs(read_existing(argument), **how)


def read_game(argument: str, flags: RuleFlags) -> GameId | Record:
    """Read the (first) game that an argument names; it says its own rules and seed.

    Raises:
        InputError: it is no game, or flags say other rules.
    """
    flags.check_unused("a game that is given")
    return as_game(read_given(argument)[0])


move_option = click.option(
    "--move", type=Whole(1), metavar="N", help="Of a game, the position before move N."
)


def _to_bytes(_ctx: click.Context, _param: click.Parameter, value: float | None) -> int | None:
    return None if value is None else max(1, round(value * 1e6))


memory_option = click.option(
    "--memory",
    type=Number(0, min_open=True),
    metavar="MB",
    callback=_to_bytes,
    help="Megabytes of memory at most.  [1000]",
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

    def check_unused(self, what: str) -> None:
        """Refuse flags where something else says the rules.

        Raises:
            UsageError: there is one.
        """
        said = {"level": self.level, "seed": self.seed, **self.options}
        used = [f"--{name.replace('_', '-')}" for name, value in said.items() if value is not None]
        if used:
            raise click.UsageError(f"expected {what} without {', '.join(used)}: it says its rules")

    def some_seed(self) -> int:
        """Give the seed that was asked for, or a random one that is short to type."""
        return secrets.randbelow(10**9) if self.seed is None else self.seed


def _gathered(
    name: str, make: Callable[..., Any], fields: Sequence[str], options: Sequence[Function]
) -> Function:
    """Return a decorator that adds options to a command, which gets them as one argument."""

    def add(function: Function) -> Function:
        @functools.wraps(function)
        def call(*args: Any, **given: Any) -> Any:
            made = make(**{field: given.pop(field) for field in fields})
            return function(*args, **{name: made}, **given)

        for option in reversed(options):
            call = option(call)
        return call

    return add


rule_flags = _gathered(
    "flags",
    lambda level, seed, **options: RuleFlags(level, seed, options),
    ("level", "seed", "start", "goal", "explosion", "clues", "mine_count", "flood"),
    _RULES,
)


@dataclass(frozen=True)
class OutputFlags:
    """The file that the user named for what a long command finds, and how to open it."""

    path: str | None
    resume: bool
    force: bool

    @property
    def on_screen(self) -> bool:
        """Whether the lines go to the screen, where they would disturb a progress bar."""
        return self.path is None and sys.stdout.isatty()

    def open(self, make: Callable[[Path], OutputFile]) -> OutputFile | None:
        """Make and open the file; None if the lines go to stdout.

        Raises:
            UsageError: the options are for a file, and there is none.
        """
        if self.path is not None:
            return make(Path(self.path)).open(resume=self.resume, force=self.force)
        if self.resume or self.force:
            raise click.UsageError("expected --output with --resume or --force")
        return None


output_flags = _gathered(
    "output",
    OutputFlags,
    ("path", "resume", "force"),
    (
        click.option(
            "--output", "path", type=click.Path(dir_okay=False), metavar="OUT", help="Write to OUT."
        ),
        click.option("--resume", is_flag=True, help="Add only what OUT lacks."),
        click.option("--force", is_flag=True, help="Overwrite OUT."),
    ),
)


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
