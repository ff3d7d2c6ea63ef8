"""The icon of the page as PNG: what `static/icon.svg` draws, for places that take no SVG."""

from __future__ import annotations

from itertools import pairwise

from mineproof.draw.pixels import picture_png, to_piece

BLUE, WHITE = (0x17, 0x45, 0x6B), (255, 255, 255)
TICK = ((8.0, 17.0), (13.5, 22.5), (24.5, 10.0))
"""The corners of the tick, in a square of 32; as in the drawing."""
HALF = 2.0
"""Half the width of its line."""


def icon(side: int) -> bytes:
    """Give the icon as a PNG of so many pixels a side; it fills its square, to be masked."""
    scale = 32 / side
    places = [(at + 0.5) * scale for at in range(side)]
    painted = b"".join(colour_at(x, y, scale) for y in places for x in places)
    return picture_png(side, side, painted)


def colour_at(x: float, y: float, scale: float) -> bytes:
    """Give the colour of a point, where a pixel is so large."""
    outside = min(to_piece(x, y, start, end) for start, end in pairwise(TICK)) - HALF
    share = min(1.0, max(0.0, 0.5 - outside / scale))  # a pixel at the edge is half and half
    return bytes(round(b + (w - b) * share) for b, w in zip(BLUE, WHITE, strict=True))
