"""What columns, agents, values and numbers are called: short, and in words people use."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePath

from mineproof.lab.figure import SHARES, Figure
from mineproof.lab.metrics import Metric
from mineproof.match.certainty import Estimate

MINUS = "\N{MINUS SIGN}"
JOIN = " · "
"""Stands between the values of a series that has several."""
AXES = {
    "times": "K, how many times the usual given cells",
    "given": "given cells",
    "given_share": "share of given cells",
    "density": "mine share",
    "mines": "mines",
    "cells": "cells of the board",
    "level": "level",
    "clues": "clues",
    "first": "first cell (row, column)",
    "agent": "agent",
    "chain": "longest chain (conclusions)",
    "guesses": "guesses a game",
    "bbbv": "3BV",
    "mine_count": "mine count",
    "start": "start",
    "rows": "rows",
    "columns": "columns",
    "goal": "goal",
    "explosion": "explosion",
    "flood": "flood",
    "boards": "boards",
}
"""What columns are called beside an axis."""
GROWING = {
    "times": "with more given cells",
    "given": "with more given cells",
    "given_share": "with more given cells",
    "density": "with a larger mine share",
    "mines": "with more mines",
    "cells": "on larger boards",
    "chain": "with longer chains",
    "guesses": "with more guesses",
}
"""How it is said that one goes along an axis."""
PLACES = {
    "times": ("with", "K = {}"),
    "given": ("with", "{} given cells"),
    "given_share": ("with", "{} given"),
    "density": ("at", "a mine share of {}"),
    "mines": ("with", "{} mines"),
    "cells": ("on", "{} cells"),
    "chain": ("with", "chains of {}"),
    "guesses": ("with", "{} guesses"),
    "clues": ("with", "{} clues"),
    "level": ("on", "{}"),
    "agent": ("with", "{}"),
}
"""How a place on an axis is told, and by which word a sentence comes to it."""
OPTIONS = {
    ("stuck", "stop"): "",
    ("mine_count", "on"): "with mine count",
    ("matching", "kb0"): "matching KB0",
    ("matching", "kb"): "matching KB",
    ("matching", "both"): "matching both",
    ("rules", "as-written"): "as written",
    ("subset", "in-place"): "in place",
    ("subset", "added"): "added",
    ("matching", "always"): "after every move",
    ("matching", "stuck"): "only when stuck",
    ("clues", "trust"): "trusting",
    ("clues", "model"): "modelling",
    ("backtracking", "off"): "no backtracking",
    ("early_stop", "off"): "no early stop",
    ("components", "together"): "parts together",
    ("order", "largest"): "largest first",
    ("order", "smallest"): "smallest first",
    ("opening", "random"): "opens at random",
    ("opening", "corners"): "opens corners",
    ("opening", "most"): "opens where most is unknown",
    ("guess", "influence"): "guesses by influence",
    ("guess", "fewest"): "guesses by risk",
}
"""What options of agents are called; those that need no saying are empty."""
VALUES = {
    ("mine_count", "known"): "count known",
    ("mine_count", "unknown"): "count unknown",
    ("clues", "exact"): "exact",
    ("clues", "optimistic"): "too low",
    ("clues", "cautious"): "too high",
}
"""What values of other columns are called."""


def agent_id(text: str) -> str:
    """Give the id of the agent that a series or an agent's text names."""
    return text.partition(JOIN)[0].partition(":")[0]


def short_agent(text: str) -> str:
    """Name an agent: its id, or the class of a file of the user's own, and its options."""
    if ".py" in text:
        path, _, name = text.partition(".py")
        own = PurePath(path.removeprefix("cs50:")).name
        return f"cs50 {own}" if text.startswith("cs50:") else name.removeprefix(":") or own
    agent, _, options = text.partition(":")
    told = (_option(one) for one in options.split(",") if one)
    return ", ".join([agent, *filter(None, told)])


def _option(text: str) -> str:
    name, _, value = text.partition("=")
    return OPTIONS.get((name, value), f"{name.replace('_', ' ')} {value}")


