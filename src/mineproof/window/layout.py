"""Where the parts of the window are. All lengths grow with the window and its pixels."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

IDEAL = (1160, 740)
"""The size at which a scale of 1 looks right."""
SMALLEST = (640, 460)
"""The window does not get smaller than this."""
PANEL = 278
STATUS = 62
NOTE = 104
MARGIN = 16
LABELS = (30, 26)
"""Room for the numbers of the rows and of the columns."""


@dataclass(frozen=True)
class Layout:
    """The parts of the window, in pixels."""

    scale: float
    window: pygame.Rect
    status: pygame.Rect
    board: pygame.Rect
    note: pygame.Rect
    panel: pygame.Rect

    def px(self, length: float) -> int:
        """Turn a length at scale 1 into pixels."""
        return round(length * self.scale)


def scale_for(width: float, height: float) -> float:
    """Give the scale for a window of this size: smaller ones shrink, larger ones grow less."""
    ratio = min(width / IDEAL[0], height / IDEAL[1])
    return max(0.45, ratio if ratio <= 1 else 1 + (ratio - 1) * 0.6)


def arrange(width: int, height: int, ratio: float = 1.0) -> Layout:
    """Lay out a window.

    Args:
        width: of the window, in pixels.
        height: likewise.
        ratio: pixels for each of the system's points.
    """
    scale = scale_for(width / ratio, height / ratio) * ratio

    def px(length: float) -> int:
        return round(length * scale)

    margin = px(MARGIN)
    panel = pygame.Rect(width - px(PANEL), 0, px(PANEL), height)
    left = panel.left - 2 * margin
    status = pygame.Rect(margin, margin, left, px(STATUS))
    note = pygame.Rect(margin, height - margin - px(NOTE), left, px(NOTE))
    top = status.bottom + px(LABELS[1]) + margin // 2
    side = margin + px(LABELS[0])
    room = pygame.Rect(
        side, top, panel.left - margin - side - px(6), note.top - margin - px(4) - top
    )
    room.width, room.height = max(1, room.width), max(1, room.height)
    return Layout(scale, pygame.Rect(0, 0, width, height), status, room, note, panel)


def first_size(desktop: tuple[int, int]) -> tuple[int, int]:
    """Give the size of a new window: as is right, but never larger than the screen allows."""
    return tuple(  # type: ignore[return-value]
        max(least, min(max(ideal, round(side * 0.62)), round(side * 0.88)))
        for ideal, least, side in zip(IDEAL, SMALLEST, desktop, strict=True)
    )
