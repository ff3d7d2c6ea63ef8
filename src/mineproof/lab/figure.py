"""The figures of an experiment as data, with the claims that a source makes about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mineproof.core.errors import NotationError
from mineproof.lab.metrics import METRICS

PLAIN = ("first", "goal", "explosion", "clues", "mine_count", "flood", "boards")
"""The rules that are stored as columns with the same names and values."""
SIZES = ("rows", "columns", "cells", "mines", "density")
COLUMNS = ("agent", "level", *SIZES, "start", "times", "given", "given_share", *PLAIN)
"""The columns of a condition, stored with each game. Each can be an axis or a series."""
TEXTS = ("agent", "level", "start", *PLAIN)
"""Columns with names instead of numbers. Charts do not join their values by lines."""
SHARES = ("density", "given_share")
"""Columns that are shown as percentages."""
AXES = ("chain", "guesses", "bbbv")
"""Measured columns that can be an axis."""
KINDS = ("lines", "bars", "differences", "map", "histogram", "extremes", "boards")
TRENDS = ("rises", "falls", "linear", "levels-off")
"""Expectations about the values along the axis."""
SIDES = ("more", "less", "same", "differs", "flatter")
"""Expectations about one condition compared with another."""
EXPECTED = (*TRENDS, *SIDES, "within", "agrees")
"""All expectations. `within` is about single values, `agrees` about the source's own numbers."""


@dataclass(frozen=True)
class Reported:
    """A value that a source document reports for one point of a figure."""

    x: str | float
    value: float
    text: str
    series: str = ""
    panel: str = ""
    games: int | None = None
    """The number of games behind the value, if the document states it."""


@dataclass(frozen=True)
class Claim:
    """A claim that a source makes, and what it means for the games."""

    says: str
    """The claim as a sentence."""
    expect: str
    """The expectation about the values; one of `EXPECTED`."""
    source: str = ""
    """Where the document makes the claim."""
    document: str = ""
    """Who makes the claim, if not the document of the experiment."""
    of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The conditions that the claim is about, by column; by default all."""
    than: Mapping[str, str] = field(default_factory=dict)
    """The conditions to compare with, given by the columns in which they differ."""
    low: float | None = None
    high: float | None = None
    """The range of values for claims that expect `within`."""
    up_to: float | None = None
    """The last value on the x axis that the claim is about."""
    somewhere: bool = False
    """Whether a single point on the x axis is enough for `within`."""
    margin: float = 0.01
    """Differences below this are ignored. It is absolute for shares and relative for other
    metrics."""
    note: str = ""
    """A note on how the claim is interpreted."""

    def __post_init__(self) -> None:
        where = f"the claim {self.says!r}"
        one_of(self.expect, EXPECTED, "an expectation", where)
        for column in (*self.of, *self.than):
            one_of(column, COLUMNS, "a column", where)
        if self.expect in SIDES and not self.than:
            raise NotationError(f"{where} expects {self.expect!r}, so it needs `than`")
        if self.expect == "within" and self.low is None and self.high is None:
            raise NotationError(f"{where} expects 'within', so it needs `low` or `high`")
        if not self.margin > 0:
            raise NotationError(f"expected a margin above 0 in {where}, got {self.margin}")


@dataclass(frozen=True)
class Figure:
    """A figure of an experiment."""

    name: str
    title: str
    metric: str
    x: str = "agent"
    kind: str = "lines"
    series: tuple[str, ...] = ("agent",)
    panel: str = ""
    claims: tuple[Claim, ...] = ()
    """Claims of sources about the figure, which the report judges."""
    baseline: tuple[str, ...] = ()
    """The series that the others are compared with, board by board.

    They are values of the last column in `series`, at most one for each agent."""
    note: str = ""
    """A remark below the figure."""
    reported: tuple[Reported, ...] = ()
    reported_by: str = "value in the source"
    log: bool = False
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The conditions to draw, by column; by default all."""
    threshold: float = 0.0
    """The height of a horizontal line."""
    threshold_text: str = ""
    """The label of the line."""

    def __post_init__(self) -> None:
        check_name(self.name)
        one_of(self.kind, KINDS, "a kind of figure", self.name)
        one_of(self.metric, METRICS, "a metric", self.name)
        if self.x not in AXES:
            one_of(self.x, COLUMNS, "a column", self.name)
        if self.kind == "lines" and self.x in TEXTS:
            raise NotationError(
                f'{self.name} needs kind = "bars", because {self.x} is not a number'
            )
        for column in filter(None, (self.panel, *self.series, *self.where)):
            one_of(column, COLUMNS, "a column", self.name)
        if self.baseline and not self.series:
            raise NotationError(f"{self.name} has a baseline, so it needs series to compare")
        if self.kind == "differences" and not self.baseline:
            raise NotationError(f'{self.name} has kind = "differences", so it needs a baseline')


def check_name(name: str) -> None:
    """Reject names that are not valid file names.

    Raises:
        NotationError: the name contains a character other than letters, digits and -.
    """
    if not name.replace("-", "").isalnum() or not name.isascii():
        raise NotationError(f"expected a name of letters, digits and -, got {name!r}")


def one_of(name: str, names: tuple[str, ...] | Mapping[str, object], what: str, where: str) -> None:
    """Reject an unknown name.

    Raises:
        NotationError: the name is unknown. The message lists the known ones.
    """
    if name not in names:
        raise NotationError(f"expected {what} ({', '.join(names)}) in {where}, got {name!r}")
