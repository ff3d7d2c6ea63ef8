"""Boards as PNG files, still or animated, painted in pure Python.

Each kind of tile is painted once per size, with smooth edges, and then copied.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product

from mineproof.core.errors import InputError, whole_number
from mineproof.draw.svg import check_size
from mineproof.draw.tiles import THEMES, Point, Shape, Tile, check_theme, colour_of, rgb, shapes

SIDES = range(8, 257)
"""Allowed sizes of a cell, in pixels."""
MOST_PIXELS = 50_000_000
"""Maximum number of pixels in a picture."""
MOST_PAINTED = 1_000_000_000
"""Maximum number of pixels in an animation. Only the changed part of each picture counts."""
HOLD = 2.5
"""Seconds to show the end of an animation."""


def pixels(
    tiles: Sequence[Tile],
    columns: int,
    side: int = 28,
    theme: str = "auto",
    over: Sequence[Shape] = (),
) -> tuple[int, int, bytes]:
    """Paint a board and the shapes over it.

    Returns:
        The width, the height, and three bytes per pixel in row order.

    Raises:
        InputError: the board or the cells are too large, or there is no such theme.
    """
    check_theme(theme)
    check_side(side)
    check_size(len(tiles) // columns, columns)
    _check_pixels(len(tiles) * side * side, MOST_PIXELS)
    width = columns * side
    painted = bytearray(3 * width * side * (len(tiles) // columns))
    for index, tile in enumerate(tiles):
        row, column = divmod(index, columns)
        start = 3 * (row * side * width + column * side)
        made = (*shapes(tile), *_reaching(over, row, column))
        for number, line in enumerate(_sprite(made, side, theme)):
            begin = start + 3 * number * width
            painted[begin : begin + len(line)] = line
    return width, side * (len(tiles) // columns), bytes(painted)


def _reaching(over: Sequence[Shape], row: int, column: int) -> Iterator[Shape]:
    """Yield the shapes that reach a cell, with coordinates relative to its corner."""
    for shape in over:
        points = tuple((x - column, y - row) for x, y in shape.points)
        if all(_reached(numbers, shape.width, 256) for numbers in zip(*points, strict=True)):
            yield shape._replace(points=points)


@lru_cache(maxsize=512)
def _sprite(made: tuple[Shape, ...], side: int, theme: str) -> list[bytes]:
    """Paint one tile. Pixels cannot follow the reader's theme, so `auto` is light."""
    return paint(made, side, THEMES[theme][0])


def paint(made: Iterable[Shape], side: int, palette: Mapping[str, str]) -> list[bytes]:
    """Paint shapes on a square of the colour `page`; return its rows, three bytes per pixel."""
    field: list[tuple[float, ...]] = [rgb(palette["page"])] * (side * side)
    for shape in made:
        colour = rgb(colour_of(shape.colour, palette))
        for pixel, share in _covered(shape, side):
            pairs = zip(field[pixel], colour, strict=True)
            field[pixel] = tuple(old + (new - old) * share for old, new in pairs)
    rows = (field[start : start + side] for start in range(0, side * side, side))
    return [bytes(round(value) for colours in row for value in colours) for row in rows]


def _covered(shape: Shape, side: int) -> Iterator[tuple[int, float]]:
    """Return the pixels that a shape covers, and the covered share of each (below 1 at edges)."""
    pieces = list(pairwise((*shape.points, shape.points[0]) if shape.filled else shape.points))
    columns, rows = (
        _reached(numbers, shape.width, side) for numbers in zip(*shape.points, strict=True)
    )
    for row, column in product(rows, columns):
        x, y = (column + 0.5) / side, (row + 0.5) / side
        away = min(_distance(x, y, *piece) for piece in pieces)
        if shape.filled and all(_is_right(x, y, *piece) for piece in pieces):
            away = -away
        share = 0.5 - side * (away - shape.width / 2)
        if share > 0:
            yield row * side + column, min(1.0, share)


def _reached(numbers: Iterable[float], width: float, side: int) -> range:
    """Return the range of pixels along one axis that a line of this width can reach."""
    low, high = min(numbers) - width / 2, max(numbers) + width / 2
    return range(max(0, int(low * side - 0.5)), min(side, int(high * side + 0.5) + 1))


def _is_right(x: float, y: float, start: Point, end: Point) -> bool:
    """Return whether a point is to the right of the line from one point to another."""
    return (x - start[0]) * (end[1] - start[1]) < (y - start[1]) * (end[0] - start[0])


