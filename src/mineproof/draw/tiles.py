"""The shapes and colours of cells, for both SVG and PNG.

A *tile* is a cell as it is drawn. Its shapes fit into a square with side 1 and refer to colours by
name, so that a picture can follow the reader's light or dark theme. The colours are those of the
page. Digits are drawn as lines, so that pictures need no font.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from mineproof.core.board import Board
from mineproof.core.board_text import sign_of
from mineproof.core.errors import InputError, wrong_type
from mineproof.core.observation import Observation

COLOURS = {
    "page": ("#eef1f5", "#10141a"),
    "ink": ("#18202b", "#e8edf4"),
    "dim": ("#586372", "#98a4b3"),
    "accent": ("#1f5bbd", "#7fb0ff"),
    "safe": ("#086a57", "#3cc7a6"),
    "danger": ("#b5451a", "#f2915a"),
    "guess": ("#8a5a00", "#e0a53a"),
    "closed": ("#a9b8ca", "#323e4c"),
    "closed-top": ("#b9c6d6", "#3d4a5b"),
    "open": ("#f9fbfd", "#1b222b"),
    "n1": ("#1f5fd0", "#78aaff"),
    "n2": ("#1d7a3a", "#6fd08a"),
    "n3": ("#c62f2f", "#ff8080"),
    "n4": ("#5b34a8", "#c7a2ff"),
    "n5": ("#8c4a10", "#f0b27a"),
    "n6": ("#0d727c", "#67d7df"),
    "n7": ("#222222", "#e8edf4"),
    "n8": ("#666f7a", "#9aa6b4"),
    "flag": ("#a83a08", "#f2915a"),
    "pole": ("#2b3644", "#d5dce5"),
    "mine": ("#222b37", "#e8edf4"),
    "boom": ("#ffb098", "#9c3a22"),
    "wrong": ("#b3261e", "#ff8f86"),
    "heat0": ("#ecd9a0", "#4a4a3e"),
    "heat1": ("#f0ac5a", "#8f6128"),
    "heat2": ("#d9683f", "#b8442a"),
    "heat-ink": ("#1b1208", "#fff4e4"),
}
"""Each colour on a light and on a dark background."""
LIGHT, DARK = ({name: pair[dark] for name, pair in COLOURS.items()} for dark in (0, 1))
THEMES = {"light": (LIGHT,), "dark": (DARK,), "auto": (LIGHT, DARK)}
"""The palettes of each theme. In `auto`, the second palette is for dark backgrounds."""
HEAT_LEVELS = (0.1, 0.25, 0.5, 0.75)
"""The risks at which the number of dashes grows: from one to two, then up to five."""
GAP = 0.035
RADIUS = 0.14
STROKE = 0.2
"""Width of a digit's lines, as a share of its height."""
STEP = 20
"""Degrees between two points of an arc."""

Note = Literal["clue", "step", "safe", "mined", "target", "last", "guess"]
"""A role or property of a cell: part of a proof, proved safe or mine, or just played."""
HIGHLIGHTS = {"blue": "accent", "green": "safe", "red": "danger", "yellow": "guess"}
"""The colours of highlights, each with its name in a palette."""
Point = tuple[float, float]


class Shape(NamedTuple):
    """A line through points, with round ends and corners."""

    colour: str
    points: tuple[Point, ...]
    width: float = 0.0
    filled: bool = False
    """Whether the line is closed and filled. If so, it must run clockwise around a convex area."""


