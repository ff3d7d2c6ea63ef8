"""Buttons, switches, choosers and the slider: what they are and how they look.

They are made anew for each frame from the state of the game, so there is nothing to keep in
step. A control names a command; the window knows what that does.
"""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from mineproof.window.colours import Colour, Theme, mix
from mineproof.window.lettering import fit, width_of, write
from mineproof.window.shapes import draw_box, icon, put


@dataclass(frozen=True)
class Control:
    """Something that can be clicked."""

    command: str
    rect: pygame.Rect
    label: str = ""
    key: str = ""
    """The key that does the same, as it is written on the control."""
    kind: str = "button"
    """What it looks like: button, main, switch, box, chooser, slider, icon, plain."""
    on: bool = False
    enabled: bool = True
    value: float = 0.0
    """Where a slider stands, from 0 to 1."""


@dataclass(frozen=True)
class Brush:
    """What all controls are drawn with."""

    target: pygame.Surface
    theme: Theme
    scale: float

    def px(self, length: float) -> int:
        """Turn a length at scale 1 into pixels."""
        return round(length * self.scale)

    def write(  # noqa: PLR0913  (what a line of text looks like)
        self,
        text: str,
        place: tuple[float, float],
        size: float,
        colour: Colour,
        *,
        bold: bool = False,
        align: str = "left",
    ) -> pygame.Rect:
        """Write a line of text; the size is that at scale 1."""
        return write(self.target, text, place, self.px(size), colour, bold=bold, align=align)


def draw_control(brush: Brush, control: Control, over: bool) -> None:
    """Draw a control; `over` says whether the mouse is on it."""
    painters = {
        "switch": _draw_switch,
        "box": _draw_switch,
        "chooser": _draw_chooser,
        "slider": _draw_slider,
        "icon": _draw_icon,
        "plain": _draw_plain,
    }
    painters.get(control.kind, _draw_button)(brush, control, over and control.enabled)


def _face(theme: Theme, control: Control, over: bool) -> tuple[Colour, Colour]:
    """Give the colours of a button and of its text."""
    if control.kind == "main" or control.on:
        face = mix(theme.accent, theme.text, 0.12) if over else theme.accent
        return face, theme.on_accent
    face = theme.control_over if over else theme.control
    return face, theme.text if control.enabled else mix(theme.quiet, theme.panel, 0.45)


def _draw_button(brush: Brush, control: Control, over: bool) -> None:
    face, ink = _face(brush.theme, control, over)
    rect = control.rect
    draw_box(brush.target, rect, brush.px(8), face)
    gap = brush.px(7) if control.key else 0
    key_width = _key_width(brush, control.key)
    words = width_of(control.label, brush.px(14), True)
    left = rect.centerx - (words + gap + key_width) / 2
    brush.write(control.label, (left, rect.centery), 14, ink, bold=True)
    _draw_key(brush, control.key, (left + words + gap, rect.centery), ink, face)


def _key_width(brush: Brush, key: str) -> int:
    if not key:
        return 0
    return max(brush.px(18), width_of(key, brush.px(11)) + brush.px(8))


def _draw_key(
    brush: Brush, key: str, place: tuple[float, float], ink: Colour, face: Colour
) -> None:
    """Draw the cap of a key with its letter."""
    if not key:
        return
    width, height = _key_width(brush, key), brush.px(17)
    cap = pygame.Rect(round(place[0]), round(place[1] - height / 2), width, height)
    draw_box(brush.target, cap, brush.px(4), face, mix(face, ink, 0.35), max(1.0, brush.scale))
    brush.write(key, cap.center, 11, mix(face, ink, 0.85), align="centre")


def draw_key(brush: Brush, key: str, place: tuple[float, float]) -> int:
    """Draw a key on the panel's ground and give its width."""
    _draw_key(brush, key, place, brush.theme.text, brush.theme.panel)
    return _key_width(brush, key)


