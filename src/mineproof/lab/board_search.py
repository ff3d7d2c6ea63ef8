"""The source of an experiment's boards: dealt, from a board set, or found by a search."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from mineproof.agents.protocol import Agent
from mineproof.arena.sets import board_set
from mineproof.core.board import Board
from mineproof.core.errors import NotationError
from mineproof.core.grid import Cell
from mineproof.core.rules import Rules
from mineproof.match.batch import Deal
from mineproof.review.long_chains import improve, sample

MOST_TRIES = 1_000_000
WAYS = {"sampled": sample, "improved": improve}
LISTED = "set:"
"""The prefix of the name of a board set or file."""


@dataclass(frozen=True)
class BoardSearch:
    """The method that finds the board of a game.

    If `way` is empty, the board is dealt from the seed without a search.
    """

    way: str = ""
    tries: int = 0
    listed: str = ""
    """A board set or file, whose boards are played in order."""

    def __str__(self) -> str:
        """Return the text form. For boards from a file, it contains their checksum."""
        if self.listed:
            return f"{LISTED}{_listed(self.listed)[0]}"
        return f"{self.way}:{self.tries}" if self.way else "dealt"

    @classmethod
    def parse(cls, text: str) -> BoardSearch:
        """Read `dealt`, `set:NAME`, `set:FILE`, `sampled:TRIES` or `improved:TRIES`.

        Raises:
            InputError: the text has another form, or there is no such board set or file.
        """
        if text.startswith(LISTED):
            _listed(name := text.removeprefix(LISTED))
            return cls(listed=name)
        way, _, tries = text.partition(":")
        if text == "dealt":
            return DEALT
        if way in WAYS and re.fullmatch("[0-9]{1,7}", tries) and 1 <= int(tries) <= MOST_TRIES:
            return cls(way, int(tries))
        raise NotationError(
            "expected boards dealt, set:NAME, sampled:TRIES or improved:TRIES with 1 to "
            f"{MOST_TRIES:,} tries, got {text!r}"
        )

    @property
    def deals(self) -> Sequence[Deal]:
        """The games of the board set."""
        return _listed(self.listed)[1]

    def find(self, rules: Rules, agent: Agent, seed: int, first: Cell | None) -> Board | None:
        """Return the board for a seed; None if the board is dealt as usual."""
        if not self.way:
            return None
        return WAYS[self.way](rules, agent, seed, self.tries, first).board


DEALT = BoardSearch()


@lru_cache(maxsize=4)
def _listed(text: str) -> tuple[str, Sequence[Deal]]:
    """Return the name and the games of a board set or file."""
    found = board_set(text)
    return found.name, found.deals()
