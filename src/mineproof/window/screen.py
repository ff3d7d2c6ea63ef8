"""A window of the desktop, in real pixels also on screens that have many of them."""

from __future__ import annotations

from contextlib import suppress

import pygame

from mineproof.window.colours import DARK
from mineproof.window.layout import SMALLEST, first_size
from mineproof.window.shapes import icon

TITLE = "Mineproof"


class Screen:
    """A window to draw on."""

    def __init__(self, size: tuple[int, int] | None = None) -> None:
        """Open a window, of a size that fits the screen unless one is given.

        Raises:
            OSError: there is no screen to open it on.
        """
        try:
            pygame.display.init()
            pygame.font.init()
            wanted = size or first_size(pygame.display.get_desktop_sizes()[0])
            self._window = pygame.Window(TITLE, wanted, resizable=True, allow_high_dpi=True)
        except pygame.error as error:
            raise OSError(f"expected a screen for a window, got none: {error}") from error
        self._window.minimum_size = SMALLEST
        pygame.key.set_repeat(350, 40)  # milliseconds until the first, and between others
        with suppress(pygame.error):
            self._window.set_icon(_picture())
        self._full = False

    def surface(self) -> pygame.Surface:
        """Give what is drawn on."""
        return self._window.get_surface()

    @property
    def ratio(self) -> float:
        """Pixels for each of the system's points."""
        return self.surface().get_width() / max(1, self._window.size[0])

    def to_pixels(self, place: tuple[float, float]) -> tuple[int, int]:
        """Turn a place that an event names into pixels."""
        ratio = self.ratio
        return round(place[0] * ratio), round(place[1] * ratio)

    def resize(self, size: tuple[int, int]) -> None:
        """Change the size of the window."""
        self._window.size = size

    def toggle_full(self) -> None:
        """Fill the whole screen, or no longer."""
        self._full = not self._full
        if self._full:
            self._window.set_fullscreen(desktop=True)
        else:
            self._window.set_windowed()

    def flip(self) -> None:
        """Show what was drawn."""
        self._window.flip()

    def close(self) -> None:
        """Close the window."""
        self._window.destroy()


def _picture() -> pygame.Surface:
    """Give the picture that stands for the window in lists."""
    picture = pygame.Surface((64, 64), pygame.SRCALPHA)
    pygame.draw.rect(picture, DARK.closed, picture.get_rect(), border_radius=12)
    picture.blit(icon("flag", 64, DARK.flag, DARK.pole), (0, 0))
    return picture
