"""How series look and what they are called: an agent has its colour in every figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle

from mineproof.lab.figure import Figure

JOIN = " · "
"""Stands between the values of a series that has several."""
AGENTS = {
    "random": ("#888888", "x"),
    "possibility": ("#E69F00", "s"),
    "basic": ("#0072B2", "o"),
    "resolution": ("#D55E00", "D"),
    "cs50": ("#9A9A00", "P"),
    "sentences": ("#009E73", "^"),
    "clue-heap": ("#CC79A7", "v"),
    "backtracking": ("#6A3D9A", "<"),
    "exact": ("#8C510A", "X"),
    "champion": ("#00A5B5", "*"),
    "deep": ("#1F3A93", ">"),
}
"""Colour and marker of each agent: most of the colours are those of Okabe and Ito."""
OTHERS = (
    *(("#0072B2", "o"), ("#D55E00", "s"), ("#009E73", "D"), ("#CC79A7", "^"), ("#56B4E9", "v")),
    *(("#E69F00", "P"), ("#6A3D9A", "X"), ("#666666", "*")),
)
"""The same for series that are no agents."""
OWN = (("#56B4E9", "p"), ("#B2182B", "h"), ("#444444", "d"), ("#B8860B", "8"))
"""The same for agents of the user's own."""
SHADES = (0.0, -0.45, 0.45, -0.7)
"""How far variants of an agent are from its colour: to black below 0, to white above."""
LINES = ("-", "--", ":", "-.")
WORDS = {"first": "first cell {}", "mine_count": "mine count {}", "given": "{} given cells"}
"""How values are told that do not speak for themselves."""


@dataclass(frozen=True)
class Look:
    """How a series is drawn."""

    colour: str
    marker: str
    line: str
    is_hollow: bool


def label(figure: Figure, series: str) -> str:
    """Name a series for people."""
    values = zip(figure.series, series.split(JOIN), strict=False)
    return ", ".join(told_as(name, value) for name, value in values)


def told_as(column: str, value: str) -> str:
    """Write a value of a column, with the column's name where it does not speak for itself."""
    return WORDS.get(column, "{}").format(value)


def agent_id(text: str) -> str:
    """Give the id of the agent that a series or an agent's text names."""
    return text.partition(JOIN)[0].partition(":")[0]


def looks(figure: Figure, series: Sequence[str]) -> dict[str, Look]:
    """Give every series its look; variants of one agent share its colour in shades."""
    by_agent = figure.series[:1] == ("agent",)
    others = cycle(OWN if by_agent else OTHERS)
    plain = {name for name in series if name in AGENTS}
    seen: Counter[str] = Counter()
    found = {}
    for name in series:
        agent = agent_id(name)
        known = AGENTS.get(agent) if by_agent else None
        colour, marker = known or next(others)
        # The agent without options has its own colour, wherever it stands.
        place = 0 if not known or name in plain else seen[agent] + (agent in plain)
        seen[agent] += name not in plain
        shade, line = SHADES[place % len(SHADES)], LINES[place % len(LINES)]
        found[name] = Look(_shaded(colour, shade), marker, line, place % 2 == 1)
    return found


def _shaded(colour: str, shade: float) -> str:
    """Mix a colour with white or black."""
    parts = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    end = 255 if shade > 0 else 0
    mixed = [round(part + (end - part) * abs(shade)) for part in parts]
    return "#" + "".join(f"{part:02X}" for part in mixed)
