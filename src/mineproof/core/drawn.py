"""What notebooks show as a picture."""

from __future__ import annotations

import importlib


class Drawn:
    """Something that `mineproof.draw` has a picture of."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        """Give the picture for a notebook; None, so that the text is shown, where it is too big."""
        # The one look upward: pictures lie layers above the core, which imports nothing of
        # them and finds them by name, when a notebook asks.
        found: str | None = importlib.import_module("mineproof.draw").picture_of(self)
        return found
