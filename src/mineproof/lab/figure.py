"""A figure as data: what is drawn of an experiment, and what a source says about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mineproof.core.errors import NotationError
from mineproof.lab.metrics import METRICS

COLUMNS = (
    "agent",
    "level",
    "rows",
    "columns",
    "cells",
    "mines",
    "density",
    "start",
    "times",
    "given",
    "given_share",
    "first",
    "goal",
    "explosion",
    "clues",
    "mine_count",
    "flood",
)
"""What is stored of the condition with each game, and can be an axis or a series of a figure."""
TEXTS = ("agent", "level", "start", "first", "goal", "explosion", "clues", "mine_count", "flood")
"""Columns that are no numbers: no line leads from one value to the next."""
SHARES = ("density", "given_share")
"""Columns that are shown in per cent."""
AXES = ("chain", "guesses", "bbbv")
"""What of a game itself can be an axis."""
KINDS = ("lines", "bars", "map", "histogram", "extremes")
TRENDS = ("rises", "falls", "linear")
SIDES = ("more", "less")
"""What a claim may expect: of the values along the axis, or of a series beside its baseline."""


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
class Figure:
    """What to draw of an experiment, and how."""

    name: str
    title: str
    metric: str
    x: str = "agent"
    kind: str = "lines"
    series: tuple[str, ...] = ("agent",)
    panel: str = ""
    claim: str = ""
    """What the source says, in a sentence."""
    expect: str = ""
    """What that means for the values, one of `TRENDS` or `SIDES`; the finding checks it."""
    baseline: tuple[str, ...] = ()
    """What the other series are compared with, board by board: values of the last column that
    tells series apart, at most one for each agent."""
    note: str = ""
    """A remark of our own."""
    reported: tuple[Reported, ...] = ()
    reported_by: str = "the source's number"
    log: bool = False
    where: Mapping[str, str] = field(default_factory=dict)
    """Only conditions with these values."""
    threshold: float = 0.0
    """A line to draw; the finding says how far values stay above it."""
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
        if self.expect:
            one_of(self.expect, TRENDS + SIDES, "an expectation", self.name)
        if self.expect in SIDES and not self.baseline:
            raise NotationError(f"expected a baseline in {self.name} for {self.expect!r}, got none")
        if self.baseline and not self.series:
            raise NotationError(f"expected series in {self.name} to compare, got none")


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
