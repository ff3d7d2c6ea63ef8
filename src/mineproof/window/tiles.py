"""The pictures of cells, made once for each theme and size."""

from __future__ import annotations

from functools import lru_cache

import pygame

from mineproof.window.colours import BANDS, THEMES, Colour, band_of, mix
from mineproof.window.lettering import text_picture
from mineproof.window.shapes import Sketch, diamond, icon, put, ring

DIGIT = 0.56
"""The height of a clue's digit as a share of the cell."""
HEAT_STEPS = 64
"""How many colours the heat map has; risks between them look alike."""


@lru_cache(maxsize=64)
def closed(theme: str, size: int, over: bool) -> pygame.Surface:
    """Give an unopened cell."""
    colours = THEMES[theme]
    face = colours.closed_over if over else colours.closed
    return _raised(size, face, colours.closed_light, colours.closed_shade, colours.background)


@lru_cache(maxsize=16)
def opened(theme: str, size: int) -> pygame.Surface:
    """Give the ground of an opened cell."""
    colours = THEMES[theme]
    picture = pygame.Surface((size, size))
    picture.fill(colours.opened)
    if size >= 6:
        pygame.draw.line(picture, colours.opened_line, (0, size - 1), (size, size - 1))
        pygame.draw.line(picture, colours.opened_line, (size - 1, 0), (size - 1, size))
    return picture


@lru_cache(maxsize=128)
def clue(theme: str, size: int, number: int) -> pygame.Surface:
    """Give an opened cell with its clue; nothing is written for a 0."""
    picture = opened(theme, size).copy()
    if number:
        colour = THEMES[theme].clues[number]
        _centre(picture, text_picture(str(number), round(size * DIGIT), colour, bold=True))
    return picture


@lru_cache(maxsize=16)
def withheld(theme: str, size: int) -> pygame.Surface:
    """Give an opened cell that shows no clue."""
    picture = opened(theme, size).copy()
    colour = THEMES[theme].quiet
    _centre(picture, text_picture("?", round(size * DIGIT), colour))
    return picture


@lru_cache(maxsize=64)
def marked(theme: str, size: int, over: bool, wrong: bool = False) -> pygame.Surface:
    """Give an unopened cell with a mark, crossed out if it turned out wrong."""
    colours = THEMES[theme]
    picture = closed(theme, size, over).copy()
    put(picture, icon("flag", size, colours.flag, colours.pole), (0, 0))
    if wrong:
        put(picture, icon("cross", size, colours.text), (0, 0))
    return picture


@lru_cache(maxsize=32)
def mine(theme: str, size: int, exploded: bool) -> pygame.Surface:
    """Give a mine that is shown: one that exploded, or one found when the game had ended."""
    colours = THEMES[theme]
    if exploded:
        light, shade = (mix(colours.exploded, other, 0.25) for other in ((255,) * 3, (0,) * 3))
        picture = _raised(size, colours.exploded, light, shade, colours.background)
        ink: Colour = (255, 255, 255)
        glint = colours.exploded
    else:
        picture = closed(theme, size, False).copy()
        ink, glint = colours.mine, colours.closed
    put(picture, icon("mine", size, ink, glint), (0, 0))
    return picture


def heat(theme: str, size: int, risk: float, over: bool) -> pygame.Surface:
    """Give an unopened cell in the colour and pattern of its risk."""
    return _heat(theme, size, round(risk * HEAT_STEPS), band_of(risk), over)


@lru_cache(maxsize=512)
def _heat(theme: str, size: int, step: int, band: int, over: bool) -> pygame.Surface:
    colours = THEMES[theme]
    risk = step / HEAT_STEPS
    face = colours.heat_colour(risk)
    if over:
        face = mix(face, colours.text, 0.15)
    light, shade = mix(face, (255, 255, 255), 0.18), mix(face, (0, 0, 0), 0.2)
    picture = _raised(size, face, light, shade, colours.background)
    put(picture, _pattern(size, band, mix(face, colours.heat_text(risk), 0.3)), (0, 0))
    return picture


@lru_cache(maxsize=1024)
def heat_figure(theme: str, size: int, text: str, step: int) -> pygame.Surface:
    """Give the number that is written on a cell of the heat map."""
    colour = THEMES[theme].heat_text(step / HEAT_STEPS)
    share = 0.38 if len(text) <= 2 else 0.33
    return text_picture(text, max(8, round(size * share)), colour, bold=True)