def _draw_switch(brush: Brush, control: Control, over: bool) -> None:
    theme, rect = brush.theme, control.rect
    if over:
        draw_box(brush.target, rect, brush.px(8), theme.control)
    ink = theme.text if control.enabled else mix(theme.quiet, theme.panel, 0.45)
    side = brush.px(18)
    if control.kind == "box":
        track = pygame.Rect(rect.x + brush.px(8), rect.centery - side // 2, side, side)
        _draw_tick_box(brush, track, control.on)
    else:
        track = pygame.Rect(rect.x + brush.px(8), rect.centery - side // 2, brush.px(32), side)
        _draw_track(brush, track, control.on)
    brush.write(control.label, (track.right + brush.px(10), rect.centery), 14, ink)
    key_width = _key_width(brush, control.key)
    place = (rect.right - brush.px(8) - key_width, rect.centery)
    _draw_key(brush, control.key, place, theme.quiet, theme.control if over else theme.panel)


def _draw_track(brush: Brush, track: pygame.Rect, on: bool) -> None:
    theme = brush.theme
    off = mix(theme.quiet, theme.panel, 0.5)
    draw_box(brush.target, track, track.height / 2, theme.accent if on else off)
    side = track.height - brush.px(4)
    knob = pygame.Rect(0, 0, side, side)
    knob.centery = track.centery
    knob.x = track.right - side - brush.px(2) if on else track.x + brush.px(2)
    draw_box(brush.target, knob, side / 2, theme.on_accent if on else theme.panel)


def _draw_tick_box(brush: Brush, box: pygame.Rect, on: bool) -> None:
    theme = brush.theme
    if not on:
        border = mix(theme.quiet, theme.panel, 0.3)
        draw_box(brush.target, box, brush.px(4), theme.panel, border, 1.5 * brush.scale)
        return
    draw_box(brush.target, box, brush.px(4), theme.accent)
    put(brush.target, icon("tick", box.width, theme.on_accent), box.topleft)


def _draw_chooser(brush: Brush, control: Control, over: bool) -> None:
    theme, rect = brush.theme, control.rect
    face = theme.control_over if over else theme.control
    draw_box(brush.target, rect, brush.px(8), face)
    side = brush.px(20)
    room = rect.width - side - brush.px(30) - _key_width(brush, control.key)
    label = fit(control.label, room, brush.px(14), True)
    brush.write(label, (rect.x + brush.px(12), rect.centery), 14, theme.text, bold=True)
    place = (rect.right - side - brush.px(8), rect.centery - side // 2)
    put(brush.target, icon("down", side, theme.quiet), place)


def _draw_slider(brush: Brush, control: Control, over: bool) -> None:
    theme, rect = brush.theme, control.rect
    track = slider_track(rect, brush.scale)
    middle = track.centery
    left, right = track.x, track.right
    thick = max(2, brush.px(4))
    line = pygame.Rect(left, middle - thick // 2, right - left, thick)
    draw_box(brush.target, line, thick / 2, mix(theme.quiet, theme.panel, 0.6))
    knob_x = round(left + (right - left) * control.value)
    if knob_x > left:
        done = pygame.Rect(left, line.y, knob_x - left, thick)
        draw_box(brush.target, done, thick / 2, theme.accent)
    side = brush.px(18 if over else 16)
    knob = pygame.Rect(0, 0, side, side)
    knob.center = (knob_x, middle)
    draw_box(brush.target, knob, side / 2, theme.accent, theme.panel, 2 * brush.scale)


def slider_track(rect: pygame.Rect, scale: float) -> pygame.Rect:
    """Give the part of a slider along which its knob moves."""
    side = round(10 * scale)
    return pygame.Rect(rect.x + side, rect.y, max(1, rect.width - 2 * side), rect.height)


def _draw_icon(brush: Brush, control: Control, over: bool) -> None:
    theme, rect = brush.theme, control.rect
    if over:
        draw_box(brush.target, rect, brush.px(8), theme.control)
    side = min(rect.width, rect.height) - brush.px(8)
    if control.label in ("?",):
        brush.write(control.label, rect.center, 17, theme.quiet, bold=True, align="centre")
        return
    picture = icon(control.label, side, theme.quiet)
    put(brush.target, picture, picture.get_rect(center=rect.center).topleft)


def _draw_plain(brush: Brush, control: Control, over: bool) -> None:
    theme, rect = brush.theme, control.rect
    colour = theme.text if over else theme.quiet
    text = fit(control.label, rect.width, brush.px(12))
    brush.write(text, (rect.x, rect.centery), 12, colour)