def told_as(column: str, value: str) -> str:
    """Write a value of a column, with the column's name where it does not speak for itself."""
    if column == "agent":
        return short_agent(value)
    if column == "clues" and value.startswith("withheld:"):
        return f"{100 - 100 * float(value.partition(':')[2]):.0f} % withheld"
    if column == "first":
        return f"from ({value.replace(',', ', ')})"
    if column == "boards":
        way, _, tries = value.partition(":")
        return f"best of {tries} dealt" if way == "sampled" else f"{way} {tries} times"
    return VALUES.get((column, value), value)


def label(figure: Figure, series: str) -> str:
    """Name a series for people."""
    values = zip(figure.series, series.split(JOIN), strict=False)
    return ", ".join(told_as(name, value) for name, value in values)


def labels(figure: Figure, series: Iterable[str]) -> dict[str, str]:
    """Name all series of a figure; where short names are the same, in full."""
    names = {one: label(figure, one) for one in series}
    if figure.kind == "differences":
        base = base_name(figure)
        names = {one: f"{name} less {base}" for one, name in names.items()}
    counts = Counter(names.values())
    return {one: name if counts[name] == 1 else one for one, name in names.items()}


def base_name(figure: Figure) -> str:
    """Name what series are compared with; of several agents by the option that they share."""
    names = [told_as(figure.series[-1], one) for one in figure.baseline]
    options = dict.fromkeys(name.partition(", ")[2] for name in names)
    return next(iter(options)) if len(names) > 1 == len(options) else " or ".join(names)


def group_name(figure: Figure, panel: str, series: str, but: Iterable[str] = ()) -> str:
    """Name the line of a figure, without the columns `but`."""
    values = [*zip(figure.series, series.split(JOIN), strict=False), (figure.panel, panel)]
    without = {"", *but}
    return ", ".join(told_as(name, value) for name, value in values if name not in without)


def apart(of: Mapping[str, str], than: Mapping[str, str]) -> tuple[str, str]:
    """Name two conditions by what sets them apart: of one agent its options alone."""
    names = [
        ", ".join(told_as(column, value) for column, value in side.items()) for side in (of, than)
    ]
    if [*of] == [*than] == ["agent"] and agent_id(of["agent"]) == agent_id(than["agent"]):
        names = [name.partition(", ")[2] or name for name in names]
        if (
            names[0].startswith("with ")
            and "," not in than["agent"]
            and names[1] == agent_id(names[1])
        ):
            names[1] = "without"
    return names[0], names[1]


def place(figure: Figure, x: str | float) -> str:
    """Write a value of the lower axis."""
    if isinstance(x, str):
        return told_as(figure.x, x)
    return f"{100 * x:.1f} %" if figure.x in SHARES else f"{x:.4g}"


def at_place(figure: Figure, x: str | float) -> str:
    """Write a place of the lower axis in a sentence, with the word that leads there."""
    word, _ = PLACES.get(figure.x, ("at", "{}"))
    told = full_place(figure, x)
    return told if told.startswith("from ") else f"{word} {told}"


def full_place(figure: Figure, x: str | float) -> str:
    """Write a place of the lower axis with what it is a number of."""
    return PLACES.get(figure.x, ("", "{}"))[1].format(place(figure, x))


def number(value: float, metric: Metric, sign: str = "") -> str:
    """Write a figure in the metric's unit."""
    if math.isnan(value):
        return "?"
    scaled = value * metric.scale
    digits = 1 if metric.scale > 1 or abs(scaled) >= 10 else 2 if abs(scaled) >= 0.1 else 3
    written = "0" if not scaled else f"{scaled:{sign}.{digits}f}"
    return f"{written.replace('-', MINUS)}{metric.sign}"


def round_number(value: float, metric: Metric) -> str:
    """Write a number that somebody chose, as short as it is."""
    return f"{value * metric.scale:g}{metric.sign}".replace("-", MINUS)


def with_interval(found: Estimate, metric: Metric) -> str:
    """Write a figure with its interval."""
    low, high = (number(end, metric).removesuffix(metric.sign) for end in (found.low, found.high))
    return f"{number(found.value, metric)} ({low} to {high})"


def difference(found: Estimate, metric: Metric) -> str:
    """Write a difference with its interval; of shares in points."""
    unit = " points" if metric.unit == "%" else metric.sign
    value, low, high = (
        number(one, metric, "+").removesuffix(metric.sign)
        for one in (found.value, found.low, found.high)
    )
    return f"{value}{unit} ({low} to {high})"


def counted(count: int, noun: str) -> str:
    """Write a number with its noun."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
