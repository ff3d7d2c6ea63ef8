"""Pictures as pixels: boards without any program but Python, as PNG, still or moving.

Each kind of tile is painted once for a size, with smooth edges, and copied from then on. Digits
are strokes, so that no font is needed.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from mineproof.core.errors import InputError
from mineproof.draw.svg import check_size
from mineproof.draw.tiles import (
    DARK,
    GAP,
    LIGHT,
    RADIUS,
    Area,
    Digits,
    Dot,
    Line,
    Point,
    Rectangle,
    Ring,
    Shape,
    Tile,
    colour_of,
    rgb,
    shapes,
)

PALETTES = {"light": LIGHT, "dark": DARK, "auto": LIGHT}
"""A picture of pixels cannot follow the theme of who looks at it: `auto` is light."""
SIDES = range(8, 257)
"""The sides of a cell that can be asked for."""
MOST_PIXELS = 50_000_000
"""How many pixels a picture may have."""
MOST_PAINTED = 1_000_000_000
"""How many pixels the pictures of a game may have, of each the part that changes."""
HOLD = 2.5
"""How long the end of an animation is shown, in seconds."""
Distance = Callable[[float, float], float]
"""Gives how far a point is outside a shape, negative inside; all as shares of a cell."""


def _arc(centre: Point, wide: float, high: float, start: int, end: int) -> list[Point]:
    """Give points on an ellipse; angles in degrees, clockwise from the right."""
    turns = [math.radians(turn) for turn in range(start, end + 1, 10)]
    x, y = centre
    return [(x + wide * math.cos(turn), y + high * math.sin(turn)) for turn in turns]


GLYPHS: dict[str, list[list[Point]]] = {
    "0": [_arc((0.3, 0.5), 0.24, 0.44, 0, 360)],
    "1": [[(0.1, 0.24), (0.34, 0.06), (0.34, 0.94)]],
    "2": [[*_arc((0.3, 0.31), 0.23, 0.25, 190, 380), (0.06, 0.94), (0.56, 0.94)]],
    "3": [_arc((0.28, 0.28), 0.22, 0.22, 200, 450), _arc((0.28, 0.72), 0.25, 0.22, 270, 515)],
    "4": [[(0.44, 0.94), (0.44, 0.06), (0.04, 0.68), (0.6, 0.68)]],
    "5": [
        [(0.52, 0.06), (0.12, 0.06), (0.09, 0.46), *_arc((0.29, 0.66), 0.26, 0.28, 235, 505)],
    ],
    "6": [[(0.46, 0.06), (0.12, 0.52)], _arc((0.3, 0.67), 0.24, 0.27, 0, 360)],
    "7": [[(0.05, 0.06), (0.56, 0.06), (0.22, 0.94)]],
    "8": [_arc((0.3, 0.27), 0.2, 0.21, 0, 360), _arc((0.3, 0.71), 0.25, 0.23, 0, 360)],
    "9": [[(0.14, 0.94), (0.48, 0.48)], _arc((0.3, 0.33), 0.24, 0.27, 0, 360)],
}
"""The strokes of the digits, in a box 0.6 wide and 1 high."""
STROKE = 0.16
"""How wide their strokes are, as a share of the height of a digit."""


def pixels(
    tiles: Sequence[Tile], columns: int, side: int = 28, theme: str = "auto"
) -> tuple[int, int, bytes]:
    """Paint a board; gives (width, height, three bytes a pixel in row order).

    Raises:
        InputError: the board or the cells are too large, or there is no such theme.
    """
    if theme not in PALETTES:
        raise InputError(f"expected a theme of {', '.join(PALETTES)}, got {theme!r}")
    if side not in SIDES:
        raise InputError(f"expected cells of {SIDES[0]} to {SIDES[-1]} pixels, got {side}")
    check_size(len(tiles) // columns, columns)
    _check_pixels(len(tiles) * side * side, MOST_PIXELS)
    width = columns * side
    painted = bytearray(3 * width * side * (len(tiles) // columns))
    for index, tile in enumerate(tiles):
        row, column = divmod(index, columns)
        start = 3 * (row * side * width + column * side)
        for number, line in enumerate(_sprite(shapes(tile), side, theme)):
            place = start + 3 * number * width
            painted[place : place + len(line)] = line
    return width, side * (len(tiles) // columns), bytes(painted)


@lru_cache(maxsize=512)
def _sprite(made: tuple[Shape, ...], side: int, theme: str) -> tuple[bytes, ...]:
    """Paint one tile: its rows of pixels."""
    palette = PALETTES[theme]
    field = [list(map(float, rgb(palette["page"])))[:] for _ in range(side * side)]
    for shape in made:
        opacity = shape.opacity if isinstance(shape, Rectangle) else 1.0
        _paint(field, side, _distance(shape), rgb(colour_of(shape.colour, palette)), opacity)
    rows = (field[start : start + side] for start in range(0, side * side, side))
    return tuple(bytes(round(part) for pixel in row for part in pixel) for row in rows)


def _paint(
    field: list[list[float]], side: int, far: Distance, colour: tuple[int, ...], opacity: float
) -> None:
    for place, pixel in enumerate(field):
        row, column = divmod(place, side)
        inside = 0.5 - side * far((column + 0.5) / side, (row + 0.5) / side)
        if inside > 0:
            share = min(1.0, inside) * opacity
            pixel[:] = [old + (new - old) * share for old, new in zip(pixel, colour, strict=True)]


def _distance(shape: Shape) -> Distance:
    if isinstance(shape, Rectangle):
        return lambda x, y: _to_square(x, y, GAP)
    if isinstance(shape, Ring):
        half = shape.width / 2
        return lambda x, y: abs(_to_square(x, y, GAP + half)) - half
    if isinstance(shape, Dot):
        return lambda x, y: math.hypot(x - 0.5, y - 0.5) - shape.radius
    if isinstance(shape, Area):
        return lambda x, y: _to_area(x, y, shape.points)
    return _to_strokes(*_strokes(shape))


def _to_square(x: float, y: float, inset: float) -> float:
    radius = max(0.0, RADIUS + GAP - inset)
    right = abs(x - 0.5) - (0.5 - inset - radius)
    down = abs(y - 0.5) - (0.5 - inset - radius)
    return math.hypot(max(right, 0), max(down, 0)) + min(max(right, down), 0) - radius


def _to_area(x: float, y: float, corners: Sequence[Point]) -> float:
    far = -1.0
    for (x1, y1), (x2, y2) in pairwise((*corners, corners[0])):
        length = math.hypot(x2 - x1, y2 - y1)
        far = max(far, ((x - x1) * (y2 - y1) - (y - y1) * (x2 - x1)) / length)
    return far


def _strokes(shape: Line | Digits) -> tuple[list[tuple[Point, Point]], float]:
    """Give the straight pieces of a line or a number, and half of their width."""
    if isinstance(shape, Line):
        return list(pairwise(shape.points)), shape.width / 2
    pieces: list[tuple[Point, Point]] = []
    high, step = shape.height, 0.74 * shape.height
    left = 0.5 - 0.3 * high - step * (len(shape.text) - 1) / 2
    for number, letter in enumerate(shape.text):
        for stroke in GLYPHS[letter]:
            moved = [
                (left + number * step + x * high, 0.5 + (y - 0.5) * high * 0.95) for x, y in stroke
            ]
            pieces += pairwise(moved)
    return pieces, STROKE * high / 2


def _to_strokes(pieces: list[tuple[Point, Point]], half: float) -> Distance:
    return lambda x, y: min(to_piece(x, y, *piece) for piece in pieces) - half


def to_piece(x: float, y: float, start: Point, end: Point) -> float:
    """Give the distance of a point from a line between two others."""
    across, down = end[0] - start[0], end[1] - start[1]
    square = across * across + down * down
    share = ((x - start[0]) * across + (y - start[1]) * down) / square if square else 0.0
    share = max(0.0, min(1.0, share))
    return math.hypot(x - start[0] - share * across, y - start[1] - share * down)


def board_png(tiles: Sequence[Tile], columns: int, *, side: int = 28, theme: str = "auto") -> bytes:
    """Paint a board as a PNG file."""
    width, height, painted = pixels(tiles, columns, side, theme)
    return picture_png(width, height, painted)


def picture_png(width: int, height: int, painted: bytes) -> bytes:
    """Give pixels, three bytes each, as a PNG file."""
    return _png(width, height, [_chunk(b"IDAT", _packed(painted, width))])


def animation_png(
    pictures: Sequence[Mapping[int, Tile]],
    columns: int,
    *,
    side: int = 28,
    theme: str = "auto",
    seconds: float = 0.35,
) -> bytes:
    """Paint a game as an animated PNG file, which plays again and again.

    Args:
        pictures: the first one whole, of each other one what changed; tiles by index.
        columns: how many tiles stand in a row.
        side: pixels of a tile.
        theme: `light` or `dark`.
        seconds: how long each picture is shown.

    Raises:
        InputError: that are too many pixels, or there is no such theme.
    """
    places = [_rectangle(picture, columns) for picture in pictures]
    _check_pixels(sum(wide * high for _, _, wide, high in places) * side * side, MOST_PAINTED)
    now: list[Tile] = [tile for _, tile in sorted(pictures[0].items())]
    parts = [_chunk(b"acTL", struct.pack(">II", len(pictures), 0))]
    for number, (picture, place) in enumerate(zip(pictures, places, strict=True)):
        for index, tile in picture.items():
            now[index] = tile
        wide, painted = _cut(now, columns, place, side, theme)
        last = number == len(pictures) - 1 and number > 0
        turn = 2 * number - 1 if number else 0
        parts.append(_frame(turn, tuple(side * part for part in place), HOLD if last else seconds))
        packed = _packed(painted, wide)
        parts.append(
            _chunk(b"fdAT", struct.pack(">I", turn + 1) + packed)
            if number
            else _chunk(b"IDAT", packed)
        )
    return _png(side * columns, side * len(now) // columns, parts)


def _check_pixels(count: int, most: int) -> None:
    if count > most:
        raise InputError(
            f"expected up to {most:,} pixels, got {count:,}: a smaller side or .svg has fewer"
        )


def _cut(
    tiles: Sequence[Tile], columns: int, place: tuple[int, int, int, int], side: int, theme: str
) -> tuple[int, bytes]:
    """Paint a rectangle of a picture; gives its width and its pixels."""
    left, top, wide, high = place
    starts = range(top * columns + left, (top + high) * columns + left, columns)
    inner = [tile for start in starts for tile in tiles[start : start + wide]]
    width, _, painted = pixels(inner, wide, side, theme)
    return width, painted


def _rectangle(indices: Iterable[int], columns: int) -> tuple[int, int, int, int]:
    """Give the rectangle (left, top, width, height) around cells; the first one if there are none.

    A picture in which nothing changes has its time all the same.
    """
    places = [divmod(index, columns) for index in indices] or [(0, 0)]
    rows, across = [row for row, _ in places], [column for _, column in places]
    left, top = min(across), min(rows)
    return left, top, max(across) - left + 1, max(rows) - top + 1


def _frame(number: int, place: tuple[int, ...], seconds: float) -> bytes:
    left, top, width, height = place
    values = (number, width, height, left, top, round(1000 * seconds), 1000, 0, 0)
    return _chunk(b"fcTL", struct.pack(">5I2H2B", *values))


def _png(width: int, height: int, parts: Sequence[bytes]) -> bytes:
    head = _chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0))
    return b"".join([b"\x89PNG\r\n\x1a\n", head, *parts, _chunk(b"IEND", b"")])


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _packed(painted: bytes, width: int) -> bytes:
    return zlib.compress(b"".join(_lines(painted, 3 * width)), 9)


def _lines(painted: bytes, length: int) -> Iterator[bytes]:
    """Put the byte for "as it stands" before each line; equal lines are stored as such."""
    before = b""
    for start in range(0, len(painted), length):
        line = painted[start : start + length]
        yield b"\x02" + bytes(length) if line == before else b"\x00" + line
        before = line
