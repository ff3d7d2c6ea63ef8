"""Smooth shapes: drawn four times too large, then scaled down, and kept.

Coordinates of icons run from 0 to 1 in both directions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

import pygame

from mineproof.window.colours import Colour

OVER = 4
"""How much larger shapes are drawn before they are scaled down."""

Point = tuple[float, float]
Ink = Colour | tuple[int, int, int, int]


class Sketch:
    """A square or oblong to draw on, larger than it will be."""

    def __init__(self, width: int, height: int) -> None:
        """Prepare an empty sketch for a picture of this size."""
        self.size = (max(1, width), max(1, height))
        self.surface = pygame.Surface(
            (self.size[0] * OVER, self.size[1] * OVER), pygame.SRCALPHA, 32
        )
        self.surface.fill((0, 0, 0, 0))

    def box(self, rect: tuple[float, float, float, float], radius: float, ink: Ink) -> None:
        """Draw a rounded box; all numbers are pixels of the picture."""
        x, y, width, height = (round(value * OVER) for value in rect)
        pygame.draw.rect(
            self.surface, ink, (x, y, width, height), border_radius=round(radius * OVER)
        )

    def polygon(self, ink: Ink, *points: Point) -> None:
        """Fill a polygon."""
        pygame.draw.polygon(self.surface, ink, [self._at(point) for point in points])

    def disc(self, ink: Ink, centre: Point, radius: float) -> None:
        """Fill a circle; its radius is a share of the width."""
        pygame.draw.circle(self.surface, ink, self._at(centre), radius * self.surface.get_width())

    def ring(self, ink: Ink, centre: Point, radius: float, width: float) -> None:
        """Draw a circle."""
        unit = self.surface.get_width()
        pygame.draw.circle(
            self.surface, ink, self._at(centre), radius * unit, max(1, round(width * unit))
        )

    def line(self, ink: Ink, width: float, *points: Point) -> None:
        """Draw lines with round ends and corners."""
        thick = width * self.surface.get_width()
        placed = [self._at(point) for point in points]
        for first, second in pairwise(placed):
            self._stroke(ink, thick, pygame.Vector2(first), pygame.Vector2(second))
        for point in placed:
            pygame.draw.circle(self.surface, ink, point, thick / 2)

    def _stroke(
        self, ink: Ink, thick: float, first: pygame.Vector2, second: pygame.Vector2
    ) -> None:
        along = second - first
        if along.length() == 0:
            return
        side = along.rotate(90).normalize() * thick / 2
        corners = [first + side, second + side, second - side, first - side]
        pygame.draw.polygon(self.surface, ink, corners)

    def finish(self) -> pygame.Surface:
        """Give the picture."""
        # Transparent pixels count as black when colours are averaged unless alpha is in them.
        return pygame.transform.smoothscale(self.surface.premul_alpha(), self.size)

    def _at(self, point: Point) -> Point:
        width, height = self.surface.get_size()
        return point[0] * width, point[1] * height


def put(target: pygame.Surface, picture: pygame.Surface, place: tuple[float, float]) -> None:
    """Lay a finished picture on another surface."""
    at = (round(place[0]), round(place[1]))
    target.blit(picture, at, special_flags=pygame.BLEND_PREMULTIPLIED)


def put_centred(target: pygame.Surface, picture: pygame.Surface, rect: pygame.Rect) -> None:
    """Lay a finished picture on the middle of a box."""
    put(target, picture, picture.get_rect(center=rect.center).topleft)


def _rounded(
    size: tuple[int, int], radius: float, fill: Ink, border: Ink | None, thick: float
) -> pygame.Surface:
    width, height = size
    sketch = Sketch(width, height)
    if border is None:
        sketch.box((0, 0, width, height), radius, fill)
    else:
        sketch.box((0, 0, width, height), radius, border)
        inner = (thick, thick, width - 2 * thick, height - 2 * thick)
        sketch.box(inner, max(0.0, radius - thick), fill)
    return sketch.finish()


def _thirds(corner: int, length: int) -> tuple[tuple[int, int, int, int], ...]:
    """Cut a small box: where each part begins, its length, where it goes, how long it gets."""
    return (
        (0, corner, 0, corner),
        (corner, 1, corner, length - 2 * corner),
        (corner + 1, corner, length - corner, corner),
    )


@lru_cache(maxsize=256)
def _box(
    size: tuple[int, int], radius: float, fill: Ink, border: Ink | None, thick: float
) -> pygame.Surface:
    """Give a rounded box; of a large one only the corners are drawn with care."""
    width, height = size
    corner = int(radius) + 2
    if min(size) <= 2 * corner:
        return _rounded(size, radius, fill, border, thick)
    side = 2 * corner + 1
    small = _rounded((side, side), radius, fill, border, thick)
    picture = pygame.Surface(size, pygame.SRCALPHA, 32)
    for x, wide, to_x, wider in _thirds(corner, width):
        for y, high, to_y, higher in _thirds(corner, height):
            part = small.subsurface((x, y, wide, high))
            put(picture, pygame.transform.scale(part, (wider, higher)), (to_x, to_y))
    return picture


def draw_box(  # noqa: PLR0913, PLR0917  (what a box looks like)
    target: pygame.Surface,
    rect: pygame.Rect,
    radius: float,
    fill: Ink,
    border: Ink | None = None,
    thick: float = 1.0,
) -> None:
    """Draw a rounded box, with a border if it has a colour."""
    put(target, _box(rect.size, radius, fill, border, thick), rect.topleft)


@lru_cache(maxsize=64)
def ring(size: int, radius: float, ink: Ink, thick: float) -> pygame.Surface:
    """Give the empty frame of a square."""
    sketch = Sketch(size, size)
    sketch.box((0, 0, size, size), radius, ink)
    inner = round(thick * OVER)
    side = size * OVER - 2 * inner
    hole = pygame.Rect(inner, inner, side, side)
    radius_inside = max(0, round((radius - thick) * OVER))
    pygame.draw.rect(sketch.surface, (0, 0, 0, 0), hole, border_radius=radius_inside)
    return sketch.finish()


# ---- icons


def _flag(sketch: Sketch, ink: Ink, second: Ink) -> None:
    sketch.line(second, 0.07, (0.36, 0.2), (0.36, 0.8))
    sketch.line(second, 0.07, (0.24, 0.8), (0.56, 0.8))
    sketch.polygon(ink, (0.36, 0.17), (0.78, 0.36), (0.36, 0.55))


def _mine(sketch: Sketch, ink: Ink, second: Ink) -> None:
    centre = pygame.Vector2(0.5, 0.5)
    for turn in range(0, 180, 45):
        arm = pygame.Vector2(0.36, 0).rotate(turn)
        first, last = centre - arm, centre + arm
        sketch.line(ink, 0.07, (first.x, first.y), (last.x, last.y))
    sketch.disc(ink, (0.5, 0.5), 0.25)
    sketch.disc(second, (0.42, 0.42), 0.07)


def _cross(sketch: Sketch, ink: Ink, _second: Ink) -> None:
    sketch.line(ink, 0.09, (0.24, 0.24), (0.76, 0.76))
    sketch.line(ink, 0.09, (0.24, 0.76), (0.76, 0.24))


def _tick(sketch: Sketch, ink: Ink, _second: Ink) -> None:
    sketch.line(ink, 0.11, (0.24, 0.52), (0.43, 0.7), (0.77, 0.32))


def diamond(sketch: Sketch, ink: Ink, second: Ink) -> None:
    """Draw a diamond with an exclamation mark."""
    sketch.polygon(ink, (0.5, 0.16), (0.84, 0.5), (0.5, 0.84), (0.16, 0.5))
    sketch.line(second, 0.1, (0.5, 0.36), (0.5, 0.52))
    sketch.disc(second, (0.5, 0.66), 0.055)


def _clock(sketch: Sketch, ink: Ink, _second: Ink) -> None:
    sketch.ring(ink, (0.5, 0.5), 0.36, 0.08)
    sketch.line(ink, 0.08, (0.5, 0.3), (0.5, 0.52), (0.64, 0.6))


def _down(sketch: Sketch, ink: Ink, _second: Ink) -> None:
    sketch.line(ink, 0.1, (0.28, 0.4), (0.5, 0.62), (0.72, 0.4))


def _moon(sketch: Sketch, ink: Ink, _second: Ink) -> None:
    sketch.disc(ink, (0.5, 0.5), 0.34)
    sketch.disc((0, 0, 0, 0), (0.63, 0.4), 0.28)


def _sun(sketch: Sketch, ink: Ink, _second: Ink) -> None:
    sketch.disc(ink, (0.5, 0.5), 0.19)
    for turn in range(0, 360, 45):
        near, far = (pygame.Vector2(length, 0).rotate(turn) for length in (0.3, 0.39))
        sketch.line(ink, 0.07, (0.5 + near.x, 0.5 + near.y), (0.5 + far.x, 0.5 + far.y))


def _mouse(sketch: Sketch, ink: Ink, second: Ink) -> None:
    """Draw a mouse; the icons below add the button to press."""
    width, height = sketch.size
    rect = (width * 0.24, height * 0.08, width * 0.52, height * 0.84)
    sketch.box(rect, width * 0.26, ink)
    inset = width * 0.055
    inner = (rect[0] + inset, rect[1] + inset, rect[2] - 2 * inset, rect[3] - 2 * inset)
    sketch.box(inner, width * 0.205, second)
    sketch.line(ink, 0.05, (0.26, 0.45), (0.74, 0.45))


def _left(sketch: Sketch, ink: Ink, second: Ink) -> None:
    _mouse(sketch, ink, second)
    sketch.polygon(ink, (0.27, 0.45), (0.27, 0.3), (0.36, 0.16), (0.48, 0.11), (0.48, 0.45))


def _right(sketch: Sketch, ink: Ink, second: Ink) -> None:
    _mouse(sketch, ink, second)
    sketch.polygon(ink, (0.73, 0.45), (0.73, 0.3), (0.64, 0.16), (0.52, 0.11), (0.52, 0.45))


def _middle(sketch: Sketch, ink: Ink, second: Ink) -> None:
    _mouse(sketch, ink, second)
    sketch.line(ink, 0.12, (0.5, 0.2), (0.5, 0.34))


_ICONS: dict[str, Callable[[Sketch, Ink, Ink], None]] = {
    "flag": _flag,
    "mine": _mine,
    "cross": _cross,
    "tick": _tick,
    "clock": _clock,
    "down": _down,
    "moon": _moon,
    "sun": _sun,
    "left": _left,
    "right": _right,
    "middle": _middle,
}


@lru_cache(maxsize=256)
def icon(name: str, size: int, ink: Ink, second: Ink = (0, 0, 0, 0)) -> pygame.Surface:
    """Give an icon; `second` is the colour of its smaller part."""
    sketch = Sketch(size, size)
    _ICONS[name](sketch, ink, second)
    return sketch.finish()
