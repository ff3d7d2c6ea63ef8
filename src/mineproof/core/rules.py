"""The rules of a game, and the part of them that the player knows."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, TypeVar

from mineproof.core.clues import EXACT, ClueRule
from mineproof.core.errors import RulesError, did_you_mean, whole_number, wrong_type
from mineproof.core.grid import BoardSize, Cell

MAX_SIDE = 1000
MAX_TIMES = 1_000_000
"""The largest K of `given:K`, which is enough to open every safe cell of the largest board."""
MAX_DENOMINATOR = 10**18
EXACT_AGENT = "exact"
"""The agent that must solve `no-guess` boards unless another one is named."""
Kind = TypeVar("Kind", bound=StrEnum)


class StartKind(StrEnum):
    """The ways a game can start."""

    ANY = "any"
    SAFE = "safe"
    OPENING = "opening"
    GIVEN = "given"
    NO_GUESS = "no-guess"


class Goal(StrEnum):
    """The condition for winning."""

    OPEN = "open"
    MARK = "mark"


class Explosion(StrEnum):
    """The effect of opening a mine."""

    LOSE = "lose"
    CONTINUE = "continue"


class MineCount(StrEnum):
    """Whether the player knows the number of mines."""

    KNOWN = "known"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Start:
    """A start rule. `times` is the K of `given:K`, and 0 for other starts.

    `agent` is the agent that must solve the boards of `no-guess:AGENT` without a guess: `exact`
    if none is named. It is empty for other starts.
    """

    kind: StartKind
    times: Fraction = Fraction(0)
    agent: str = ""

    def __post_init__(self) -> None:
        """Reject values that do not belong to this kind of start, or are out of range."""
        if bool(self.agent) is not (self.kind is StartKind.NO_GUESS):
            needs = "needs an agent" if self.kind is StartKind.NO_GUESS else "takes no agent"
            raise RulesError(f"the start {self.kind} {needs}, got {self.agent!r}")
        if self.agent and not re.fullmatch(r"[a-z][a-z0-9-]{0,63}", self.agent):
            raise RulesError(
                f"expected no-guess:AGENT with an agent's id without options, got {self.agent!r}"
            )
        if self.kind is not StartKind.GIVEN:
            if self.times:
                raise RulesError(f"the start {self.kind} takes no K, got {self.times}")
        elif not (0 < self.times <= MAX_TIMES and self.times.denominator <= MAX_DENOMINATOR):
            raise RulesError(
                f"expected given:K with a positive number K up to {MAX_TIMES}, got {self.times}"
            )

    @property
    def has_own_agent(self) -> bool:
        """Whether an agent other than `exact` decides which boards can be dealt.

        Agents may change between versions, so ids and records of such games store the mines.
        """
        return self.agent not in ("", EXACT_AGENT)

    @classmethod
    def parse(cls, text: str) -> Start:
        """Read `any`, `safe`, `opening`, `given:K`, `no-guess` or `no-guess:AGENT`."""
        name, colon, times = text.strip().lower().partition(":")
        if name == StartKind.GIVEN:
            return cls(StartKind.GIVEN, _times(times if colon else "1", text))
        if name == StartKind.NO_GUESS:
            return cls(StartKind.NO_GUESS, agent=times if colon else EXACT_AGENT)
        if colon or name not in set(StartKind):
            near = did_you_mean(name, StartKind)
            raise RulesError(
                f"expected start to be any, safe, opening, given:K or no-guess, got {text!r}{near}"
            )
        return cls(StartKind(name))

    def given_cells(self, cells: int) -> int:
        """Return the number of given cells on a board of this size; 0 if the start gives none."""
        return math.ceil(self.times * round(math.sqrt(cells)))

    def __str__(self) -> str:
        """Return the text that `Start.parse` reads."""
        if self.has_own_agent:
            return f"{self.kind}:{self.agent}"
        if self.kind is not StartKind.GIVEN:
            return self.kind.value
        if self.times.denominator == 1:
            return f"given:{self.times.numerator}"
        decimal = Decimal(self.times.numerator) / Decimal(self.times.denominator)
        return f"given:{decimal:f}" if Fraction(decimal) == self.times else f"given:{self.times}"


def _times(text: str, whole: str) -> Fraction:
    # The pattern limits the work: Fraction("1e99999999") would take forever.
    if re.fullmatch(r"[0-9]{1,25}(/[0-9]{1,19})?|[0-9]{0,25}\.[0-9]{1,28}", text):
        numerator, _, denominator = text.partition("/")
        if int(denominator or "1"):
            return Fraction(numerator) / int(denominator or "1")
    raise RulesError(f"expected given:K with a positive number K, got {whole!r}")


ANY = Start(StartKind.ANY)
SAFE = Start(StartKind.SAFE)
OPENING = Start(StartKind.OPENING)
NO_GUESS = Start(StartKind.NO_GUESS, agent=EXACT_AGENT)
AROUND_FIRST = (StartKind.SAFE, StartKind.OPENING, StartKind.NO_GUESS)
"""The starts whose first cell is never a mine. They deal the board after the first click."""


def _choice(kind: type[Kind], name: str, text: str) -> Kind:
    try:
        return kind(text.strip().lower())
    except ValueError:
        choices = " or ".join(member.value for member in kind)
        near = did_you_mean(text, kind)
        raise RulesError(f"expected {name} {choices}, got {text!r}{near}") from None


_PARSERS: dict[str, tuple[type, Callable[[str], Any]]] = {
    "start": (Start, Start.parse),
    "goal": (Goal, partial(_choice, Goal, "goal")),
    "explosion": (Explosion, partial(_choice, Explosion, "explosion")),
    "clues": (ClueRule, ClueRule.parse),
    "mine_count": (MineCount, partial(_choice, MineCount, "mine count")),
}
"""The type of each rule that has words, and the function that reads the words."""


def as_rule(name: str, value: Any) -> Any:
    """Return the value of a rule, given the value or its words.

    Raises:
        TypeError: the value is neither.
        RulesError: the words are unknown.
    """
    if name in ("rows", "columns", "mines"):
        return whole_number(value, name)
    if name == "flood":
        if isinstance(value, bool):
            return value
        raise wrong_type("flood as True or False", value)
    kind, parse = _PARSERS[name]
    if isinstance(value, kind):
        return value
    if isinstance(value, str):
        return parse(value)
    raise wrong_type(f"{name} as words or an object of {kind.__name__}", value)


@dataclass(frozen=True)
class PublicRules(BoardSize):
    """The rules as the player knows them; `mines` is None if the mine count is unknown."""

    mines: int | None
    start: Start = SAFE
    goal: Goal = Goal.OPEN
    explosion: Explosion = Explosion.LOSE
    clues: ClueRule = EXACT
    flood: bool = True

    @property
    def marks_matter(self) -> bool:
        """Whether flags affect the result, as they do for the goal `mark` and for the score."""
        return self.goal is Goal.MARK or self.explosion is Explosion.CONTINUE

    def __repr__(self) -> str:
        return _call(self)


@dataclass(frozen=True, init=False, repr=False)
class Rules(BoardSize):
    """All rules of a game (see the table in the docs). `Rules(9, 9, 10, start="opening")` works."""

    mines: int
    start: Start = SAFE
    goal: Goal = Goal.OPEN
    explosion: Explosion = Explosion.LOSE
    clues: ClueRule = EXACT
    mine_count: MineCount = MineCount.KNOWN
    flood: bool = True

    def __init__(  # noqa: PLR0913, PLR0917  (one argument per rule)
        self,
        rows: int,
        columns: int,
        mines: int,
        start: Start | str = SAFE,
        goal: Goal | str = Goal.OPEN,
        explosion: Explosion | str = Explosion.LOSE,
        clues: ClueRule | str = EXACT,
        mine_count: MineCount | str = MineCount.KNOWN,
        flood: bool = True,
    ) -> None:
        """Set the rules, each as a value or in the words of the command line.

        Raises:
            TypeError: a rule is neither a value nor words.
            RulesError: a word is unknown, a number is out of range, or two rules contradict.
        """
        given = locals()
        for field in fields(self):
            object.__setattr__(self, field.name, as_rule(field.name, given[field.name]))
        self._check()

    def _check(self) -> None:
        """Reject impossible sizes and mine counts."""
        check_size(self.rows, self.columns)
        most = self.rows * self.columns - 1
        if not 0 <= self.mines <= most:
            raise RulesError(
                f"expected 0 to {most} mines on a {self.rows}x{self.columns} board "
                f"(at least one cell is safe), got {self.mines}",
                code="too-many-mines",
                most=most,
            )
        self._check_no_guess()

    def _check_no_guess(self) -> None:
        """Reject clue rules and mine counts that the start rule does not support."""
        if self.start.kind is not StartKind.NO_GUESS:
            return
        if self.clues != EXACT:
            raise RulesError(f"the start {self.start} needs exact clues, got {self.clues}")
        if self.mine_count is not MineCount.KNOWN:
            raise RulesError(
                f"the start {self.start} needs a known mine count, got {self.mine_count}"
            )

    @classmethod
    def parse(cls, level: str) -> Rules:
        """Read a level's name, or `ROWSxCOLUMNS/MINES` with a mine count or a density."""
        known = LEVELS.get(level.strip().lower())
        return known if known is not None else _custom(level.strip())

    @cached_property
    def is_classic(self) -> bool:
        """Whether everything except size, mines and start is as in the classic game."""
        ends, clues = (self.goal, self.explosion), (self.clues, self.mine_count, self.flood)
        return (*ends, *clues) == (Goal.OPEN, Explosion.LOSE, EXACT, MineCount.KNOWN, True)

    @property
    def given_count(self) -> int:
        """The number of safe cells that the start opens: 0 except under `given:K`."""
        cells = self.rows * self.columns
        return min(self.start.given_cells(cells), cells - self.mines)

    @property
    def first_cell(self) -> Cell | None:
        """The default first cell for agents, which is the best cell known; None under `given`."""
        return first_cell(self.rows, self.columns, self.start)

    def public(self) -> PublicRules:
        """Return the rules as the player knows them."""
        values = {field.name: getattr(self, field.name) for field in fields(PublicRules)}
        if self.mine_count is MineCount.UNKNOWN:
            values["mines"] = None
        return PublicRules(**values)

    def to_plain(self) -> dict[str, Any]:
        """Return plain values for JSON, the same as the codec (`notation.codec`) returns."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {n: value if isinstance(value, int) else str(value) for n, value in values.items()}

    @property
    def level(self) -> str:
        """The size and mines in the form that `Rules.parse` reads."""
        return f"{self.rows}x{self.columns}/{self.mines}"

    def __repr__(self) -> str:
        return _call(self)


def _call(rules: Rules | PublicRules) -> str:
    """Return the call that makes the rules, without arguments that have their default value."""
    first, rest = fields(rules)[:3], fields(rules)[3:]
    words = [repr(getattr(rules, one.name)) for one in first]
    for one in rest:
        if (value := getattr(rules, one.name)) != one.default:
            words.append(f"{one.name}={value if one.name == 'flood' else str(value)!r}")
    return f"{type(rules).__name__}({', '.join(words)})"


def as_rules(rules: Rules | str) -> Rules:
    """Return a `Rules` object, given one, a level's name or `ROWSxCOLUMNS/MINES`.

    Raises:
        TypeError: the value is of another type.
        RulesError: the text is neither a level nor a size.
    """
    if isinstance(rules, Rules):
        return rules
    if isinstance(rules, str):
        return Rules.parse(rules)
    raise wrong_type("Rules, or a level such as 'expert' or '9x9/10'", rules)


def first_cell(rows: int, columns: int, start: Start) -> Cell | None:
    """Return the default first cell of a board, or None if the start opens given cells."""
    if start.kind is StartKind.GIVEN:
        return None
    if start.kind in (StartKind.OPENING, StartKind.NO_GUESS):
        most = 2 if max(rows, columns) <= 16 else 3  # found by `benchmarks/first_cells.py`
        return Cell(min(most, (rows - 1) // 2), min(most, (columns - 1) // 2))
    return Cell(0, 0)


def check_size(rows: int, columns: int) -> None:
    """Check the size of a board.

    Raises:
        TypeError: a side is not a whole number.
        RulesError: a side is not from 1 to `MAX_SIDE`.
    """
    for name, value in (("rows", rows), ("columns", columns)):
        if not 1 <= whole_number(value, name) <= MAX_SIDE:
            raise RulesError(f"expected 1 to {MAX_SIDE} {name}, got {value!r}")


def _custom(text: str) -> Rules:
    match = re.fullmatch(r"(\d{1,9})[xX](\d{1,9})/(\S+)", text, re.ASCII)
    if match is None:
        names = ", ".join(LEVELS)
        raise RulesError(
            f"expected a level ({names}) or ROWSxCOLUMNS/MINES such as 16x30/99, got {text!r}"
            f"{did_you_mean(text, LEVELS)}"
        )
    rows, columns = int(match[1]), int(match[2])
    check_size(rows, columns)
    return Rules(rows, columns, _mines(match[3], rows * columns))


def _mines(text: str, cells: int) -> int:
    if re.fullmatch(r"\d{1,9}", text, re.ASCII):
        return int(text)
    # The pattern limits the work: Fraction("1e-99999999") would take forever.
    density = Fraction(text) if re.fullmatch(r"0?\.[0-9]{1,28}", text) else None
    if density is None:
        raise RulesError(
            f"expected mines as a whole number or a density from 0 to below 1, got {text!r}"
        )
    return round(density * cells)


_GIVEN_1 = Start(StartKind.GIVEN, Fraction(1))
LEVELS = {
    "easy": Rules(9, 9, 10, _GIVEN_1),
    "medium": Rules(16, 16, 25, _GIVEN_1),
    "hard": Rules(16, 30, 99, _GIVEN_1),
    "beginner": Rules(9, 9, 10),
    "classic-beginner": Rules(8, 8, 10),
    "intermediate": Rules(16, 16, 40),
    "expert": Rules(16, 30, 99),
}
EASY, MEDIUM, HARD, BEGINNER, CLASSIC_BEGINNER, INTERMEDIATE, EXPERT = LEVELS.values()


def level_name(rules: Rules) -> str:
    """Return the name of the level with these rules, or an empty string."""
    return next((name for name, known in LEVELS.items() if rules == known), "")


def with_options(rules: Rules, **options: str | bool | None) -> Rules:
    """Return rules changed by options in text form; None leaves a rule unchanged."""
    changes: dict[str, Any] = {name: each for name, each in options.items() if each is not None}
    return replace(rules, **changes)
