"""Names of columns, agents and series, and formatted numbers, for figures and tables."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePath

from mineproof.core.words import share
from mineproof.lab.figure import SHARES, Figure
from mineproof.lab.metrics import Metric
from mineproof.match.certainty import Estimate

MINUS = "\N{MINUS SIGN}"
JOIN = " · "
"""The separator between the values of a series with several columns."""
NAMES = {
    "times": "K (multiple of the standard given cells)",
    "given": "given cells",
    "given_share": "share of given cells",
    "density": "mine density",
    "cells": "number of cells",
    "first": "first cell (row, column)",
    "chain": "longest chain (conclusions)",
    "guesses": "guesses per game",
    "bbbv": "3BV",
    "mine_count": "mine count",
}
"""Names of columns in figures, if they differ from the column's id."""


def column_name(column: str) -> str:
    """Return the name of a column for axes and tables."""
    return NAMES.get(column, column)


def agent_id(text: str) -> str:
    """Return the agent id in the name of a series or in an agent's text."""
    return text.partition(JOIN)[0].partition(":")[0]


def short_agent(text: str) -> str:
    """Return a short name: the id and options, or the class name of the user's own agent."""
    if ".py" in text:
        path, _, name = text.partition(".py")
        own = PurePath(path.removeprefix("cs50:")).name
        return f"cs50 {own}" if text.startswith("cs50:") else name.removeprefix(":") or own
    agent, _, options = text.partition(":")
    words = (one.replace("=", " ").replace("_", " ") for one in options.split(",") if one)
    return ", ".join([agent, *words])


def value_text(column: str, value: str) -> str:
    """Return a value of a column as text, with the column's name if the value alone is unclear."""
    if column == "agent":
        return short_agent(value)
    if column == "first":
        return f"from ({value.replace(',', ', ')})"
    if column in ("clues", "boards"):
        return f"{value} {column}"
    return f"mine count {value}" if column == "mine_count" else value


def label(figure: Figure, series: str) -> str:
    """Return the display name of a series."""
    return condition_text(dict(zip(figure.series, series.split(JOIN), strict=False)))


def condition_text(values: Mapping[str, str]) -> str:
    """Return the name of a condition, made of the values of its columns."""
    return ", ".join(value_text(column, value) for column, value in values.items())


def labels(figure: Figure, series: Iterable[str]) -> dict[str, str]:
    """Return the names of all series of a figure.

    Full names are used if short ones are ambiguous.
    """
    names = {one: label(figure, one) for one in series}
    if figure.kind == "differences":
        names = {one: f"{name} minus {base_name(figure)}" for one, name in names.items()}
    counts = Counter(names.values())
    return {one: name if counts[name] == 1 else one for one, name in names.items()}


def base_name(figure: Figure) -> str:
    """Return the name of the baseline."""
    return " or ".join(value_text(figure.series[-1], one) for one in figure.baseline)


def group_name(figure: Figure, panel: str, series: str, but: Iterable[str] = ()) -> str:
    """Return the name of a line in a figure, leaving out the columns in `but`."""
    values = [*zip(figure.series, series.split(JOIN), strict=False), (figure.panel, panel)]
    return condition_text({name: value for name, value in values if name not in {"", *but}})


def x_text(figure: Figure, x: str | float) -> str:
    """Format a value of the x axis."""
    if isinstance(x, str):
        return value_text(figure.x, x)
    return share(x, 1) if figure.x in SHARES else f"{x:.4g}"


def at_x(figure: Figure, x: str | float) -> str:
    """Return a position on the x axis as text, such as `at mines = 11` or `for easy`."""
    if isinstance(x, str):
        return f"for {x_text(figure, x)}"
    name = {"times": "K", "bbbv": "3BV"}.get(figure.x, figure.x.replace("_", " "))
    return f"at {name} = {x_text(figure, x)}"


def number(value: float, metric: Metric, sign: str = "") -> str:
    """Format a value in the unit of its metric."""
    if math.isnan(value):
        return "unknown"
    scaled = value * metric.scale
    one_digit = 0.05 if metric.scale > 1 else 10  # so that no small share is written as 0.0 %
    digits = 1 if abs(scaled) >= one_digit else 2 if abs(scaled) >= 0.1 else 3
    written = "0" if not scaled else f"{scaled:{sign}.{digits}f}"
    return f"{written.replace('-', MINUS)}{metric.sign}"


def round_number(value: float, metric: Metric) -> str:
    """Format a number from an experiment's file without rounding it."""
    return f"{value * metric.scale:g}{metric.sign}".replace("-", MINUS)


def with_interval(found: Estimate, metric: Metric) -> str:
    """Format a value with its interval."""
    if math.isnan(found.value):
        return "no such game"
    return f"{number(found.value, metric)} {_interval(found, metric)}"


def difference(found: Estimate, metric: Metric) -> str:
    """Format a difference with its interval, in percentage points for shares."""
    unit = " percentage points" if metric.unit == "%" else metric.sign
    value = number(found.value, metric, "+").removesuffix(metric.sign)
    return f"{value}{unit} {_interval(found, metric, '+')}"


def _interval(found: Estimate, metric: Metric, sign: str = "") -> str:
    if math.isnan(found.low):
        return "(a single game)"
    ends = (number(end, metric, sign) for end in (found.low, found.high))
    return f"({' to '.join(end.removesuffix(metric.sign) for end in ends)})"