def _distance(x: float, y: float, start: Point, end: Point) -> float:
    """Return the distance between a point and a line segment."""
    across, down = end[0] - start[0], end[1] - start[1]
    square = across * across + down * down
    share = ((x - start[0]) * across + (y - start[1]) * down) / square if square else 0.0
    share = max(0.0, min(1.0, share))
    return math.hypot(x - start[0] - share * across, y - start[1] - share * down)


def board_png(
    tiles: Sequence[Tile],
    columns: int,
    *,
    side: int = 28,
    theme: str = "auto",
    over: Sequence[Shape] = (),
) -> bytes:
    """Paint a board, and shapes over it, as a PNG file."""
    width, height, painted = pixels(tiles, columns, side, theme, over)
    return picture_png(width, height, painted)


def picture_png(width: int, height: int, painted: bytes) -> bytes:
    """Return pixels, three bytes each, as a PNG file."""
    return _png(width, height, [_chunk(b"IDAT", _packed(painted, width))])


def animation_png(
    pictures: Sequence[Mapping[int, Tile]],
    columns: int,
    *,
    side: int = 28,
    theme: str = "auto",
    seconds: float = 0.35,
) -> bytes:
    """Paint a game as an animated PNG file that repeats forever.

    Args:
        pictures: tiles by index: all of them, then only those that changed; see `changes`.
        columns: the number of tiles in a row.
        side: the side of a tile in pixels.
        theme: `light` or `dark`.
        seconds: the time to show each picture.

    Raises:
        InputError: there are too many pixels, or there is no such theme.
    """
    areas = [_rectangle(picture, columns) for picture in pictures]
    _check_pixels(sum(wide * high for _, _, wide, high in areas) * side * side, MOST_PAINTED)
    tiles: dict[int, Tile] = {}
    chunks = [_chunk(b"acTL", struct.pack(">II", len(pictures), 0))]
    for number, (picture, area) in enumerate(zip(pictures, areas, strict=True)):
        tiles |= picture
        left, top, wide, high = area
        inside = [
            tiles[y * columns + x]
            for y, x in product(range(top, top + high), range(left, left + wide))
        ]
        width, _, painted = pixels(inside, wide, side, theme)
        shown = HOLD if 0 < number == len(pictures) - 1 else seconds
        turn = max(0, 2 * number - 1)
        chunks.append(_frame(turn, tuple(side * length for length in area), shown))
        kind, head = (b"fdAT", struct.pack(">I", turn + 1)) if number else (b"IDAT", b"")
        chunks.append(_chunk(kind, head + _packed(painted, width)))
    return _png(side * columns, side * len(tiles) // columns, chunks)


def check_side(side: int) -> None:
    """Raise an error if cells cannot have this size."""
    if whole_number(side, "the size") not in SIDES:
        raise InputError(f"expected cells of {SIDES[0]} to {SIDES[-1]} pixels, got {side}")


def _check_pixels(count: int, most: int) -> None:
    if count > most:
        raise InputError(
            f"expected up to {most:,} pixels, got {count:,}. Use smaller cells, or .svg"
        )


def _rectangle(indices: Iterable[int], columns: int) -> tuple[int, int, int, int]:
    """Return the rectangle (left, top, width, height) around cells.

    Without cells it is the first cell, because an animation cannot have an empty picture.
    """
    cells = [divmod(index, columns) for index in indices] or [(0, 0)]
    rows, across = zip(*cells, strict=True)
    left, top = min(across), min(rows)
    return left, top, max(across) - left + 1, max(rows) - top + 1


def _frame(number: int, area: tuple[int, ...], seconds: float) -> bytes:
    left, top, width, height = area
    values = (number, width, height, left, top, round(1000 * seconds), 1000, 0, 0)
    return _chunk(b"fcTL", struct.pack(">5I2H2B", *values))


def _png(width: int, height: int, chunks: Sequence[bytes]) -> bytes:
    head = _chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0))
    return b"".join([b"\x89PNG\r\n\x1a\n", head, *chunks, _chunk(b"IEND", b"")])


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _packed(painted: bytes, width: int) -> bytes:
    """Put the byte for "no filter" in front of each line, and compress all lines."""
    starts = range(0, len(painted), 3 * width)
    return zlib.compress(b"".join(b"\0" + painted[at : at + 3 * width] for at in starts), 9)
