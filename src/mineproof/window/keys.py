"""The keys, the same as on the page."""

from __future__ import annotations

import pygame

KEYS = {
    pygame.K_RETURN: "open",
    pygame.K_KP_ENTER: "open",
    pygame.K_f: "mark",
    pygame.K_c: "chord",
    pygame.K_n: "new",
    pygame.K_r: "reset",
    pygame.K_u: "undo",
    pygame.K_p: "pause",
    pygame.K_a: "ai",
    pygame.K_SPACE: "open",
    pygame.K_y: "redo",
    pygame.K_h: "hint",
    pygame.K_g: "may guess",
    pygame.K_i: "inference",
    pygame.K_m: "heat",
    pygame.K_w: "why",
    pygame.K_l: "level",
    pygame.K_k: "agent",
    pygame.K_t: "theme",
    pygame.K_0: "fit",
    pygame.K_F1: "help",
    pygame.K_F11: "full screen",
    pygame.K_ESCAPE: "escape",
}
TYPED = {
    "?": "help",
    "+": "larger",
    "=": "larger",
    "-": "smaller",
    ",": "speed down",
    ".": "speed up",
}
"""Signs that lie on different keys in different countries."""
FAR = 1000
"""More cells than a board has rows or columns."""
ARROWS = {
    pygame.K_UP: (-1, 0),
    pygame.K_DOWN: (1, 0),
    pygame.K_LEFT: (0, -1),
    pygame.K_RIGHT: (0, 1),
    pygame.K_HOME: (0, -FAR),
    pygame.K_END: (0, FAR),
    pygame.K_PAGEUP: (-FAR, 0),
    pygame.K_PAGEDOWN: (FAR, 0),
}
WITH_CONTROL = {pygame.K_c: "copy", pygame.K_v: "paste", pygame.K_q: "quit"}
"""Keys that need Ctrl (or Command) as well."""


REPEATED = frozenset({"undo", "redo", "ai", "larger", "smaller"})
"""Commands that go on while their key is held down, as moving the cursor does."""


class Held:
    """Knows which keys are held down: the system sends them again and again."""

    def __init__(self) -> None:
        """Begin with none."""
        self._keys: set[int] = set()

    def press(self, event: pygame.Event) -> bool:
        """Note a key; says whether it is to be obeyed: it is new, or may repeat itself."""
        known = event.key in self._keys
        self._keys.add(event.key)
        return not known or event.key in ARROWS or command_of(event) in REPEATED

    def release(self, event: pygame.Event) -> None:
        """Note that a key was let go."""
        self._keys.discard(event.key)

    def release_all(self) -> None:
        """Note that another window has the keyboard: nobody tells of keys let go there."""
        self._keys.clear()


def command_of(event: pygame.Event) -> str | None:
    """Give the command of a key, if it has one."""
    if event.key == pygame.K_a and event.mod & pygame.KMOD_SHIFT:
        return "autoplay"
    return TYPED.get(getattr(event, "unicode", "")) or KEYS.get(event.key)
