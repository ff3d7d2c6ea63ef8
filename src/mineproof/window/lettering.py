"""Text: the fonts of the system, measured, wrapped and drawn."""

from __future__ import annotations

from functools import lru_cache

import pygame

from mineproof.window.colours import Colour

FAMILIES = (
    "segoeui",
    "sfprotext",
    "helveticaneue",
    "inter",
    "roboto",
    "notosans",
    "cantarell",
    "ubuntu",
    "opensans",
    "liberationsans",
    "arial",
    "helvetica",
    "freesans",
    "dejavusans",
)
"""The fonts to use, best first; pygame's own where none is installed."""


@lru_cache(maxsize=2)
def _path(bold: bool) -> str | None:
    known = set(pygame.font.get_fonts())
    for family in FAMILIES:
        if family in known and (path := pygame.font.match_font(family, bold=bold)):
            return path
    return None


@lru_cache(maxsize=128)
def font(size: int, bold: bool = False) -> pygame.font.Font:
    """Give the font for a height of letters in pixels."""
    path = _path(bold)
    return pygame.font.Font(path, max(6, size if path else round(size * 1.15)))


@lru_cache(maxsize=2048)
def text_picture(text: str, size: int, colour: Colour, bold: bool = False) -> pygame.Surface:
    """Give a line of text as a picture."""
    return font(size, bold).render(_printable(text), True, colour)


def width_of(text: str, size: int, bold: bool = False) -> int:
    """Give the width of a line of text in pixels."""
    return font(size, bold).size(_printable(text))[0]


def write(  # noqa: PLR0913  (what a line of text looks like)
    target: pygame.Surface,
    text: str,
    place: tuple[float, float],
    size: int,
    colour: Colour,
    *,
    bold: bool = False,
    align: str = "left",
) -> pygame.Rect:
    """Write a line of text; `place` is the middle of its left or right end, or its middle."""
    picture = text_picture(text, size, colour, bold)
    rect = picture.get_rect()
    anchor = {"left": "midleft", "right": "midright", "centre": "center"}[align]
    setattr(rect, anchor, (round(place[0]), round(place[1])))
    target.blit(picture, rect)
    return rect


def wrap(text: str, width: int, size: int, lines: int) -> list[str]:
    """Break a text into lines; what does not fit ends with an ellipsis."""
    broken = [""]
    for word in text.split():
        longer = f"{broken[-1]} {word}".strip()
        if width_of(longer, size) <= width or not broken[-1]:
            broken[-1] = longer
        else:
            broken.append(word)
    if len(broken) > lines:
        broken[lines - 1] += " ..."
    return [fit(line, width, size) for line in broken[:lines]]


def fit(text: str, width: int, size: int, bold: bool = False) -> str:
    """Shorten a text that is too wide."""
    if width_of(text, size, bold) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width_of(f"{text[:middle].rstrip(' .')} ...", size, bold) <= width:
            low = middle
        else:
            high = middle - 1
    return f"{text[:low].rstrip(' .')} ..."


def _printable(text: str) -> str:
    """Leave out what fonts refuse or draw as boxes."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
