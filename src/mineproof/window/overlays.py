"""What lies over the game for a moment: the instructions, and the lists of the choosers."""

from __future__ import annotations

from dataclasses import dataclass, field

import pygame

from mineproof.window.controls import Brush, Control, draw_control, draw_key
from mineproof.window.layout import Layout
from mineproof.window.lettering import fit, width_of
from mineproof.window.shapes import draw_box, icon, put

MOUSE = (
    ("left", "Left click", "opens a cell. On a clue that has its marks: opens the rest around it."),
    ("right", "Right click", "marks a mine, or takes the mark away."),
    ("middle", "Middle click", "the same as a left click on a clue. The wheel zooms."),
)
KEYS = (
    ("A", "the agent makes a move"),
    ("Shift A", "the agent plays on, or stops"),
    ("H", "a hint, one step more each time"),
    ("G", "may I guess now?"),
    ("W", "why? point at a cell"),
    ("I", "show what the agent has proved"),
    ("M", "heat map: the risk of every cell"),
    ("Arrows", "move the cursor"),
    ("Enter", "open there"),
    ("F", "mark there"),
    ("C", "open around a clue"),
    ("U", "undo, also an explosion"),
    ("N", "new game"),
    ("R", "the same board again"),
)


def instructions_card(layout: Layout) -> pygame.Rect:
    """Give the place of the instructions."""
    card = pygame.Rect(0, 0, layout.px(700), layout.px(556))
    card.center = layout.window.center
    return card


def play_button(layout: Layout) -> Control:
    """Give the button that begins the game."""
    card = instructions_card(layout)
    rect = pygame.Rect(0, 0, layout.px(180), layout.px(44))
    rect.midbottom = (card.centerx, card.bottom - layout.px(24))
    return Control("play", rect, "Play", "Enter", kind="main")


def draw_instructions(brush: Brush, layout: Layout, over: bool) -> None:
    """Draw the first screen: what the game is, and how to play it."""
    theme = brush.theme
    veil = pygame.Surface(layout.window.size, pygame.SRCALPHA)
    veil.fill(theme.veil)
    brush.target.blit(veil, (0, 0))
    card = instructions_card(layout)
    draw_box(brush.target, card, brush.px(16), theme.panel, theme.line, max(1.0, brush.scale))
    x, y = card.x + brush.px(36), card.y + brush.px(46)
    side = brush.px(40)
    put(brush.target, icon("flag", side, theme.flag, theme.pole), (x - brush.px(8), y - side / 2))
    brush.write("Mineproof", (x + side - brush.px(4), y), 30, theme.text, bold=True)
    y += brush.px(40)
    brush.write(
        "Open every cell that is not a mine. A clue tells how many of the eight cells around it",
        (x, y),
        15,
        theme.text,
    )
    brush.write(
        "are mines. Play yourself, let an agent play, or ask it why.",
        (x, y + brush.px(22)),
        15,
        theme.text,
    )
    _draw_mouse(brush, x, y + brush.px(58))
    _draw_keys(brush, card, y + brush.px(190))
    draw_control(brush, play_button(layout), over)


def _draw_mouse(brush: Brush, x: int, y: int) -> None:
    side = brush.px(32)
    for place, (name, title, text) in enumerate(MOUSE):
        middle = y + place * brush.px(40) + brush.px(8)
        picture = icon(name, side, brush.theme.accent, brush.theme.panel)
        put(brush.target, picture, (x - brush.px(4), middle - side / 2))
        left = x + brush.px(40)
        brush.write(title, (left, middle), 15, brush.theme.text, bold=True)
        brush.write(text, (left + brush.px(108), middle), 15, brush.theme.quiet)


def _draw_keys(brush: Brush, card: pygame.Rect, y: int) -> None:
    half = len(KEYS) // 2
    column = (card.width - brush.px(72)) // 2
    for place, (key, text) in enumerate(KEYS):
        x = card.x + brush.px(36) + (place // half) * column
        middle = y + (place % half) * brush.px(28)
        draw_key(brush, key, (x, middle))
        brush.write(text, (x + brush.px(58), middle), 14, brush.theme.quiet)


@dataclass(frozen=True)
class Entry:
    """A line of a list to choose from."""

    name: str
    detail: str = ""


@dataclass
class Menu:
    """A list that belongs to a chooser."""

    command: str
    anchor: pygame.Rect
    entries: list[Entry]
    chosen: str
    marked: int = 0
    """The entry that Enter takes."""
    rects: list[pygame.Rect] = field(default_factory=list)
    frame: pygame.Rect = field(default_factory=lambda: pygame.Rect(0, 0, 0, 0))

    def place(self, layout: Layout) -> None:
        """Find room under the chooser, to its left as far as needed."""
        sizes = layout.px(14), layout.px(12)
        names = max(width_of(entry.name, sizes[0], True) for entry in self.entries)
        details = max(width_of(entry.detail, sizes[1]) for entry in self.entries)
        wanted = names + details + layout.px(56)
        width = min(max(wanted, self.anchor.width), layout.window.width - layout.px(40))
        margin, pad = layout.px(10), layout.px(6)
        room = layout.window.height - 2 * margin - 2 * pad
        height = min(layout.px(32), room // len(self.entries))
        frame = pygame.Rect(0, 0, width, height * len(self.entries) + 2 * pad)
        frame.topright = (self.anchor.right, self.anchor.bottom + layout.px(4))
        frame.clamp_ip(layout.window.inflate(-2 * margin, -2 * margin))
        self.frame = frame
        self.rects = [
            pygame.Rect(frame.x + pad, frame.y + pad + place * height, width - 2 * pad, height)
            for place in range(len(self.entries))
        ]

    def entry_at(self, place: tuple[int, int]) -> int | None:
        """Give the number of the entry under a place; None if there is none."""
        return next((n for n, rect in enumerate(self.rects) if rect.collidepoint(place)), None)

    def draw(self, brush: Brush) -> None:
        """Draw the list."""
        theme = brush.theme
        thick = max(1.0, brush.scale)
        draw_box(brush.target, self.frame, brush.px(10), theme.panel, theme.line, thick)
        names = max(width_of(entry.name, brush.px(14), True) for entry in self.entries)
        for place, (entry, rect) in enumerate(zip(self.entries, self.rects, strict=True)):
            if place == self.marked:
                draw_box(brush.target, rect, brush.px(6), theme.control_over)
            colour = theme.accent if entry.name == self.chosen else theme.text
            left = rect.x + brush.px(10)
            brush.write(entry.name, (left, rect.centery), 14, colour, bold=True)
            left += names + brush.px(20)
            detail = fit(entry.detail, rect.right - left - brush.px(8), brush.px(12))
            brush.write(detail, (left, rect.centery), 12, theme.quiet)
