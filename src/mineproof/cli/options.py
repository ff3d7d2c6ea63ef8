"""Options that several commands share, and the functions that read their values."""

from __future__ import annotations

import math
import re
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import click

from mineproof.agents.loading import OWN_CLASS, is_engine, parse_agent
from mineproof.agents.registry import strongest
from mineproof.cli.commands import flag, group, option
from mineproof.core.clues import clue_rules, form_of
from mineproof.core.errors import InputError, NotationError
from mineproof.core.grid import Cell
from mineproof.core.random import MAX_SEED
from mineproof.core.rules import LEVELS, Rules, with_options
from mineproof.core.words import printable
from mineproof.match.isolated import DECISION_SECONDS, Isolation, new_salt
from mineproof.match.results import ResultFile, ResumableFile
from mineproof.notation.game_id import GameId, parse_game_id
from mineproof.notation.inputs import KINDS, Input, as_game, parse_file, parse_inputs
from mineproof.notation.records import Record
from mineproof.notation.text import decode, read_file, read_stream, read_text
from mineproof.review.replays import is_replay, read_replay

OutputFile = TypeVar("OutputFile", bound=ResumableFile[Any])
DEFAULT_LEVEL = "expert"


class Number(click.ParamType[float]):
    """A number from `low` to `high`. If `above` is set, `low` itself is excluded."""

    name = "number"
    read: ClassVar[type[float]] = float

    def __init__(self, low: float, high: float = math.inf, *, above: bool = False) -> None:
        self.low, self.high, self.above = low, high, above

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number, or fail with a message that names the limits."""
        try:
            number = self.read(value)
        except ValueError:
            number = math.nan
        is_allowed = self.low <= number <= self.high and not (self.above and number == self.low)
        if not is_allowed:  # this also rejects nan
            self.fail(f"expected a {self.name} {self._limits()}, got {value!r}", param, ctx)
        return number

    def _limits(self) -> str:
        if self.high < math.inf:
            return f"from {self.low} to {self.high}"
        return f"above {self.low}" if self.above else f"of at least {self.low}"


class Whole(Number):
    """A whole number."""

    name = "whole number"
    read = int


# ---- options of several commands

FORCE = flag("--force", "Overwrite existing files.")
JOBS = option(
    "--jobs", "Set the number of processes.", Whole(1, 1024), "N", show_default="one per core"
)
AGENT = option(
    "--agent",
    "Choose the agent; `mineproof agents` lists them.",
    metavar="AGENT",
    show_default="the strongest",
)
BUDGET = option(
    "--budget",
    "Set the average time per guess, such as 0.2s, for agents with a budget.",
    metavar="T",
)
DECISION_TIME = option(
    "--decision-seconds",
    "Limit the seconds per move of your own agent.",
    Number(0, 3600, above=True),
    "T",
    default=DECISION_SECONDS,
)
ENGINE_OPTION = option(
    "--engine-option",
    "Set an option of an engine; can be repeated.",
    metavar="NAME=VALUE",
    multiple=True,
)
LOG = option(
    "--log",
    "Append the dialogue with an engine to FILE.",
    click.Path(dir_okay=False, path_type=Path),
    "FILE",
)
SALT = option("--salt", "Repeat a run of your own agent with its salt.", metavar="HEX")
MOVE = option("--move", "Use the position before move N of a game.", Whole(1), "N")
MEMORY = option(
    "--memory",
    "Limit the memory, in megabytes.",
    Number(0, above=True),
    "MB",
    callback=lambda _ctx, _param, value: value and max(1, round(value * 1e6)),
    show_default="1000",
)
CLUES = option(
    "--clues",
    f"Set what the numbers mean: {', '.join(map(form_of, clue_rules()))}.",
    metavar="MODEL",
    default="exact",
)
FLAGS_ARE_MINES = flag("--flags-are-mines", "Treat every F as a mine.")


@dataclass(frozen=True)
class RuleOptions:
    """The rules that the user asked for; None for those that were not mentioned."""

    level: str | None = option(
        "--level",
        f"Set the board: {', '.join(LEVELS)}, or ROWSxCOLUMNS/MINES with a number or a density "
        "of mines (16x30/99, 50x50/0.15).",
        metavar="LEVEL",
        show_default=DEFAULT_LEVEL,
    )
    start: str | None = option(
        "--start",
        "Set the first cell: any (may be a mine), safe, opening (no mine next to it), no-guess "
        "(can be solved by proofs), no-guess:AGENT (by that agent's proofs) or given:K "
        "(K x sqrt(cells) safe cells are open).",
        metavar="START",
        show_default="by level",
    )
    goal: str | None = option(
        "--goal",
        "Set how to win: open (all safe cells) or mark (flag all mines, too).",
        metavar="GOAL",
        show_default="open",
    )
    explosion: str | None = option(
        "--explosion",
        "Set what a mine does: lose (ends the game) or continue (is counted).",
        metavar="RULE",
        show_default="lose",
    )
    clues: str | None = option(
        "--clues",
        "Set what clues show: "
        + ", ".join(f"{form_of(rule)} ({rule.words})" for rule in clue_rules())
        + ".",
        metavar="MODEL",
        show_default="exact",
    )
    mine_count: str | None = option(
        "--mine-count",
        "Set whether the player knows the number of mines: known or unknown.",
        metavar="KNOWN",
        show_default="known",
    )
    flood: bool | None = option(
        "--flood/--no-flood",
        "Open the neighbours of a 0 automatically, or not.",
        default=None,
        show_default="flood",
    )
    seed: int | None = option(
        "--seed",
        "Choose the game: the same seed deals the same board.",
        Whole(0, MAX_SEED),
        "SEED",
        show_default="random; 0 if there are many games",
    )

    @property
    def changes(self) -> dict[str, Any]:
        """The rules that can be changed on a given board."""
        return {
            name: value for name, value in asdict(self).items() if name not in ("level", "seed")
        }

    def rules(self) -> Rules:
        """Return the rules of a game to deal."""
        return self.applied_to(Rules.parse(DEFAULT_LEVEL if self.level is None else self.level))

    def applied_to(self, rules: Rules) -> Rules:
        """Return these rules with the requested changes. Size and mines stay the same."""
        return with_options(rules, **self.changes)

    def check_unused(self) -> None:
        """Raise a UsageError if an option was used although the given game has its own rules."""
        values = asdict(self).items()
        used = [f"--{name.replace('_', '-')}" for name, value in values if value is not None]
        if used:
            raise click.UsageError(
                f"{', '.join(used)} cannot be combined with a game id or a file, which has its "
                "own rules"
            )

    def some_seed(self) -> int:
        """Return the given seed, or a random one that is short to type."""
        return secrets.randbelow(10**9) if self.seed is None else self.seed


@dataclass(frozen=True)
class OutputOptions:
    """The file that a long command writes to."""

    path: str | None = option(
        "--output", "Write to OUT instead of stdout.", click.Path(dir_okay=False), "OUT"
    )
    resume: bool = flag("--resume", "Continue OUT: add only what is missing.")
    force: bool = flag("--force", "Overwrite OUT.")

    @property
    def on_screen(self) -> bool:
        """Whether lines are printed in a terminal, where they would disturb a progress bar."""
        return self.path is None and sys.stdout.isatty()

    def open(self, make: Callable[[Path], OutputFile]) -> OutputFile | None:
        """Create and open the file. Return None if lines go to stdout.

        Raises:
            UsageError: an option needs a file, and there is none.
        """
        if self.path is not None:
            return make(Path(self.path)).open(resume=self.resume, force=self.force)
        if self.resume or self.force:
            raise click.UsageError("--resume and --force need --output")
        return None

    def saved_salt(self) -> str | None:
        """Return the salt of the run to resume, if there is one."""
        if self.path is None or not self.resume:
            return None
        found = ResultFile(Path(self.path), 0, {}).saved("salt")
        return found if isinstance(found, str) else None


RULES = group(RuleOptions)
OUTPUT = group(OutputOptions)

# ---- reading values


def isolation(
    text: str,
    seconds: float,
    engine_options: tuple[str, ...] = (),
    log: Path | None = None,
    salt: str | None = None,
) -> Isolation:
    """Return how to run the user's own agent or engine.

    Raises:
        InputError: an option of the engine is not NAME=VALUE, or the salt is not hexadecimal.
    """
    pairs = []
    for one in engine_options:
        name, equals, value = one.partition("=")
        if not (name and equals and value) or " " in name:
            raise InputError(f"expected --engine-option NAME=VALUE, got {one!r}")
        pairs.append((name, value))
    if (pairs or log) and not is_engine(text):
        raise InputError(f"--engine-option and --log need an engine, got {text!r}")
    if salt is not None and not re.fullmatch(r"[0-9a-f]{1,64}", salt):
        raise InputError(f"expected --salt with hexadecimal digits, got {salt!r}")
    return Isolation(text, seconds, salt=salt or new_salt(), options=tuple(pairs), log=log)


def player_text(agent: str | None, budget: str | None = None) -> str:
    """Return the text that names the agent, with its budget; by default the strongest agent.

    Raises:
        InputError: there is no such agent, or it takes no budget.
    """
    if budget is None:
        return strongest() if agent is None else agent
    text = "deep" if agent is None else agent
    if match := OWN_CLASS.fullmatch(text):  # do not run the user's file here to check the option
        return f"{text}{',' if match['options'] else ':'}budget={budget}"
    if is_engine(text):
        raise InputError("an engine takes no --budget; use --engine-option")
    spec, written = parse_agent(text)
    if "budget" not in spec.options:
        raise InputError(f"the agent {text!r} takes no --budget (deep does)")
    if "budget" in written:
        raise InputError(f"the budget is given twice: by --budget and in {text!r}")
    return f"{text}{',' if written else ':'}budget={budget}"


def read_input(file: str) -> str:
    """Return the text of a file, or of stdin for `-`.

    Raises:
        NotationError: there is no such file, it is not text, or it is too large.
    """
    if file == "-":
        return decode(read_stream(sys.stdin.buffer, "stdin"))
    if not Path(file).exists():
        raise NotationError(f"expected {KINDS}, but there is no file {file!r}", file=file)
    return read_text(file)


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Start every error message with the name of the file, unless the message has it already.

    Raises:
        NotationError: something is wrong with the file.
    """
    try:
        yield
    except InputError as error:
        name = "" if "file" in error.values else f"{printable(file)}: "
        raise NotationError(f"{name}{error}") from None