def heat_label(size: int, risk: float, scale: float) -> str:
    """Give the number for a cell: with one decimal where there is room, or none at all."""
    if risk <= 0 or risk >= 1 or size < 19 * scale:
        return ""
    value = risk * 100
    if size < 30 * scale:
        return "<1" if value < 1 else f"{min(99, round(value))}"
    if value < 0.1:
        return "<.1"
    return f"{min(99.9, value):.1f}"


@lru_cache(maxsize=32)
def proved(theme: str, size: int, is_mine: bool, small: bool = False) -> pygame.Surface:
    """Give the sign that an agent has proved a cell: a tick on a disc, or a diamond.

    A small one lies in a corner, on a ground of its own that sets it off from any colour.
    """
    colours = THEMES[theme]
    sketch = Sketch(size, size)
    if small:
        sketch.disc(colours.panel, (0.5, 0.5), 0.48)
    if is_mine:
        diamond(sketch, colours.mined, colours.panel)
    else:
        sketch.disc(colours.safe, (0.5, 0.5), 0.36 if small else 0.32)
        sketch.line(colours.panel, 0.09, (0.36, 0.51), (0.46, 0.61), (0.65, 0.4))
    return sketch.finish()


@lru_cache(maxsize=128)
def frame(theme: str, size: int, kind: str, scale: float) -> pygame.Surface:
    """Give the frame around a cell: of the move made last, of the evidence, of the cursor."""
    colours = THEMES[theme]
    ink = {
        "last": colours.quiet,
        "subject": colours.text,
        "clue": colours.evidence,
        "conclusion": mix(colours.evidence, colours.opened, 0.45),
        "cursor": colours.accent,
    }[kind]
    thick = max(1.5, size * (0.06 if kind == "last" else 0.085), 1.5 * scale)
    return ring(size, size * 0.16, ink, thick)


def _raised(
    size: int, face: Colour, light: Colour, shade: Colour, ground: Colour
) -> pygame.Surface:
    """Give a tile that stands out a little, with a gap around it."""
    picture = pygame.Surface((size, size))
    picture.fill(ground)
    gap = 0.5 if size < 16 else max(0.75, size * 0.03)
    side = size - 2 * gap
    radius = size * 0.14
    edge = size * 0.035
    sketch = Sketch(size, size)
    sketch.box((gap, gap, side, side), radius, shade)
    if size >= 12:
        sketch.box((gap, gap, side, side - edge), radius, light)
        sketch.box((gap, gap + edge, side, side - 2 * edge), radius, face)
    else:
        sketch.box((gap, gap, side, side), radius, face)
    put(picture, sketch.finish(), (0, 0))
    return picture


@lru_cache(maxsize=64)
def _pattern(size: int, band: int, ink: Colour) -> pygame.Surface:
    """Give the pattern of a band of risks: the higher, the denser."""
    sketch = Sketch(size, size)
    if band == 0:
        put_icon(sketch, "tick", ink)
    elif band == 2:
        for place in ((0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8)):
            sketch.disc(ink, place, 0.055)
    elif band == 3:
        for start in (0.3, 0.85):
            sketch.line(ink, 0.045, (0.1, start + 0.0), (start, 0.1))
        sketch.line(ink, 0.045, (0.4, 0.9), (0.9, 0.4))
    elif band == 4:
        _hatch(sketch, ink)
    elif band == len(BANDS) - 1:
        put_icon(sketch, "cross", ink)
    return sketch.finish()


def put_icon(sketch: Sketch, name: str, ink: Colour) -> None:
    """Draw an icon on a sketch, bold and nearly as large."""
    if name == "tick":
        sketch.line(ink, 0.13, (0.26, 0.53), (0.44, 0.7), (0.75, 0.34))
    else:
        sketch.line(ink, 0.13, (0.28, 0.28), (0.72, 0.72))
        sketch.line(ink, 0.13, (0.28, 0.72), (0.72, 0.28))


def _hatch(sketch: Sketch, ink: Colour) -> None:
    for start in (0.35, 0.65, 0.95):
        sketch.line(ink, 0.035, (0.1, start - 0.05), (start - 0.05, 0.1))
        sketch.line(ink, 0.035, (1.05 - start, 0.9), (0.9, 1.05 - start))
        sketch.line(ink, 0.035, (0.1, 1.05 - start), (start - 0.05, 0.9))
        sketch.line(ink, 0.035, (1.05 - start, 0.1), (0.9, start - 0.05))


def _centre(picture: pygame.Surface, letters: pygame.Surface) -> None:
    picture.blit(letters, letters.get_rect(center=picture.get_rect().center))
