"""The colours of the window, dark and light, and the scale of the heat map.

The heat map runs from blue to orange, which people of every colour vision tell apart, and
each of its bands has a pattern of its own as well.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import NamedTuple

Colour = tuple[int, int, int]


class Band(NamedTuple):
    """A range of risks in the heat map's legend."""

    label: str
    below: float
    """The first risk that is above the band."""
    risk: float
    """A risk in it, which gives the legend its colour."""


BANDS = (
    Band("safe", 1e-12, 0.0),
    Band("under 10%", 0.1, 0.05),
    Band("10 to 25%", 0.25, 0.175),
    Band("25 to 50%", 0.5, 0.375),
    Band("50% and more", 1 - 1e-12, 0.75),
    Band("mine", 2.0, 1.0),
)
"""The bands, each with a pattern of its own; the first and the last are proved."""


def band_of(risk: float) -> int:
    """Give the place of a risk among the bands."""
    return bisect_right([band.below for band in BANDS], risk)


@dataclass(frozen=True)
class Theme:
    """All colours of one appearance."""

    name: str
    background: Colour
    panel: Colour
    line: Colour
    text: Colour
    quiet: Colour
    accent: Colour
    on_accent: Colour
    control: Colour
    control_over: Colour
    closed: Colour
    closed_over: Colour
    closed_light: Colour
    closed_shade: Colour
    opened: Colour
    opened_line: Colour
    clues: tuple[Colour, ...]
    flag: Colour
    pole: Colour
    mine: Colour
    exploded: Colour
    good: Colour
    bad: Colour
    safe: Colour
    mined: Colour
    evidence: Colour
    heat: tuple[Colour, ...]
    heat_ink: tuple[Colour, ...]
    """What is written on the colours of `heat`."""
    veil: tuple[int, int, int, int]

    def heat_colour(self, risk: float) -> Colour:
        """Give the colour of a risk."""
        place = min(max(risk, 0.0), 1.0) ** 0.7 * (len(self.heat) - 1)
        low = min(int(place), len(self.heat) - 2)
        return mix(self.heat[low], self.heat[low + 1], place - low)

    def heat_text(self, risk: float) -> Colour:
        """Give the colour of what is written on a risk: the one that stands out more."""
        ground = self.heat_colour(risk)
        return max(self.heat_ink, key=lambda ink: contrast(ink, ground))


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Blend two colours; a share of 0 gives the first."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def contrast(first: Colour, second: Colour) -> float:
    """Give the contrast of two colours as the web's accessibility guidelines define it."""
    dark, light = sorted((_luminance(first), _luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    parts = [value / 255 for value in colour]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _hex(text: str) -> Colour:
    red, green, blue = bytes.fromhex(text)
    return red, green, blue


def _hexes(text: str) -> tuple[Colour, ...]:
    return tuple(map(_hex, text.split()))


LIGHT = Theme(
    name="light",
    background=_hex("eef1f5"),
    panel=_hex("ffffff"),
    line=_hex("d9dfe7"),
    text=_hex("1c2430"),
    quiet=_hex("5d6878"),
    accent=_hex("2b63c9"),
    on_accent=_hex("ffffff"),
    control=_hex("eef1f6"),
    control_over=_hex("e0e6ef"),
    closed=_hex("b7c4d6"),
    closed_over=_hex("a6b7ce"),
    closed_light=_hex("cdd7e4"),
    closed_shade=_hex("98a8bf"),
    opened=_hex("f8fafc"),
    opened_line=_hex("e3e8ef"),
    clues=_hexes("8a94a3 2156c4 1d7a3e c02f2f 5b2a9d 96510a 0b7480 30353d 6a7280"),
    flag=_hex("cf2f3d"),
    pole=_hex("2a3340"),
    mine=_hex("232a34"),
    exploded=_hex("e2474b"),
    good=_hex("17753f"),
    bad=_hex("bf2a35"),
    safe=_hex("0f7d6c"),
    mined=_hex("b4430a"),
    evidence=_hex("c98a00"),
    heat=_hexes("2f6fd0 8db8ee d8d2c4 f3ab60 d9560f"),
    heat_ink=_hexes("ffffff 141a22"),
    veil=(226, 231, 238, 205),
)

DARK = Theme(
    name="dark",
    background=_hex("12151b"),
    panel=_hex("1a1f27"),
    line=_hex("2c3440"),
    text=_hex("e8ecf2"),
    quiet=_hex("99a5b5"),
    accent=_hex("6ea2ff"),
    on_accent=_hex("0c1420"),
    control=_hex("262d38"),
    control_over=_hex("323b49"),
    closed=_hex("3b4658"),
    closed_over=_hex("4a586e"),
    closed_light=_hex("4c596e"),
    closed_shade=_hex("2b3442"),
    opened=_hex("1a1f27"),
    opened_line=_hex("262d38"),
    clues=_hexes("5f6b7b 7fb0ff 6fd08c ff8b86 c9a2ff f0b35f 5fd3dc e8ecf2 a5b0bf"),
    flag=_hex("ff6b70"),
    pole=_hex("dfe5ee"),
    mine=_hex("d5dce6"),
    exploded=_hex("c8363e"),
    good=_hex("63d495"),
    bad=_hex("ff8084"),
    safe=_hex("4fd6bd"),
    mined=_hex("ff9a5a"),
    evidence=_hex("ffcc4d"),
    heat=_hexes("2e66c4 5b86c4 6b7482 b8793c e0681d"),
    heat_ink=_hexes("ffffff 0c1118"),
    veil=(10, 12, 16, 200),
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK)}
