"""Options that several commands share, and the functions that read their values."""

from __future__ import annotations

import math
import re
import secrets
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import click

from mineproof import Cell, InputError, NotationError, Rules
from mineproof.agents.loading import OWN_CLASS, file_of, is_engine, parse_agent
from mineproof.agents.registry import strongest
from mineproof.cli.commands import CELL, flag, group, option
from mineproof.core.clues import clue_rules, form_of
from mineproof.core.random import MAX_SEED
from mineproof.core.rules import StartKind, with_options
from mineproof.match.contract import DECISION_SECONDS, MOST_SECONDS
from mineproof.match.isolated import AGENT_BYTES, Isolation, new_salt
from mineproof.match.results import ResultFile, ResumableFile

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


# ---- options of several commands

AS_CELL = {"callback": lambda _ctx, _param, text: None if text is None else parse_cell(text)}
FIRST = option(
    f"--first {CELL}", "Set the first cell.", show_default="by the start rule", **AS_CELL
)
WHY = option(f"--why {CELL}", "Show the proof of a cell.", **AS_CELL)
FORCE = flag("--force", "Overwrite existing files.")
JOBS = option(
    "--jobs N", "Set the number of processes.", Whole(1, 1024), show_default="one per core"
)
AGENT = option(
    "--agent AGENT",
    "Choose the agent; `mineproof agents` lists them.",
    show_default="the strongest",
)
BUDGET = option(
    "--budget T", "Set the average time per guess, such as 0.2s, for agents with a budget."
)
ISOLATED = option(
    "--isolated/--no-isolated",
    "Run your own agent in a separate process, with limits.",
    default=True,
)
SALT = option(
    "--salt HEX",
    "Repeat a run of your own agent with its salt.",
    callback=lambda _ctx, _param, value: None if value is None else checked_salt(value),
)
SECONDS = option(
    "--decision-seconds T",
    "Limit the seconds per move, for your own agent or on a huge board.",
    Number(0, MOST_SECONDS, above=True),
    default=DECISION_SECONDS,
)
MOVE = option("--move N", "Use the position before move N of a game.", Whole(1))
MEMORY = option(
    "--memory MB",
    "Limit the memory, in megabytes.",
    Number(0, above=True),
    callback=lambda _ctx, _param, value: value and max(1, round(value * 1e6)),
    show_default="1000",
)
CLUES = option(
    "--clues MODEL",
    f"Set what the numbers mean: {', '.join(map(form_of, clue_rules()))}.",
    default="exact",
)
ASCII = flag("--ascii", "Draw the full screen without Unicode characters.")
FLAGS_ARE_MINES = flag("--flags-are-mines", "Treat every F as a mine.")


@dataclass(frozen=True)
class RuleOptions:
    """The rules that the user asked for; None for those that were not mentioned."""

    level: str | None = option(
        "--level LEVEL",
        "Set the board: beginner, expert, hard, ... or 16x30/99 or 50x50/0.15.",
        show_default=DEFAULT_LEVEL,
    )
    start: str | None = option(
        "--start START",
        "Set the first cell: any, safe, opening, given:K, no-guess or no-guess:AGENT.",
        show_default="by level",
    )
    goal: str | None = option(
        "--goal GOAL",
        "Set how to win: open (all safe cells) or mark (flag all mines, too).",
        show_default="open",
    )
    explosion: str | None = option(
        "--explosion RULE",
        "Set what a mine does: lose (ends the game) or continue (is counted).",
        show_default="lose",
    )
    clues: str | None = option(
        "--clues MODEL",
        f"Set what clues show: {', '.join(map(form_of, clue_rules()))}.",
        show_default="exact",
    )
    mine_count: str | None = option(
        "--mine-count KNOWN",
        "Set whether the player knows the number of mines: known or unknown.",
        show_default="known",
    )
    flood: bool | None = option(
        "--flood/--no-flood",
        "Open the neighbours of a 0 automatically, or not.",
        default=None,
        show_default="flood",
    )
    seed: int | None = option(
        "--seed SEED",
        "Choose the game: the same seed deals the same board.",
        Whole(0, MAX_SEED),
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

    def for_a_person(self) -> Rules:
        """Return the rules of a game that a person starts: without --start, it has an opening.

        Levels that open given cells keep their own start.
        """
        rules = self.rules()
        if self.start is not None or rules.start.kind is not StartKind.SAFE:
            return rules
        return with_options(rules, start="opening")

    def applied_to(self, rules: Rules) -> Rules:
        """Return these rules with the requested changes. Size and mines stay the same."""
        return with_options(rules, **self.changes)

    def check_unused(self) -> None:
        """Raise a UsageError if an option sets rules for a game that already has rules."""
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
        "--output OUT", "Write to OUT instead of stdout.", click.Path(dir_okay=False)
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


@dataclass(frozen=True)
class LimitOptions:
    """The limits of the user's own agent or engine, and the options of an engine."""

    decision_seconds: float = SECONDS
    memory: float = option(
        "--memory MB",
        "Limit the memory of your own agent, in megabytes.",
        Number(0, above=True),
        default=AGENT_BYTES // 10**6,
    )
    engine_option: tuple[str, ...] = option(
        "--engine-option NAME=VALUE", "Set an option of an engine; can be repeated.", multiple=True
    )
    log: Path | None = option(
        "--log FILE",
        "Append the dialogue with an engine to FILE.",
        click.Path(dir_okay=False, path_type=Path),
    )

    def isolation(self, text: str, salt: str | None = None) -> Isolation:
        """Return how to run the user's own agent or engine.

        Raises:
            InputError: an option of the engine is not NAME=VALUE, or there is no engine.
        """
        pairs = []
        for one in self.engine_option:
            name, _, value = one.partition("=")
            if not (name and value) or " " in name:
                raise InputError(f"expected --engine-option NAME=VALUE, got {one!r}")
            pairs.append((name, value))
        if (pairs or self.log) and not is_engine(text):
            raise InputError(f"--engine-option and --log need an engine, got {text!r}")
        return Isolation(
            text,
            self.decision_seconds,
            memory=round(self.memory * 1e6),
            salt=salt or new_salt(),
            options=tuple(pairs),
            log=self.log,
        )


RULES = group(RuleOptions)
LIMITS = group(LimitOptions)
OUTPUT = group(OutputOptions)

# ---- reading values


def checked_salt(salt: str) -> str:
    """Return a salt in lower case.

    Raises:
        InputError: it is not hexadecimal.
    """
    if not re.fullmatch(r"[0-9a-fA-F]{1,64}", salt):
        raise InputError(f"expected --salt with 1 to 64 hexadecimal digits, got {salt!r}")
    return salt.lower()


def warn_not_isolated(isolated: bool, names: Iterable[str]) -> None:
    """Print what --no-isolated gives up, if one of the agents is a user's file."""
    if not isolated and any(file_of(name) for name in names):
        click.echo(
            "--no-isolated: nothing stops your agent if it hangs or takes all memory, and it can "
            "look for the boards in its own process. Use it only for debugging.",
            err=True,
        )


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


def check_outputs(files: Iterable[str | None], force: bool) -> None:
    """Raise an InputError if a file already exists and may not be overwritten."""
    for file in files:
        if file is not None and not force and Path(file).exists():
            raise InputError(f"{file} already exists. Use --force to overwrite it")
