"""The page's icon as PNG, for places that do not accept `static/icon.svg`."""

from __future__ import annotations

from mineproof.draw.pixels import paint, picture_png
from mineproof.draw.tiles import Shape

COLOURS = {"page": "#17456b", "tick": "#ffffff"}
TICK = Shape("tick", ((8 / 32, 17 / 32), (13.5 / 32, 22.5 / 32), (24.5 / 32, 10 / 32)), 4 / 32)


def icon(side: int) -> bytes:
    """Return the icon as a PNG with this many pixels per side. The picture fills the square."""
    return picture_png(side, side, b"".join(paint([TICK], side, COLOURS)))
