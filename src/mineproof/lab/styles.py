"""The styles of series: an agent has the same colour and marker in every figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import cycle

from matplotlib.colors import to_hex, to_rgb

from mineproof.lab.figure import Figure
from mineproof.lab.names import agent_id
from mineproof.lab.tables import Point

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
"""The colour and marker of each agent. Most colours are from the Okabe-Ito palette."""
OTHERS = (
    *(("#0072B2", "o"), ("#D55E00", "s"), ("#009E73", "D"), ("#CC79A7", "^"), ("#56B4E9", "v")),
    *(("#E69F00", "P"), ("#6A3D9A", "X"), ("#666666", "*")),
)
"""Colours and markers for series that are not agents."""
OWN = (("#56B4E9", "p"), ("#B2182B", "h"), ("#444444", "d"), ("#B8860B", "8"))
"""Colours and markers for the user's own agents."""
SHADES = (0.0, -0.45, 0.45, -0.7)
"""The shades for variants of an agent. Negative numbers are darker, positive ones lighter."""
LINES = ("-", "--", ":", "-.")
SIGNS = {
    **{"x": "✕✕", "s": "■□", "o": "●○", "D": "◆◇", "P": "✚✚", "^": "▲△", "v": "▼▽", "<": "◀◁"},
    **{"X": "✖✖", "*": "★☆", ">": "▶▷", "p": "⬟⬠", "h": "⬢⬡", "d": "♦♢", "8": "⬤◯"},
}
"""The characters for markers in a text legend, filled and hollow."""
DARKEST = 0.2
"""The minimum brightness of a colour on a dark page, from 0 to 1."""


@dataclass(frozen=True)
class SeriesStyle:
    """The style of a series."""

    colour: str
    marker: str
    line: str
    is_hollow: bool

    @property
    def sign(self) -> str:
        """The marker as a character."""
        return SIGNS[self.marker][self.is_hollow]


def series_styles(figure: Figure, points: Iterable[Point]) -> dict[str, SeriesStyle]:
    """Return the style of every series; variants of an agent get shades of its colour."""
    series = list(dict.fromkeys(point.series for point in points))
    by_agent = figure.series[:1] == ("agent",)
    others = cycle(OWN if by_agent else OTHERS)
    plain = {name for name in series if name in AGENTS}
    seen: Counter[str] = Counter()
    found = {}
    for name in series:
        agent = agent_id(name)
        known = AGENTS.get(agent) if by_agent else None
        colour, marker = known or next(others)
        # The agent without options always gets its own colour, regardless of order.
        variant = 0 if not known or name in plain else seen[agent] + (agent in plain)
        seen[agent] += name not in plain
        shade, line = SHADES[variant % len(SHADES)], LINES[variant % len(LINES)]
        found[name] = SeriesStyle(_shaded(colour, shade), marker, line, variant % 2 == 1)
    return found


def _shaded(colour: str, shade: float) -> str:
    """Mix a colour with white or black."""
    end = 1.0 if shade > 0 else 0.0
    red, green, blue = (part + (end - part) * abs(shade) for part in to_rgb(colour))
    return to_hex((red, green, blue))


def on_dark(colour: str) -> str:
    """Return a brighter variant of a colour for a dark page."""
    for step in range(10):
        mixed = _shaded(colour, step / 10)
        red, green, blue = to_rgb(mixed)
        if 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 >= DARKEST:
            return mixed
    return "#ffffff"