def _arc(centre: Point, wide: float, high: float, start: int, end: int) -> list[Point]:
    """Return points on an ellipse; angles in degrees, clockwise from the right."""
    steps = max(1, round((end - start) / STEP))
    turns = [math.radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    x, y = centre
    return [(x + wide * math.cos(turn), y + high * math.sin(turn)) for turn in turns]


GLYPHS: dict[str, list[list[Point]]] = {
    "0": [_arc((0.3, 0.5), 0.24, 0.44, 0, 360)],
    "1": [[(0.1, 0.24), (0.34, 0.06), (0.34, 0.94)]],
    "2": [[*_arc((0.3, 0.31), 0.23, 0.25, 190, 380), (0.06, 0.94), (0.56, 0.94)]],
    "3": [_arc((0.28, 0.28), 0.22, 0.22, 200, 450), _arc((0.28, 0.72), 0.25, 0.22, 270, 515)],
    "4": [[(0.44, 0.94), (0.44, 0.06), (0.04, 0.68), (0.6, 0.68)]],
    "5": [[(0.52, 0.06), (0.12, 0.06), (0.09, 0.46), *_arc((0.29, 0.66), 0.26, 0.28, 235, 505)]],
    "6": [[(0.46, 0.06), (0.12, 0.52)], _arc((0.3, 0.67), 0.24, 0.27, 0, 360)],
    "7": [[(0.05, 0.06), (0.56, 0.06), (0.22, 0.94)]],
    "8": [_arc((0.3, 0.27), 0.2, 0.21, 0, 360), _arc((0.3, 0.71), 0.25, 0.23, 0, 360)],
    "9": [[(0.14, 0.94), (0.48, 0.48)], _arc((0.3, 0.33), 0.24, 0.27, 0, 360)],
}
"""The lines of the digits, in a box 0.6 wide and 1 high."""


class Tile(NamedTuple):
    """A cell as it is drawn."""

    sign: str
    """The character that stands for the cell, as in `core.board_text`."""
    percent: int | None = None
    """The risk in percent; 0 and 100 mean proved."""
    notes: tuple[Note, ...] = ()
    ring: str = ""
    """The colour of an outline on top, if the cell is highlighted."""


def tiles_of(
    observation: Observation,
    board: Board | None = None,
    risks: list[float | None] | None = None,
    notes: dict[int, tuple[Note, ...]] | None = None,
) -> list[Tile]:
    """Return the tiles of a position, in row order.

    Args:
        observation: the position.
        board: the mines, if they may be shown.
        risks: the risk of each cell; None if it is open.
        notes: the notes of cells, by index.
    """
    shown, marks = observation.shown, observation.marks
    return [
        Tile(
            sign_of(shown, marks, index, board),
            None if risks is None else percent(risks[index]),
            () if notes is None else notes.get(index, ()),
        )
        for index in range(len(shown))
    ]


def tile_of(observation: Observation, index: int, notes: tuple[Note, ...] = ()) -> Tile:
    """Return the tile for one cell of a game in progress."""
    return Tile(sign_of(observation.shown, observation.marks, index, None), None, notes)


def percent(risk: float | None) -> int | None:
    """Round a risk to a whole percentage, but to 0 or 100 only if the cell is proved."""
    if risk is None or math.isnan(risk):
        return None
    return round(100 * risk) if risk in (0, 1) else min(99, max(1, round(100 * risk)))


def colour_of(name: str, palette: Mapping[str, str]) -> str:
    """Return a colour by its name; `heat-37` is the colour of a risk of 37 %."""
    if name in palette:
        return palette[name]
    share = int(name.removeprefix("heat-")) / 50
    if share <= 1:
        return _mix(palette["heat0"], palette["heat1"], share)
    return _mix(palette["heat1"], palette["heat2"], share - 1)


def check_theme(theme: str) -> None:
    """Raise an InputError if there is no such theme."""
    names = f"a theme ({', '.join(THEMES)})"
    if not isinstance(theme, str):
        raise wrong_type(names, theme)
    if theme not in THEMES:
        raise InputError(f"expected {names}, got {theme!r}")


def rgb(colour: str) -> tuple[int, int, int]:
    """Return the red, green and blue parts of a colour `#rrggbb`."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _mix(low: str, high: str, share: float) -> str:
    pairs = zip(rgb(low), rgb(high), strict=True)
    return "#" + "".join(f"{round(a * (1 - share) + b * share):02x}" for a, b in pairs)


@lru_cache(maxsize=4096)
def shapes(tile: Tile) -> tuple[Shape, ...]:
    """Return the shapes of a tile, from bottom to top."""
    return (*_ground(tile), *_sign(tile.sign), *_noted(tile))


def _ground(tile: Tile) -> Iterator[Shape]:
    closed = tile.sign in (".", "F")
    if closed and tile.percent is not None and 0 < tile.percent < 100:
        yield square(f"heat-{tile.percent}")
        if tile.sign == ".":
            yield from _digits("heat-ink", str(tile.percent), 0.29)
        yield from _dashes(1 + sum(tile.percent > 100 * level for level in HEAT_LEVELS))
    elif closed or tile.sign in ("m", "x"):
        yield square("closed")
        yield Shape("closed-top", ((0.17, 0.085), (0.83, 0.085)), 0.07)
    else:
        yield square("boom" if tile.sign == "*" else "open")


def square(colour: str) -> Shape:
    """Return a filled square; its wide line makes the corners round."""
    low, high = GAP + RADIUS, 1 - GAP - RADIUS
    corners = ((low, low), (high, low), (high, high), (low, high))
    return Shape(colour, corners, 2 * RADIUS, filled=True)


def _ring(colour: str, width: float) -> Shape:
    """Return an outline inside the edge of the square."""
    low, high, radius = GAP + RADIUS, 1 - GAP - RADIUS, RADIUS - width / 2
    corners = ((high, high), (low, high), (low, low), (high, low))
    turns = enumerate(corners)
    points = [at for n, corner in turns for at in _arc(corner, radius, radius, 90 * n, 90 * n + 90)]
    return Shape(colour, (*points, points[0]), width)


def _dot(colour: str, radius: float) -> Shape:
    return Shape(colour, ((0.5, 0.5), (0.5, 0.5)), 2 * radius)


def _digits(colour: str, text: str, height: float) -> Iterator[Shape]:
    """Draw a number in the middle of a cell; `height` is a share of the cell's height."""
    step = 0.74 * height
    left, top = 0.5 - 0.3 * height - step * (len(text) - 1) / 2, 0.5 - height / 2
    for number, letter in enumerate(text):
        for line in GLYPHS[letter]:
            points = tuple((left + number * step + x * height, top + y * height) for x, y in line)
            yield Shape(colour, points, STROKE * height)


def _dashes(count: int) -> Iterator[Shape]:
    """Return one to five dashes at the lower edge, which show the risk without colour."""
    left = 0.5 - (count - 1) * 0.0875
    for number in range(count):
        middle = left + number * 0.175
        yield Shape("heat-ink", ((middle - 0.04, 0.83), (middle + 0.04, 0.83)), 0.06)


def _sign(sign: str) -> Iterator[Shape]:
    if sign.isdigit():
        yield from _digits(f"n{sign}", sign, 0.42)
    elif sign == "-":
        yield _dot("n8", 0.06)
    elif sign in ("F", "x"):
        yield Shape("pole", ((0.38, 0.24), (0.38, 0.77)), 0.07)
        yield Shape("flag", ((0.38, 0.22), (0.74, 0.37), (0.38, 0.53)), filled=True)
    elif sign in ("*", "m"):
        yield from _mine()
    if sign == "x":
        yield Shape("wrong", ((0.22, 0.22), (0.78, 0.78)), 0.09)
        yield Shape("wrong", ((0.78, 0.22), (0.22, 0.78)), 0.09)


def _mine() -> Iterator[Shape]:
    for turn in range(4):
        x, y = 0.31 * math.cos(math.pi * turn / 4), 0.31 * math.sin(math.pi * turn / 4)
        yield Shape("mine", ((0.5 - x, 0.5 - y), (0.5 + x, 0.5 + y)), 0.07)
    yield _dot("mine", 0.22)


def _noted(tile: Tile) -> Iterator[Shape]:
    proved = tile.notes
    if tile.sign == "." and ("safe" in proved or (tile.percent == 0 and "mined" not in proved)):
        yield _ring("safe", 0.06)
        yield _dot("safe", 0.12)
    if tile.sign == "." and ("mined" in proved or (tile.percent == 100 and "safe" not in proved)):
        diamond = ((0.5, 0.29), (0.71, 0.5), (0.5, 0.71), (0.29, 0.5))
        yield Shape("danger", diamond, filled=True)
    outlines = {"step": ("accent", 0.05), "clue": ("accent", 0.1), "last": ("safe", 0.09)}
    outlines |= {"guess": ("guess", 0.09)}
    outlines["target"] = ("danger" if "mined" in proved else "safe", 0.12)
    yield from (_ring(*outlines[note]) for note in tile.notes if note in outlines)
    if tile.ring:
        yield _ring(tile.ring, 0.14)


def arrow(start: tuple[int, int], end: tuple[int, int]) -> tuple[Shape, Shape]:
    """Return an arrow between the middles of two cells; the side of a cell is 1."""
    down, right = end[0] - start[0], end[1] - start[1]
    x, y = right / math.hypot(down, right), down / math.hypot(down, right)
    tip = (end[1] + 0.5 + 0.1 * x, end[0] + 0.5 + 0.1 * y)
    neck = (tip[0] - 0.4 * x, tip[1] - 0.4 * y)
    wings = ((neck[0] - 0.22 * y, neck[1] + 0.22 * x), (neck[0] + 0.22 * y, neck[1] - 0.22 * x))
    shaft = Shape("accent", ((start[1] + 0.5, start[0] + 0.5), neck), 0.12)
    return shaft, Shape("accent", (tip, *wings), 0.04, filled=True)


def graph_line(colour: str, start: tuple[int, int], end: tuple[int, int]) -> tuple[Shape, Shape]:
    """Return a thin line from the edge of a number to the middle of a cell, with a dot there."""
    down, right = end[0] - start[0], end[1] - start[1]
    near = 0.38 / math.hypot(down, right)
    x, y = end[1] + 0.5, end[0] + 0.5
    line = ((start[1] + 0.5 + near * right, start[0] + 0.5 + near * down), (x, y))
    dot = tuple(_arc((x, y), 0.13, 0.13, 0, 360 - STEP))
    return Shape(colour, line, 0.07), Shape(colour, dot, 0.02, filled=True)