def check_outputs(files: Iterable[str | None], force: bool) -> None:
    """Raise an InputError if a file already exists and may not be overwritten."""
    for file in files:
        if file is not None and not force and Path(file).exists():
            raise InputError(f"{file} already exists. Use --force to overwrite it")


def is_game_id(argument: str) -> bool:
    """Return whether an argument must be a game id: it has a colon and no file has this name."""
    return argument != "-" and ":" in argument and not Path(argument).is_file()


def read_given(argument: str, **how: Any) -> list[Input]:
    """Return the games or positions that an argument names: a file, `-` for stdin, or a game id.

    Args:
        argument: the argument.
        **how: how to read positions; see `parse_inputs`.

    Raises:
        NotationError: it holds neither games nor positions.
    """
    if is_game_id(argument):
        return [parse_game_id(argument)]
    if argument.lower().endswith(".mbf"):
        return [parse_file(argument, read_file(argument))]
    if is_replay(argument) and Path(argument).exists():
        return [read_replay(argument)]
    return parse_inputs(read_input(argument), **how)


def read_game(argument: str, rules: RuleOptions) -> GameId | Record:
    """Return the (first) game that an argument names.

    Raises:
        InputError: it is not a game, or options ask for other rules.
    """
    rules.check_unused()
    return as_game(read_given(argument)[0])


def parse_cell(text: str) -> Cell:
    """Read a cell, written as `ROW,COLUMN` or `ROW COLUMN`.

    Raises:
        NotationError: the text is not a cell.
    """
    words = text.replace(",", " ").split()
    if len(words) != 2 or not all(word.isascii() and word.isdigit() for word in words):
        raise NotationError(f"expected a row and a column such as 3,4, got {text!r}")
    row, column = (int(word.lstrip("0")[:9] or "0") for word in words)
    return Cell(row, column)
