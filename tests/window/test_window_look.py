"""Colours that can be read, by everybody, and words under the board."""

from __future__ import annotations

import itertools

import pygame
import pytest

from mineproof.core.grid import Cell
from mineproof.core.rules import Rules, with_options
from mineproof.session import Why
from mineproof.window import lettering, notes, tiles
from mineproof.window.colours import BANDS, THEMES, Theme, band_of, contrast
from mineproof.window.panel import level_name

both = pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))


@both
def test_text_can_be_read(theme: Theme) -> None:
    """All text has the contrast of 4.5 that the accessibility guidelines ask for."""
    for ink in (theme.text, theme.quiet, theme.good, theme.bad):
        assert contrast(ink, theme.panel) >= 4.5
    for ink in (theme.text, theme.quiet):
        assert contrast(ink, theme.background) >= 4.5
    assert contrast(theme.on_accent, theme.accent) >= 4.5
    for clue in theme.clues[1:]:
        assert contrast(clue, theme.opened) >= 4.5


@both
def test_figures_on_the_heat_map_can_be_read(theme: Theme) -> None:
    """The risk that is written on a cell stands out from every colour of the map."""
    for step in range(101):
        risk = step / 100
        assert contrast(theme.heat_text(risk), theme.heat_colour(risk)) >= 4.0


@both
def test_signs_stand_out(theme: Theme) -> None:
    """Flags, mines and signs have the contrast of 3 that is asked of pictures."""
    for ink in (theme.pole, theme.mine):
        assert contrast(ink, theme.closed) >= 3
    assert contrast(theme.safe, theme.panel) >= 3
    assert contrast(theme.mined, theme.panel) >= 3


@pytest.mark.parametrize(
    ("risk", "label"),
    [
        (0.0, "safe"),
        (1e-9, "under 10%"),
        (0.0999, "under 10%"),
        (0.1, "10 to 25%"),
        (0.25, "25 to 50%"),
        (0.5, "50% and more"),
        (0.9999, "50% and more"),
        (1.0, "mine"),
    ],
)
def test_bands(risk: float, label: str) -> None:
    """Each risk has its band; only what is proved is called safe or a mine."""
    assert BANDS[band_of(risk)].label == label


@both
def test_bands_differ_without_colour(screen: object, theme: Theme) -> None:
    """In shades of grey with the same ground, the pattern of each band is still its own."""
    ink = theme.text
    pictures = [
        pygame.image.tobytes(tiles._pattern(24, band, ink), "RGBA") for band in range(len(BANDS))
    ]
    assert all(first != second for first, second in itertools.combinations(pictures, 2))


@pytest.mark.parametrize(
    ("size", "risk", "label"),
    [
        (40, 0.1234, "12.3"),
        (24, 0.1234, "12"),
        (10, 0.1234, ""),
        (40, 0.0, ""),
        (40, 1.0, ""),
        (40, 0.9999, "99.9"),
        (40, 0.0001, "<.1"),
        (24, 0.001, "<1"),
        (24, 0.9999, "99"),
    ],
)
def test_heat_labels(size: int, risk: float, label: str) -> None:
    """A cell shows one decimal where there is room, and never 0 or 100 for a guess."""
    assert tiles.heat_label(size, risk, 1.0) == label


@pytest.mark.parametrize(
    ("risk", "text"),
    [(0.0, "0.0%"), (0.1234, "12.3%"), (1e-6, "under 0.1%"), (0.99999, "over 99.9%")],
)
def test_percent(risk: float, text: str) -> None:
    """Risks have one decimal, and what is not proved never reads as if it were."""
    assert notes.percent(risk) == text


def test_why_in_words() -> None:
    """A reason becomes a sentence; the title says what follows, or the risk."""
    cell = Cell(1, 2)
    proved = notes.because(Why(cell, "safe", "the 1 has its mine", (Cell(0, 0),)))
    assert (proved.title, proved.text) == ("(1, 2) is safe", "The 1 has its mine.")
    assert proved.clues == (Cell(0, 0),)
    assert notes.because(Why(cell, "mined", "so it is.")).title == "(1, 2) is a mine"
    guess = notes.because(Why(cell, None, "no clue touches it", risk=0.25))
    assert guess.title == "(1, 2) is not proved, risk 25.0%"


def test_long_texts_are_cut(screen: object) -> None:
    """A text never leaves its box: it is wrapped, and cut with dots."""
    text = "word " * 100 + "x" * 300
    lines = lettering.wrap(text, 200, 14, 3)
    assert len(lines) == 3
    assert all(lettering.width_of(line, 14) <= 200 for line in lines)
    assert lines[-1].endswith("...")
    assert lettering.wrap("x" * 300, 200, 14, 3)[0].endswith("...")
    assert lettering.wrap("", 200, 14, 3) == [""]


def test_odd_letters_are_drawn_as_blanks(screen: object) -> None:
    """Text of an agent's own may hold anything; nothing of it stops the drawing."""
    assert lettering.text_picture("a\0b\nc\x1b", 14, (0, 0, 0)).get_width() > 0
    assert lettering.width_of("\ud800" * 3, 14) >= 0


@pytest.mark.parametrize(
    ("level", "options", "name"),
    [
        ("expert", {}, "expert"),
        ("easy", {}, "easy"),
        ("expert", {"start": "opening"}, "expert, start opening"),
        ("7x8/9", {}, "7x8/9"),
        ("7x8/9", {"start": "any"}, "7x8/9, start any"),
        ("9x9/10", {"goal": "mark"}, "beginner, own rules"),
    ],
)
def test_level_names(level: str, options: dict[str, str], name: str) -> None:
    """A level is called by its name; what differs from it is said."""
    assert level_name(with_options(Rules.parse(level), **options)) == name
