"""A figure as data: what is drawn of an experiment, and what a source says about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mineproof.core.errors import NotationError
from mineproof.lab.metrics import METRICS

PLAIN = ("first", "goal", "explosion", "clues", "mine_count", "flood", "boards")
"""Rules whose columns are named and written as they are."""
SIZES = ("rows", "columns", "cells", "mines", "density")
COLUMNS = ("agent", "level", *SIZES, "start", "times", "given", "given_share", *PLAIN)
"""What is stored of the condition with each game, and can be an axis or a series of a figure."""
TEXTS = ("agent", "level", "start", *PLAIN)
"""Columns that are no numbers: no line leads from one value to the next."""
SHARES = ("density", "given_share")
"""Columns that are shown in per cent."""
AXES = ("chain", "guesses", "bbbv")
"""What of a game itself can be an axis."""
KINDS = ("lines", "bars", "differences", "map", "histogram", "extremes", "boards")
TRENDS = ("rises", "falls", "linear", "levels-off")
"""What a claim may expect of the values along the axis."""
SIDES = ("more", "less", "same", "differs", "flatter")
"""What it may expect of some conditions beside others."""
EXPECTED = (*TRENDS, *SIDES, "within", "agrees")
"""All that it may expect: also of every value by itself, and of the source's own numbers."""


@dataclass(frozen=True)
class Reported:
    """A number that a source document gives for one point of a figure."""

    x: str | float
    value: float
    text: str
    series: str = ""
    panel: str = ""
    games: int | None = None
    """How many games the number rests on, where the document says so."""


@dataclass(frozen=True)
class Claim:
    """What a source says, and what that means for the games."""

    says: str
    """What it says, in a sentence."""
    expect: str
    """What that means for the values, one of `EXPECTED`."""
    source: str = ""
    """Where it says so."""
    of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The conditions that it is about, by column; all if none is named."""
    than: Mapping[str, str] = field(default_factory=dict)
    """What they are compared with: conditions that differ from them in these columns alone."""
    low: float | None = None
    high: float | None = None
    """Where values must lie for `within`."""
    up_to: float | None = None
    """The last value of the lower axis that it is about."""
    somewhere: bool = False
    """Whether one place of the lower axis is enough for `within`."""
    margin: float = 0.01
    """Differences below are none: points of a share, and of other values a share of them."""
    note: str = ""
    """How it is meant, where that needs saying."""

    def __post_init__(self) -> None:
        """Refuse what cannot be judged."""
        at = f"the claim {self.says!r}"
        one_of(self.expect, EXPECTED, "an expectation", at)
        for column in (*self.of, *self.than):
            one_of(column, COLUMNS, "a column", at)
        if self.expect in SIDES and not self.than:
            raise NotationError(f"expected `than` in {at} for {self.expect!r}, got none")
        if self.expect == "within" and self.low is None and self.high is None:
            raise NotationError(f"expected `low` or `high` in {at}, got none")
        if not self.margin > 0:
            raise NotationError(f"expected a margin above 0 in {at}, got {self.margin}")


@dataclass(frozen=True)
class Figure:
    """What to draw of an experiment, and how."""

    name: str
    title: str
    metric: str
    x: str = "agent"
    kind: str = "lines"
    series: tuple[str, ...] = ("agent",)
    panel: str = ""
    claims: tuple[Claim, ...] = ()
    """What sources say about it; the report judges each of them."""
    baseline: tuple[str, ...] = ()
    """What the other series are compared with, board by board: values of the last column that
    tells series apart, at most one for each agent."""
    note: str = ""
    """A remark of our own."""
    reported: tuple[Reported, ...] = ()
    reported_by: str = "the source's number"
    log: bool = False
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Only conditions with these values, by column."""
    threshold: float = 0.0
    """A line to draw."""
    threshold_text: str = ""
    """What the line is."""

    def __post_init__(self) -> None:
        """Refuse names that mean nothing."""
        check_name(self.name)
        one_of(self.kind, KINDS, "a kind of figure", self.name)
        one_of(self.metric, METRICS, "a metric", self.name)
        if self.x not in AXES:
            one_of(self.x, COLUMNS, "a column", self.name)
        if self.kind == "lines" and self.x in TEXTS:
            raise NotationError(f"expected kind bars in {self.name}: {self.x} is no number")
        for column in filter(None, (self.panel, *self.series, *self.where)):
            one_of(column, COLUMNS, "a column", self.name)
        if self.baseline and not self.series:
            raise NotationError(f"expected series in {self.name} to compare, got none")
        if self.kind == "differences" and not self.baseline:
            raise NotationError(f"expected a baseline in {self.name} for its kind, got none")


def check_name(name: str) -> None:
    """Refuse names that are no plain names of files.

    Raises:
        NotationError: it has other signs than letters, digits and -.
    """
    if not name.replace("-", "").isalnum() or not name.isascii():
        raise NotationError(f"expected a name of letters, digits and -, got {name!r}")


def one_of(name: str, names: tuple[str, ...] | Mapping[str, object], what: str, at: str) -> None:
    """Refuse a name that is not one of those known, saying which these are.

    Raises:
        NotationError: it is none of them.
    """
    if name not in names:
        raise NotationError(f"expected {what} ({', '.join(names)}) in {at}, got {name!r}")
