"""Types of the fields in a page's messages. The codec reads them and checks their limits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, TypeVar

from mineproof.core.errors import InputError
from mineproof.core.random import MAX_GAME_SEED, check_seed
from mineproof.core.rules import Rules, with_options
from mineproof.notation.codec import Between, Length, from_plain
from mineproof.notation.text import quote
from mineproof.service import limits

DEFAULT_GAME = {"level": "beginner", "start": "opening"}
"""The game shown on a first visit. Players expect the first click to open an area."""
Count = Annotated[int, Between(0, 2**31)]
Text = Annotated[str, Length(64 * 1024)]
OptionalText = Text | None
"""Null and an empty string both mean that the field is missing."""
FileData = Annotated[str, Length(limits.FILE_CHARACTERS)]
"""The contents of a file as base64."""
At = Count | Text | None
"""A position: the current one, the one after a number of steps, or `.mine` text."""
Made = TypeVar("Made")


def read_fields(kind: type[Made], values: Mapping[str, Any]) -> Made:
    """Read a dataclass from the fields of an object that may have other fields too.

    Raises:
        NotationError: a field has a wrong value or is missing.
    """
    names = (one.name for one in fields(kind))  # type: ignore[arg-type]
    return from_plain(kind, {name: values[name] for name in names if name in values})


@dataclass(frozen=True)
class RuleFields:
    """The fields of `new`: a level and its options, all optional."""

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
        """The rules; None if no level is given.

        Raises:
            InputError: the options contradict each other, or the board is too large.
        """
        if not self.level:
            return None
        names = ("start", "goal", "explosion", "clues", "mine_count")
        texts = {name: getattr(self, name) or None for name in names}
        return limits.check_board(with_options(Rules.parse(self.level), flood=self.flood, **texts))

    @property
    def number(self) -> int | None:
        """The seed as a number. It is sent as text because JavaScript would round it."""
        if not self.seed:
            return None
        if not re.fullmatch("[0-9]{1,39}", self.seed):
            raise InputError(f'field "seed": expected a whole number, got {quote(self.seed)}')
        return check_seed(int(self.seed), MAX_GAME_SEED)
