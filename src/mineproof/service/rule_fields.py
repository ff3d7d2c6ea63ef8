"""The rules of a game as a page asks for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from mineproof.core.errors import InputError
from mineproof.core.random import MAX_GAME_SEED
from mineproof.core.rules import Rules, with_options
from mineproof.notation.codec import Length
from mineproof.service.limits import check_board

DEFAULT_GAME = {"level": "beginner", "start": "opening"}
"""A first click that opens an area is what players expect."""
Text = Annotated[str, Length(64 * 1024)]
OptionalText = Text | None
"""Null and the empty text both mean that the field is missing."""


@dataclass(frozen=True)
class RuleFields:
    """The fields of `new`: a level and options, all of which may be missing."""

    level: OptionalText = None
    start: OptionalText = None
    goal: OptionalText = None
    explosion: OptionalText = None
    clues: OptionalText = None
    mine_count: OptionalText = None
    flood: bool = True
    seed: OptionalText = None

    @property
    def rules(self) -> Rules | None:
        """The rules; None if no level is named.

        Raises:
            InputError: they contradict each other, or the board is too large.
        """
        if not self.level:
            return None
        names = ("start", "goal", "explosion", "clues", "mine_count")
        texts = {name: getattr(self, name) or None for name in names}
        return check_board(with_options(Rules.parse(self.level), flood=self.flood, **texts))

    @property
    def number(self) -> int | None:
        """The seed, which comes as text since pages know no such large numbers."""
        text = self.seed
        if not text:
            return None
        if not (text.isascii() and text.isdigit()) or len(text) > 39 or int(text) > MAX_GAME_SEED:
            expected = f"a whole number up to {MAX_GAME_SEED}"
            raise InputError(f'field "seed": expected {expected}, got {text[:60]!r}')
        return int(text)
